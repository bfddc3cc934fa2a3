/*
 * perf script prints the events in this form (include/trace/events/sched.h defines their fields):
 *
 * 	app 7/7 [001] 5.000: sched:sched_switch: prev_comm=app prev_pid=7 prev_prio=120
 * 	    prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
 * 	cat 9/9 [000] 6.000: sched:sched_wakeup: comm=app pid=7 prio=120 target_cpu=001
 *
 * prev_state is 0 for a runnable thread, or a sum of bits.  state_letters has a letter for each
 * bit.  A higher bit marks a preempted thread (TASK_REPORT_MAX, before Linux 4.14
 * TASK_STATE_MAX), and perf prints it as '+'.
 */
#include "measure/offcpu.h"

#include "reader/fields.h"
#include "reader/event_name.h"
#include "label/kind.h"

/* Labels of waits.  function: start of the name of a kernel function. */
static const struct {
	const char *function, *label;
} waits[] = {
	{ "futex_", "[futex]" },
	{ "do_futex", "[futex]" },
	{ "do_epoll_wait", "[epoll]" },
	{ "ep_poll", "[epoll]" },
	{ "do_nanosleep", "[nanosleep]" },
	{ "hrtimer_nanosleep", "[nanosleep]" },
	{ "do_sys_poll", "[poll]" },
	{ "do_select", "[poll]" },
	{ "do_sigtimedwait", "[signal]" },
	{ "sigsuspend", "[signal]" },
	{ "do_wait", "[child]" },
	{ "kernel_wait4", "[child]" },
	{ "pipe_", "[pipe]" },
	{ "anon_pipe_", "[pipe]" },
	{ "unix_stream_", "[socket]" },
	{ "inet_csk_accept", "[socket]" },
	{ "tcp_", "[socket]" },
	{ "sk_wait_data", "[socket]" },
	{ "__skb_wait_for_more_packets", "[socket]" },
	{ "io_schedule", "[io]" },
	{ "bit_wait_io", "[io]" },
	{ "folio_wait_", "[io]" },
	{ "blkdev_", "[io]" },
	{ "io_cqring_wait", "[io_uring]" },
	{ "rwsem_", "[kernel lock]" },
	{ "__mutex_lock", "[kernel lock]" },
	{ "exit_to_user_mode", "[signal]" },
	{ "worker_thread", "[kernel worker]" },
	{ "kthread", "[kernel worker]" },
};

/*
 * Returns "[futex]" for futex_wait_queue, or NULL if the function does not show a reason.  Call
 * it for each function, innermost first, up to the first result.
 */
static const char *wait_label(struct str function)
{
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		if (str_starts(function, str_of(waits[i].function)))
			return waits[i].label;
	return NULL;
}

enum {
	STATE_BITS = 0xff, /* bits of a state, without the bit of a preempted thread */
	STATE_DEAD = 0x30, /* EXIT_DEAD, EXIT_ZOMBIE: the thread will not run again */
	STATE_SLEEPS = 1,  /* TASK_INTERRUPTIBLE */
};

/*
 * perf's OFF_CPU_TIMESTAMP.  A time of this value or more is not a real time: the sample is a
 * sum.
 */
static const uint64_t SUM_TIME = ~0ull << 32;

static const char state_letters[] = "SDTtXZPI";

/*
 * The last switch on a CPU: the thread that the switch entered, and the time of the switch.  tid
 * 0 is the idle thread.
 */
struct off_cpu {
	int32_t tid;
	uint64_t ns;
};

struct off_thread {
	int32_t tid;
	/* value of offcpu.losses when the thread last left or returned to a CPU */
	uint32_t losses;
	uint64_t gap_ns; /* value of offcpu.gap_ns when the thread left the CPU */
	/* out: off the CPU.  in: on the CPU.  Both are false if the state is unknown */
	bool out, in;
	bool wanted; /* the options select the sample in which the thread left the CPU */
	bool woken;
	uint8_t state; /* prev_state */
	/* times at which the thread left the CPU, and at which it was woken */
	uint64_t left_ns, woken_ns;
	uint64_t back_ns; /* time at which the thread came back */
	/* time on the CPU before back_ns, not yet returned by offcpu_ran */
	uint64_t ran_ns;
	stack_id stack, root, waker; /* waker is 0 if unknown */
};

