/*
 * gather - puts the files of a process that name its code into the archive.
 *
 * 	proc/PID/maps, proc/PID/status    as they were read last
 * 	root-PID/PATH		     files that hold code, with files that belong to them
 * 	tmp-PID/			  perf maps and jitdumps of its /tmp, tmp-PID/PATH of others
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
	struct diag *diag; /* gets a report of damage for each file that is missing */
	struct arena *run;
	int work;       /* a work file for one member at a time */
	uint64_t limit; /* most bytes of a file */
	/* private */
	struct target *target;
	struct arena scratch; /* names and lists for one file */
	bool stuck;           /* no more files of this process are tried */
	bool full;            /* the archive is full, reported */
	size_t maps, lines;   /* perf maps of this process, and their lines */
};

/* asked: files that the process wrote on request. */
void gather_process(struct gather *g, struct target *t, const struct ask *asked);

/*
 * Packs uname.txt and the files of /proc and /sys that describe the kernel.  Returns true if they
 * name the kernel's functions.
 */
bool gather_kernel(struct gather *g);

/*
 * Packs the first n bytes of a file.  With free, the limit of the archive does not count them.
 * Returns false after a report if the file is left out.
 */
bool gather_file(struct gather *g, struct str name, int fd, uint64_t n, bool free);

#endif
