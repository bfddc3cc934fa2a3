/*
 * r2r_private - the structs that the files of the ReadyToRun reader share.  Private to
 * image/dotnet/.
 *
 * 	r2r.c     ranges of code, and their methods
 * 	r2r_modules.c  references to other assemblies
 * 	r2r_name.c     names of methods; uses clr_text.c
 * 	clr_text.c     prints the types in signatures; uses sig.c, which reads and skips them
 * 	r2r_lines.c    IL offsets of the code
 */
#ifndef IMAGE_DOTNET_R2R_PRIVATE_H
#define IMAGE_DOTNET_R2R_PRIVATE_H

#include "image/dotnet/r2r.h"
#include "image/dotnet/sig.h"

struct r2r_slot; /* defined in r2r_modules.h */

enum r2r_kind {
	R2R_NONE,
	R2R_DEF,      /* `where` is the row of a MethodDef in `module` */
	R2R_INSTANCE, /* `where` is the file offset of the instance's signature */
	R2R_THUNKS,
};

struct r2r_code {
	uint32_t begin, end; /* rva */
	uint32_t where;
	uint16_t module; /* number of the module */
	uint8_t kind;
	bool cold;
	uint32_t shared; /* number of other methods that share this code */
	uint32_t entry;  /* index of the runtime function at which the method begins */
};

struct r2r {
	const struct pe *pe;
	struct str file;
	struct str header; /* the list of sections */
	uint16_t major;    /* version of the format */
	struct arena *arena;
	struct metadata *own; /* metadata of the image, or NULL for a composite image */
	/* metadata with the references that the compiler added, or NULL */
	struct metadata *manifest;
	uint32_t own_refs; /* number of AssemblyRef rows in own */
	bool composite;
	/* number of components.  They are the first rows of the manifest */
	size_t ncomponents;
	/* the manifest itself has a module number (since version 6.3 of the format) */
	bool manifest_has_slot;
	struct r2r_slot *slot;
	size_t nslots;
	struct r2r_code *code;
	size_t n;
	size_t unread, lacking;
	/* remaining steps for reading signatures.  The limit protects against malicious files */
	uint64_t steps;
	r2r_find_assembly *find;
	void *ctx;
};

enum {
	SIG_ARGUMENTS = 0x04, /* the type arguments of the method follow */
	SIG_MEMBERREF = 0x10, /* `row` is a row of MemberRef, not of MethodDef */
	SIG_CONSTRAINED = 0x20,
	SIG_OWNER = 0x40,   /* the type of the owner is specified */
	SIG_CONTEXT = 0x80, /* another module defines the tokens */
};

/* The signature of a method in InstanceMethodEntryPoints. */
struct r2r_signature {
	uint32_t flags, module, row;
	struct cursor owner, args;
	uint32_t nargs;
};

/* Finds a section in a list.  rva is 0 if there is no such section. */
struct pe_directory r2r_section(struct str list, uint32_t type);

/* Reads a signature and advances c.  Returns false if the signature is damaged. */
bool r2r_read_signature(struct r2r *r, struct cursor *c, struct r2r_signature *out);

#endif
