/*
 * host_origin - decides whether a perf.data was recorded on this machine since its last boot, and
 * when.
 *
 * The evidence in the profile is: host name and kernel release, build-id and load address of the
 * kernel, load addresses of kernel modules, times of samples, and inodes of mapped files.
 * Properties that were not recorded are not compared.
 *
 * The profile may be a copy, which is younger than the recording.  So the times of the profile's
 * file never make a test fail.  If they are early, they only move the assumed start of the
 * recording to an earlier time.
 *
 * All times are nanoseconds since 1970.
 */
#ifndef IMAGE_HOST_ORIGIN_H
#define IMAGE_HOST_ORIGIN_H

#include "image/locate.h"
#include "process/process.h"
#include "reader/capture.h"

/* Properties of this machine, or of the machine in a profile.  Unknown properties are empty. */
struct host_machine {
	struct str name, release, arch; /* as returned by uname(2) */
	struct str kernel_id;           /* build-id of the kernel */
};

/*
 * The evidence that the profile was or was not recorded here.  If a test was not possible, its
 * count is 0.
 */
struct host_seen {
	struct host_machine machine;
	/* load address and size in bytes of the kernel, or 0 if unknown */
	uint64_t text, length;
	/*
	 * modules_same: number of kernel modules that now have the recorded load address.
	 * modules_moved: number of modules at a different address
	 */
	size_t modules_same, modules_moved;
	/*
	 * files_same: number of mapped files that now have the recorded inode.
	 * files_other: number of files with a different inode
	 */
	size_t files_same, files_other;
	/* times of the first and the last sample, or 0 if samples have no time */
	uint64_t first_ns, last_ns;
	uint64_t wall_ns; /* wall-clock time of the first sample, as recorded */
	uint64_t made_ns, written_ns; /* birth time and mtime of the profile's file */
};

/* The state of this machine at the moment. */
struct host_now {
	struct host_machine machine;
	/* the running kernel.  Only its bounds are set.  They are 0 if unknown */
	struct kallsyms kernel;
	uint64_t wall_ns;
	uint64_t since_boot_ns; /* uptime, including suspended time */
	uint64_t clock_ns;      /* current time of the samples' clock */
	uint64_t slept_ns; /* suspended time that the samples' clock does not count */
};

struct host_origin {
	/* the failed test, or NULL if the profile was recorded here */
	const char *elsewhere;
	/* a file that has not changed since this time is the mapped file */
	uint64_t surely_ns;
	/*
	 * A file that changed after this time is not the mapped file.  If a file changed
	 * between surely_ns and began_ns, the return addresses of samples show whether it
	 * is the mapped file.
	 */
	uint64_t began_ns;
	uint64_t ended_ns; /* latest possible end of the recording */
};

/*
 * Decides from `seen` and `now` alone whether this machine recorded the profile.  The strings in
 * the result are static.
 */
struct host_origin host_origin_judge(const struct host_seen *seen,
                                     const struct host_now *now);

/*
 * Returns true if the profile's header alone proves that another machine recorded it.  The caller
 * can then skip host_origin_learn.  Call this function before the first event.  It sets
 * l->elsewhere.  host_origin_learn later replaces the value.
 */
bool host_origin_is_elsewhere(struct locator *l, const struct capture *c);

/*
 * Decides whether the profile was recorded here, and stores the result in `l`.  Call it after all
 * mappings were applied to `ps`.  clockid: the clock of the samples, or -1 for perf's own clock.
 * first_ns and last_ns: times of the first and the last sample, or 0 if samples have no time.
 */
void host_origin_learn(struct locator *l, const struct capture *c, struct processes *ps,
                       const struct source *profile, int32_t clockid, uint64_t first_ns,
                       uint64_t last_ns);

#endif
