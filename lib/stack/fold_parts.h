/* fold_parts - the private state of fold.c. */
#ifndef STACK_FOLD_PARTS_H
#define STACK_FOLD_PARTS_H

#include "base/table.h"
#include "stack/seen_stacks.h"

/* The rules' verdict on a name. */
struct fold_judged {
	str_id name;   /* name of the node.  0 if the frame is hidden */
	uint8_t flags; /* set of RULE_* */
};

struct fold_verdicts {
	struct table numbers; /* (name, flags) -> index in judged */
	struct fold_judged *judged;
	size_t n, cap;
};

/* Caches of labels for one value of label_opts. */
struct fold_labels {
	struct table named;  /* (func and module, srcline and flags) -> code */
	struct table placed; /* set of (func and module, decl) with a stored origin */
	uint32_t *code;      /* indexed by frame_id: code of the label (fold.c) */
	size_t code_cap;
};

struct fold_codes {
	struct fold_labels now,
	        /*
	         * now: labels for the kind of the current program (Java or not Java).
	         * other: labels for the other kind
	         */
	        other;
	/* for each frame with several labels: the number n of labels, then n codes */
	str_id *lists;
	size_t nlists, lists_cap;
};

enum { RECENT_STARTS = 16 };

/* The root frames of the stacks of threads. */
struct fold_starts {
	struct interner comms;
	struct table place; /* (names of thread and process, ids) -> index in places */
	/*
	 * Cache of `place`, indexed by a hash of the thread: a recent key, and the index
	 * in places.  The index is 0 if the element is empty.
	 */
	struct fold_start {
		uint64_t names, ids;
		str_id comm;
		uint32_t index;
	} recent[RECENT_STARTS];
	struct stack_place *places;
	size_t n, cap;
};

/* Codes of the names in folded input. */
struct fold_pieces {
	struct interner texts;
	/*
	 * 3 codes for each text: for a frame, for a root if fold.rooted is false, and for
	 * a root if fold.rooted is true
	 */
	uint32_t *code;
	size_t cap;
};

struct fold_traits {
	uint8_t *trait; /* indexed by label: a set of TRAIT_* */
	size_t cap;
};

/* The current sample. */
struct fold_path {
	stack_id root;
	/* index of the sample's root in places, and then the codes of its frames */
	uint32_t *codes;
	size_t cap;
	struct seen_stacks seen;
	/*
	 * Indexed by event.stack: the stack_place of the stack below the first root.  `seen`
	 * contains its stack_places below other roots.
	 */
	struct fold_place {
		uint32_t root; /* codes[0], or 0 if `place` is unknown */
		struct stack_place place;
	} * known;
	size_t known_cap;
};

#endif
