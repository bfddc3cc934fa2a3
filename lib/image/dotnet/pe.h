/*
 * pe - the place of the code in a PE image, and its identity.
 *
 * CoreCLR maps each section of a ReadyToRun image separately, so the difference of file offset
 * and RVA varies from section to section.  Specifications: PE/COFF, ECMA-335 II.22, II.24 (MVID),
 * and r2r-perfmap-format for debug entry 21.
 */
#ifndef IMAGE_DOTNET_PE_H
#define IMAGE_DOTNET_PE_H

#include "base/str.h"
#include "image/jit/perfmap.h"

enum { PE_SECTIONS = 96 }; /* the loader's own bound */

struct pe_section {
	uint32_t rva, virtual_size;
	uint32_t file_off, raw_size; /* raw_size: its bytes in the file, */
	uint32_t whole_size;         /* and its size before the file was truncated */
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
	struct pe_directory metadata, native; /* of .NET, with rva 0 if absent */
	struct pe_directory resources;
	uint16_t machine;                /* IMAGE_FILE_MACHINE_* without .NET's OS tag */
	enum pe_os os;                   /* the system of that tag */
	uint32_t time_stamp, image_size; /* as its headers have them */
	struct pe_section section[PE_SECTIONS];
	size_t nsections;
	bool has_mvid, has_signature;
	unsigned char mvid[MVID_BYTES];
	unsigned char signature[16]; /* of its r2rmap, */
	uint32_t map_version;        /* its version, */
	struct str map_name;         /* and the compiler's name for it */
};

bool pe_bid(struct str head);

/* Returns false if it is not a PE image, or if its headers are invalid. */
bool pe_read(struct pe *pe, struct str bytes);

/*
 * Returns the file version in its resources as four numbers of 16 bits, 10.0.1226.42308 as
 * 0x000a000004caa544, or 0.
 */
uint64_t pe_file_version(const struct pe *pe);

/* False when no section has that byte. */
bool pe_rva(const struct pe *pe, uint64_t file_off, uint64_t *rva);
bool pe_file_off(const struct pe *pe, uint64_t rva, uint64_t *file_off);

/* Returns the n bytes at rva, or fewer if the section or the file ends before. */
struct str pe_bytes(const struct pe *pe, uint64_t rva, size_t n);

/*
 * Returns the number of bytes that the loader would map for the executable section at file_off
 * (page rounded) of a file with the image at file_base.  0 if no such section starts there.
 */
uint64_t pe_mapped_length(const struct pe *pe, uint64_t file_base, uint64_t file_off);

/*
 * Returns the same for a file that is not truncated inside the section, or 0 if the file is
 * complete.
 */
uint64_t pe_cut_length(const struct pe *pe, uint64_t file_base, uint64_t file_off);

/*
 * Sets rva and bytes, page rounded, of the first executable section, as the runtime lays it out
 * if it cannot map it.  Returns false if there is no code.
 */
bool pe_code_pages(const struct pe *pe, uint64_t *rva, uint64_t *length);

/* A call instruction ends right before file_off: it can be a return address. */
bool pe_follows_call(const struct pe *pe, uint64_t file_off);

/* pe_follows_call knows this machine's instructions. */
bool pe_knows_calls(const struct pe *pe);

#endif
