/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses that probes select in one file, and every name that each of them has. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "base/arena.h"
#include "elf/file.h"
#include "plan/forms.h"

struct selection;

/* A selection that has the address among its candidates. */
struct address_user {
	const struct selection *selection;
	bool is_excluded; /* by one of the address's names */
	struct address_user *next;
};

struct address {
	uint64_t address;
	const char **names; /* NAME, or NAME@VERSION where that is not the default; each once */
	size_t n_names, capacity;
	size_t n_unnamed; /* further names, which are not kept */
	struct address_user *users;
	UT_hash_handle hh;
};

/* {} is a valid empty table. */
struct addresses {
	struct address *entries; /* uthash by address */
	uint64_t seen[4096]; /* a bit, by hash, for each address: most that are asked for have none
			      */
};

/* Leaves the entries to their arena. */
void addresses_deinit(struct addresses *t);

/* The entry of an address that selection wants, made where there is none. */
struct address *address_want(
	struct addresses *t, uint64_t address, const struct selection *selection, struct arena *a);

struct address *address_find(const struct addresses *t, uint64_t address);

/* Tells the entry of one more of its names, and excludes it for whom that says so. */
void address_add_name(
	struct address *entry, const struct elf_symbol *s, struct forms *f, struct arena *a);

bool address_is_excluded(const struct address *entry, const struct selection *selection);
