/*
 * claim - the build-id that a file's path says it has; private to image/.
 *
 *	usr/lib/debug/.build-id/48/dc540c8b76393804.debug     build-id tree
 *	.debug/.build-id/48/dc540c8b76393804/elf              perf's cache
 *	usr/bin/bash/135afc8c6d1b9e02356cce218bf0109c/elf     likewise, and perf archive
 *	135afc8c6d1b9e02356cce218bf0109c3687ad9f/debuginfo    debuginfod's cache
 *	libcoreclr.so/elf-buildid-6d1b9e02356cce21/libcoreclr.so         SSQP store
 *	_.debug/elf-buildid-sym-6d1b9e02356cce21/_.debug
 *
 * A claim only says what to open first; what is in the file counts.
 */
#ifndef IMAGE_PATH_BUILD_ID_H
#define IMAGE_PATH_BUILD_ID_H

#include "base/str.h"

enum { CLAIM_MIN = 8, CLAIM_MAX = 32 }; /* bytes of an id: md5 has 16, sha1 20 */

/* Bytes of the id written to id; 0: the path claims none. */
size_t claim_read(struct str path, char id[CLAIM_MAX]);

#endif
