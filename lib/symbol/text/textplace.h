/* textplace - the place of a line of a text in a process.  Private to symbol/. */
#ifndef SYMBOL_TEXT_TEXTPLACE_H
#define SYMBOL_TEXT_TEXTPLACE_H

#include "symbol/session.h"
#include "symbol/text/address_form.h"
#include "symbol/text/find_bias.h"
#include "symbol/text/named_evidence.h"

/* Kinds of lines with different meanings of their addresses. */
enum text_line_kind {
	TEXT_LINE_CHAIN, /* a frame of a call chain of perf's */
	TEXT_LINE_LONE,  /* of perf, without a call chain */
	TEXT_LINE_BPF,
};

/* The state that places the frames of a text. */
struct textplace {
	struct session *s;
	enum address_form form; /* of the user frames of call chains */
	/* module -> 1, or 2 if its file is mapped above low addresses */
	struct table movable;
	struct named_evidence evidence;
	struct find_bias bias;
};

void textplace_init(struct textplace *t, struct session *s);

/* The place of the code of a text's line, as far as it is known. */
struct place {
	const struct mapping *m; /* NULL: not known */
	uint64_t ip;
	bool has_ip;
};
struct place textplace_find(struct textplace *t, int32_t pid, str_id module,
                            uint64_t addr, enum text_line_kind kind);

enum text_line_kind textplace_kind(const struct frame *f);

/* Returns the process of a text's frame: the sample's process, or the one in its module. */
int32_t textplace_pid(const struct textplace *t, const struct event *ev);

/* A module that perf prints for code made at run time. */
bool textplace_is_jit(struct str module);

/* .NET's second view of JIT code, and a file's path.  A perf map has neither. */
bool textplace_is_doublemapper(struct str module);
bool textplace_is_file(struct str module);

/*
 * Returns true if frame i is a return address.  The first frames of kernel and of user code are
 * not.
 */
bool textplace_is_caller(uint64_t addr, uint64_t before, size_t i);

#endif
