/*
 * tidy_script - writes functions of JavaScript and Python, which V8 and CPython write into perf
 * maps:
 *
 * 	JS:*fib /srv/server.js:6:13, LazyCompile:~fib ...    fib /srv/server.js:6:13
 * 	JS:* /srv/server.js:10:77                            (anonymous) /srv/server.js:10:77
 * 	Builtin:ArrayMap                                     ArrayMap
 * 	py::Pool.run:/usr/lib/x/pool.py                      Pool.run (pool.py)
 */
#ifndef LABEL_TIDY_SCRIPT_H
#define LABEL_TIDY_SCRIPT_H

#include "label/tidy.h"

/* Writes s.  Returns false, without output, if s has another form. */
bool tidy_script(struct tidy *t, struct str s);

#endif
