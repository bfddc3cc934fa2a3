/*
 * mapsmade - perf maps, jitdumps and a nettrace of ours, and processes that run their code.
 */
#ifndef TESTS_MAPSMADE_H
#define TESTS_MAPSMADE_H

#include "bind/match_maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/sampled.h"
#include "bind/merge.h"
#include "given.h"
#include "jitgen.h"

enum { ADDRESSES = 100, CODE = 0x10000, ROOM = 16 };

static struct arena run;
static struct diag diag;
static struct interner names;
static struct locator locator;
static struct processes *ps;
static struct binder *binder;
static struct source source;
static struct member members[ROOM];

static inline int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "bind", .quiet = true };
	intern_init(&names, &run);
	locate_init(&locator, &run, &names);
	ps = process_new(&run, &names);
	binder = bind_new(&locator, &run, &diag);
	source = (struct source){ .kind = SOURCE_ARCHIVE, .members = members };
	return 0;
}

static inline int leave(void **state)
{
	(void)state;
	bind_close(binder);
	arena_release(&run);
	return 0;
}

/* A map called name, of functions f0, f1, ... over the first n addresses. */
static inline struct member covering(const char *name, int n, const char *tag)
{
	struct str s = arena_fmt(&run, "ffff0000 10 %s\n", tag);

	for (int i = 0; i < n; i++)
		s = arena_fmt(&run, "%s%x 10 %s%d\n", s.p, CODE + i * 16, tag, i);
	s.n = strlen(s.p);
	return (struct member){ .name = str_of(name), .size = s.n, .map = s, .head = s };
}

static inline void add(const struct member *m, size_t n)
{
	memcpy(members, m, n * sizeof(*m));
	source.n = n;
	locate_add(&locator, &source, false, SIZE_MAX);
}

static inline void map_code(int32_t pid, uint64_t start, uint64_t len, const char *path)
{
	struct event ev = { .kind = EV_MMAP,
		            .pid = pid,
		            .tid = pid,
		            .map = { .start = start,
		                     .len = len,
		                     .prot = PROT_EXEC,
		                     .path = str_of(path) } };

	process_apply(ps, &ev);
}

static inline void mapped(int32_t pid)
{
	map_code(pid, CODE, ADDRESSES * (uint64_t)16, "//anon");
}

/* Process pid was seen at all addresses. */
static inline void noted(int32_t pid)
{
	mapped(pid);
	for (uint64_t i = 0; i < ADDRESSES; i++) {
		uint64_t ip = CODE + i * 16 + 8;

		bind_note(binder, process_find(ps, pid, ip, MODE_USER), pid, ip, false,
		          false);
	}
}

/* func names the first address of pid; NULL: nothing does. */
static inline void first_is(int32_t pid, const char *func)
{
	struct bound_name name;
	const struct mapping *m = process_find(ps, pid, CODE + 8, MODE_USER);
	struct bind_query q = { .m = m, .pid = pid, .ip = CODE + 8 };
	bool found = bind_find(binder, &q, &name);

	assert_int_equal(found, func != NULL);
	if (!found)
		return;
	assert_true(str_eq(name.func, str_of(func)));
	assert_int_equal(name.off, 8);
	assert_true(name.jit);
}

/* "early" and "later" at one address, by the dump's clock. */
static inline void add_dump(struct jitgen *g, int pid)
{
	struct str name = arena_fmt(&run, "jit-%d.dump", pid);

	jit_header(g, pid, 0, 0);
	jit_load(g, pid, 100, CODE, ADDRESSES * 16, 1, "early");
	jit_load(g, pid, 200, CODE, ADDRESSES * 16, 2, "later");
	members[source.n] = (struct member){
		.name = name, .size = g->n, .map = jit_bytes(g), .head = jit_bytes(g)
	};
	source.n++;
	locate_add(&locator, &source, false, SIZE_MAX);
}

/* A nettrace's map of pid: two pieces of code at the first address. */
static inline void add_nettrace(int32_t pid)
{
	static const struct jit_code code[] = {
		{ .start = CODE, .time_ns = 100, .size = 16 },
		{ .start = CODE, .time_ns = 200, .size = 16 }
	};
	static const struct str name[] = { STR("early"), STR("later") };
	struct perfmap *map = arena_new(&run, struct perfmap, 1);
	struct item of = { .name = STR("run.nettrace"), .source = &source, .member = 1 };

	for (uint64_t i = 0; i < ADDRESSES * 3 / 4; i++)
		symtab_add(&map->symbols, &run, CODE + i * 16, 16, STR("later"));
	symtab_sort(&map->symbols, &run);
	perfmap_set_times(map, code, name, 2, &run);
	locate_add_map(&locator, &of, pid, map);
}

/* A perf map with two lines for the first address, and a nettrace. */
static inline void bind_both(bool clock_agrees)
{
	struct member m[] = { covering("perf-7.map", ADDRESSES, "a") };

	m[0].map = m[0].head =
	        arena_fmt(&run, PRSTR "%x 10 again\n", STRARG(m[0].map), CODE);
	add(m, 1);
	add_nettrace(7);
	noted(7);
	if (clock_agrees)
		bind_clock_agrees(binder);
	bind_decide(binder, ps, false);
}

#endif
