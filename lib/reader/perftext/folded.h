/*
 * folded - reads folded stacks.  Each line contains a distinct stack, root first, and its weight:
 *
 * 	# pfold event=cpu-clock samples=6497 unit=ns
 * 	web;main;parse;read_token 12
 * 	web;main;V8 Worker 3 7
 * 	web;main;idle 0.5
 *
 * There is no specification: stackcollapse-perf.pl writes this format, and flamegraph.pl reads
 * it.  The weight is the last word, so a name may end with a number ("V8 Worker 3").
 * difffolded.pl writes two counts.  The first count cannot be distinguished from a number at
 * the end of a name.  Therefore event.raw includes this number, and event.pair excludes it.
 *
 * Line ends may be CRLF, with blanks before them.  Tabs may separate words.  Empty lines and
 * lines that begin with "# " are comments.  Some comments are delivered: the header line
 * of pfold, its lines about marked times and about names, and the verdicts of pdiff.
 */
#ifndef READER_PERFTEXT_FOLDED_H
#define READER_PERFTEXT_FOLDED_H

#include "reader/format.h"

extern const struct format folded_format;

#endif
