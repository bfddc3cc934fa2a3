/* The names of events, fields and reasons are from dotnet/runtime src/coreclr/vm/ClrEtwAll.man. */
#include "measure/clr.h"

#include "label/tidy_dotnet.h"
#include "label/tidy_method.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime/"

enum {
	STARVATION = 6,
	BACKGROUND = 1,
	SCRATCH_LEAVES =
	        64, /* number of texts after which the scratch arena is released */
};

/* A span whose first event was read, and whose second event was not read yet. */
struct clr_span {
	/* 0 if the first event was not selected, or if rules drop the event */
	stack_id stack;
	uint64_t from_ns;
	uint32_t losses; /* number of losses before the first event */
	bool open;
};

/* The current event, and the place to which its weight is written. */
struct at {
	struct clr *c;
	struct profile *p;
	const struct event *ev;
	struct clr_weight *out;
};

struct clr_view {
	const char *name;
	const char
	        /*
	         * name of the first event of a span, or of the only event.  The stack of
	         * this event is used
	         */
	        *begin;
	/* name of the last event of a span, or NULL if there is only one event */
	const char *end;
	/*
	 * name of the field that contains the weight, in the last (or only) event.  If
	 * NULL, the weight is the length of the span, or 1
	 */
	const char *weight;
	const char *unit;
	/* name of a field that has the same value in both events, or NULL */
	const char *key;
	bool any_thread; /* begin and end may be in different threads */
	/* Returns the label of the leaf frame to add to the stack, or an empty string. */
	struct str (*leaf)(const struct at *at);
	/* Returns true if the event is used.  If NULL, all events are used. */
	bool (*counts)(const struct at *at);
};

static bool find_value(const struct at *at, const char *field, struct trace_value *v)
{
	return reader_trace_value(profile_reader(at->p), at->ev, str_of(field), v);
}

static struct str find_text(const struct at *at, const char *field)
{
	struct trace_value v;

	return find_value(at, field, &v) ? v.text : (struct str){ 0 };
}

static int64_t find_number(const struct at *at, const char *field)
{
	struct trace_value v;

	return find_value(at, field, &v) && !v.text.n ? v.number : -1;
}

static struct str find_word(const struct at *at, const char *field,
                            const char *const *words, size_t n)
{
	int64_t number = find_number(at, field);

	if (number >= 0 && (uint64_t)number < n)
		return str_of(words[number]);
	return arena_fmt(&at->c->scratch, "%lld", (long long)number);
}

static struct str type_of(const struct at *at, const char *field)
{
	struct tidy t = { .arena = &at->c->scratch,
		          .level = at->c->fold->opts.labels.tidy };
	struct str type = find_text(at, field);

	if (t.level == TIDY_NONE)
		return type;
	tidy_method_type(&t, type);
	return tidy_text(&t);
}

static struct str allocated_type(const struct at *at)
{
	return type_of(at, "TypeName");
}

static struct str thrown_type(const struct at *at)
{
	return type_of(at, "ExceptionType");
}

/* Returns the name of a compiled method.  Its signature looks like "instance void  (int32)". */
static struct str compiled_method(const struct at *at)
{
	struct tidy t = { .arena = &at->c->scratch,
		          .level = at->c->fold->opts.labels.tidy };
	struct str signature = find_text(at, "MethodSignature");
	struct str returned = str_head(signature, str_search(signature, STR("  (")));
	struct str type = find_text(at, "MethodNamespace");
	struct str whole = arena_fmt(&at->c->scratch, PRSTR "%s" PRSTR "::" PRSTR "()",
	                             STRARG(returned), returned.n ? " " : "",
	                             STRARG(type), STRARG(find_text(at, "MethodName")));

	if (t.level == TIDY_NONE || !tidy_dotnet(&t, whole, true))
		return whole;
	return tidy_text(&t);
}

/* Returns the description of a collection: "gen2 background Induced". */
static struct str collection(const struct at *at)
{
	static const char *const reasons[] = {
		"AllocSmall",
		"Induced",
		"LowMemory",
		"Empty",
		"AllocLarge",
		"OutOfSpaceSOH",
		"OutOfSpaceLOH",
		"InducedNotForced",
		"Stress",
		"InducedLowMemory",
		"InducedCompacting",
		"LowMemoryHost",
		"PMFullGC",
		"LowMemoryHostBlocking",
		"BgcTuningSOH",
		"BgcTuningLOH",
		"BgcStepping",
		"InducedAggressive",
	};
	struct str reason =
	        find_word(at, "Reason", reasons, sizeof(reasons) / sizeof(*reasons));

