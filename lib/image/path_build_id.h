/*
 * path_build_id - finds the build-id in the path of a file.  Private to image/.
 *
 * 	usr/lib/debug/.build-id/48/dc540c8b76393804.debug     build-id tree
 * 	.debug/.build-id/48/dc540c8b76393804/elf	      perf's cache
 * 	usr/bin/bash/135afc8c6d1b9e02356cce218bf0109c/elf     perf's cache, perf archive
 * 	135afc8c6d1b9e02356cce218bf0109c3687ad9f/debuginfo    debuginfod's cache
 * 	libcoreclr.so/elf-buildid-6d1b9e02356cce21/libcoreclr.so	 SSQP store
 * 	_.debug/elf-buildid-sym-6d1b9e02356cce21/_.debug
 *
 * The path only determines which file is opened first.  The build-id inside the file decides
 * whether the file is used.
 */
#ifndef IMAGE_PATH_BUILD_ID_H
#define IMAGE_PATH_BUILD_ID_H

#include "base/str.h"

/* limits of a build-id in bytes.  An MD5 sum has 16, a SHA-1 sum has 20 */
enum { PATH_BUILD_ID_MIN = 8, PATH_BUILD_ID_MAX = 32 };

/*
 * Writes the build-id in the path to `id`.  Returns the number of bytes, or 0 if the path has no
 * build-id.
 */
size_t path_build_id(struct str path, char id[PATH_BUILD_ID_MAX]);

#endif
