/*
 * intern - equal strings become equal numbers.
 *
 * This is the only module that copies bytes in order to outlive their input.  Ids are dense, from
 * 0, in order of first appearance.  Id 0 is the empty string.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"

typedef uint32_t str_id;

struct intern_slot {
	uint32_t hash; /* upper half of the string's hash */
	str_id id;     /* plus one, or 0 if the slot is free */
};

struct interner {
	struct arena *arena; /* holds the copies and the tables */
	struct str *strings; /* by id */
	size_t n, cap;
	struct intern_slot *slots;
	size_t nslots; /* a power of two */
};

void intern_init(struct interner *in, struct arena *arena);

/* The id of s, copying it on first sight. */
str_id intern(struct interner *in, struct str s);

/* As intern, with hash_str(s) already known. */
str_id intern_hashed(struct interner *in, struct str s, uint64_t hash);

/* Returns the string of id, with a NUL after it, valid as long as the arena. */
static inline struct str intern_str(const struct interner *in, str_id id)
{
	return in->strings[id];
}

#endif
