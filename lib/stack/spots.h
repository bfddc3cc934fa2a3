/*
 * spots - weights by function and address.
 *
 * A function is the label of a frame in its module, as pfold prints it.  Files with different
 * build-ids have different functions.  A sample counts once in the total of a function, at the
 * outermost frame of a recursion, and in the self weight of the function of its innermost frame.
 * Frames between an async method and its continuation do not count, as in a fold.  So the sums of
 * a function's spots are the function's self weight and total in a fold.
 *
 * For each profile, which must have profile_opts.addresses, use spots_begin, spots_take for each
 * sample, and spots_end.  Then use spots_settle.
 */
#ifndef STACK_SPOTS_H
#define STACK_SPOTS_H

#include "base/table.h"
#include "symbol/profile.h"

struct spot_weight {
	uint64_t samples; /* number of samples whose innermost frame is here */
	uint64_t self, total;
};

/* Adds w.  A sum that is too large becomes the greatest number. */
void spots_add_weight(struct spot_weight *to, const struct spot_weight *w);

/* An address in a function. */
struct spot {
	uint32_t function; /* index */
	/* as perf prints it.  For a call, the address of its last byte */
	uint64_t addr;
	str_id line; /* "PATH:LINE" in spots.texts, or 0 */
	struct spot_weight weight;
	uint32_t profile; /* a profile and a frame of it that have the address */
	frame_id frame;
	bool inlined; /* the function was inlined there */
};

/* The strings are ids of spots.texts.  An id is 0 if the string is unknown. */
struct spot_function {
	str_id name;   /* as pfold prints it */
	str_id symbol; /* as psym prints it */
	str_id module, build_id;
	str_id decl; /* "PATH:LINE" at which the function begins */
	struct spot_weight weight;
	size_t first, n;  /* its spots, by address, after spots_settle */
	uint32_t profile; /* the first profile that has the function */
	uint8_t async;    /* enum async_part */
};

/* The part of a frame's weight that belongs to one of its functions. */
struct spot_part {
	uint32_t function;
	uint32_t name; /* index of the frame's name */
	struct spot_weight weight;
};

struct spots {
	struct arena *arena;
	struct interner texts;
	struct spot *spot;
	size_t n, cap;
	struct spot_function *function;
	size_t nfunctions, functions_cap;
	struct spot_weight whole; /* of all samples */
	/* private */
	struct table numbers; /* (label and module, build-id) -> function + 1 */
	struct table rows;    /* (function and line, address) -> spot + 1 */
	uint64_t *met;        /* by function: number of the last sample that has it */
	size_t met_cap;
	uint64_t sample;
	bool has_async;
	struct spot_part **path; /* the parts of the current sample, outermost first */
	size_t path_cap;
	struct {
		struct arena arena;
		struct table
		        named; /* (function and module, build-id and flags) -> list + 1 */
		uint32_t *list; /* of functions: their number, then their indexes */
		size_t nlist, list_cap;
		struct spot_slot {
			uint32_t first, n; /* parts, innermost first */
		} * slot; /* by frame_id, for the address and for a call */
		size_t slots_cap;
		struct spot_part *part;
		size_t nparts, parts_cap;
	} input;
};

void spots_init(struct spots *s, struct arena *arena);

void spots_begin(struct spots *s);
void spots_take(struct spots *s, const struct profile *p, const struct sample *sample,
                uint64_t weight);

/* Adds the weights of the profile with that number. */
void spots_end(struct spots *s, const struct profile *p, uint32_t number);

/* Sorts the spots, after all profiles. */
void spots_settle(struct spots *s);

static inline struct str spots_str(const struct spots *s, str_id id)
{
	return intern_str(&s->texts, id);
}

#endif