static struct off_thread *thread_of(struct offcpu *o, int32_t tid)
{
	uint32_t *at = table_at(&o->threads.by_tid, &o->arena, (uint32_t)tid, 0);

	return table_item(at, &o->arena, o->threads.thread, o->threads.n, o->threads.cap,
	                  (struct off_thread){ .tid = tid });
}

/*
 * Returns the words in a list as a set of bits, one bit for each index of words[].  Returns 0 if
 * a word is unknown.
 */
static unsigned take_words(struct str list, const char *const words[], size_t n)
{
	unsigned bits = 0;

	while (list.n) {
		struct str word = str_cut(&list, ',');
		size_t i = 0;

		while (i < n && !str_eq(word, str_of(words[i])))
			i++;
		if (i == n)
			return 0;
		bits |= 1u << i;
	}
	return bits;
}

bool offcpu_classes(struct offcpu_opts *opts, const char *list)
{
	static const char *const words[] = { "blocked", "preempted", "runnable",
		                             "running" };

	if (!list)
		list = "blocked";
	else if (strcmp(list, "all") == 0)
		list = "blocked,preempted,runnable";
	opts->classes = take_words(str_of(list), words, 4);
	return opts->classes != 0;
}

bool offcpu_frames(struct offcpu_opts *opts, const char *list)
{
	static const char *const words[] = { "class", "state", "wait", "none" };

	opts->frames = take_words(str_of(list), words, 4);
	return opts->frames != 0;
}

void offcpu_init(struct offcpu *o, const struct offcpu_opts *opts, struct fold *fold)
{
	*o = (struct offcpu){ .opts = *opts, .fold = fold };
	/* If there are several classes, a frame must distinguish them. */
	if (opts->classes & (opts->classes - 1) && !opts->frames)
		o->opts.frames = OFF_CLASS;
}

static void add(struct offcpu *o, stack_id stack, uint64_t from, uint64_t to)
{
	fold_add_span(o->fold, graft_stack(&o->below, stack), from, to);
	o->counts.taken++;
}

/* Adds leaf frames, which distinguish intervals with the same stack by class and state. */
static stack_id push_class(struct offcpu *o, stack_id id, const struct off_thread *t,
                           enum off_class class)
{
	static const char *const names[] = {
		[OFF_BLOCKED] = "[blocked]",
		[OFF_PREEMPTED] = "[preempted]",
		[OFF_RUNNABLE] = "[runnable]",
		[OFF_RUNNING] = "[running]",
	};
	char state[] = "[R]";

	if (o->opts.frames & OFF_CLASS)
		id = fold_push(o->fold, id, str_of(names[class]));
	if (!(o->opts.frames & OFF_STATE) || class == OFF_RUNNING)
		return id;
	if (t->state & STATE_BITS)
		state[1] = state_letters[__builtin_ctz(t->state)];
	return fold_push(o->fold, id, str_of(state));
}

/* Adds "--" and the frames of the waker, innermost first. */
static stack_id with_waker(struct offcpu *o, stack_id id, stack_id waker)
{
	if (!o->opts.wakers || !waker)
		return id;
	id = fold_push(o->fold, id, STR("--"));
	for (; waker; waker = o->fold->stacks.node[waker].parent)
		id = stack_push(&o->fold->stacks, id, o->fold->stacks.node[waker].name);
	return id;
}

static void add_class(struct offcpu *o, const struct off_thread *t, enum off_class class,
                      uint64_t from, uint64_t to)
{
	if (o->opts.classes & class && to > from)
		add(o, with_waker(o, push_class(o, t->stack, t, class), t->waker), from,
		    to);
}

/*
 * Adds the time that a thread was off the CPU to its stack.  Subtracts gaps, because the thread
 * may have run in them.
 */
