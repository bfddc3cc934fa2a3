/*
 * rule_file - the text of rules: one a line, as offbox-rules(5) has it.
 *
 *	# a comment
 *	drop    comm ^swapper
 *	hide    managed ^System\.Threading\.ExecutionContext::Run
 *	rename  ^App\.Old:: => App::
 *	group   module /libclrjit\.so => [JIT]
 *
 * Splits lines into words and says where one is wrong; what the patterns mean is known
 * to rule/rule.c.  Nothing here allocates: what is parsed points into the line.
 */
#ifndef RULE_RULE_FILE_H
#define RULE_RULE_FILE_H

#include "base/str.h"

enum rule_action {
	RULE_KEEP,   /* samples */
	RULE_DROP,   /* samples */
	RULE_HIDE,   /* frames from here on */
	RULE_RENAME, /* the part that matches */
	RULE_GROUP,  /* the whole name; neighbours of one group become one frame */
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
	struct str name; /* behind "=>"; of RULE_MARK a word of rule_file_mark */
	size_t pattern_at, name_at; /* columns, from 1 */
};

/* Why a rule is none, and at which column. */
struct rule_error {
	size_t column; /* from 1 */
	const char *why;
};

/* One line.  1: *out is a rule.  0: blank or a comment.  -1: *error says why not. */
int rule_file_line(struct str line, struct rule_text *out, struct rule_error *error);

/* The part of a line behind its action, which is in out->action.  0, or -1 as above. */
int rule_file_rest(struct str rest, struct rule_text *out, struct rule_error *error);

/* The letter of a mark by its word: 'k' for "kernel"; 0: none; -1: no such word. */
int rule_file_mark(struct str word);

/* The text of a file in share/rules, as "dotnet"; p is NULL: there is none. */
struct str rule_file_shipped(struct str name);

#endif
