/* What only some records of perf.data say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reader/capture.h"
#include "reader/fields.h"

#include "perfmade.h"

enum { ALL = (1 << 25) - 1, GROUPED = 31 };

static struct gen_event everything = {
	.name = "all",
	.type = 4,
	.sample_type = ALL & ~HAS_WEIGHT,
	.read_format = GROUPED,
	.flags = ID_ALL,
	.branch_type = BRANCH_HW_INDEX | BRANCH_COUNTERS,
	.regs_user = 0x105,
	.regs_intr = 0x2,
	.id = 7,
};

/* Numbers count up from the name of what they are. */
static void put_everything(void)
{
	gen_open(&g, 9, 2);
	gen_u64(&g, 7); /* IDENTIFIER */
	gen_u64(&g, 0x4000);
	gen_u32(&g, 42);
	gen_u32(&g, 43);
	gen_u64(&g, 5);
	gen_u64(&g, 0xadd);
	gen_u64(&g, 7);
	gen_u64(&g, 0x57);
	gen_u32(&g, 3);
	gen_u32(&g, 0);
	gen_u64(&g, 1000);
	gen_u64(&g, 2); /* READ */
	gen_u64(&g, 101);
	gen_u64(&g, 102);
	for (uint64_t i = 0; i < 6; i++)
		gen_u64(&g, 200 + i);
	gen_u64(&g, 1);
	gen_u64(&g, 0x4000);
	gen_u32(&g, 4); /* RAW */
	gen_bytes(&g, "rawd", 4);
	gen_u64(&g, 2); /* branches */
	gen_u64(&g, 0x1d);
	for (uint64_t i = 0; i < 2; i++) {
		gen_u64(&g, 0xf0 + i);
		gen_u64(&g, 0x70 + i);
		gen_u64(&g, g.big ? (uint64_t)5 << 60 | (uint64_t)9 << 44 : 10 | 9 << 4);
	}
	gen_u64(&g, 81);
	gen_u64(&g, 82);
	gen_u64(&g, 2); /* user registers */
	for (uint64_t i = 0; i < 3; i++)
		gen_u64(&g, 0x900 + i);
	gen_u64(&g, 8);
	gen_bytes(&g, "stack...", 8);
	gen_u64(&g, 5);
	gen_u64(&g, (uint64_t)33 << 48 | (uint64_t)22 << 32 | 11);
	gen_u64(&g, 0xda7a);
	gen_u64(&g, 0x7a);
	gen_u64(&g, 2); /* registers of the interrupt */
	gen_u64(&g, 0xa00);
	gen_u64(&g, 0xf7);
	gen_u64(&g, 0xc6);
	gen_u64(&g, 4096);
	gen_u64(&g, 8192);
	gen_u64(&g, 8); /* AUX */
	gen_bytes(&g, "auxiliar", 8);
	gen_close(&g);
}

static void check_everything(const struct fields *f)
{
	assert_true(f->id == 7 && f->stream_id == 0x57 && f->addr == 0xadd);
	assert_true(f->phys_addr == 0xf7 && f->cgroup == 0xc6);
	assert_true(f->weight == 11 && f->weight2 == 22 && f->weight3 == 33);
	assert_true(f->data_src == 0xda7a && f->transaction == 0x7a);
	assert_true(f->data_page_size == 4096 && f->code_page_size == 8192);
	assert_true(f->group && f->enabled_ns == 101 && f->running_ns == 102);
	assert_true(f->ncounters == 2 && f->counters[1].value == 203);
	assert_true(f->counters[1].id == 204 && f->counters[1].lost == 205);
	assert_true(f->nbranches == 2 && f->hw_idx == 0x1d);
	assert_true(f->branches[1].from == 0xf1 && f->branches[1].to == 0x71);
	assert_true(f->branches[1].flags == (10 | 9 << 4) &&
	            f->branches[1].counter == 82);
	assert_true(f->user.abi == 2 && f->user.mask == 0x105);
	assert_true(f->user.value[2] == 0x902);
	assert_true(f->intr.mask == 2 && f->intr.value[0] == 0xa00);
	assert_true(str_eq(f->stack, STR("stack")));
	assert_true(str_eq(f->aux, STR("auxiliar")));
}

