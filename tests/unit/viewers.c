/* pprof and speedscope: what is written is what the formats' own readers unpack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <profile.pb-c.h>
#include <zlib.h>

#include "writer/pprof.h"
#include "writer/speedscope.h"

#include "foldmade.h"
#include "ranges.h"

/* zlib unpacks it, protobuf-c reads it. */
static Pprof__Profile *pprof(struct made *m)
{
	enum { MOST = 1 << 16 };
	unsigned char *plain = arena_alloc(&m->run, MOST, 1);
	z_stream z = { 0 };
	struct str packed;
	Pprof__Profile *p;

	pprof_write(&m->out, &m->fold, &m->head, &m->scratch);
	packed = made_text(m);
	z.next_in = (unsigned char *)(uintptr_t)packed.p;
	z.avail_in = (unsigned)packed.n;
	z.next_out = plain;
	z.avail_out = MOST;
	assert_int_equal(inflateInit2(&z, 16 + MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	p = pprof__profile__unpack(NULL, z.total_out, plain);
	inflateEnd(&z);
	assert_non_null(p);
	return p;
}

static const char *text(const Pprof__Profile *p, int64_t i)
{
	assert_within(i, 0, p->n_string_table - 1);
	return p->string_table[i];
}

static const Pprof__Location *location(const Pprof__Profile *p, uint64_t id)
{
	for (size_t i = 0; i < p->n_location; i++)
		if (p->location[i]->id == id)
			return p->location[i];
	fail();
	return NULL;
}

static const char *function(const Pprof__Profile *p, uint64_t id)
{
	for (size_t i = 0; i < p->n_function; i++)
		if (p->function[i]->id == id)
			return text(p, p->function[i]->name);
	fail();
	return NULL;
}

/* A stack as in folded lines, root first, with '+' in front of what is inlined. */
static const char *stack(struct made *m, const Pprof__Profile *p, size_t i)
{
	struct str s = STR("");

	for (size_t k = 0; k < p->sample[i]->n_location_id; k++) {
		const Pprof__Location *l = location(p, p->sample[i]->location_id[k]);

		for (size_t n = 0; n < l->n_line; n++)
			s = arena_fmt(&m->run, "%s%s%s" PRSTR,
			              n + 1 < l->n_line ? "+" : "",
			              function(p, l->line[n]->function_id),
			              s.n ? ";" : "", STRARG(s));
	}
	return arena_str(&m->run, s).p;
}

static void stacks_keep_their_depth_and_names(void **state)
{
	Pprof__Profile *p;
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;main;f;g_[i];h_[i]", 3, 0);
	made_add(&m, "app;main;f;g_[i];k", 1, 0);
	made_add(&m, "app;main;f", 2, 0);
	made_add(&m, "app", 1, 0);
	p = pprof(&m);
	assert_int_equal(p->n_sample, 4);
	assert_string_equal(stack(&m, p, 0), "app");
	assert_string_equal(stack(&m, p, 1), "app;main;f");
	assert_string_equal(stack(&m, p, 2), "app;main;f;+g;+h");
	assert_string_equal(stack(&m, p, 3), "app;main;f;+g;k");
	assert_int_equal(p->sample[2]->value[0], 3);
	assert_int_equal(p->n_location, 6); /* app, main, f, f+g+h, f+g, k */
	assert_int_equal(p->n_function, 6);
	assert_string_equal(text(p, 0), "");
	assert_string_equal(text(p, p->sample_type[0]->type), "cpu");
	assert_string_equal(text(p, p->sample_type[0]->unit), "nanoseconds");
	assert_int_equal(p->period, 1); /* 7 ns in 7 samples */
	assert_string_equal(text(p, p->sample[0]->label[0]->key), "thread");
	assert_string_equal(text(p, p->sample[0]->label[0]->str), "app");
	pprof__profile__free_unpacked(p, NULL);
	made_end(&m);
}

/* No root is inlined into, and none is, whatever its mark says. */
static void a_root_is_a_location_of_its_own(void **state)
{
	Pprof__Profile *p;
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app_[i];f_[i]", 1, 0);
	p = pprof(&m);
	assert_int_equal(p->sample[0]->n_location_id, 2);
	assert_string_equal(stack(&m, p, 0), "app;f");
	pprof__profile__free_unpacked(p, NULL);
	made_end(&m);
}

static void the_kernel_is_a_mapping(void **state)
{
	Pprof__Profile *p;
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;main;sys_read_[k]", 1, 0);
	p = pprof(&m);
	assert_string_equal(stack(&m, p, 0), "app;main;sys_read");
	assert_int_equal(p->n_mapping, 1);
	assert_string_equal(text(p, p->mapping[0]->filename), "[kernel.kallsyms]");
	for (size_t i = 0; i < p->n_location; i++)
		if (p->location[i]->id == p->sample[0]->location_id[0])
			assert_int_equal(p->location[i]->mapping_id, p->mapping[0]->id);
	pprof__profile__free_unpacked(p, NULL);
	made_end(&m);
}

static void fractions_are_carried_and_sums_do_not_wrap(void **state)
{
	Pprof__Profile *p;
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "a", 1, 500000000);
	made_add(&m, "b", 0, 600000000);
	made_add(&m, "c", UINT64_MAX, 0);
	made_add(&m, "d", 5, 0);
	p = pprof(&m);
	assert_int_equal(p->sample[0]->value[0], 1);
	assert_int_equal(p->sample[1]->value[0], 1);
	assert_true(p->sample[2]->value[0] == INT64_MAX - 2);
	assert_int_equal(p->sample[3]->value[0], 0);
	pprof__profile__free_unpacked(p, NULL);
	made_end(&m);
}

/* A site as a profile has it; its module, build-id and line. */
static void modules_have_build_ids(void **state)
{
	struct site site = { .line = 17 };
	struct interner *texts;
	Pprof__Profile *p;
	struct made m;
	stack_id id;

	(void)state;
	made_begin(&m);
	texts = &m.fold.sites->texts;
	site.label = intern(&m.fold.names, STR("f"));
	site.module = intern(texts, STR("/lib/libx.so"));
	site.build_id = intern(texts, STR("\x01\xab"));
	site.file = intern(texts, STR("f.c"));
	id = stack_push(&m.fold.stacks, 0, site_add(m.fold.sites, &site));
	site.module = intern(texts, STR("/srv/app/app"));
	site.build_id = 0;
	id = stack_push(&m.fold.stacks, id, site_add(m.fold.sites, &site));
	stack_add(&m.fold.stacks, id, 1, 0);
	p = pprof(&m);
	assert_int_equal(p->n_mapping, 2);
	assert_string_equal(text(p, p->mapping[0]->filename), "/srv/app/app");
	assert_string_equal(text(p, p->mapping[0]->build_id), "");
	assert_string_equal(text(p, p->mapping[1]->filename), "/lib/libx.so");
	assert_string_equal(text(p, p->mapping[1]->build_id), "01ab");
	assert_int_equal(p->location[0]->mapping_id, 2);
	assert_int_equal(p->location[0]->line[0]->line, 17);
	assert_int_equal(p->n_function, 1);
	assert_string_equal(text(p, p->function[0]->filename), "f.c");
	pprof__profile__free_unpacked(p, NULL);
	made_end(&m);
}

static void threads_and_processes_are_labels(void **state)
{
	struct site site = { .root = 1, .pid = 7, .tid = 8 };
	Pprof__Profile *p;
	struct made m;

	(void)state;
	made_begin(&m);
	site.comm = intern(&m.fold.sites->texts, STR("worker"));
	site.label = intern(&m.fold.names, STR("pool"));
	stack_add(&m.fold.stacks,
	          stack_push(&m.fold.stacks, 0, site_add(m.fold.sites, &site)), 1, 0);
	site.tid = 7;
	site.comm = intern(&m.fold.sites->texts, STR("my app"));
	site_add(m.fold.sites, &site);
	p = pprof(&m);
	assert_int_equal(p->sample[0]->n_label, 4);
	assert_string_equal(text(p, p->sample[0]->label[0]->str), "worker");
	assert_string_equal(text(p, p->sample[0]->label[1]->key), "process");
	assert_string_equal(text(p, p->sample[0]->label[1]->str), "my_app-7");
	assert_int_equal(p->sample[0]->label[2]->num, 7);
	assert_string_equal(text(p, p->sample[0]->label[3]->key), "tid");
	assert_int_equal(p->sample[0]->label[3]->num, 8);
	pprof__profile__free_unpacked(p, NULL);
	made_end(&m);
}

static const char *speedscope(struct made *m)
{
	speedscope_write(&m->out, &m->fold, &m->head, &m->scratch);
	return made_text(m).p;
}

static void speedscope_has_stacks_and_weights(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;main;f", 3, 0);
	made_add(&m, "app;g", 1, 0);
	made_add(&m, "app;main", 0, 500000000);
	assert_string_equal(
	        speedscope(&m),
	        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	        "\"shared\":{\"frames\":[\n{\"name\":\"app\"},\n{\"name\":\"main\"},\n"
	        "{\"name\":\"f\"},\n{\"name\":\"g\"}\n]},\n"
	        "\"profiles\":[{\"type\":\"sampled\",\"name\":\"cpu-clock\","
	        "\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":4.5,\n"
	        "\"samples\":[\n[0,1],\n[0,1,2],\n[0,3]],\n\"weights\":[0.5,3,1]}],\n"
	        "\"name\":\"cpu-clock\",\"activeProfileIndex\":0,"
	        "\"exporter\":\"pfold\"}\n");
	made_end(&m);
}

static void speedscope_names_are_escaped(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	m.head.unit = STR("cycles");
	made_add(&m, "a\"\\\xff\x01", 1, 0);
	assert_non_null(strstr(speedscope(&m), "{\"name\":\"a\\\"\\\\\\\\xff?\"}"));
	assert_non_null(strstr(speedscope(&m), "\"unit\":\"none\""));
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_keep_their_depth_and_names),
		cmocka_unit_test(a_root_is_a_location_of_its_own),
		cmocka_unit_test(the_kernel_is_a_mapping),
		cmocka_unit_test(fractions_are_carried_and_sums_do_not_wrap),
		cmocka_unit_test(modules_have_build_ids),
		cmocka_unit_test(threads_and_processes_are_labels),
		cmocka_unit_test(speedscope_has_stacks_and_weights),
		cmocka_unit_test(speedscope_names_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