static void count_off(struct offcpu *o, const struct off_thread *t, uint64_t now)
{
	uint64_t gap = o->gap_ns - t->gap_ns, woken;

	if (!t->wanted)
		return;
	now = now - t->left_ns > gap ? now - gap : t->left_ns;
	woken = t->woken && t->woken_ns < now ? t->woken_ns : now;
	if (t->losses != o->losses) {
		o->counts.lost++;
	} else if (!(t->state & STATE_BITS)) {
		add_class(o, t, OFF_PREEMPTED, t->left_ns, now);
	} else {
		add_class(o, t, OFF_BLOCKED, t->left_ns, woken);
		add_class(o, t, OFF_RUNNABLE, woken, now);
	}
}

/*
 * Notes that a thread is on the CPU from now on.  If it already was on the CPU, an event is
 * missing, and the time that the thread has run is unknown.
 */
static void come_back(struct offcpu *o, int32_t tid, uint64_t now)
{
	struct off_thread *t = tid > 0 ? thread_of(o, tid) : NULL;

	if (!t)
		return;
	if (t->out)
		count_off(o, t, now);
	t->out = false;
	t->in = true;
	t->back_ns = now;
	t->losses = o->losses;
}

/* Marks the state of a thread as unknown, because an event is missing. */
static void forget(struct offcpu *o, int32_t tid)
{
	struct off_thread *t = tid > 0 ? thread_of(o, tid) : NULL;

	if (t)
		t->out = t->in = false;
}

static stack_id with_wait(struct offcpu *o, stack_id id, const struct profile *p,
                          const struct sample *s)
{
	const char *label = NULL;

	for (size_t i = 0; i < s->nframes && !label; i++) {
		const struct resolved *r = profile_frame(p, s->frames[i].id);

		if (!r->n || kind_of(profile_str(p, r->names->module), r->names->flags) !=
		                     KIND_KERNEL)
			break;
		label = wait_label(profile_str(p, r->names->func));
	}
	return fold_push(o->fold, id, label ? str_of(label) : STR("[other]"));
}

bool offcpu_wants(const struct offcpu *o, const struct sample *s)
{
	enum select_by lacking;

	return !o->select || select_wants(o->select, s, &lacking);
}

/* Returns the stack of a sample, or 0 if rules drop it. */
static stack_id stack_of(struct offcpu *o, const struct profile *p,
                         const struct sample *s)
{
	stack_id id;

	return fold_sample(o->fold, p, s, &id) ? id : 0;
}

static stack_id root_of(struct offcpu *o, const struct profile *p, const struct sample *s)
{
	struct sample bare = *s;

	bare.nframes = 0;
	return stack_of(o, p, &bare);
}

/*
 * Adds the time that a thread was on the CPU to a stack that consists of only the root frame.  The
 * last sample of an exiting thread has no pid and tid, so the root of an earlier sample is used.
 */
static void count_on(struct offcpu *o, struct off_thread *t, const struct profile *p,
                     const struct sample *s)
{
	uint64_t now = s->ev->time_ns;

	if (!(o->opts.classes & OFF_RUNNING) || !t->wanted)
		return;
	if (s->tid == t->tid)
		t->root = root_of(o, p, s);
	if (t->in && t->root && t->losses == o->losses && now > t->back_ns)
		add(o, push_class(o, t->root, t, OFF_RUNNING), t->back_ns, now);
}

bool offcpu_ran(struct offcpu *o, const struct sample *s, uint64_t *ns)
{
	struct off_thread *t = thread_of(o, s->tid);
	uint64_t now = s->ev->time_ns;
	bool known = t->in && t->losses == o->losses && now >= t->back_ns;

	if (!s->ev->has_time || t->out)
		return false;
	*ns = known ? t->ran_ns + now - t->back_ns : 0;
	/* The thread runs now, so its time on the CPU is known from now on. */
	t->in = true;
	t->back_ns = now;
	t->ran_ns = 0;
	t->losses = o->losses;
	return known;
}

static void leave(struct offcpu *o, struct off_thread *t, const struct profile *p,
                  const struct sample *s, uint64_t state)
{
	o->counts.missing += t->out;
	if (s->tid == t->tid)
		t->wanted = offcpu_wants(o, s);
	count_on(o, t, p, s);
	if (t->in && t->losses == o->losses && s->ev->time_ns > t->back_ns)
		t->ran_ns += s->ev->time_ns - t->back_ns;
	t->in = false;
	t->out = !(state & STATE_DEAD);
	t->woken = false;
	t->waker = 0;
	t->state = (uint8_t)state;
	t->left_ns = s->ev->time_ns;
	t->losses = o->losses;
	t->gap_ns = o->gap_ns;
	if (!t->wanted || !t->out)
		return;
	t->stack = stack_of(o, p, s);
	t->wanted = t->stack != 0;
	if (o->opts.frames & OFF_WAIT && t->wanted && state & STATE_BITS)
		t->stack = with_wait(o, t->stack, p, s);
}

