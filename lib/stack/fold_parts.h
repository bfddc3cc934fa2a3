/* fold_parts - what a fold remembers while it works, by subject; private to fold.c. */
#ifndef STACK_FOLD_PARTS_H
#define STACK_FOLD_PARTS_H

#include "base/table.h"
#include "stack/seen_stacks.h"

/* The rules' verdict on a name. */
struct fold_judged {
	str_id name;   /* of its node, or 0 if the frame is hidden */
	uint8_t flags; /* RULE_* */
};

struct fold_verdicts {
	struct table numbers; /* (name, flags) -> number of the verdict */
	struct fold_judged *judged;
	size_t n, cap;
};

/* Labels that were made with one struct label_opts. */
struct fold_labels {
	struct table named;  /* (func and module, srcline and flags) -> code */
	struct table placed; /* (func and module, decl) -> 1: its origin was kept */
	uint32_t *code;      /* by frame_id: its label, see fold.c */
	size_t code_cap;
};

struct fold_codes {
	struct fold_labels now,
	        other; /* other: for threads of Java, or those that are none */
	str_id *lists; /* frames with several labels: n, then n ids */
	size_t nlists, lists_cap;
};

/* The node at which the stacks of a thread begin. */
struct fold_starts {
	struct interner comms;
	str_id comm;        /* of the sample before */
	struct table place; /* (comm and process, ids) -> index of places */
	struct stack_place *places;
	size_t n, cap;
};

/* Names of folded input. */
struct fold_pieces {
	struct interner texts;
	uint32_t *code; /* by text and by position in a line */
	size_t cap;
};

struct fold_traits {
	uint8_t *trait; /* by label */
	size_t cap;
};

/* The sample at hand. */
struct fold_path {
	stack_id root;
	uint32_t *codes; /* its root's place, then those of its frames */
	size_t cap;
	struct seen_stacks seen;
};

#endif
