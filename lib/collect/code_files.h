/*
 * code_files - lists the mapped files with code from /proc/PID/maps (proc_pid_maps(5)).
 *
 * These are executable mappings, jitdumps, and assemblies of .NET, which are mapped as data.
 * Devices and memory without a file are ignored.
 */
#ifndef COLLECT_CODE_FILES_H
#define COLLECT_CODE_FILES_H

#include "base/arena.h"

struct code_file {
	struct str path; /* part of the text of /proc/PID/maps, without " (deleted)" */
	bool deleted;    /* another file may have the path now */
	bool wanted;     /* contains code */
	/*
	 * addresses of the file's first mapping.  They form its name in
	 * /proc/PID/map_files
	 */
	uint64_t start, end;
};

struct code_files {
	struct code_file *file; /* in the order of the files' first mappings */
	size_t n, cap;
	uint64_t vdso, vdso_end; /* 0 if the vdso is not mapped */
};

void code_files_read(struct code_files *out, struct str maps, struct arena *a);

bool code_files_is_jitdump(struct str path);

/*
 * Returns true if path is a valid name for a member: it begins with '/', has no part "..", and
 * has no characters that the kernel had to escape.
 */
bool code_files_is_plain(struct str path);

#endif
