/*
 * scriptmade - a profile of our own in the place of symbol/profile: what its frames and
 * names say is decided by the test; the reader is real, over a made perf.data.
 */
#ifndef TESTS_SCRIPTMADE_H
#define TESTS_SCRIPTMADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "perfgen.h"
#include "symbol/report/modules.h"
#include "writer/script/script.h"

enum { FRAMES = 8, ID_ALL = 1 << 18 };

struct profile {
	struct reader *reader;
	struct resolved frames[FRAMES];
	struct named names[FRAMES];
	struct placed sample[FRAMES];       /* frame i, where it was named */
	struct str strings[2 * FRAMES + 1]; /* by str_id; 0 is the empty one */
	frame_id found;                     /* what profile_lookup finds */
	uint64_t looked_for;
};

static struct gen g;
static struct arena run;
static struct diag diag;
static struct member member;
static struct source source;
static struct profile profile;
static struct script script;
static struct script_opts opts;
static struct out out;
static struct event ev;
static char text[4096];
static int started; /* what script_init said */

struct reader *profile_reader(const struct profile *p)
{
	return p->reader;
}

const struct resolved *profile_frame(const struct profile *p, frame_id id)
{
	return &p->frames[id];
}

struct str profile_str(const struct profile *p, str_id id)
{
	return p->strings[id];
}

struct str profile_cgroup(const struct profile *p, uint64_t id)
{
	(void)p;
	return id == 7 ? STR("/seven") : (struct str){ 0 };
}

struct placed profile_lookup(struct profile *p, int32_t pid, uint64_t ip,
                             enum cpumode mode)
{
	(void)pid;
	(void)mode;
	p->looked_for = ip;
	return p->sample[p->found];
}

/* What cmd.o asks for, and would bring the real profile_lookup with it. */
size_t modules_list(const struct profile *p, struct arena *a,
                    const struct module_coverage **list)
{
	(void)p;
	(void)a;
	*list = NULL;
	return 0;
}

uint64_t modules_broken(const struct profile *p)
{
	(void)p;
	return 0;
}

/* Frame i is called func, or nothing, and lies in module, or in nothing. */
static void name_frame(frame_id i, uint64_t addr, const char *func, uint64_t off,
                       const char *module)
{
	struct named *n = &profile.names[i];

	profile.strings[2 * i + 1] = str_of(func);
	profile.strings[2 * i + 2] = str_of(module);
	*n = (struct named){ .func = 2 * i + 1,
		             .module = module ? 2 * i + 2 : 0,
		             .has_off = func != NULL,
		             .begin = addr - off,
		             .flags = func ? 0 : NAMED_UNKNOWN };
	profile.frames[i] = (struct resolved){ .names = n, .n = 1 };
	profile.sample[i] = (struct placed){ i, addr };
}

static int enter(void **state)
{
	(void)state;
	memset(&g, 0, sizeof(g));
	memset(&profile, 0, sizeof(profile));
	diag = (struct diag){ .prog = "script" };
	opts = (struct script_opts){ 0 };
	out.n = 0;
	out.error = 0;
	out.fd = -1;
	return 0;
}

static int leave(void **state)
{
	(void)state;
	script_end(&script);
	script = (struct script){ 0 };
	reader_close(profile.reader);
	profile.reader = NULL;
	arena_release(&run);
	return 0;
}

static void over_made(void)
{
	struct str bytes = gen_finish(&g);

	member = (struct member){ .name = STR("made"), .map = bytes, .head = bytes };
	source = (struct source){ .members = &member, .n = 1 };
	profile.reader = reader_open(&source, 0, &run, &diag);
	assert_non_null(profile.reader);
	started = script_init(&script, &profile, &opts, &diag);
}

/* All of it still stands in the buffer. */
static const char *printed(void)
{
	assert_true(out.n < sizeof(text));
	if (out.n)
		memcpy(text, out.buf, out.n);
	text[out.n] = 0;
	out.n = 0;
	return text;
}

#endif
