/* statistics: what a profile holds. */
#include "measure/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "reader/event.h"

static struct arena arena;
static const struct attr cycles = { .name = { "cycles", 6 } };
static const struct attr faults = { .name = { "faults", 6 } };

static struct statistics begin(void)
{
	struct statistics s;

	arena_release(&arena);
	statistics_init(&s, &arena);
	return s;
}

static void add(struct statistics *s, const struct attr *attr, int32_t tid, uint64_t ms,
                uint64_t weight)
{
	struct frame frame = { .ip = 1, .cpumode = MODE_USER };
	struct event ev = { .kind = EV_SAMPLE,
		            .attr = attr,
		            .has_time = true,
		            .time_ns = ms * 1000000,
		            .weight = weight,
		            .frames = &frame,
		            .nframes = 1 };
	struct sample sample = { .ev = &ev,
		                 .comm = { tid == 7 ? "main" : "worker",
		                           tid == 7 ? 4 : 6 },
		                 .pid = 7,
		                 .tid = tid };

	statistics_take(s, &sample);
}

static void the_event_with_most_samples_counts(void **state)
{
	struct statistics s = begin();

	(void)state;
	add(&s, &faults, 7, 0, 1000);
	add(&s, &cycles, 8, 1, 5);
	add(&s, &cycles, 9, 2, 7);
	statistics_settle(&s, NULL);
	assert_int_equal(s.nevents, 2);
	assert_string_equal(intern_str(&s.names, s.event[0].name).p, "cycles");
	assert_int_equal(s.event[0].weight, 12);
	assert_int_equal(s.event[1].samples, 1);
	assert_int_equal(s.nthreads, 3);
	assert_int_equal(s.thread[0].tid, 9);
	assert_int_equal(s.thread[0].weight, 7);
	assert_int_equal(s.thread[2].tid, 7);
	assert_int_equal(s.thread[2].samples, 0);
	assert_int_equal(s.nseconds, 1);
	assert_int_equal(s.second[0].samples, 2);
}

static void a_process_is_called_by_its_main_thread(void **state)
{
	struct statistics s = begin();

	(void)state;
	add(&s, &cycles, 8, 1, 5);
	add(&s, &cycles, 7, 1, 1);
	add(&s, &cycles, 9, 1, 3);
	statistics_settle(&s, NULL);
	assert_int_equal(s.nprocesses, 1);
	assert_int_equal(s.process[0].pid, 7);
	assert_int_equal(s.process[0].weight, 9);
	assert_int_equal(s.process[0].samples, 3);
	assert_string_equal(intern_str(&s.names, s.process[0].comm).p, "main");
	assert_string_equal(intern_str(&s.names, s.thread[0].comm).p, "worker");
}

static void the_longest_gaps_are_kept(void **state)
{
	static const uint64_t ms[] = {
		0, 10, 11, 31, 32, 62, 63, 103, 104, 154, 155, 215
	};
	struct statistics s = begin();

	(void)state;
	for (size_t i = 0; i < sizeof(ms) / sizeof(*ms); i++)
		add(&s, &cycles, 7, ms[i], 1);
	for (size_t i = 0; i < STAT_GAPS; i++)
		assert_int_equal(s.times.gap[i].to_ns - s.times.gap[i].from_ns,
		                 (60 - 10 * i) * 1000000);
	assert_int_equal(s.times.gap[0].from_ns, 155000000);
}

static void steps_back_are_no_gaps(void **state)
{
	struct statistics s = begin();

	(void)state;
	add(&s, &cycles, 7, 5000, 1);
	add(&s, &cycles, 7, 3000, 1);
	add(&s, &cycles, 7, 4000, 1);
	add(&s, &cycles, 7, 5001, 1);
	statistics_settle(&s, NULL);
	assert_int_equal(s.times.back, 2);
	assert_int_equal(s.times.back_ns, 2000000000);
	assert_int_equal(s.times.first_ns, 3000000000);
	assert_int_equal(s.times.last_ns, 5001000000);
	assert_int_equal(s.times.gap[0].to_ns - s.times.gap[0].from_ns, 1000000);
	assert_int_equal(s.nseconds, 3);
	assert_int_equal(s.second[0].second, 3);
	assert_int_equal(s.second[2].samples, 2);
}

static void take_text(struct statistics *s, const char *line, uint64_t weight)
{
	struct frame frame = { .line = str_of(line) };
	struct event ev = { .kind = EV_SAMPLE,
		            .weight = weight,
		            .raw = str_of(line),
		            .frames = &frame,
		            .nframes = 1 };

	statistics_take(s, &(struct sample){ .ev = &ev, .pid = -1, .tid = 1 });
}

static void kernel_code_is_told_by_mode_address_and_module(void **state)
{
	struct statistics s = begin();
	struct event bare = { .kind = EV_SAMPLE,
		              .weight = 1,
		              .top = { .cpumode = MODE_KERNEL } };

	(void)state;
	take_text(&s, "\tffffffff81000010 read ([kernel.kallsyms])", 2);
	take_text(&s, "\tffffffffc0000010 [unknown] ([unknown])", 4);
	take_text(&s, "\t            1010 read ([xfs])", 8);
	take_text(&s, "\t            1010 read ([vdso])", 16);
	take_text(&s, "\t          401010 main (/srv/app/app)", 32);
	statistics_take(&s, &(struct sample){ .ev = &bare, .pid = -1, .tid = 1 });
	add(&s, NULL, 7, 1, 64);
	assert_int_equal(s.event[0].kernel, 1 + 2 + 4 + 8);
	assert_int_equal(s.event[0].bare, 1);
	assert_int_equal(s.event[0].frames, 6);
	assert_int_equal(s.times.timed, 1);
}

static void losses_add_up(void **state)
{
	struct statistics s = begin();
	struct event ev = { .kind = EV_LOST, .weight = 5 };
	struct sample sample = { .ev = &ev };

	(void)state;
	statistics_take(&s, &sample);
	ev.weight = UINT64_MAX;
	statistics_take(&s, &sample);
	ev = (struct event){ .kind = EV_LOST_SAMPLES, .weight = 3 };
	statistics_take(&s, &sample);
	ev.kind = EV_THROTTLE;
	statistics_take(&s, &sample);
	statistics_settle(&s, NULL);
	assert_true(s.lost.records == UINT64_MAX);
	assert_int_equal(s.lost.places, 3);
	assert_int_equal(s.lost.samples, 3);
	assert_int_equal(s.lost.throttled, 1);
	assert_int_equal(s.samples, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_event_with_most_samples_counts),
		cmocka_unit_test(a_process_is_called_by_its_main_thread),
		cmocka_unit_test(the_longest_gaps_are_kept),
		cmocka_unit_test(steps_back_are_no_gaps),
		cmocka_unit_test(kernel_code_is_told_by_mode_address_and_module),
		cmocka_unit_test(losses_add_up),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	arena_release(&arena);
	return failed;
}
