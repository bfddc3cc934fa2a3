/* clr: what becomes of the runtime's events, in made nettraces of version 4. */
#include "measure/clr.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "netmade.h"

enum { GC_START = 1, GC_END = 2, TICK = 10, THROWN = 80, CONTENDS = 81, GOES_ON = 91 };
enum { LOADED = 143, COMPILES = 145, ADJUSTED = 55, MAIN = 78, OTHER = 79 };

static struct arena run;
static struct diag diag;
static struct netmade file, events, payload, rows;
static struct fold fold;
static struct clr clr;
static size_t taken;           /* that have a weight */
static struct clr_weight last; /* of them */
static uint64_t ended_ns;      /* the time of its event */
static struct select chosen;

static int enter(void **state)
{
	static const struct fold_opts opts = { .labels = { .tidy = TIDY_FULL } };

	(void)state;
	diag = (struct diag){ .prog = "clr", .quiet = true };
	chosen = (struct select){ 0 };
	fold_init(&fold, &run, &opts);
	fold.opts.root = FOLD_ROOT_COMM;
	memset(net_sequence, 0, sizeof(net_sequence));
	net_events(&events);
	net_events(&rows);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	fold_end(&fold);
	given_none();
	arena_release(&run);
	return 0;
}

static void define(unsigned event, const char *provider)
{
	static struct netmade row;

	row.n = 0;
	net_u32(&row, event);
	net_wide(&row, provider);
	net_u32(&row, event);
	net_wide(&row, "");
	net_u64(&row, 0);
	net_u64(&row, 0);
	net_u32(&row, 0);
	net_event(&rows, 0, 0, 0, 0, &row);
}

static void define_all(const char *provider)
{
	static const unsigned ids[] = { GC_START, GC_END,   TICK,     THROWN, CONTENDS,
		                        GOES_ON,  COMPILES, ADJUSTED, LOADED };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		define(ids[i], provider);
}

/* An event with what was put into the payload, some microseconds after the one before. */
static void event(unsigned id, unsigned thread, unsigned us)
{
	net_event(&events, id, thread, 0, us, &payload);
	payload.n = 0;
}

/* Losses do not say their thread. */
static bool nobody_lost;

/* Folds the events that were made. */
static void take(const char *view)
{
	const struct clr_view *v = clr_find(str_of(view));
	struct str names[CLR_EVENTS];
	struct event_names wanted = { names, clr_events(v, names), false };
	struct profile_opts opts = { .formats = READ_SAMPLES,
		                     .events = &wanted,
		                     .kinds = (uint64_t)1 << EV_LOST,
		                     .diag = &diag };
	struct profile *p;
	struct clr_weight w;
	struct sample s;

	if (rows.n <= 20)
		define_all("Microsoft-Windows-DotNETRuntime");
	net_begin4(&file);
	net_block4(&file, "MetadataBlock", &rows);
	net_block4(&file, "EventBlock", &events);
	net_u8(&file, 1);
	opts.input = given(&run, net_bytes(&file));
	p = profile_open(&opts);
	assert_non_null(p);
	profile_learn(p);
	clr_init(&clr, &fold);
	clr.view = v;
	if (chosen.list[SELECT_TID].p)
		clr.select = &chosen;
	taken = 0;
	while (profile_next(p, &s) > 0) {
		if (s.ev->kind == EV_LOST && nobody_lost)
			s.tid = -1;
		if (clr_take(&clr, p, &s, &w) && w.stack) {
			stack_add(&fold.stacks, w.stack, w.weight, 0);
			last = w;
			ended_ns = s.ev->time_ns;
			taken++;
		}
	}
	clr_end(&clr);
	profile_close(p);
}

/* The weight of the root's child of that name; of the root itself: NULL. */
static uint64_t weight_of(const char *leaf)
{
	const struct stacks *stacks = &fold.stacks;

	for (stack_id i = 1; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];
		struct str name = intern_str(&fold.names, node->name);

		if (leaf ? node->parent && str_eq(name, str_of(leaf)) : !node->parent)
			return node->self;
	}
	return 0;
}

static void tick(const char *type, uint64_t bytes)
{
	net_u32(&payload, (uint32_t)bytes);
	net_u32(&payload, 0);
	net_u16(&payload, 9);
	net_u64(&payload, bytes);
	net_u64(&payload, 0x7f00);
	net_wide(&payload, type);
	event(TICK, MAIN, 1);
}

static void bytes_are_summed_by_type(void **state)
{
	(void)state;
	tick("System.String", 100);
	tick("System.Int32[]", 1ull << 33);
	tick("System.String", 20);
	tick("System.Collections.Generic.Dictionary`2+Entry[System.String,App.K][,]", 7);
	tick("a;b\n", 3);
	take("GCAllocationTick");
	assert_int_equal(taken, 5);
	assert_int_equal(weight_of("[System.String]"), 120);
	assert_int_equal(weight_of("[System.Int32[]]"), 1ull << 33);
	assert_int_equal(
	        weight_of(
	                "[System.Collections.Generic.Dictionary<string,App.K>.Entry[,]]"),
	        7);
	assert_int_equal(weight_of("[a:b?]"), 3);
}

