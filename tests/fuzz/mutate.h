/*
 * Mutators that keep the shape of a file: libFuzzer changes bytes of one part of it, and what
 * depends on them is made right again.  Every other time the file is changed as bytes.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stdint.h>
#include <stdlib.h>

#include "base/str.h"
#include "image/elf/section.h"

/* libFuzzer has it; it is absent where files are only run again. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* Changes bytes of a part in its place; it keeps its length. */
static inline void mutate_in_place(uint8_t *part, size_t n)
{
	uint8_t *copy = n ? malloc(n) : NULL;

	if (!copy)
		return;
	memcpy(copy, part, n);
	memcpy(part, copy, LLVMFuzzerMutate(copy, n, n));
	free(copy);
}

/* Changes a part that lies in data. */
static inline void mutate_part(uint8_t *data, struct str part)
{
	mutate_in_place(data + ((const uint8_t *)part.p - data), part.n);
}

/* Changes one section of an ELF file. */
static inline size_t mutate_section(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	struct section_file f;
	struct section_header h;

	if (seed % 2 || !section_open(&f, (struct str){ (const char *)data, size }))
		return LLVMFuzzerMutate(data, size, max);
	h = section_at(&f, seed / 2 % f.n);
	mutate_part(data, section_bytes(&f, &h));
	return size;
}

#endif
