/*
 * spots - sums weights by function and address.  A function is identified by its label, as pfold
 * prints it, and by the module and build-id of its file.  A sample counts for the self weight of
 * the function of its innermost frame.  It counts once for the total of each function on its
 * stack, at the outermost frame of this function.  As in a fold, frames between an async method
 * and its continuation are ignored.  So the sums over the spots of a function are its self weight
 * and total in a fold.
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

/* Adds w to *to.  Sums saturate. */
void spots_add_weight(struct spot_weight *to, const struct spot_weight *w);

/* An address in a function, with its weight. */
struct spot {
	uint32_t function; /* index */
	/* address as perf prints it: for a caller, the last byte of the call */
	uint64_t addr;
	str_id line; /* "PATH:LINE" in spots.texts, or 0 */
	struct spot_weight weight;
	uint32_t profile; /* a profile with this address, and a frame of it */
	frame_id frame;
	bool inlined; /* the function was inlined there */
};

/* The strings are ids of spots.texts.  An id is 0 if the string is unknown. */
struct spot_function {
	str_id name;   /* name as pfold prints it */
	str_id symbol; /* name as psym prints it */
	str_id module, build_id;
	str_id decl; /* "PATH:LINE" at which the function begins */
	struct spot_weight weight;
	size_t first, n;  /* its spots, sorted by address (after spots_settle) */
	uint32_t profile; /* number of the first profile that has the function */
	uint8_t async;    /* enum async_part */
};

/* The part of a frame's weight that belongs to one of its functions. */
struct spot_part {
	uint32_t function;
	uint32_t name; /* index among the names of the frame */
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
	/* indexed by function: number of the last sample that contains it */
	uint64_t *met;
	size_t met_cap;
	uint64_t sample;
	bool has_async;
	struct spot_part **path; /* the parts of the current sample, outermost first */
	size_t path_cap;
	struct {
		struct arena arena;
		struct table
		        named; /* (function and module, build-id and flags) -> list + 1 */
		/* lists of functions: the number of functions, then their indexes */
		uint32_t *list;
		size_t nlist, list_cap;
		struct spot_slot {
			uint32_t first, n; /* parts, innermost first */
		} * slot;                  /* indexed by 2 * frame_id, + 1 for callers */
		size_t slots_cap;
		struct spot_part *part;
		size_t nparts, parts_cap;
	} input;
};

void spots_init(struct spots *s, struct arena *arena);

void spots_begin(struct spots *s);
void spots_take(struct spots *s, const struct profile *p, const struct sample *sample,
                uint64_t weight);

/* Ends the profile with this number and adds its weights. */
void spots_end(struct spots *s, const struct profile *p, uint32_t number);

/* Sorts the spots.  Call it after all profiles. */
void spots_settle(struct spots *s);

static inline struct str spots_str(const struct spots *s, str_id id)
{
	return intern_str(&s->texts, id);
}

#endif