static void sample_of_every_field(void **state)
{
	for (unsigned big = 0; big < 2; big++) {
		enter(state);
		g.big = big;
		gen_start(&g, &everything, 1);
		put_everything();
		assert_non_null(over(gen_finish(&g)));
		next_sample(5);
		assert_true(ev.pid == 42 && ev.tid == 43 && ev.cpu == 3);
		assert_true(ev.weight == 1000 && ev.misc == 2);
		assert_true(ev.payload.n == 4 && ev.nframes >= 1);
		assert_non_null(ev.fields);
		check_everything(ev.fields);
		assert_int_equal(reader_next(reader, &ev), 0);
		assert_int_equal(diag.damaged, 0);
		leave(state);
	}
	enter(state);
}

/* A sample in the kernel with the user's program counter and `bytes` of its stack. */
static void put_stack(uint64_t time, uint64_t dump, uint64_t bytes)
{
	gen_open(&g, 9, 1);
	gen_u64(&g, time);
	gen_u64(&g, 2);
	gen_u64(&g, (uint64_t)-128); /* PERF_CONTEXT_KERNEL */
	gen_u64(&g, 0xffffffff81000010);
	gen_u64(&g, 2); /* registers */
	gen_u64(&g, 0x4000);
	gen_u64(&g, dump);
	if (dump) {
		gen_zeros(&g, dump);
		gen_u64(&g, bytes);
	}
	gen_close(&g);
}

static void program_counter_is_no_frame_without_a_stack(void **state)
{
	static const struct gen_event dwarf = {
		.name = "e",
		.sample_type = HAS_TIME | HAS_CALLCHAIN | HAS_REGS_USER | HAS_STACK_USER,
		.regs_user = 1 << 8, /* PERF_REG_X86_IP */
	};

	(void)state;
	gen_start(&g, &dwarf, 1);
	put_stack(1, 16, 8);
	put_stack(2, 16, 0);
	put_stack(3, 0, 0);
	assert_non_null(over(gen_finish(&g)));
	next_sample(1);
	assert_true(ev.nframes == 2 && ev.frames[1].ip == 0x4000);
	next_sample(2);
	assert_int_equal(ev.nframes, 1);
	next_sample(3);
	assert_int_equal(ev.nframes, 1);
	assert_int_equal(diag.damaged, 0);
}

static struct needed needed;

static const struct needed *needs(void *data, const struct event *of)
{
	(void)of;
	++*(unsigned *)data;
	return &needed;
}

/* The words before the stack are a chain without needed addresses, and the program counter. */
static void samples_with_a_stack_are_omitted(void **state)
{
	static const struct gen_event dwarf = {
		.name = "e",
		.sample_type = HAS_TIME | HAS_CALLCHAIN | HAS_REGS_USER | HAS_STACK_USER,
		.regs_user = 1 << 8, /* PERF_REG_X86_IP */
	};
	unsigned asked = 0;
	const struct skimming skimming = { needs, &asked };

	(void)state;
	gen_start(&g, &dwarf, 1);
	put_stack(1, 16, 8);
	put_stack(2, 0, 0);
	put_stack(3, 16, 8);
	g.bytes[g.n - 32] = 64; /* the copy is longer than the record */
	assert_non_null(over(gen_finish(&g)));
	needed = (struct needed){ .n = 1, .range = { { 0x5000, 0x6000 } } };
	reader_skim(reader, &skimming);
	assert_int_equal(reader_next(reader, &ev), -1);
	assert_int_equal(reader_next(reader, &ev), 0);
	assert_int_equal(asked, 2);
	reader_rewind(reader);
	needed.range[0] = (struct needed_range){ 0x4000, 0x4001 };
	next_sample(1);
	next_sample(2);
	assert_int_equal(asked, 4);
}

