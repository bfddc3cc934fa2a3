/*
 * pe - the parts of a PE image that tell where its code lies and which one it is.
 *
 * CoreCLR maps each section of a ReadyToRun image by itself, so a byte's offset in
 * the file and its RVA differ section by section.  Specifications: PE/COFF;
 * ECMA-335 II.22, II.24 (MVID); for debug entry 21 the r2r-perfmap-format.
 */
#ifndef IMAGE_DOTNET_PE_H
#define IMAGE_DOTNET_PE_H

#include "base/str.h"
#include "image/jit/perfmap.h"

enum { PE_SECTIONS = 96 }; /* the loader's own bound */

struct pe_section {
	uint32_t rva, virtual_size;
	uint32_t file_off, raw_size; /* raw_size: what the file has of it, */
	uint32_t whole_size;         /* and what it should have */
	bool executable;
};

struct pe_directory {
	uint32_t rva, size;
};

enum {
	PE_X86 = 0x14c,
	PE_ARM = 0x1c4,
	PE_X64 = 0x8664,
	PE_ARM64 = 0xaa64,
};

/* The system an image is for, numbered as in the header of an r2rmap. */
enum pe_os {
	PE_OS_UNKNOWN,
	PE_WINDOWS,
	PE_LINUX,
	PE_OSX,
	PE_FREEBSD,
	PE_NETBSD,
	PE_SUNOS,
};

struct pe {
	struct str bytes;
	struct pe_directory metadata, native; /* of .NET; rva 0 when it has none */
	struct pe_directory resources;
	uint16_t machine;                /* IMAGE_FILE_MACHINE_* without .NET's OS tag */
	enum pe_os os;                   /* what that tag says */
	uint32_t time_stamp, image_size; /* as its headers have them */
	struct pe_section section[PE_SECTIONS];
	size_t nsections;
	bool has_mvid, has_signature;
	unsigned char mvid[MVID_BYTES];
	unsigned char signature[16]; /* of its r2rmap, */
	uint32_t map_version;        /* its version, */
	struct str map_name;         /* and what the compiler called it */
};

bool pe_bid(struct str head);

/* False: not a PE image, or its headers lie. */
bool pe_read(struct pe *pe, struct str bytes);

/*
 * The file version in its resources, four times 16 bits, 10.0.1226.42308 being
 * 0x000a000004caa544; 0: it has none.
 */
uint64_t pe_file_version(const struct pe *pe);

/* False when no section has that byte. */
bool pe_rva(const struct pe *pe, uint64_t file_off, uint64_t *rva);
bool pe_file_off(const struct pe *pe, uint64_t rva, uint64_t *file_off);

/* The n bytes at rva, or what the section and the file have of them. */
struct str pe_bytes(const struct pe *pe, uint64_t rva, size_t n);

/*
 * How the loader would map the executable section that begins at file_off (page
 * rounded) of a file in which the image stands at file_base: its length in bytes.  0
 * when none begins there.
 */
uint64_t pe_mapped_length(const struct pe *pe, uint64_t file_base, uint64_t file_off);

/* Likewise, if the file were not cut off before its section ends; 0 when it is not. */
uint64_t pe_cut_length(const struct pe *pe, uint64_t file_base, uint64_t file_off);

/*
 * The first executable section as the runtime lays it out where it cannot map it: page
 * rounded, rva and bytes.  False: it has no code.
 */
bool pe_code_pages(const struct pe *pe, uint64_t *rva, uint64_t *length);

/* A call instruction ends right before file_off: it can be a return address. */
bool pe_follows_call(const struct pe *pe, uint64_t file_off);

/* pe_follows_call knows this machine's instructions. */
bool pe_knows_calls(const struct pe *pe);

#endif
