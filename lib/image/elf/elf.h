/*
 * elf - reads the identity of an ELF file, and converts its addresses.
 *
 * Addresses are va, as in the file's symbols.  In files linked by lld or mold, the difference
 * between va and file offset differs between segments.  Specifications: System V ABI chapters 4
 * and 5, and the GDB manual for .note.gnu.build-id, .gnu_debuglink and .gnu_debugdata.
 */
#ifndef IMAGE_ELF_ELF_H
#define IMAGE_ELF_ELF_H

#include "base/arena.h"

/* A PT_LOAD segment. */
struct elf_load {
	uint64_t file_off, file_size;
	uint64_t va, size;
	bool executable;
};

struct elf {
	struct str bytes;
	struct str build_id;   /* raw bytes, or empty */
	struct str debug_link; /* name of the debug file, or empty */
	uint32_t debug_crc;    /* decompress_crc32 of the debug file's bytes */
	/* name of dwz's common file, or empty */
	struct str alt_link;
	struct str alt_id; /* build-id of the common file */
	struct str mini;   /* .gnu_debugdata: an ELF file compressed by xz */
	const struct elf_load *load;
	size_t nloads;
	uint64_t text;    /* va of .text, or 0 */
	uint16_t machine; /* EM_* */
	/* wide: 64 bits.  big: the most significant byte is first */
	bool wide, big;
	bool has_symtab;
	bool has_dwarf; /* has .debug_info */
	/* a library or PIE (ET_DYN), which no system loads at low addresses */
	bool movable;
	/* a kernel module (ET_REL).  Its va are defined in image/elf/relocate.h */
	bool relocatable;
	/* a debug file, whose file offsets have no meaning because it has no code */
	bool bare;
};

bool elf_bid(struct str head);

/*
 * Returns false if the file is not an executable, library or debug file, or if its
 * headers are damaged.
 */
bool elf_read(struct elf *e, struct str bytes, struct arena *a);

/* Returns the build-id among the notes of a section or a segment, or an empty string. */
struct str elf_note_id(struct str notes, bool swap);

/*
 * Returns the JSON text in which a distribution names the package of the file (.note.package), or
 * an empty string.  Use it for advice, not as a proof of identity.
 */
struct str elf_package(const struct elf *e);

/*
 * Finds the build-id in the first bytes of a file.  Returns false if the first bytes do not
 * contain the build-id.  The caller must then use the whole file.
 */
bool elf_head_id(struct str head, struct str *id);

/*
 * Returns true if the build-ids are equal.  Ignores zeros at the end, because perf before 6 pads
 * short build-ids with zeros.
 */
bool elf_same_id(struct str a, struct str b);

/*
 * Returns the va of .text in e minus its va in `other`, a file of the same build.  The
 * difference is nearly always 0.  However, prelink changes the va of a file, but not the va in
 * its debug file or its .gnu_debugdata.
 */
uint64_t elf_moved(const struct elf *e, const struct elf *other);

/* Sets *va to the start of the code.  Returns false if the file has no code. */
bool elf_text(const struct elf *e, uint64_t *va);

/*
 * Sets *shift to va minus file offset (modulo 2^64) of a mapping of `length` bytes from file_off.
 * Returns false if the mapping contains no code of this file.  exact: the mapping must cover
 * exactly one executable segment, rounded to pages, or all segments if the first segment is
 * executable.
 */
bool elf_place(const struct elf *e, uint64_t file_off, uint64_t length, bool exact,
               uint64_t *shift);

/*
 * Returns true if a call instruction ends directly before file_off, so that file_off may be a
 * return address.  Returns false for machines other than x86-64 and arm64.
 */
bool elf_follows_call(const struct elf *e, uint64_t file_off);

/*
 * Finds a section by name, and sets its bytes and its va.  Returns false if it is missing, has no
 * bytes in the file, or is compressed.
 */
bool elf_section(const struct elf *e, struct str name, struct str *bytes, uint64_t *va);

#endif
