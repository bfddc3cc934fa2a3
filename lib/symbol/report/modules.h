/*
 * modules - finds which files named the frames of each module, why other frames are unnamed, and the
 * ids and signatures of missing files.
 */
#ifndef SYMBOL_REPORT_MODULES_H
#define SYMBOL_REPORT_MODULES_H

#include "symbol/profile.h"
#include "symbol/report/runtime.h"

/* A file that names frames. */
struct module_file {
	struct str path;  /* path inside the input.  Empty if no file names the frames */
	struct str debug; /* path of the debug file, or empty */
	const char *how;  /* the evidence that the file belongs to the code that ran */
	bool local;       /* the file is on this machine */
	uint64_t frames;
};

enum module_kind {
	MODULE_NATIVE,
	MODULE_DOTNET, /* a precompiled .NET image */
	MODULE_JIT,
	MODULE_KERNEL,  /* the kernel, or a kernel module */
	MODULE_NOWHERE, /* addresses in no mapping */
};

struct module_coverage {
	enum module_kind kind;
	int32_t pid;         /* JIT: pid of the process that owns the code, or -1 */
	struct str module;   /* as printed */
	struct str build_id; /* raw bytes, or empty */
	struct str package;  /* native: JSON text of elf_package, or empty */
	struct str other_id; /* as in struct mapping */
	uint64_t frames, named;
	uint64_t guessed; /* named frames with NAMED_GUESSED */
	/* frames with NAMED_GUESSED that profile_opts.strict leaves unnamed */
	uint64_t unguessed;
	uint64_t ended; /* stacks that could not be unwound further than this module */
	const struct module_file *file; /* sorted by frames in descending order */
	size_t nfiles;
	struct str refused; /* a file that was found but not used, or empty */
	const char *why;    /* the reason for `refused` */
	/* name of a missing file with common debug data (dwz), or empty */
	struct str no_alt;
	struct str no_alt_id;      /* raw build-id of the missing file, or empty */
	const struct pe *pe;       /* .NET: a file of the image that ran, or NULL */
	bool placed;               /* .NET: an image or its map was bound */
	const unsigned char *mvid; /* .NET: MVID, or NULL */
	/* .NET: signature of the r2rmap */
	unsigned char signature[16];
	/* false for composite images, and if the MVID or the machine is unknown */
	bool has_signature;
	const struct known_runtime
	        *runtime; /* JIT: the runtime that generated the code, or NULL */
	bool damaged;     /* JIT: some lines of its perf map were overwritten */
	/* NOWHERE: the addresses come from broken chains of frame pointers, not from JIT code */
	bool broken;
	bool fragile; /* .NET: a native image for which no map of its methods exists */
	/*
	 * unwinding stopped because the file is missing, not because the file lacks
	 * unwind rules
	 */
	bool ended_for_file;
	bool vdso;      /* native: code of the kernel in user space, which has no file */
	bool has_image; /* native: the program or library file was found */
	bool has_symbols; /* native: a symbol table or debug file was found */
};

/*
 * Sets *out to the modules, sorted by unnamed frames, then by frames.  Returns the number of
 * modules.  Strings live as long as the profile.  Other results live as long as `a`.  Call it
 * after the last profile_next.
 */
size_t modules_list(const struct profile *p, struct arena *a,
                    const struct module_coverage **out);

/* Returns the number of unnamed frames in modules that have `broken` set. */
uint64_t modules_broken(const struct profile *p);

#endif