/* Vector registers between the user registers and the stack, in either byte order. */
static void vector_registers_are_passed_over(void **state)
{
	static const struct gen_event dwarf = {
		.name = "e",
		.sample_type = HAS_TIME | HAS_REGS_USER | HAS_STACK_USER,
		.regs_user = 3,
	};

	for (unsigned big = 0; big < 2; big++) {
		enter(state);
		g.big = big;
		gen_start(&g, &dwarf, 1);
		for (uint64_t time = 1; time < 3; time++) {
			gen_open(&g, 9, 2);
			gen_u64(&g, time);
			gen_u64(&g, 2 | REGS_ABI_SIMD);
			gen_u64(&g, 0xa);
			gen_u64(&g, 0xb);
			gen_add(&g, 3, 2); /* vectors of 2 words, then 2 of 1 word */
			gen_add(&g, 2, 2);
			gen_add(&g, 2, 2);
			gen_add(&g, 1, 2);
			/* The second record ends in its vectors. */
			for (uint64_t i = 0; i < (time == 1 ? 8 : 6); i++)
				gen_u64(&g, 0x5ec70000 + i);
			if (time == 1) {
				gen_u64(&g, 8);
				gen_bytes(&g, "stack...", 8);
				gen_u64(&g, 5);
			}
			gen_close(&g);
		}
		assert_non_null(over(gen_finish(&g)));
		next_sample(1);
		assert_true(ev.fields->user.abi == 6 && ev.fields->user.value[1] == 0xb);
		assert_true(str_eq(ev.fields->stack, STR("stack")));
		assert_int_equal(reader_next(reader, &ev), -1);
		leave(state);
	}
	enter(state);
}

/* A BPF_METADATA record of one note that claims to have n. */
static void put_notes(uint64_t n)
{
	gen_open(&g, 84, 0);
	gen_bytes(&g, "filter", 6);
	gen_zeros(&g, 512 - 6);
	gen_u64(&g, n);
	gen_bytes(&g, "key", 3);
	gen_zeros(&g, 64 - 3);
	gen_bytes(&g, "value", 5);
	gen_zeros(&g, 256 - 5);
	gen_close(&g);
}

static void bpf_notes_stay_inside(void **state)
{
	(void)state;
	begin();
	put_time(5);
	put_notes(1);
	put_notes(2);
	put_notes(UINT64_MAX / 320 + 2);
	gen_open(&g, 84, 0);
	gen_u64(&g, 0);
	gen_close(&g);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.kind, EV_BPF_NOTES);
	assert_true(!ev.attr && !ev.has_time && ev.pid == -1);
	assert_true(str_eq(ev.other->name, STR("filter")) && ev.other->notes.n == 320);
	assert_string_equal(ev.other->notes.p + BPF_NOTE_KEY, "value");
	for (int i = 0; i < 3; i++)
		assert_int_equal(reader_next(reader, &ev), -1);
	next_sample(5);
	assert_int_equal(reader_next(reader, &ev), 0);
}

static void few_fields_cost_nothing(void **state)
{
	(void)state;
	begin();
	put_time(5);
	assert_non_null(over(gen_finish(&g)));
	next_sample(5);
	assert_null(ev.fields);
	assert_null(ev.other);
}

/* A sample of the READ alone, in a read_format; then how much is left over. */
static void counter_of(unsigned format, const uint64_t *words, size_t n)
{
	struct gen_event e = { .name = "e", .sample_type = HAS_TIME | HAS_READ };

	e.read_format = format;
	gen_start(&g, &e, 1);
	gen_open(&g, 9, 2);
	gen_u64(&g, 5);
	for (size_t i = 0; i < n; i++)
		gen_u64(&g, words[i]);
	gen_close(&g);
	assert_non_null(over(gen_finish(&g)));
}

static void counter_of_one_event(void **state)
{
	const struct fields *f;

	(void)state;
	counter_of(1 | 2 | 4 | 16, (uint64_t[]){ 10, 11, 12, 13, 14 }, 5);
	next_sample(5);
	f = ev.fields;
	assert_true(!f->group && f->ncounters == 1 && f->counters->value == 10);
	assert_true(f->enabled_ns == 11 && f->running_ns == 12);
	assert_true(f->counters->id == 13 && f->counters->lost == 14);
}

