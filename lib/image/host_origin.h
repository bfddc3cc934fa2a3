/*
 * host_origin - was a perf.data recorded on this machine, since it started, and when?
 *
 * The evidence is in the profile: host name and release, build-id and load address of the
 * kernel, load addresses of its modules, the times of the samples, and the inodes of
 * mapped files.  A property that was not recorded is not compared.
 *
 * A copy is younger than the recording.  So the times of the profile's own file never
 * make a test fail.  They can only move the assumed start of the recording to an earlier
 * time.
 *
 * All times are nanoseconds since 1970.
 */
#ifndef IMAGE_HOST_ORIGIN_H
#define IMAGE_HOST_ORIGIN_H

#include "image/locate.h"
#include "process/process.h"
#include "reader/capture.h"

/*
 * A machine: this one, or the one that a profile describes.  Unknown properties are
 * empty.
 */
struct host_machine {
	struct str name, release, arch; /* as uname(2) has them */
	struct str kernel_id;           /* its build-id */
};

/* The evidence.  Counts are 0 if a test was not possible. */
struct host_seen {
	struct host_machine machine;
	/* load address of the kernel, and its size in bytes; 0 if unknown */
	uint64_t text, length;
	/* kernel modules with the same load address as now, and with another */
	size_t modules_same, modules_moved;
	/* mapped files with the same inode as now, and with another */
	size_t files_same, files_other;
	/* times of the first and last sample, or 0 if samples have no time */
	uint64_t first_ns, last_ns;
	uint64_t wall_ns;             /* recorded wall time of the first sample */
	uint64_t made_ns, written_ns; /* birth and mtime of the profile's file */
};

/* This machine now. */
struct host_now {
	struct host_machine machine;
	struct kallsyms kernel; /* its bounds, or 0 */
	uint64_t wall_ns;
	uint64_t since_boot_ns; /* uptime, including time of sleep */
	uint64_t clock_ns;      /* the samples' clock, now */
	uint64_t slept_ns;      /* time of sleep that the samples' clock did not count */
};

struct host_origin {
	/* the failed test, or NULL if the profile was recorded here */
	const char *elsewhere;
	uint64_t surely_ns; /* a file unchanged since then is the file that was mapped */
	/*
	 * A file changed after that is not the mapped file.  If a file was changed
	 * between surely_ns and began_ns, return addresses decide.
	 */
	uint64_t began_ns;
	uint64_t ended_ns; /* at the latest */
};

/* Uses only the evidence in `seen` and `now`.  The strings of the result are static. */
struct host_origin host_origin_judge(const struct host_seen *seen,
                                     const struct host_now *now);

/*
 * Returns true if the header of the profile alone shows another machine.  Then learning
 * can be skipped.  Call it before the first event.  Sets l->elsewhere until
 * host_origin_learn decides.
 */
bool host_origin_is_elsewhere(struct locator *l, const struct capture *c);

/*
 * Decides if the profile was recorded here, and stores the result in `l`.  Call it after
 * all mappings were applied to `ps`.  clockid: the clock of the samples, or -1 for perf's
 * own.  first_ns and last_ns: times of the first and last sample, or 0 if samples have no
 * time.
 */
void host_origin_learn(struct locator *l, const struct capture *c, struct processes *ps,
                       const struct source *profile, int32_t clockid, uint64_t first_ns,
                       uint64_t last_ns);

#endif