/* Returns prev_state as a number.  In texts, it consists of letters: "S", "D|W", "R+". */
static uint64_t state_of(const struct trace_value *v)
{
	const char *at = v->text.n ? strchr(state_letters, v->text.p[0]) : NULL;

	if (!v->text.n)
		return (uint64_t)v->number & STATE_BITS;
	return at ? (uint64_t)1 << (at - state_letters) : 0;
}

/*
 * Returns the last switch of a CPU.  If no switch of this CPU is known, stores a switch to tid,
 * and returns NULL.
 */
static struct off_cpu *cpu_of(struct offcpu *o, int32_t cpu, int32_t tid, uint64_t ns)
{
	uint32_t *at = table_at(&o->cpus.by_cpu, &o->arena, (uint32_t)cpu, 0);

	if (*at)
		return &o->cpus.cpu[*at - 1];
	*arena_push(&o->arena, o->cpus.cpu, o->cpus.n, o->cpus.cap) =
	        (struct off_cpu){ tid, ns };
	*at = (uint32_t)o->cpus.n;
	return NULL;
}

/*
 * Compares a switch with the previous switch on its CPU.  If it does not leave the thread that the
 * previous switch entered, switches are missing.  Then any thread that is off the CPU may have run
 * since the previous switch.
 */
static void check_cpu(struct offcpu *o, int32_t cpu, int32_t tid, int32_t next,
                      uint64_t now)
{
	struct off_cpu *c = cpu_of(o, cpu, next, now);

	if (!c)
		return;
	if (c->tid != tid) {
		o->counts.missing++;
		o->gap_ns += now > c->ns ? now - c->ns : 0;
		forget(o, c->tid);
		forget(o, tid);
	}
	*c = (struct off_cpu){ next, now };
}

/* Reads a tid from a field of the payload. */
static bool take_tid(struct profile *p, const struct event *ev, struct str field,
                     int32_t *tid)
{
	struct trace_value v;

	if (!reader_trace_value(profile_reader(p), ev, field, &v) || v.text.n ||
	    v.number < 0 || v.number > INT32_MAX)
		return false;
	*tid = (int32_t)v.number;
	return true;
}

static void take_switch(struct offcpu *o, struct profile *p, const struct sample *s)
{
	struct trace_value state;
	int32_t next, tid;

	if (!s->ev->has_time || !take_tid(p, s->ev, STR("prev_pid"), &tid) ||
	    !take_tid(p, s->ev, STR("next_pid"), &next) ||
	    !reader_trace_value(profile_reader(p), s->ev, STR("prev_state"), &state)) {
		o->counts.unreadable++;
		return;
	}
	o->counts.switches++;
	if (s->ev->cpu >= 0)
		check_cpu(o, s->ev->cpu, tid, next, s->ev->time_ns);
	if (tid > 0)
		leave(o, thread_of(o, tid), p, s, state_of(&state));
	come_back(o, next, s->ev->time_ns);
}

/*
 * Stores the time of a wakeup.  If there are several wakeup events, stores the time of the first,
 * because sched_waking precedes sched_wakeup.
 */
static void take_wakeup(struct offcpu *o, struct profile *p, const struct sample *s)
{
	struct off_thread *t;
	int32_t tid;

	if (!s->ev->has_time || !take_tid(p, s->ev, STR("pid"), &tid) || !tid)
		return;
	t = thread_of(o, tid);
	if (!t->out || t->woken || !t->wanted)
		return;
	t->woken = true;
	t->woken_ns = s->ev->time_ns;
	if (o->opts.wakers)
		t->waker = stack_of(o, p, s);
}

/*
 * Handles the switch record of a thread that leaves.  The kernel writes it after the sched_switch
 * event, which has the stack.  If that event is missing, the interval gets a stack that consists of
 * only the root frame.
 */
