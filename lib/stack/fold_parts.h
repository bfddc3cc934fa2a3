/* fold_parts - the private parts of struct fold. */
#ifndef STACK_FOLD_PARTS_H
#define STACK_FOLD_PARTS_H

#include "base/table.h"
#include "stack/seen_stacks.h"

/* The rules' verdict on a name. */
struct fold_judged {
	str_id name;   /* name of the node, or 0 if the frame is hidden */
	uint8_t flags; /* RULE_* */
};

struct fold_verdicts {
	struct table numbers; /* (name, flags) -> index of judged */
	struct fold_judged *judged;
	size_t n, cap;
};

/* The caches of labels, which depend on the label options. */
struct fold_labels {
	struct table named;  /* (func and module, srcline and flags) -> code */
	struct table placed; /* (func and module, decl) -> 1 if the origin was stored */
	uint32_t *code;      /* indexed by frame_id: its code (fold.c) */
	size_t code_cap;
};

struct fold_codes {
	struct fold_labels now,
	        /*
	         * labels of the current sample's kind, and of the other kind.  The kinds
	         * are Java and not Java
	         */
	        other;
	str_id *lists; /* frames with several labels: for each, the number n and n codes */
	size_t nlists, lists_cap;
};

/* The nodes at which the stacks of threads begin. */
struct fold_starts {
	struct interner comms;
	str_id comm;        /* comm of the previous sample */
	struct table place; /* (names of thread and process, ids) -> index of places */
	struct stack_place *places;
	size_t n, cap;
};

/* The names in folded input. */
struct fold_pieces {
	struct interner texts;
	/* 3 codes for each text: if it is a frame, a root, or a root and `rooted` is set */
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
	/* the current sample: index of its root in places, then codes of frames */
	uint32_t *codes;
	size_t cap;
	struct seen_stacks seen;
};

#endif
