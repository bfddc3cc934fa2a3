/*
 * seek - where a file lay that a text of run-time addresses says frames are in, when no
 * mapping tells it; private to symbol/.
 *
 * A loader moves a file by whole pages, the .NET runtime an image by 64 KiB: of the few
 * thousand places that leaves, return addresses follow calls in one alone.  For images
 * before .NET 9 perfinfo tells the place.
 */
#ifndef SYMBOL_TEXT_FIND_BIAS_H
#define SYMBOL_TEXT_FIND_BIAS_H

#include "symbol/session.h"

/* A distinct return address of pid in module, which nothing else places. */
void profile_seek_note(struct profile *p, int32_t pid, str_id module, uint64_t ip);

/* Looks for all that was noted. */
void profile_seek(struct profile *p);

/* NULL: nothing shows where module lay, of which ip is. */
const struct mapping *profile_sought_mapping(struct profile *p, int32_t pid,
                                             str_id module, uint64_t ip);

#endif