static void names_stay_without_tidying(void **state)
{
	(void)state;
	fold.opts.labels.tidy = TIDY_NONE;
	tick("App.L`1[App.K]", 7);
	take("GCAllocationTick");
	assert_int_equal(weight_of("[App.L`1[App.K]]"), 7);
}

static void a_payload_that_ends_is_counted(void **state)
{
	(void)state;
	net_u32(&payload, 5);
	event(TICK, MAIN, 1);
	tick("App.K", 7);
	net_u32(&payload, 0);
	event(COMPILES, MAIN, 1);
	take("GCAllocationTick");
	assert_int_equal(clr.counts.cut, 1);
	assert_int_equal(taken, 1);
	take("JIT");
	assert_int_equal(clr.counts.cut, 1);
	assert_int_equal(taken, 0);
}

static void an_exception_counts_once(void **state)
{
	(void)state;
	net_wide(&payload, "App.BadException");
	event(THROWN, MAIN, 1);
	net_wide(&payload, "App.BadException");
	event(THROWN, OTHER, 1);
	take("Exception");
	assert_int_equal(weight_of("[App.BadException]"), 2);
	assert_false(last.span);
	assert_int_equal(last.from_ns, ended_ns);
}

static void contention_is_of_one_thread(void **state)
{
	(void)state;
	event(GOES_ON, MAIN, 5); /* began before the trace */
	event(CONTENDS, MAIN, 10);
	event(CONTENDS, OTHER, 1);
	event(GOES_ON, MAIN, 20);
	event(CONTENDS, MAIN, 1);
	event(CONTENDS, MAIN, 100); /* the one before has no end */
	event(GOES_ON, MAIN, 2);
	take("Contention");
	assert_int_equal(clr.counts.stray, 1);
	assert_int_equal(clr.counts.open, 2);
	assert_int_equal(taken, 2);
	assert_int_equal(weight_of(NULL), 21000 + 2000);
	assert_true(last.span);
	assert_int_equal(last.from_ns + 2000, ended_ns);
}

/* The runtime's own measure is better than the times of the events. */
static void a_duration_that_is_stated_counts(void **state)
{
	(void)state;
	event(CONTENDS, MAIN, 10);
	net_u8(&payload, 0);
	net_u16(&payload, 0);
	net_f64(&payload, 1234.0);
	event(GOES_ON, MAIN, 20);
	take("Contention");
	assert_int_equal(weight_of(NULL), 1234);
	assert_int_equal(last.from_ns + 1234, ended_ns);
}

static void threads_are_chosen_by_what_begins(void **state)
{
	(void)state;
	assert_true(select_by(&chosen, SELECT_TID, "79"));
	event(CONTENDS, MAIN, 1);
	event(CONTENDS, OTHER, 1);
	event(GOES_ON, MAIN, 10);
	event(GOES_ON, OTHER, 10);
	take("Contention");
	assert_int_equal(weight_of(NULL), 20000);
	assert_int_equal(clr.counts.stray, 0);
	assert_int_equal(clr.counts.open, 0);
}

/* The end of the first and the beginning of the second are lost. */
static void no_time_spans_a_loss(void **state)
{
	(void)state;
	event(CONTENDS, MAIN, 1);
	net_lose(MAIN);
	net_lose(MAIN);
	event(CONTENDS, OTHER, 1);
	event(GOES_ON, OTHER, 7);
	event(GOES_ON, MAIN, 100);
	event(CONTENDS, MAIN, 1);
	event(GOES_ON, MAIN, 3);
	take("Contention");
	assert_int_equal(clr.counts.lost, 1);
	assert_int_equal(weight_of(NULL), 7000 + 3000);
}

/* LTTng counts the losses of a CPU: each thread's time may hold them. */
static void no_time_spans_a_loss_of_any_thread(void **state)
{
	(void)state;
	event(CONTENDS, MAIN, 1);
	event(CONTENDS, OTHER, 1);
	net_lose(MAIN);
	event(GOES_ON, MAIN, 100);
	event(GOES_ON, OTHER, 7);
	event(CONTENDS, OTHER, 1);
	event(GOES_ON, OTHER, 5);
	nobody_lost = true;
	take("Contention");
	nobody_lost = false;
	assert_int_equal(clr.counts.lost, 2);
	assert_int_equal(weight_of(NULL), 5000);
}

