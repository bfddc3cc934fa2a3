/*
 * gather - packs the files that name the code of a process.
 *
 * 	proc/PID/maps, proc/PID/status    as they were read last
 * 	root-PID/PATH		     files that hold code, and their debug files, maps and PDBs
 * 	tmp-PID/			  perf maps and jitdumps in its /tmp
 * 	tmp-PID/PATH/		  perf maps and jitdumps in its other directories
 * 	vdso-PID.so		       code of the kernel for user space
 */
#ifndef COLLECT_GATHER_H
#define COLLECT_GATHER_H

#include "base/diag.h"
#include "collect/ask.h"
#include "collect/pack.h"
#include "collect/target.h"

struct gather {
	struct pack *pack;
	struct diag *diag; /* receives a report for each file that is missing */
	struct arena *run;
	int work;       /* a work file for one member at a time */
	uint64_t limit; /* bytes of a file, at most */
	bool pdbs;      /* PDBs of .NET assemblies are packed, too */
	/* private */
	struct target *target;
	struct arena scratch; /* memory for the names and lists of one file */
	bool stuck;           /* true if no more files of this process are tried */
	bool full;            /* the archive is full, which was reported */
	size_t maps,
	        lines; /* perf maps and jitdumps of this process, and lines of maps */
};

/* Packs the files of t, and the files in `asked`, which t wrote on request. */
void gather_process(struct gather *g, struct target *t, const struct ask *asked);

/*
 * Packs uname.txt and the files of /proc and /sys that describe the kernel.  Returns true if they
 * name the kernel's functions.
 */
bool gather_kernel(struct gather *g);

/*
 * Packs the first n bytes of a file.  If `free` is set, they do not count against the
 * limit of the archive.  Returns false if the file is left out.
 */
bool gather_file(struct gather *g, struct str name, int fd, uint64_t n, bool free);

#endif
