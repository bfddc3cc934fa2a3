/*
 * spots - sums weights by function and address.  A spot is an address in a function.
 *
 * The label that pfold prints, the module and the build-id identify a function.  A sample counts
 * once in the total of a function, at the outermost frame of a recursion, and in the self weight
 * of the function in its innermost frame.  Frames between an async method and its continuation do
 * not count, as in a fold.  Therefore the sums over a function's spots equal its self weight and
 * total in a fold.
 *
 * For each profile, call spots_begin, spots_take for each sample, and spots_end.  After all
 * profiles, call spots_settle.
 */
#ifndef STACK_SPOTS_H
#define STACK_SPOTS_H

#include "symbol/profile.h"

struct spot_weight {
	uint64_t samples; /* number of samples with this innermost frame */
	uint64_t self, total;
};

/* Adds w.  Sums saturate. */
void spots_add_weight(struct spot_weight *to, const struct spot_weight *w);

/* An address in a function, with its weight. */
struct spot {
	/*
	 * the address as perf prints it.  For a caller, the last byte of the call, or the
	 * return address if the frame's function begins there
	 */
	uint64_t addr;
	struct spot_weight weight;
	uint32_t function;     /* index of the function */
	str_id line;           /* "PATH:LINE" in spots.texts, or 0 */
	frame_id frame;        /* a frame at the address, of the profile below */
	uint32_t profile : 31; /* number of a profile that contains the address */
	uint32_t inlined : 1;  /* the function is inlined at this address */
};

/* Ids refer to spots.texts.  0 means unknown. */
struct spot_function {
	str_id name;   /* name as pfold prints it */
	str_id symbol; /* name as psym prints it */
	str_id module, build_id;
	str_id decl; /* "PATH:LINE" of the start of the function */
	struct spot_weight weight;
	/* after spots_settle: range of the function's spots, sorted by address */
	size_t first, n;
	uint32_t profile; /* the first profile with the function */
	uint8_t async;    /* enum async_part */
};

/* One of the functions in a frame, with its share of the weight. */
struct spot_part {
	uint32_t function;
	uint32_t name : 31; /* index in the frame's names */
	uint32_t more : 1;  /* the next part is of the same frame */
	struct spot_weight weight;
};

/* A frame at an address. */
struct spot_place {
	uint64_t addr; /* as perf prints it, or 0 if it is unknown */
	uint32_t part; /* index of the first part + 1, or 0 */
};

struct spots {
	struct arena *arena;
	struct interner texts;
	struct spot *spot;
	size_t n, cap;
	struct spot_function *function;
	size_t nfunctions, functions_cap;
	struct spot_weight whole; /* weight of all samples */
	/* private */
	struct table numbers; /* (label and module, build-id) -> function + 1 */
	/* (function and line, address) -> spot + 1.  Not used before the second profile */
	struct table rows;
	/* indexed by function: number of the last sample that contained it */
	uint64_t *met;
	size_t met_cap;
	uint64_t sample;
	bool has_async;
	struct spot_part **path; /* parts of the current sample, outermost first */
	size_t path_cap;
	struct {
		struct arena arena;
		struct table
		        named; /* (function and module, build-id and flags) -> list + 1 */
		/* lists of functions: the number of functions, then their indices */
		uint32_t *list;
		size_t nlist, list_cap;
		/* indexed by frame_id, as leaf and as caller: the last slot of the frame */
		struct spot_recent {
			struct spot_place last;
			uint32_t placing; /* enum placing, or 0 */
		} (*recent)[2];
		size_t recent_cap;
		/* (frame_id and caller, address) -> first part + 1 */
		struct table places;
		/* a frame at an address, with its parts, outermost first */
		struct spot_slot {
			uint64_t addr; /* as perf prints it, or 0 if it is unknown */
			frame_id frame;
			uint32_t first : 31; /* index of the first part */
			uint32_t caller : 1; /* addr is a return address */
		} * slot;
		size_t nslots, slots_cap;
		struct spot_place *sample; /* the frames of the current sample */
		size_t sample_cap;
		struct spot_part *part;
		size_t nparts, parts_cap;
	} input;
};

void spots_init(struct spots *s, struct arena *arena);

void spots_begin(struct spots *s);
void spots_take(struct spots *s, const struct profile *p, const struct sample *sample,
                uint64_t weight);

/* Adds the weights of the profile.  number: the number of the profile. */
void spots_end(struct spots *s, const struct profile *p, uint32_t number);

/* Sorts the spots after all profiles were read. */
void spots_settle(struct spots *s);

/* For spots_part.c. */
static const uint32_t SPOTS_NO_PART =
        UINT32_MAX - 1; /* first part of a frame without parts */

/* Returns the index of the first part of a slot, which is added if it is new. */
uint32_t spots_slot(struct spots *s, const struct profile *p,
                    const struct spot_slot *slot, bool caller);

/* Returns the next part of the same frame, or NULL. */
static inline struct spot_part *spots_next_part(struct spot_part *part)
{
	return part->more ? part + 1 : NULL;
}

static inline struct str spots_str(const struct spots *s, str_id id)
{
	return intern_str(&s->texts, id);
}

#endif
