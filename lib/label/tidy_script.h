/*
 * tidy_script - writes names of JavaScript and Python functions, which V8 and CPython write to
 * perf maps:
 *
 * 	JS:*fib /srv/server.js:6:13, LazyCompile:~fib ...    fib /srv/server.js:6:13
 * 	JS:* /srv/server.js:10:77                            (anonymous) /srv/server.js:10:77
 * 	Builtin:ArrayMap                                     ArrayMap
 * 	py::Pool.run:/usr/lib/x/pool.py                      Pool.run (pool.py)
 */
#ifndef LABEL_TIDY_SCRIPT_H
#define LABEL_TIDY_SCRIPT_H

#include "label/tidy.h"

/* Writes s.  If s has another form, returns false without output. */
bool tidy_script(struct tidy *t, struct str s);

#endif
