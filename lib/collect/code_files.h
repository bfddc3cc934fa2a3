/*
 * code_files - the mapped files that hold code, from /proc/PID/maps (proc_pid_maps(5)).
 *
 * These are executable mappings, jitdumps, and assemblies of .NET, which are mapped as
 * data.  Devices and memory without a file do not count.
 */
#ifndef COLLECT_CODE_FILES_H
#define COLLECT_CODE_FILES_H

#include "base/arena.h"

struct code_file {
	struct str path; /* part of the text, without " (deleted)" */
	bool deleted;    /* the path may be another file by now */
	bool wanted;     /* holds code */
	/* addresses of its first mapping, which name it in /proc/PID/map_files */
	uint64_t start, end;
};

struct code_files {
	struct code_file *file; /* in the order of their first mappings */
	size_t n, cap;
	uint64_t vdso, vdso_end; /* 0 if it is not mapped */
};

void code_files_read(struct code_files *out, struct str maps, struct arena *a);

bool code_files_is_jitdump(struct str path);

/*
 * Returns true if path can become the name of a member: it begins with '/', no part of it is
 * "..", and the kernel did not have to escape it.
 */
bool code_files_is_plain(struct str path);

#endif
