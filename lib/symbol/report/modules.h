/*
 * modules - what named the frames of each module, and why not all of them.
 */
#ifndef SYMBOL_REPORT_MODULES_H
#define SYMBOL_REPORT_MODULES_H

#include "symbol/profile.h"
#include "symbol/report/runtime.h"

/* A file that names frames. */
struct module_file {
	struct str path;  /* inside its source; empty: how says all */
	struct str debug; /* its debug file; empty when there is none */
	const char *how;  /* what shows that it is of what ran */
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
	int32_t pid;         /* JIT: whose code; -1 when nothing tells */
	struct str module;   /* as it is printed */
	struct str build_id; /* raw bytes; empty when nothing tells */
	uint64_t frames, named;
	uint64_t guessed;   /* of those named: NAMED_GUESSED */
	uint64_t unguessed; /* of those unnamed: the same, with profile_opts.strict */
	uint64_t ended;     /* stacks that could not be unwound behind its code */
	const struct module_file *file; /* by frames, most first */
	size_t nfiles;
	struct str refused; /* a file that was found and not used; empty: none */
	const char *why;    /* refused: the reason */
	struct str no_alt; /* what dwz moved out of its debug file, not found; or empty */
	struct str no_alt_id;        /* its build-id, raw bytes */
	const struct pe *pe;         /* .NET: a file of the image that ran; NULL: none */
	bool placed;                 /* .NET: an image or a map of it was bound */
	const unsigned char *mvid;   /* .NET: the one it had; NULL: nothing tells */
	unsigned char signature[16]; /* .NET: of the r2rmap of a plain image */
	bool has_signature;          /* mvid and the machine tell it */
	const struct runtime *runtime; /* JIT: which made the code; NULL: not known */
	bool damaged; /* JIT: its map lacks lines that were overwritten */
	bool broken; /* nowhere: chains of frame pointers led there, in native code alone */
	bool fragile;        /* .NET: a native image, and no map of its methods */
	bool ended_for_file; /* ended: there is no file of it, else it does not say */
	bool vdso;           /* native: code of the kernel, of which no file is mapped */
	bool has_image;      /* native: its program or library was found */
	bool has_symbols;    /* native: a symbol table or debug file was */
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
