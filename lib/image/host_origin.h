/*
 * host_origin - was a perf.data recorded on this machine, since it started, and when?
 *
 * The evidence is in the profile: host name and release, build-id and load address of the kernel,
 * load addresses of its modules, the times of the samples, and the inodes of mapped files.  What
 * was not recorded is not compared.  The times of the profile's own file never refuse it.  They
 * can only move the assumed begin of the recording to an earlier time, as a copy is younger.
 *
 * All times are nanoseconds, wall times since 1970.
 */
#ifndef IMAGE_HOST_ORIGIN_H
#define IMAGE_HOST_ORIGIN_H

#include "image/locate.h"
#include "process/process.h"
#include "reader/capture.h"

/* A machine: this one, or the one that a profile describes.  Empty: unknown. */
struct host_machine {
	struct str name, release, arch; /* as uname(2) has them */
	struct str kernel_id;           /* its build-id */
};

/* The evidence.  Counts are 0 if a test was not possible. */
struct host_seen {
	struct host_machine machine;
	uint64_t text, length; /* load address of the kernel, and its bytes; 0: unknown */
	size_t modules_same, modules_moved; /* kernel modules, by their load addresses */
	size_t files_same, files_other;     /* mapped files, by their inodes */
	uint64_t first_ns, last_ns;   /* first and last sample; 0: they have no time */
	uint64_t wall_ns;             /* the recorded wall time of the first sample */
	uint64_t made_ns, written_ns; /* birth and mtime of the profile's file */
};

/* This machine now. */
struct host_now {
	struct host_machine machine;
	struct kallsyms kernel; /* its bounds; 0: unknown */
	uint64_t wall_ns;
	uint64_t since_boot_ns; /* with the time of sleep */
	uint64_t clock_ns;      /* the clock of the samples */
	uint64_t slept_ns;      /* which that clock did not count */
};

struct host_origin {
	const char *elsewhere; /* the test that failed; NULL: it was recorded here */
	uint64_t surely_ns; /* a file unchanged since then is the file that was mapped, */
	uint64_t began_ns;  /* one changed after that is not; between, calls decide */
	uint64_t ended_ns;  /* at the latest */
};

/* Decides by the evidence alone; strings of the result are static. */
struct host_origin host_origin_judge(const struct host_seen *seen,
                                     const struct host_now *now);

/*
 * Before the first event: does the header alone show another machine?  Then nothing more needs to
 * be learnt.  Either way l has a reason until host_origin_learn.
 */
bool host_origin_is_elsewhere(struct locator *l, const struct capture *c);

/*
 * After all mappings were applied to ps: decides for l.  clockid: of the samples, -1 for perf's
 * own clock.  first_ns and last_ns are times of samples, 0 if they have none.
 */
void host_origin_learn(struct locator *l, const struct capture *c, struct processes *ps,
                       const struct source *profile, int32_t clockid, uint64_t first_ns,
                       uint64_t last_ns);

#endif
