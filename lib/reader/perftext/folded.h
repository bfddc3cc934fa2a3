/*
 * folded - the reader of folded stacks: one distinct stack a line, root first, then its
 * weight:
 *
 *	# pfold event=cpu-clock samples=6497 unit=ns
 *	web;main;parse;read_token 12
 *	web;main;V8 Worker 3 7
 *	web;main;idle 0.5
 *
 * There is no specification: this is what stackcollapse-perf.pl writes and
 * flamegraph.pl reads.  The weight is the last word, so a name may end in a number
 * ("V8 Worker 3"); difffolded.pl writes two counts, which looks the same, so the
 * word in front of the weight is delivered as a count, too.  Line ends may be CRLF,
 * blanks may follow, tabs may separate; empty lines and lines that begin with "# "
 * are comments.  Of these the one of pfold, in front of all stacks, and the marks behind
 * it are delivered.
 */
#ifndef READER_PERFTEXT_FOLDED_H
#define READER_PERFTEXT_FOLDED_H

#include "reader/format.h"

extern const struct format folded_format;

#endif
