/*
 * modules - the sources that named the frames of each module, and the reasons for unnamed ones.
 */
#ifndef SYMBOL_REPORT_MODULES_H
#define SYMBOL_REPORT_MODULES_H

#include "symbol/profile.h"
#include "symbol/report/runtime.h"

/* A file that names frames. */
struct module_file {
	struct str path;  /* inside its source, or empty if how is complete */
	struct str debug; /* its debug file, or empty */
	const char *how;  /* the evidence that it belongs to the code that ran */
	bool local;       /* of this machine */
	uint64_t frames;
};

enum module_kind {
	MODULE_NATIVE,
	MODULE_DOTNET, /* a precompiled image */
	MODULE_JIT,
	MODULE_KERNEL,  /* or a module of it */
	MODULE_NOWHERE, /* code in no mapping */
};

struct module_coverage {
	enum module_kind kind;
	int32_t pid;         /* JIT: the owner of the code, or -1 */
	struct str module;   /* as it is printed */
	struct str build_id; /* raw bytes, or empty */
	uint64_t frames, named;
	uint64_t guessed;   /* of those named: NAMED_GUESSED */
	uint64_t unguessed; /* of those unnamed: the same, with profile_opts.strict */
	uint64_t ended;     /* stacks that could not be unwound beyond its code */
	const struct module_file *file; /* by frames, most first */
	size_t nfiles;
	struct str refused; /* a file that was found but not used, or empty */
	const char *why;    /* refused: the reason */
	/* a common file of dwz for its debug file that was not found, or empty */
	struct str no_alt;
	struct str no_alt_id;        /* its build-id, raw bytes */
	const struct pe *pe;         /* .NET: a file of the image that ran, or NULL */
	bool placed;                 /* .NET: an image or a map of it was bound */
	const unsigned char *mvid;   /* .NET: its MVID, or NULL */
	unsigned char signature[16]; /* .NET: of the r2rmap of a plain image */
	bool has_signature;          /* mvid and the machine determine it */
	const struct known_runtime
	        *runtime; /* JIT: the runtime that made the code, or NULL */
	bool damaged;     /* JIT: its map lacks lines that were overwritten */
	/* nowhere: chains of frame pointers led there, in native code alone */
	bool broken;
	bool fragile; /* .NET: a native image, and no map of its methods */
	/* ended: its file is missing, or else has no rules for the code */
	bool ended_for_file;
	bool vdso;        /* native: code of the kernel, of which no file is mapped */
	bool has_image;   /* native: its program or library was found */
	bool has_symbols; /* native: a symbol table or debug file was */
};

/*
 * By unnamed frames, then by frames.  Strings live as long as the profile, the rest as
 * the arena.  After the last profile_next.
 */
size_t modules_list(const struct profile *p, struct arena *a,
                    const struct module_coverage **out);

/* The unnamed frames of the module that is broken. */
uint64_t modules_broken(const struct profile *p);

#endif
