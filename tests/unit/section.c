/* Sections of ELF files: how far a compressed one may grow. */
#include "image/elf/section.h"

#include <elf.h>
#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <zlib.h>

enum { ROOM = 1 << 20 };

static const char names[] = "\0.names\0.debug_info";

/* A file with a section of n bytes that was compressed; every `each`th byte is not 0. */
static struct str file_with(struct arena *a, size_t n, size_t each)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Shdr section[3];
		char names[sizeof(names)];
		Elf64_Chdr chdr;
		unsigned char packed[ROOM];
	} *f = arena_alloc(a, 1, sizeof(*f));
	unsigned char *plain = arena_alloc(a, n, 1);
	uLongf packed = ROOM;
	size_t off = (size_t)((char *)&f->chdr - (char *)f);

	for (size_t i = 0; each && i < n; i += each)
		plain[i] = (unsigned char)(i * 2654435761u >> 7);
	assert_int_equal(compress(f->packed, &packed, plain, n), Z_OK);
	memcpy(f->head.e_ident, ELFMAG "\2", 5);
	f->head.e_ident[EI_DATA] = BYTE_ORDER == BIG_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB;
	f->head.e_ident[EI_VERSION] = EV_CURRENT;
	f->head.e_shoff = sizeof(f->head);
	f->head.e_shentsize = sizeof(Elf64_Shdr);
	f->head.e_shnum = 3;
	f->head.e_shstrndx = 1;
	memcpy(f->names, names, sizeof(names));
	f->section[1] = (Elf64_Shdr){ .sh_name = 1,
		                      .sh_type = SHT_STRTAB,
		                      .sh_offset = (size_t)(f->names - (char *)f),
		                      .sh_size = sizeof(names) };
	f->section[2] = (Elf64_Shdr){ .sh_name = 8,
		                      .sh_type = SHT_PROGBITS,
		                      .sh_flags = SHF_COMPRESSED,
		                      .sh_offset = off,
		                      .sh_size = sizeof(f->chdr) + packed };
	f->chdr = (Elf64_Chdr){ .ch_type = ELFCOMPRESS_ZLIB, .ch_size = n };
	return (struct str){ (char *)f, off + sizeof(f->chdr) + packed };
}

static size_t unpacked(size_t n, size_t each)
{
	struct arena a = { 0 };
	struct section_file f;
	size_t index, got;

	assert_true(section_open(&f, file_with(&a, n, each)));
	got = section_find(&f, STR(".debug_info"), &index, &a).n;
	arena_release(&a);
	return got;
}

static void sections_grow_to_256_times_their_size(void **state)
{
	(void)state;
	assert_int_equal(unpacked(100000, 2), 100000);
	assert_int_equal(unpacked(8 << 20, 512), 8 << 20);
	assert_int_equal(unpacked(8 << 20, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_grow_to_256_times_their_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