	return arena_fmt(&at->c->scratch, "gen%lld %s" PRSTR,
	                 (long long)find_number(at, "Depth"),
	                 find_number(at, "Type") == BACKGROUND ? "background " : "",
	                 STRARG(reason));
}

static struct str suspension(const struct at *at)
{
	static const char *const reasons[] = {
		"Other",    "GC",     "AppDomainShutdown", "CodePitching", "Shutdown",
		"Debugger", "GCPrep", "DebuggerSweep",
	};

	return find_word(at, "Reason", reasons, sizeof(reasons) / sizeof(*reasons));
}

static bool is_starvation(const struct at *at)
{
	return find_number(at, "Reason") == STARVATION;
}

static const struct clr_view views[] = {
	{ .name = "GCAllocationTick",
	  .begin = RUNTIME "GCAllocationTick",
	  .weight = "AllocationAmount64",
	  .unit = "bytes",
	  .leaf = allocated_type },
	{ .name = "Exception",
	  .begin = RUNTIME "ExceptionThrown",
	  .unit = "events",
	  .leaf = thrown_type },
	{ .name = "Contention",
	  .begin = RUNTIME "ContentionStart",
	  .end = RUNTIME "ContentionStop",
	  .weight = "DurationNs",
	  .unit = "ns" },
	{ .name = "Wait",
	  .begin = RUNTIME "WaitHandleWaitStart",
	  .end = RUNTIME "WaitHandleWaitStop",
	  .unit = "ns" },
	{ .name = "Starvation",
	  .begin = RUNTIME "ThreadPoolWorkerThreadAdjustmentAdjustment",
	  .unit = "events",
	  .counts = is_starvation },
	{ .name = "GC",
	  .begin = RUNTIME "GCStart",
	  .end = RUNTIME "GCEnd",
	  .unit = "ns",
	  .key = "Count",
	  .any_thread = true,
	  .leaf = collection },
	{ .name = "Suspension",
	  .begin = RUNTIME "GCSuspendEEBegin",
	  .end = RUNTIME "GCRestartEEEnd",
	  .unit = "ns",
	  .any_thread = true,
	  .leaf = suspension },
	{ .name = "JIT",
	  .begin = RUNTIME "MethodJittingStarted",
	  .end = RUNTIME "MethodLoadVerbose",
	  .unit = "ns",
	  .key = "MethodID",
	  .leaf = compiled_method },
};

const struct clr_view *clr_find(struct str name)
{
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		if (str_eq(name, str_of(views[i].name)))
			return &views[i];
	return NULL;
}

struct str clr_find_view(struct str event)
{
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		if (str_eq(event, str_of(views[i].begin)) ||
		    (views[i].end && str_eq(event, str_of(views[i].end))))
			return str_of(views[i].name);
	return (struct str){ 0 };
}

struct str clr_name(const struct clr_view *view)
{
	return str_of(view->name);
}

struct str clr_unit(const struct clr_view *view)
{
	return str_of(view->unit);
}

size_t clr_events(const struct clr_view *view, struct str out[CLR_EVENTS])
{
	out[0] = str_of(view->begin);
	out[1] = str_of(view->end);
	return view->end ? 2 : 1;
}

void clr_init(struct clr *c, struct fold *fold)
{
	*c = (struct clr){ .fold = fold };
}

static stack_id with_leaf(const struct at *at, stack_id id)
{
	struct arena *a = &at->c->scratch;
	struct str text = { 0 };

	if (at->c->view->leaf)
		text = at->c->view->leaf(at);
	if (!text.n)
		return id;
	text = arena_fmt(a, "[" PRSTR "]", STRARG(text));
	id = fold_push(at->c->fold, id, label_clean(a, text));
	if (++at->c->in_scratch % SCRATCH_LEAVES == 0)
		arena_release(a);
	return id;
}

static str_id text_of(const struct at *at)
{
	const struct clr_view *view = at->c->view;
	struct arena *a = &at->c->scratch;
	struct str leaf = view->leaf ? view->leaf(at) : STR("");
	struct str text =
	        arena_fmt(a, "%s%s" PRSTR, view->name, leaf.n ? " " : "", STRARG(leaf));
	str_id id = intern(at->c->texts, label_clean(a, text));

	if (++at->c->in_scratch % SCRATCH_LEAVES == 0)
		arena_release(a);
	return id;
}

/*
 * Returns the stack of a sample, or 0 if the sample is not selected or if rules drop the sample.
 */
