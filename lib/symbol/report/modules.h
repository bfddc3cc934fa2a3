/*
 * modules - the sources that named the frames of each module, and the reasons for unnamed ones.
 */
#ifndef SYMBOL_REPORT_MODULES_H
#define SYMBOL_REPORT_MODULES_H

#include "symbol/profile.h"
#include "symbol/report/runtime.h"

/* A file that names frames. */
struct module_file {
	struct str path;  /* inside its source, or empty if `how` is sufficient */
	struct str debug; /* path of its debug file, or empty */
	const char *how;  /* the evidence that it belongs to the code that ran */
	bool local;       /* a file of this machine */
	uint64_t frames;
};

enum module_kind {
	MODULE_NATIVE,
	MODULE_DOTNET, /* precompiled image */
	MODULE_JIT,
	MODULE_KERNEL,  /* the kernel or a module of it */
	MODULE_NOWHERE, /* code in no mapping */
};

struct module_coverage {
	enum module_kind kind;
	int32_t pid;         /* JIT: the owner of the code, or -1 */
	struct str module;   /* as it is printed */
	struct str build_id; /* raw bytes, or empty */
	uint64_t frames, named;
	uint64_t guessed; /* named frames that are NAMED_GUESSED */
	/* unnamed frames that are NAMED_GUESSED (profile_opts.strict) */
	uint64_t unguessed;
	uint64_t ended; /* stacks that could not be unwound beyond its code */
	const struct module_file *file; /* sorted by frames, most first */
	size_t nfiles;
	struct str refused; /* a file that was found but not used, or empty */
	const char *why;    /* the reason for `refused` */
	/* name of the file with common debug data (dwz), if it is missing, else empty */
	struct str no_alt;
	struct str no_alt_id;      /* build-id of the file no_alt, raw bytes */
	const struct pe *pe;       /* .NET: a file of the image that ran, or NULL */
	bool placed;               /* .NET: an image, or a map of the image, was bound */
	const unsigned char *mvid; /* .NET: MVID of the image, or NULL */
	/* .NET: signature of the r2rmap, unless the image is composite */
	unsigned char signature[16];
	bool has_signature; /* signature is known: it follows from mvid and machine */
	const struct known_runtime
	        *runtime; /* JIT: the runtime that made the code, or NULL */
	bool damaged;     /* JIT: lines of its perf map were overwritten and are lost */
	/*
	 * NOWHERE: true if chains of frame pointers led there and the profile has no JIT
	 * code
	 */
	bool broken;
	bool fragile; /* .NET: a native image without a map of its methods */
	/* stacks ended because its file is missing, not because it has no rules for the code */
	bool ended_for_file;
	bool vdso;        /* native: code of the kernel without a file */
	bool has_image;   /* native: the program or library was found */
	bool has_symbols; /* native: a symbol table or debug file was found */
};

/*
 * Sets *out to the modules, sorted by unnamed frames, then by frames.  Returns their number.
 * Strings live as long as the profile, the rest as a.  Call it after the last profile_next.
 */
size_t modules_list(const struct profile *p, struct arena *a,
                    const struct module_coverage **out);

/* Returns the number of unnamed frames in the module that has `broken` set, or 0. */
uint64_t modules_broken(const struct profile *p);

#endif
