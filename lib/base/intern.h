/*
 * intern - gives equal strings equal numbers.
 *
 * Interned strings are copies, which outlive their input.  Ids start at 0, in the order of first
 * appearance.  Id 0 is the empty string.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"

typedef uint32_t str_id;

struct intern_slot {
	uint32_t hash; /* upper half of the string's hash */
	str_id id;     /* id + 1, or 0 if the slot is free */
};

struct interner {
	struct arena *arena; /* memory of the copies and the tables */
	struct str *strings; /* indexed by id */
	size_t n, cap;
	struct intern_slot *slots;
	size_t nslots; /* a power of two */
};

void intern_init(struct interner *in, struct arena *arena);

/* Returns the id of s.  If s is new, copies it. */
str_id intern(struct interner *in, struct str s);

/* Returns the id of s, or 0 if s is not interned. */
str_id intern_find(const struct interner *in, struct str s);

/* Returns the string of an id, followed by a NUL.  It is valid as long as the arena. */
static inline struct str intern_str(const struct interner *in, str_id id)
{
	return in->strings[id];
}

#endif
