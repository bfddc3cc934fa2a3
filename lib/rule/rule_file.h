/*
 * rule_file - the text of rules, one in each line, as in offbox-rules(5).
 *
 * 	# a comment
 * 	drop    comm ^swapper
 * 	hide    managed ^System\.Threading\.ExecutionContext::Run
 * 	rename  ^App\.Old:: => App::
 * 	group   module /libclrjit\.so => [JIT]
 *
 * Splits lines into words and reports the place of an error.  rule/rule.c reads the patterns.  No
 * memory is allocated: results point into the line.
 */
#ifndef RULE_RULE_FILE_H
#define RULE_RULE_FILE_H

#include "base/str.h"

enum rule_action {
	RULE_KEEP,   /* samples */
	RULE_DROP,   /* samples */
	RULE_HIDE,   /* frames from here on */
	RULE_RENAME, /* the part that matches */
	RULE_GROUP,  /* the whole name.  Adjacent frames of one group become one frame */
	RULE_START_AT,
	RULE_STOP_AT,
	RULE_APART,
	RULE_MARK,
	RULE_ROOT, /* of a thread */
	RULE_ACTIONS
};

enum rule_scope {
	RULE_FRAME, /* any frame */
	RULE_LEAF,
	RULE_COMM,
	RULE_MODULE,
	RULE_KERNEL, /* frames of this mark */
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
	struct str name; /* after "=>".  For RULE_MARK a word of rule_file_mark */
	size_t pattern_at, name_at; /* columns, from 1 */
};

/* Why a rule is invalid, and the column. */
struct rule_error {
	size_t column; /* from 1 */
	const char *why;
};

/*
 * Reads one line.  Returns 1 if *out is a rule, 0 for a blank line or a comment, -1 with *error
 * set if it is invalid.
 */
int rule_file_line(struct str line, struct rule_text *out, struct rule_error *error);

/*
 * Reads the part of a line after its action, which is in out->action.  Returns 0, or -1 as above.
 */
int rule_file_rest(struct str rest, struct rule_text *out, struct rule_error *error);

/*
 * Returns the letter of a mark by its word: 'k' for "kernel", 0 for "none", -1 for other words.
 */
int rule_file_mark(struct str word);

/*
 * Returns the text of a file in share/rules, such as "dotnet".  p is NULL if it does not exist.
 */
struct str rule_file_shipped(struct str name);

#endif