static void counters_stay_inside(void **state)
{
	(void)state;
	counter_of(8, (uint64_t[]){ (uint64_t)1 << 61, 1 }, 2);
	assert_int_equal(reader_next(reader, &ev), -1);
	assert_int_equal(reader_next(reader, &ev), 0);
	leave(state);
	enter(state);
	counter_of(1 | 4, (uint64_t[]){ 1 }, 1);
	assert_int_equal(reader_next(reader, &ev), -1);
}

static const struct gen_event grouped[] = {
	{ .name = "led",
	  .sample_type = HAS_TIME | HAS_IDENTIFIER | HAS_READ,
	  .id = 7,
	  .read_format = 4 | 8 },
	{ .name = "follows",
	  .sample_type = HAS_TIME | HAS_IDENTIFIER | HAS_READ,
	  .id = 8,
	  .read_format = 4 | 8 },
};

static void put_group(uint64_t time, uint64_t led, uint64_t follows)
{
	gen_open(&g, 9, 2);
	gen_u64(&g, 7);
	gen_u64(&g, time);
	gen_u64(&g, 3);
	gen_u64(&g, led);
	gen_u64(&g, 7);
	gen_u64(&g, follows);
	gen_u64(&g, 8);
	gen_u64(&g, 1000); /* of an event that nothing describes */
	gen_u64(&g, 99);
	gen_close(&g);
}

static void next_of_group(uint64_t time, const char *name, uint64_t weight)
{
	next_sample(time);
	assert_true(str_eq(ev.attr->name, str_of(name)));
	assert_int_equal(ev.weight, weight);
}

/* perf record -e '{led,follows}:S' */
static void each_counter_of_a_group_is_a_sample(void **state)
{
	(void)state;
	gen_start(&g, grouped, 2);
	put_group(1, 100, 5);
	put_group(2, 250, 5); /* nothing followed */
	put_group(3, 260, 6);
	assert_non_null(over(gen_finish(&g)));
	for (int pass = 0; pass < 2; pass++) {
		next_of_group(1, "led", 100);
		next_of_group(1, "follows", 5);
		next_of_group(2, "led", 150);
		next_of_group(3, "led", 10);
		next_of_group(3, "follows", 1);
		assert_int_equal(reader_next(reader, &ev), 0);
		reader_rewind(reader);
	}
	assert_int_equal(diag.damaged, 0);
}

static void side_open(unsigned type, unsigned misc)
{
	gen_open(&g, type, misc);
}

static void side_close(uint64_t time)
{
	gen_zeros(&g, -g.n & 7);
	gen_trailer(&g, &clock_event, 42, 43, time);
	gen_close(&g);
}

static void put_side(void)
{
	side_open(15, 1 << 13);
	gen_u32(&g, 50);
	gen_u32(&g, 51);
	side_close(1);
	side_open(16, 0);
	gen_u32(&g, 60);
	gen_u32(&g, 61);
	gen_u64(&g, 2);
	for (uint64_t i = 0; i < 4; i++)
		gen_u64(&g, 70 + i);
	side_close(2);
	side_open(17, 0);
	gen_u64(&g, 0xffffffffc0042da4);
	gen_u32(&g, 251);
	gen_add(&g, 1, 2);
	gen_add(&g, 0, 2);
	gen_text(&g, "bpf_prog_a");
	side_close(3);
	side_open(18, 0);
	gen_add(&g, 1, 2);
	gen_add(&g, 2, 2);
	gen_u32(&g, 3);
	gen_bytes(&g, "tagtagta", 8);
	side_close(4);
	side_open(19, 0);
	gen_u64(&g, 9);
	gen_text(&g, "/user.slice");
	side_close(5);
	side_open(20, 0);
	gen_u64(&g, 0x8000);
	gen_add(&g, 1, 2);
	gen_add(&g, 2, 2);
	gen_bytes(&g, "abc", 3);
	side_close(6);
	side_open(11, 0);
	gen_u64(&g, 64);
	gen_u64(&g, 65);
	gen_u64(&g, 66);
	side_close(7);
	side_open(12, 0);
	gen_u32(&g, 80);
	gen_u32(&g, 81);
	side_close(8);
	side_open(5, 0);
	gen_u64(&g, 9);
	gen_u64(&g, 90);
	gen_u64(&g, 91);
	side_close(9);
	side_open(13, 0);
	gen_u64(&g, 6);
	side_close(10);
}