/* Contentions of several threads of which one event in ten is lost. */
static void losses_never_add_time(void **state)
{
	enum { THREADS = 8, EVENTS = 1000 };
	bool waits[THREADS] = { 0 }, kept_begin[THREADS] = { 0 };
	uint64_t from[THREADS] = { 0 }, now = 0, seen = 0, whole = 0, intact = 0,
	         seed = 7;

	(void)state;
	for (unsigned i = 0; i < EVENTS; i++) {
		unsigned t = (unsigned)(given_random(&seed) % THREADS);
		bool kept = given_random(&seed) % 10 != 0;

		now++;
		if (waits[t]) {
			whole += now - from[t];
			intact += kept && kept_begin[t] ? now - from[t] : 0;
		}
		waits[t] = !waits[t];
		kept_begin[t] = kept;
		from[t] = now;
		if (kept)
			net_event(&events, waits[t] ? CONTENDS : GOES_ON, t + 1, 0,
			          (unsigned)(now - seen), &payload);
		else
			net_lose(t + 1);
		seen = kept ? now : seen;
	}
	take("Contention");
	assert_true(weight_of(NULL) <= whole * 1000);
	assert_int_equal(weight_of(NULL), intact * 1000);
	assert_true(clr.counts.stray + clr.counts.open + clr.counts.lost > 0);
}

static void collection(unsigned id, unsigned count, unsigned type)
{
	net_u32(&payload, count);
	net_u32(&payload, 2);
	net_u32(&payload, id == GC_START ? 1 : 0);
	net_u32(&payload, type);
	event(id, id == GC_START ? MAIN : OTHER, 5);
}

/* A collection in the background lasts while others come and go, and ends elsewhere. */
static void collections_are_told_apart_by_number(void **state)
{
	(void)state;
	collection(GC_START, 7, 1);
	collection(GC_START, 8, 2);
	collection(GC_END, 8, 0);
	collection(GC_END, 7, 0);
	net_u32(&payload, 9);
	net_u32(&payload, 0);
	net_u32(&payload, 99);
	event(GC_START, MAIN, 1);
	collection(GC_END, 9, 0);
	take("GC");
	assert_int_equal(weight_of("[gen2 background Induced]"), 15000);
	assert_int_equal(weight_of("[gen2 Induced]"), 5000);
	assert_int_equal(weight_of("[gen0 99]"), 5000);
}

static void compiles(uint64_t id, const char *type, const char *name,
                     const char *signature)
{
	net_u64(&payload, id);
	net_u64(&payload, 1);
	net_u32(&payload, 0);
	net_u32(&payload, 0);
	net_wide(&payload, type);
	net_wide(&payload, name);
	net_wide(&payload, signature);
	event(COMPILES, MAIN, 1);
}

static void loaded(uint64_t id, unsigned us)
{
	net_u64(&payload, id);
	event(LOADED, MAIN, us);
}

/* One method is compiled for the sake of another. */
static void methods_are_told_apart_by_id(void **state)
{
	(void)state;
	compiles(1, "App.Program+<Main>d__3", "MoveNext", "instance void  ()");
	compiles(2, "App.L`1[System.Int32]", "Sum", "int32  (int32)");
	loaded(2, 10);
	loaded(1, 20);
	compiles(3, "", "", "");
	loaded(3, 1);
	take("JIT");
	assert_int_equal(taken, 3);
	assert_int_equal(weight_of("[App.L<int>::Sum]"), 10000);
	assert_int_equal(weight_of("[App.Program::Main (async)]"), 31000);
	assert_int_equal(weight_of("[::()]"), 1000);
}

static void adjusted(unsigned reason)
{
	net_u64(&payload, 0);
	net_u32(&payload, 4);
	net_u32(&payload, reason);
	event(ADJUSTED, MAIN, 1);
}

static void only_starvation_counts(void **state)
{
	(void)state;
	adjusted(6);
	adjusted(3);
	adjusted(6);
	take("Starvation");
	assert_int_equal(weight_of(NULL), 2);
}

/* Another provider's event of that number and name is another event. */
static void other_providers_are_passed_over(void **state)
{
	(void)state;
	define_all("App-Own");
	tick("System.String", 100);
	take("GCAllocationTick");
	assert_int_equal(taken, 0);
	assert_int_equal(clr.counts.cut, 0);
}

static void views_have_names(void **state)
{
	(void)state;
	assert_null(clr_find(STR("GCStart")));
	assert_null(clr_find(STR("")));
	assert_int_equal(clr_find_view(STR("")).n, 0);
	assert_true(str_eq(clr_find_view(STR("Microsoft-Windows-DotNETRuntime/GCEnd")),
	                   STR("GC")));
	assert_int_equal(clr_find_view(STR("App-Own/GCEnd")).n, 0);
	assert_true(str_eq(clr_unit(clr_find(STR("Contention"))), STR("ns")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bytes_are_summed_by_type),
		TEST(names_stay_without_tidying),
		TEST(a_payload_that_ends_is_counted),
		TEST(an_exception_counts_once),
		TEST(contention_is_of_one_thread),
		TEST(a_duration_that_is_stated_counts),
		TEST(threads_are_chosen_by_what_begins),
		TEST(no_time_spans_a_loss),
		TEST(no_time_spans_a_loss_of_any_thread),
		TEST(losses_never_add_time),
		TEST(collections_are_told_apart_by_number),
		TEST(methods_are_told_apart_by_id),
		TEST(only_starvation_counts),
		TEST(other_providers_are_passed_over),
		TEST(views_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
