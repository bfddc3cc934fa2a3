/*
 * nativemade - ELF files of ours and mappings of them, for tests of what names native code.
 */
#ifndef TESTS_NATIVEMADE_H
#define TESTS_NATIVEMADE_H

#include "bind/native/native.h"

#include <elf.h>

#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/sampled.h"
#include "sessionmade.h"

enum { FILES = 3, SIZE = 0x10000, FIRST_CALL = 0x100, STEP = 0x20, SHIFT = 0x400000 };

static const uint64_t start = 0x7f0000400000;
static const char lib[] = "/app/x.so";

static unsigned char code[FILES][SIZE];
static struct elf_load load[FILES][2];
static struct elf elf[FILES];

static inline int enter(void **state)
{
	(void)state;
	session_made();
	memset(code, 0x90, sizeof(code));
	memset(load, 0, sizeof(load));
	return 0;
}

static inline int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

/* A library all of whose bytes are code; given: -m names it, else an archive holds it. */
static inline struct elf *add_one(size_t i, const char *path, bool given)
{
	struct item *it = add_file(path, STR("\177ELF"));

	it->source->kind = given ? SOURCE_FILE : SOURCE_ARCHIVE;
	it->source->n = given ? 1 : 2;
	load[i][0] = (struct elf_load){
		.va = SHIFT, .file_size = SIZE, .size = SIZE, .executable = true
	};
	elf[i] = (struct elf){ .bytes = { (const char *)code[i], SIZE },
		               .load = load[i],
		               .nloads = 1,
		               .has_symtab = true,
		               .has_dwarf = true,
		               .machine = EM_X86_64 };
	it->kind = ITEM_ELF;
	it->opened = true;
	it->elf = &elf[i];
	return &elf[i];
}

static inline struct elf *add_elf(size_t i, const char *path)
{
	return add_one(i, path, false);
}

/* n return addresses in m, of which the last `bad` follow no call; less: before them. */
static inline void note_calls(const struct mapping *m, size_t i, size_t n, size_t bad,
                              uint64_t less)
{
	for (size_t k = 0; k < n; k++) {
		uint64_t off = FIRST_CALL + k * STEP;

		if (k < n - bad)
			code[i][off - 5] = 0xe8;
		bind_note(session.binder, m, PID, m->bias + off - less, true, false);
	}
}

static inline const struct mapping *assumed(void)
{
	return process_assume(session.ps, name_of(lib));
}

static inline const struct mapping *mapped(uint64_t length, uint64_t file_off)
{
	map_file(start, length, file_off, lib);
	return process_find(session.ps, PID, start, MODE_USER);
}

static inline bool is_named(const struct mapping *m)
{
	uint64_t shift = 0;
	struct native *n = native_open(session.binder, m, &shift);

	if (n)
		assert_int_equal(shift, SHIFT);
	else
		assert_int_equal(bind_files(session.binder, m)->how, VERIFIED_NOT);
	return n != NULL;
}

#endif
