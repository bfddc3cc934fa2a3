/*
 * pe - the sections of a PE image, and its identity.
 *
 * CoreCLR maps each section of a ReadyToRun image separately, so the difference between
 * file offset and RVA varies from section to section.  Specifications: PE/COFF, ECMA-335
 * II.22, II.24 (MVID), and r2r-perfmap-format for debug entry 21.
 */
#ifndef IMAGE_DOTNET_PE_H
#define IMAGE_DOTNET_PE_H

#include "base/str.h"
#include "image/jit/perfmap.h"

enum {
	PE_SECTIONS = 96, /* the loader's own bound */
	PE_PDB_ID = 20,
};

struct pe_section {
	uint32_t rva, virtual_size;
	/*
	 * place of the section in the file, and number of its bytes that the file
	 * contains
	 */
	uint32_t file_off, raw_size;
	/* number of its bytes in the file according to the section header */
	uint32_t whole_size;
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

/* The system for which an image was compiled, as numbered in the header of an r2rmap. */
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
	/* metadata and precompiled code of .NET; rva is 0 if absent */
	struct pe_directory metadata, native;
	struct pe_directory resources;
	/* IMAGE_FILE_MACHINE_*, without the tag by which .NET marks the system */
	uint16_t machine;
	enum pe_os os;                   /* the system, from this tag */
	uint32_t time_stamp, image_size; /* values of the PE headers */
	struct pe_section section[PE_SECTIONS];
	size_t nsections;
	bool has_mvid, has_signature;
	unsigned char mvid[MVID_BYTES];
	unsigned char signature[16]; /* of its r2rmap, */
	uint32_t map_version;        /* its version, */
	struct str map_name;         /* name of its r2rmap, as the compiler wrote it */
	/* its portable PDB: path as the compiler wrote it, or empty; GUID and time stamp */
	struct str pdb_path;
	unsigned char pdb_id[PE_PDB_ID];
	/* the same PDB as a deflate stream in the image, or empty, and its unpacked size */
	struct str pdb_packed;
	uint32_t pdb_size;
};

bool pe_bid(struct str head);

/* Returns false if it is not a PE image, or if its headers are invalid. */
bool pe_read(struct pe *pe, struct str bytes);

/*
 * Returns the file version, in the resources, as four numbers of 16 bits: 10.0.1226.42308
 * is 0x000a000004caa544.  Returns 0 if it is missing.
 */
uint64_t pe_file_version(const struct pe *pe);

/*
 * Converts between file offset and RVA.  Returns false if no section contains the byte.
 */
bool pe_rva(const struct pe *pe, uint64_t file_off, uint64_t *rva);
bool pe_file_off(const struct pe *pe, uint64_t rva, uint64_t *file_off);

/* Returns the n bytes at rva, or fewer if the section or the file ends earlier. */
struct str pe_bytes(const struct pe *pe, uint64_t rva, size_t n);

/*
 * Returns the number of bytes that the loader maps for the executable section at file_off
 * (rounded to pages).  file_base: offset of the image in its file.  Returns 0 if no such
 * section starts there.
 */
uint64_t pe_mapped_length(const struct pe *pe, uint64_t file_base, uint64_t file_off);

/*
 * Returns the pe_mapped_length of the complete file if this file is truncated inside the
 * section, else 0.
 */
uint64_t pe_cut_length(const struct pe *pe, uint64_t file_base, uint64_t file_off);

/*
 * Sets the rva and the length of the first executable section, rounded to pages, as the
 * runtime lays it out if it cannot map the file.  Returns false if there is no code.
 */
bool pe_code_pages(const struct pe *pe, uint64_t *rva, uint64_t *length);

/*
 * Returns true if a call instruction ends right before file_off, so that file_off can be
 * a return address.
 */
bool pe_follows_call(const struct pe *pe, uint64_t file_off);

/* Returns true if pe_follows_call can decode the instructions of this machine. */
bool pe_knows_calls(const struct pe *pe);

#endif