static void leave_by_record(struct offcpu *o, const struct profile *p,
                            const struct sample *s)
{
	struct off_thread *t = s->tid > 0 ? thread_of(o, s->tid) : NULL;
	bool preempt = s->ev->other->preempt;

	if (t && t->out && preempt)
		t->state = 0;
	else if (t && !t->out)
		leave(o, t, p, s, preempt ? 0 : STATE_SLEEPS);
}

/*
 * Handles the switch record of a thread that comes back.  Does nothing if a sched_switch event
 * already showed that the thread came back.
 */
static void come_back_by_record(struct offcpu *o, const struct event *ev)
{
	struct off_cpu *c = NULL;

	if (ev->cpu >= 0)
		c = cpu_of(o, ev->cpu, ev->tid, ev->time_ns);
	if (c && c->tid == ev->tid && ev->tid > 0 && thread_of(o, ev->tid)->in)
		return;
	if (c)
		*c = (struct off_cpu){ ev->tid, ev->time_ns };
	come_back(o, ev->tid, ev->time_ns);
}

static void take_record(struct offcpu *o, struct profile *p, const struct sample *s)
{
	const struct event *ev = s->ev;
	struct sample of = *s;

	if (!of.comm.n)
		of.comm = ev->comm;
	if (ev->kind == EV_LOST) {
		o->losses++;
	} else if (ev->kind == EV_SWITCH && ev->has_time && ev->other->out) {
		o->counts.switches++;
		leave_by_record(o, p, &of);
	} else if (ev->kind == EV_SWITCH && ev->has_time) {
		come_back_by_record(o, ev);
	}
}

/*
 * Adds a sample of perf record --off-cpu.  Its weight is the sum of all times that the kernel
 * measured for one stack of user frames.
 */
static void take_sum(struct offcpu *o, const struct profile *p, const struct sample *s)
{
	struct off_thread t = { .state = STATE_SLEEPS };
	const struct event *ev = s->ev;
	/*
	 * The time of a single wait's sample is the end of the wait.  A sum of several
	 * waits has no real time.
	 */
	bool placed = ev->has_time && ev->time_ns < SUM_TIME && ev->time_ns >= ev->weight;
	uint64_t from = placed ? ev->time_ns - ev->weight : 0;

	if (!offcpu_wants(o, s) || o->counts.switches)
		return;
	if (!placed && o->fold->slices && slices_want_time(o->fold->slices)) {
		o->counts.unplaced++;
		return;
	}
	t.stack = stack_of(o, p, s);
	if (t.stack)
		add_class(o, &t, OFF_BLOCKED, from, from + ev->weight);
}

bool offcpu_take(struct offcpu *o, struct profile *p, const struct sample *s)
{
	const struct attr *attr = s->ev->attr;
	struct str name;

	o->losses += profile_damages(p) != o->damages;
	o->damages = profile_damages(p);
	if (s->ev->kind != EV_SAMPLE) {
		take_record(o, p, s);
		return false;
	}
	name = attr ? attr->name : (struct str){ 0 };
	if (str_eq(name, STR("sched:sched_switch")))
		take_switch(o, p, s);
	else if (str_eq(name, STR("sched:sched_waking")) ||
	         str_eq(name, STR("sched:sched_wakeup")) ||
	         str_eq(name, STR("sched:sched_wakeup_new")))
		take_wakeup(o, p, s);
	else if (str_eq(name, STR("offcpu-time")))
		take_sum(o, p, s);
	else if (str_eq(event_name_base(name), STR("context-switches")) &&
	         s->ev->has_time && s->tid > 0)
		leave(o, thread_of(o, s->tid), p, s, STATE_SLEEPS);
	else
		return false;
	return true;
}

void offcpu_end(struct offcpu *o)
{
	for (size_t i = 0; i < o->threads.n; i++)
		o->counts.open += o->threads.thread[i].out && o->threads.thread[i].wanted;
	arena_release(&o->arena);
	memset(&o->threads, 0, sizeof(o->threads));
	memset(&o->cpus, 0, sizeof(o->cpus));
	o->losses = 0;
	o->damages = 0;
}
