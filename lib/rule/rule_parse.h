/*
 * rule_parse - splits the lines of a file of rules (offbox-rules(5)) into action, scope, pattern and
 * new name.
 *
 * 	# a comment
 * 	drop    comm ^swapper
 * 	hide    managed ^System\.Threading\.ExecutionContext::Run
 * 	rename  ^App\.Old:: => App::
 * 	group   module /libclrjit\.so => [JIT]
 *
 * Splits lines into words, and returns the position of an error.  rule/rule.c compiles the
 * patterns.  Results point into the line.
 */
#ifndef RULE_RULE_PARSE_H
#define RULE_RULE_PARSE_H

#include "base/str.h"

enum rule_action {
	RULE_KEEP,   /* keep only matching samples */
	RULE_DROP,   /* drop matching samples */
	RULE_HIDE,   /* RULE_HIDE to RULE_MARK apply to frames */
	RULE_RENAME, /* replace the part that matches */
	/* Replace the whole name.  Adjacent frames with the same new name become one frame. */
	RULE_GROUP,
	RULE_START_AT,
	RULE_STOP_AT,
	RULE_APART,
	RULE_MARK,
	RULE_ROOT, /* set the name of a thread's root frame */
	RULE_ACTIONS
};

enum rule_scope {
	RULE_FRAME, /* any frame */
	RULE_LEAF,
	RULE_COMM,
	RULE_MODULE,
	RULE_KERNEL, /* RULE_KERNEL to RULE_INLINED: frames with the mark of that name */
	RULE_MANAGED,
	RULE_RUNTIME,
	RULE_INLINED,
	RULE_NATIVE, /* frames without a mark */
	RULE_SCOPES
};

struct rule_text {
	enum rule_action action;
	enum rule_scope scope;
	struct str pattern;
	/* text after "=>".  For RULE_MARK, a word as in rule_parse_mark */
	struct str name;
	size_t pattern_at, name_at; /* columns of pattern and name, starting at 1 */
};

/* The reason why a rule is invalid, and the column. */
struct rule_error {
	size_t column; /* starts at 1 */
	const char *why;
};

/*
 * Reads a line.  Returns 1 with a rule in *out, or 0 for a blank line or comment.  If the line is
 * invalid, returns -1 with *error set.
 */
int rule_parse_line(struct str line, struct rule_text *out, struct rule_error *error);

/*
 * Reads the part of a line after its action, which the caller has set in out->action.  Returns 0,
 * or -1 with *error set.
 */
int rule_parse_rest(struct str rest, struct rule_text *out, struct rule_error *error);

/*
 * Converts a word to the letter of a mark: 'k' for "kernel", 0 for "none".  Returns -1 for other
 * words.
 */
int rule_parse_mark(struct str word);

#endif
