/*
 * rule_file - parses rules, one on each line, as in offbox-rules(5).
 *
 * 	# a comment
 * 	drop    comm ^swapper
 * 	hide    managed ^System\.Threading\.ExecutionContext::Run
 * 	rename  ^App\.Old:: => App::
 * 	group   module /libclrjit\.so => [JIT]
 *
 * Splits lines into words, and returns the place of an error.  rule/rule.c compiles the patterns.
 * No memory is allocated, because results point into the line.
 */
#ifndef RULE_RULE_FILE_H
#define RULE_RULE_FILE_H

#include "base/str.h"

enum rule_action {
	RULE_KEEP,   /* samples */
	RULE_DROP,   /* samples */
	RULE_HIDE,   /* frames, as for the following actions */
	RULE_RENAME, /* replaces the part that matches */
	/* Replaces the whole name.  Adjacent frames with the same new name become one frame. */
	RULE_GROUP,
	RULE_START_AT,
	RULE_STOP_AT,
	RULE_APART,
	RULE_MARK,
	RULE_ROOT, /* names the root frame of a thread */
	RULE_ACTIONS
};

enum rule_scope {
	RULE_FRAME, /* any frame */
	RULE_LEAF,
	RULE_COMM,
	RULE_MODULE,
	RULE_KERNEL, /* this and the next three scopes are frames with this mark */
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
	/* text after "=>".  For RULE_MARK, a word that rule_file_mark knows */
	struct str name;
	size_t pattern_at, name_at; /* columns of pattern and name, from 1 */
};

/* The reason why a rule is invalid, and its place. */
struct rule_error {
	size_t column; /* from 1 */
	const char *why;
};

/*
 * Reads a line.  Returns 1 with a rule in *out, 0 for a blank line or a comment, or -1 with
 * *error set if the line is invalid.
 */
int rule_file_line(struct str line, struct rule_text *out, struct rule_error *error);

/*
 * Reads the part of a line that follows its action.  out->action must be set.  Returns 0, or -1
 * with *error set.
 */
int rule_file_rest(struct str rest, struct rule_text *out, struct rule_error *error);

/*
 * Returns the letter of a mark by its word, such as 'k' for "kernel".  Returns 0 for "none", and
 * -1 for other words.
 */
int rule_file_mark(struct str word);

/*
 * Returns the text of a file in share/rules, such as "dotnet".  p is NULL if there is no such
 * file.
 */
struct str rule_file_shipped(struct str name);

#endif