static const struct other_fields *next_side(enum event_kind kind, uint64_t time)
{
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.kind, kind);
	assert_int_equal(ev.time_ns, time);
	assert_int_equal(ev.by_tid, 43);
	return ev.other;
}

static void check_side(void)
{
	const struct other_fields *s = next_side(EV_SWITCH, 1);

	assert_true(s->out && !s->preempt && s->wide && s->other_tid == 51);
	assert_true(ev.pid == 42 && ev.tid == 43);
	s = next_side(EV_NAMESPACES, 2);
	assert_true(ev.pid == 60 && ev.tid == 61 && s->nnamespaces == 2);
	assert_true(s->namespaces[1].dev == 72 && s->namespaces[1].ino == 73);
	s = next_side(EV_KSYMBOL, 3);
	assert_true(s->addr == 0xffffffffc0042da4 && s->len == 251 && s->type == 1);
	assert_true(str_eq(s->name, STR("bpf_prog_a")));
	s = next_side(EV_BPF, 4);
	assert_true(s->type == 1 && s->flags == 2 && s->id == 3);
	assert_true(str_eq(s->name, STR("tagtagta")));
	s = next_side(EV_CGROUP, 5);
	assert_true(s->id == 9 && str_eq(s->name, STR("/user.slice")));
	s = next_side(EV_TEXT_POKE, 6);
	assert_true(s->addr == 0x8000 && str_eq(s->old, STR("a")));
	assert_true(str_eq(s->new, STR("bc")));
	s = next_side(EV_AUX, 7);
	assert_true(s->addr == 64 && s->len == 65 && s->flags == 66);
	next_side(EV_ITRACE_START, 8);
	assert_true(ev.pid == 80 && ev.tid == 81);
	s = next_side(EV_THROTTLE, 9);
	assert_true(s->id == 90 && s->stream_id == 91);
	assert_null(next_side(EV_LOST_SAMPLES, 10));
	assert_true(ev.weight == 6);
	assert_int_equal(reader_next(reader, &ev), 0);
}

static void events_beside_samples(void **state)
{
	for (unsigned big = 0; big < 2; big++) {
		enter(state);
		g.big = big;
		begin();
		put_side();
		assert_non_null(over(gen_finish(&g)));
		check_side();
		assert_int_equal(diag.damaged, 0);
		leave(state);
	}
	enter(state);
}

/* What perf script --header is made of. */
static void the_head_can_be_asked_for(void **state)
{
	const struct capture *c;

	(void)state;
	g.arch = "aarch64";
	g.big = HOST_IS_BIG;
	begin();
	put_time(5);
	assert_non_null(over(gen_finish(&g)));
	c = reader_capture(reader);
	assert_true(!c->swap && !c->pipe && c->data_at == g.data_at);
	assert_true(c->data_bytes == g.n_data && capture_has(c, FEATURE_HOSTNAME));
	assert_memory_equal(c->section[FEATURE_ARCH].p + 4, "aarch64", 8);
	assert_null(c->section[FEATURE_CMDLINE].p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sample_of_every_field, enter, leave),
		cmocka_unit_test_setup_teardown(
		        program_counter_is_no_frame_without_a_stack, enter, leave),
		cmocka_unit_test_setup_teardown(samples_with_a_stack_are_omitted, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(vector_registers_are_passed_over, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(bpf_notes_stay_inside, enter, leave),
		cmocka_unit_test_setup_teardown(few_fields_cost_nothing, enter, leave),
		cmocka_unit_test_setup_teardown(counter_of_one_event, enter, leave),
		cmocka_unit_test_setup_teardown(counters_stay_inside, enter, leave),
		cmocka_unit_test_setup_teardown(each_counter_of_a_group_is_a_sample,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(events_beside_samples, enter, leave),
		cmocka_unit_test_setup_teardown(the_head_can_be_asked_for, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
