// SPDX-License-Identifier: Apache-2.0
/* What the probes of a file want of it, and what goes with that; src/plan/file.c fulfils it. */
#include "base/memory.h"
#include "plan/request.h"

struct selection *file_add_selection(
	struct file *f, struct plan_probe *p, struct reasons *reasons, size_t target_index)
{
	const struct patterns *patterns = &p->config->functions;
	struct selection *s = arena_alloc(f->arena, sizeof(*s));

	*s = (struct selection){
		.probe = p,
		.reasons = reasons,
		.file = f,
		.target_index = target_index,
		.requests = arena_array(f->arena, patterns->n, sizeof(*s->requests)),
		.n_requests = patterns->n,
	};
	for (size_t i = 0; i < patterns->n; i++)
		request_init(&s->requests[i], s, &patterns->items[i]);
	f->selections = memory_grow(f->selections, f->n_selections + 1, sizeof(struct selection *));
	f->selections[f->n_selections++] = s;
	return s;
}

const struct points *file_points(struct file *f)
{
	if (!f->has_points)
		points_load(&f->points, f->elf, f->arena);
	f->has_points = true;
	return &f->points;
}

void file_deinit(struct file *f)
{
	struct selection *s;

	for (size_t i = 0; i < f->n_selections; i++) {
		s = f->selections[i];
		HASH_CLEAR(hh, s->functions);
	}
	addresses_deinit(&f->addresses);
	forms_deinit(&f->forms);
	free(f->selections);
	elf_file_free(f->elf);
	error_deinit(&f->error);
}
