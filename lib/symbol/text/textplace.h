/* textplace - finds the mapping and the run-time address of a text's line.  Private to symbol/. */
#ifndef SYMBOL_TEXT_TEXTPLACE_H
#define SYMBOL_TEXT_TEXTPLACE_H

#include "symbol/session.h"
#include "symbol/text/address_form.h"
#include "symbol/text/find_bias.h"
#include "symbol/text/named_evidence.h"

/* Kinds of lines.  The meaning of the address depends on the kind. */
enum text_line_kind {
	TEXT_LINE_CHAIN, /* a frame that perf printed in a call chain */
	TEXT_LINE_LONE,  /* a frame that perf printed without a call chain */
	TEXT_LINE_BPF,
};

/* The facts about a text that textplace_find uses. */
struct textplace {
	struct session *s;
	enum address_form form; /* the form of user frames in call chains */
	/* module -> 2 if its files are mapped only above LIBRARY_MAX, else 1 */
	struct table movable;
	struct named_evidence evidence;
	struct find_bias bias;
};

void textplace_init(struct textplace *t, struct session *s);

/* The mapping and the run-time address of a line.  Both may be unknown. */
struct place {
	const struct mapping *m; /* NULL if unknown */
	uint64_t ip;
	bool has_ip;
};
struct place textplace_find(struct textplace *t, int32_t pid, str_id module,
                            uint64_t addr, enum text_line_kind kind);

enum text_line_kind textplace_kind(const struct frame *f);

/*
 * Returns the process of a text's sample: the printed pid, the process of its thread, -p PID, or
 * the only process.  Returns -1 if the process is unknown.
 */
int32_t textplace_pid(const struct textplace *t, const struct event *ev);

/* Returns true for names of modules that perf prints for JIT code. */
bool textplace_is_jit(struct str module);

/* Returns true for the path of a file, except for perf maps. */
bool textplace_is_file(struct str module);

/*
 * Returns true if frame i is a return address.  The innermost kernel frame and the innermost user
 * frame are not return addresses.  before: the address of the callee.
 */
bool textplace_is_caller(uint64_t addr, uint64_t before, size_t i);

#endif
