/*
 * library - shared libraries that are loaded when they are needed.
 *
 * Few runs read an archive or a trace of LTTng, but loading the libraries for them, with those that
 * they use, would take longer than all of a short run.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stddef.h>

/*
 * Loads the library for good, unless it is loaded, and sets the n pointers at `to` to its functions
 * of these names.  Returns NULL, or the reason of a failure, which is valid until the next call.
 */
const char *library_open(const char *file, const char *const *names, size_t n, void *to);

#endif
