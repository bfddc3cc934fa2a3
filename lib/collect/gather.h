/*
 * gather - packs the files that name the code of a process into the archive.
 *
 * 	proc/PID/maps, proc/PID/status   the last versions that were read
 * 	root-PID/PATH             files that contain code, and their debug files, maps and PDBs
 * 	tmp-PID/              perf maps and jitdumps in the process's /tmp
 * 	tmp-PID/PATH/         perf maps and jitdumps in the process's directory PATH
 * 	vdso-PID.so           the vDSO, code of the kernel that the process calls
 */
#ifndef COLLECT_GATHER_H
#define COLLECT_GATHER_H

#include "collect/ask.h"
#include "collect/pack.h"
#include "collect/target.h"

struct gather {
	struct pack *pack;
	struct diag *diag; /* receives a report for each missing file */
	struct arena *run;
	int work;       /* temporary file for one member at a time */
	uint64_t limit; /* limit of a file in bytes */
	bool pdbs;      /* also pack PDBs of .NET assemblies */
	/* private */
	struct target *target;
	struct arena scratch; /* memory for names and lists while a file is packed */
	bool stuck;           /* do not try more files of this process */
	bool full;            /* the archive is full, and this was reported */
	size_t maps;          /* number of perf maps and jitdumps of this process */
	size_t lines;         /* number of lines in the perf maps */
};

/* Packs the files of t.  Also packs the files in `asked`, which t wrote on request. */
void gather_process(struct gather *g, struct target *t, const struct ask *asked);

/*
 * Packs uname.txt, and files of /proc and /sys that describe the kernel.  Returns true if these
 * files name the kernel's functions.
 */
bool gather_kernel(struct gather *g);

/*
 * Packs the first n bytes of a file.  If `free` is set, the bytes do not count for the limit of
 * the archive.  Returns false if the file was not packed.
 */
bool gather_file(struct gather *g, struct str name, int fd, uint64_t n, bool free);

#endif
