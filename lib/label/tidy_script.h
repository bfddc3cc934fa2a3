/*
 * tidy_script - shortens names of JavaScript, Python, PHP and Erlang functions, as V8, CPython,
 * opcache and BEAM write them to perf maps.
 *
 * 	JS:*fib /srv/server.js:6:13, LazyCompile:~fib ...    fib /srv/server.js:6:13
 * 	JS:* /srv/server.js:10:77                            (anonymous) /srv/server.js:10:77
 * 	Builtin:ArrayMap                                     ArrayMap
 * 	py::Pool.run:/usr/lib/x/pool.py                      Pool.run (pool.py)
 * 	JIT$App\Counter::add, TRACE-5$App\Counter::add$11     App\Counter::add
 * 	TRACE-12${closure:App\Counter::top():16}$16          App\Counter::top (closure)
 * 	$work:main/1, $work:main/1-CodeInfoPrologue          work:main/1
 * 	$work:'-main/1-fun-1-'/3                             work:main/1 (fun 1)
 * 	$'Elixir.Enum':map/2                                 Enum.map/2
 */
#ifndef LABEL_TIDY_SCRIPT_H
#define LABEL_TIDY_SCRIPT_H

#include "label/tidy.h"

/* Writes s if it has one of the forms above.  Otherwise returns false without output. */
bool tidy_script(struct tidy *t, struct str s);

#endif
