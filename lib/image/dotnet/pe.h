/*
 * pe - reads the sections and the identity of a PE image.
 *
 * CoreCLR maps each section of a ReadyToRun image separately, so the difference between file
 * offset and RVA is not the same in all sections.  Specifications: PE/COFF, ECMA-335 II.22, II.24
 * (MVID), and r2r-perfmap-format for debug entry 21.
 */
#ifndef IMAGE_DOTNET_PE_H
#define IMAGE_DOTNET_PE_H

#include "image/jit/perfmap.h"

enum {
	PE_SECTIONS = 96, /* the limit of the Windows loader */
	PE_PDB_ID = 20,
};

struct pe_section {
	uint32_t rva, virtual_size;
	/*
	 * file offset of the section, and number of bytes of the section that the file
	 * contains
	 */
	uint32_t file_off, raw_size;
	/*
	 * number of bytes of the section in a complete file, according to the section
	 * header
	 */
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

/*
 * The system for which an image was compiled.  Headers of r2rmaps use the same numbers.
 */
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
	/* metadata and precompiled code of .NET.  rva is 0 if absent */
	struct pe_directory metadata, native;
	struct pe_directory resources;
	/* IMAGE_FILE_MACHINE_*, without the tag for the system */
	uint16_t machine;
	enum pe_os os;                   /* the system, derived from the tag */
	uint32_t time_stamp, image_size; /* values of the PE headers */
	struct pe_section section[PE_SECTIONS];
	size_t nsections;
	bool has_mvid, has_signature;
	unsigned char mvid[MVID_BYTES];
	unsigned char signature[16]; /* signature of its r2rmap */
	uint32_t map_version;        /* version of its r2rmap */
	struct str map_name;         /* name of its r2rmap, as the compiler wrote it */
	/*
	 * pdb_path: path of the portable PDB as the compiler wrote it, or empty.  pdb_id:
	 * GUID and time stamp of the PDB
	 */
	struct str pdb_path;
	unsigned char pdb_id[PE_PDB_ID];
	/*
	 * the portable PDB that is embedded in the image as a deflate stream, or empty,
	 * and its uncompressed size
	 */
	struct str pdb_packed;
	uint32_t pdb_size;
};

bool pe_bid(struct str head);

/*
 * Reads the headers.  Returns false if the bytes are not a PE image, or if its headers are
 * invalid.
 */
bool pe_read(struct pe *pe, struct str bytes);

/*
 * Returns the file version in the image's resources, or 0 if it is missing.  Each of the four
 * numbers has 16 bits: 10.0.1226.42308 is 0x000a000004caa544.
 */
uint64_t pe_file_version(const struct pe *pe);

/* Convert between file offset and RVA.  Return false if no section contains the byte. */
bool pe_rva(const struct pe *pe, uint64_t file_off, uint64_t *rva);
bool pe_file_off(const struct pe *pe, uint64_t rva, uint64_t *file_off);

/* Returns n bytes at rva, or fewer if the section or the file ends earlier. */
struct str pe_bytes(const struct pe *pe, uint64_t rva, size_t n);

/*
 * Returns the number of bytes that the loader maps for the executable section at file_off.
 * file_off may be rounded to a page.  file_base: offset of the image in its file.  Returns 0 if
 * no executable section starts there.
 */
uint64_t pe_mapped_length(const struct pe *pe, uint64_t file_base, uint64_t file_off);

/*
 * If this file is truncated inside the section, returns the length that pe_mapped_length would
 * return for the complete file.  Otherwise returns 0.
 */
uint64_t pe_cut_length(const struct pe *pe, uint64_t file_base, uint64_t file_off);

/*
 * Sets the rva and the length of the first executable section, rounded to pages.  If the
 * runtime copies the image into memory, instead of mapping the file, the section occupies these
 * pages.  Returns false if there is no code.
 */
bool pe_code_pages(const struct pe *pe, uint64_t *rva, uint64_t *length);

/*
 * Returns true if a call instruction ends directly before file_off, so that file_off can be a
 * return address.
 */
bool pe_follows_call(const struct pe *pe, uint64_t file_off);

/* Returns true if pe_follows_call can decode the instructions of this machine. */
bool pe_knows_calls(const struct pe *pe);

#endif