static stack_id stack_of(const struct at *at, const struct sample *s)
{
	struct clr *c = at->c;
	enum select_by lacking;
	stack_id id;

	if (c->select && !select_wants(c->select, s, &lacking))
		return 0;
	if (c->texts)
		return text_of(at);
	if (fold_sample(c->fold, at->p, s, &id))
		return with_leaf(at, id);
	c->counts.dropped++;
	return 0;
}

/* Sets the weight.  Returns false if the payload ends before the field with the weight. */
static bool take_weight(const struct at *at, uint64_t *weight)
{
	int64_t number;

	if (!at->c->view->weight)
		return true;
	number = find_number(at, at->c->view->weight);
	if (number < 0)
		return false;
	*weight = (uint64_t)number;
	return true;
}

static void count_event(const struct at *at, const struct sample *s)
{
	uint64_t weight = 1;

	if (at->c->view->counts && !at->c->view->counts(at))
		return;
	if (take_weight(at, &weight))
		*at->out = (struct clr_weight){ .stack = stack_of(at, s),
			                        .weight = weight,
			                        .from_ns = at->ev->time_ns };
	else
		at->c->counts.cut++;
}

/* Returns the span for the event's thread and key, or NULL if the payload ends before the key. */
static struct clr_span *find_span(const struct at *at, const struct sample *s)
{
	struct clr *c = at->c;
	uint64_t thread = c->view->any_thread ? 0 : (uint32_t)s->tid;
	int64_t key = c->view->key ? find_number(at, c->view->key) : 0;
	uint32_t *place;

	if (key < 0) {
		c->counts.cut++;
		return NULL;
	}
	place = table_at(&c->by_key, &c->arena, (uint64_t)(uint32_t)s->pid << 32 | thread,
	                 (uint64_t)key);
	if (!*place) {
		arena_fit(&c->arena, c->span, c->n + 1, c->cap);
		*place = (uint32_t)++c->n;
	}
	return &c->span[*place - 1];
}

/* Returns the number of losses so far that may have affected this thread's span. */
static uint32_t losses_of(const struct clr *c, int32_t tid)
{
	if (c->view->key)
		return 0;
	if (c->view->any_thread)
		return c->losses;
	/* A loss without a thread may have affected any thread, so it counts for all threads. */
	return table_get(&c->lost_by, (uint32_t)tid, 0) +
	       (tid < 0 ? 0 : table_get(&c->lost_by, UINT32_MAX, 0));
}

/* Begins a span.  If a span with the same key is still open, its end was lost. */
static void begin(const struct at *at, const struct sample *s)
{
	struct clr_span *span = find_span(at, s);

	if (!span)
		return;
	at->c->counts.open += span->open && span->stack;
	*span = (struct clr_span){ stack_of(at, s), at->ev->time_ns,
		                   losses_of(at->c, s->tid), true };
}

static void end(const struct at *at, const struct sample *s)
{
	struct clr_span *span = find_span(at, s);
	uint64_t weight;

	if (!span)
		return;
	at->c->counts.stray += !span->open;
	weight = at->ev->time_ns > span->from_ns ? at->ev->time_ns - span->from_ns : 0;
	take_weight(at, &weight);
	if (weight > at->ev->time_ns)
		weight = at->ev->time_ns;
	if (span->open && span->losses != losses_of(at->c, s->tid))
		at->c->counts.lost += span->stack != 0;
	else if (span->open)
		*at->out = (struct clr_weight){ span->stack, weight, true,
			                        at->ev->time_ns - weight };
	span->open = false;
}

bool clr_take(struct clr *c, struct profile *p, const struct sample *s,
              struct clr_weight *out)
{
	struct at at = { c, p, s->ev, out };
	struct str name = { 0 };

	*out = (struct clr_weight){ 0 };
	if (c->view && s->ev->kind == EV_LOST) {
		++*table_at(&c->lost_by, &c->arena, (uint32_t)s->tid, 0);
		c->losses++;
	}
	if (!c->view || s->ev->kind != EV_SAMPLE || !s->ev->attr)
		return false;
	name = s->ev->attr->name;
	if (c->view->end && str_eq(name, str_of(c->view->end)))
		end(&at, s);
	else if (!str_eq(name, str_of(c->view->begin)))
		return false;
	else if (c->view->end)
		begin(&at, s);
	else
		count_event(&at, s);
	return true;
}

void clr_end(struct clr *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->counts.open += c->span[i].open && c->span[i].stack;
	arena_release(&c->arena);
	arena_release(&c->scratch);
	c->by_key = c->lost_by = (struct table){ 0 };
	c->losses = 0;
	c->span = NULL;
	c->n = c->cap = 0;
}
