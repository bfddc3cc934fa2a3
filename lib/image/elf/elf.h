/*
 * elf - what an ELF file says about itself: which one it is, how it is mapped, what
 * its functions are called.
 *
 * Addresses in here are va: those of the file's own symbols.  The linkers lld and
 * mold let va and file offset differ, segment by segment.  Specifications: System V
 * ABI chapters 4 and 5; .note.gnu.build-id, .gnu_debuglink and .gnu_debugdata as the
 * GDB manual has them.
 */
#ifndef IMAGE_ELF_ELF_H
#define IMAGE_ELF_ELF_H

#include "base/arena.h"

/* A PT_LOAD. */
struct elf_load {
	uint64_t file_off, file_size;
	uint64_t va, size;
	bool executable;
};

struct elf {
	struct str bytes;
	struct str build_id;   /* raw bytes; empty when it has none */
	struct str debug_link; /* file name of its debug file; empty when none is said */
	uint32_t debug_crc;    /* of that file's bytes: decompress_crc32 */
	struct str
	        alt_link; /* what dwz moved out is in the file so called; empty: nothing */
	struct str alt_id; /* that file's build-id */
	struct str mini;   /* .gnu_debugdata: an ELF file, packed by xz */
	const struct elf_load *load;
	size_t nloads;
	uint64_t text;      /* va of .text; 0: it has none */
	uint16_t machine;   /* EM_* */
	bool wide, swapped; /* 64 bits; byte order is not ours */
	bool has_symtab;
	bool has_dwarf;   /* .debug_info */
	bool relocatable; /* a kernel module: va are those of image/elf/relocate.h */
	bool bare; /* a debug file: it has no code, and its file offsets are void */
};

bool elf_bid(struct str head);

/* False: no executable, library or debug file, or its headers lie. */
bool elf_read(struct elf *e, struct str bytes, struct arena *a);

/* The build-id among notes, those of a section or a segment; empty: none. */
struct str elf_note_id(struct str notes, bool swap);

/*
 * The build-id from the first bytes of a file alone.  False: they do not hold it, all
 * of the file would.
 */
bool elf_head_id(struct str head, struct str *id);

/* Are these the same?  perf before 6 pads short ids with zeros.  No id: no. */
bool elf_same_id(struct str a, struct str b);

/*
 * How much higher the va of e are than those of the same build in other: prelink moves a
 * file, but neither its debug file nor its .gnu_debugdata.  0, nearly always.
 */
uint64_t elf_moved(const struct elf *e, const struct elf *other);

/* Where its code begins, va.  False: it has none. */
bool elf_text(const struct elf *e, uint64_t *va);

/* Where a symbol of that name is, va.  False: it has none. */
bool elf_symbols_find(const struct elf *e, struct str name, uint64_t *va);

/*
 * For a mapping of that part of the file: what va is more than the file offset (modulo
 * 2^64).  exact: the mapping must be an executable segment, rounded to pages, no more
 * and no less; or, of the first segment, the whole file.  False: no code of this file is mapped there.
 */
bool elf_place(const struct elf *e, uint64_t file_off, uint64_t length, bool exact,
               uint64_t *shift);

/*
 * A call instruction ends right before file_off: it can be a return address.  False
 * of a machine whose instructions are not known.
 */
bool elf_follows_call(const struct elf *e, uint64_t file_off);

/* A section by its name: bytes, and the va of the first.  False: there is none, it has no
 * bytes in the file, or they are compressed. */
bool elf_section(const struct elf *e, struct str name, struct str *bytes, uint64_t *va);

#endif
