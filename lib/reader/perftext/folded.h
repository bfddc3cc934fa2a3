/*
 * folded - the reader of folded stacks.  Each line has one distinct stack, root first, then its
 * weight:
 *
 * 	# pfold event=cpu-clock samples=6497 unit=ns
 * 	web;main;parse;read_token 12
 * 	web;main;V8 Worker 3 7
 * 	web;main;idle 0.5
 *
 * There is no specification: stackcollapse-perf.pl writes this format and flamegraph.pl reads it.
 * The weight is the last word, so a name may end in a number ("V8 Worker 3").  difffolded.pl
 * writes two counts, which have the same form, so the word before the weight is delivered as a
 * count, too.  Line ends may be CRLF, blanks may follow, tabs may separate.  Empty lines and
 * lines that begin with "# " are comments.  Of the comments, the line of pfold before all stacks,
 * and after it the marks and origins of pfold and the verdicts of pdiff, are delivered.
 */
#ifndef READER_PERFTEXT_FOLDED_H
#define READER_PERFTEXT_FOLDED_H

#include "reader/format.h"

extern const struct format folded_format;

#endif
