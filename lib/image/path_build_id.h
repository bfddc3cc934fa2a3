/*
 * path_build_id - the build-id in the path of a file.  Private to image/.
 *
 * 	usr/lib/debug/.build-id/48/dc540c8b76393804.debug     build-id tree
 * 	.debug/.build-id/48/dc540c8b76393804/elf	      perf's cache
 * 	usr/bin/bash/135afc8c6d1b9e02356cce218bf0109c/elf     the same, and perf archive
 * 	135afc8c6d1b9e02356cce218bf0109c3687ad9f/debuginfo    debuginfod's cache
 * 	libcoreclr.so/elf-buildid-6d1b9e02356cce21/libcoreclr.so	 SSQP store
 * 	_.debug/elf-buildid-sym-6d1b9e02356cce21/_.debug
 *
 * The path only decides which file is opened first.  The build-id inside the file counts.
 */
#ifndef IMAGE_PATH_BUILD_ID_H
#define IMAGE_PATH_BUILD_ID_H

#include "base/str.h"

/* sizes of a build-id in bytes; MD5 has 16, SHA-1 has 20 */
enum { PATH_BUILD_ID_MIN = 8, PATH_BUILD_ID_MAX = 32 };

/* Returns the number of bytes written to `id`, or 0 if the path has no build-id. */
size_t path_build_id(struct str path, char id[PATH_BUILD_ID_MAX]);

#endif
