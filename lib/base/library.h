/*
 * library - loads shared libraries when they are needed.
 *
 * Few runs need the libraries for archives and LTTng traces.  Loading them with their
 * dependencies takes longer than the rest of a short run.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stddef.h>

/*
 * Loads a library, which is never unloaded.  Sets the n pointers at `to` to the functions in
 * `names`.  Returns NULL, or the reason for a failure, which is valid until the next call.
 */
const char *library_open(const char *file, const char *const *names, size_t n, void *to);

#endif
