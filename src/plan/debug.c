// SPDX-License-Identifier: Apache-2.0
/*
 * Candidates come from the target's view, names for them and the verdict from the files themselves.
 *
 * A debug file in a process's view is anyone's who may write there, and a program of a container
 * is often other containers' as well (one image, one file). So the functions that such a debug
 * file speaks of are believed only where the program's own tables for unwinding have a function
 * begin: see debug_file_doubt().
 */
#include "plan/debug.h"

#include <errno.h>

#include "elf/debug.h"
#include "target/debug.h"

static bool accept(const struct debug_candidate *c, void *data)
{
	_cleanup_(error_deinit) struct error why = {};
	struct file *f = data;

	if (!elf_file_add_debug_file(f->elf, c->fd, c->path, &why)) {
		f->debug_is_foreign = !c->is_own;
		return true;
	}
	if (!f->debug_trouble)
		f->debug_trouble = arena_strdup(f->arena, error_text(&why));
	return false;
}

static const char *hexadecimal(const struct elf_build_id *id, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	for (size_t i = 0; i < id->n; i++)
		buffer_printf(&text, "%02x", id->bytes[i]);
	return arena_strdup(a, buffer_text(&text));
}

void debug_file_add(struct file *f)
{
	struct elf_build_id id;
	struct elf_debuglink link;
	struct debug_names names = {};

	if (!elf_file_wants_debug_file(f->elf))
		return;
	if (elf_file_build_id(f->elf, &id))
		names.build_id = hexadecimal(&id, f->arena);
	if (elf_file_debuglink(f->elf, &link))
		names.link = link.name;
	if (debug_files_offer(f->target, &names, accept, f))
		f->debug_trouble = NULL;
	elf_file_unpack_symbols(f->elf);
}

void debug_file_tell(const struct file *f)
{
	const char *missing = f->elf ? elf_file_missing_names(f->elf) : NULL;

	for (size_t i = 0; i < f->n_selections; i++) {
		if (f->debug_trouble)
			reasons_note(f->selections[i]->reasons, NULL, f->debug_trouble);
		if (missing)
			reasons_note(
				f->selections[i]->reasons, NULL, arena_strdup(f->arena, missing));
	}
}

const char *debug_file_doubt(const struct file *f, const struct symbol *s)
{
	const struct elf_frame *frame;

	if (s->source != ELF_DEBUG_FILE || !f->debug_is_foreign)
		return NULL;
	frame = elf_file_frame(f->elf, s->address);
	if (frame && frame->address == s->address)
		return NULL;
	return "only a debug file in a process's view says that a function begins there, and the "
	       "file's own tables for unwinding don't";
}
