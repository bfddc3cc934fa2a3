/*
 * intern - gives equal strings equal numbers.
 *
 * Only this module copies bytes so that they outlive their input.  Ids count from 0, in
 * the order of first appearance.  Id 0 is the empty string.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"

typedef uint32_t str_id;

struct intern_slot {
	uint32_t hash; /* the upper half of the string's hash */
	str_id id;     /* id + 1, or 0 if the slot is free */
};

struct interner {
	struct arena *arena; /* contains the copies and the tables */
	struct str *strings; /* by id */
	size_t n, cap;
	struct intern_slot *slots;
	size_t nslots; /* a power of two */
};

void intern_init(struct interner *in, struct arena *arena);

/* Returns the id of s.  If s is new, copies it. */
str_id intern(struct interner *in, struct str s);

/* Returns the id of s.  hash: hash_str(s). */
str_id intern_hashed(struct interner *in, struct str s, uint64_t hash);

/* Returns the string of id, with a NUL after it, valid as long as the arena. */
static inline struct str intern_str(const struct interner *in, str_id id)
{
	return in->strings[id];
}

#endif
