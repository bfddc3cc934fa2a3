#include "reader/nettrace/nettrace.h"

#include <endian.h>
#include <errno.h>

#include "base/clock.h"
#include "reader/nettrace/netcode.h"
#include "reader/nettrace/netevent_kind.h"
#include "reader/nettrace/netname.h"
#include "reader/nettrace/netsegment.h"
#include "reader/nettrace/netthread.h"

enum {
	USER_BITS = 63,
	BUILD_ID_MOST = 64,
	KEPT_FOR = 64, /* number of events after which memory is released */
	/* A token of .NET: the highest byte is the table, the other bits are the row. */
	TOKEN_TABLE = 24,
	TOKEN_ROW = 0xffffff,
	METHOD_DEF = 6,
};

/* A method from a rundown event or load event.  `payload` is in the file. */
struct net_method {
	uint64_t thread;
	/*
	 * Time of the load event.  0 if it is unknown, or if the method is older than the
	 * trace.
	 */
	uint64_t from_ns;
	struct str payload;
};

/* A table of strings with numeric keys. */
struct texts {
	struct table of; /* key -> index of the text + 1 */
	struct str *text;
	size_t n, cap;
};

struct nettrace {
	struct reader base;
	struct netfile nf;
	struct netevent_kinds kinds;
	const struct netevent_kind *given; /* kind of the last delivered sample */
	struct table sequence_of; /* writer -> sequence number of its last event */
	/* an event that waits until the preceding loss is delivered */
	struct netevent held;
	uint64_t held_at;
	bool holds;
	struct arena sequences; /* memory of sequence_of and of the IL maps */
	struct netsegment segment;
	struct netthreads threads;
	struct texts comm;   /* pid -> name of the process */
	struct texts file;   /* version 6: metadata id of the mapping -> build-id */
	struct netcode code; /* modules and IL maps */

	struct net_method *method;
	size_t nmethods, methods_cap;
	size_t told; /* number of delivered methods */
	bool began;  /* the anonymous mapping was delivered */

	/* attrs of thread samples in managed code and in native code */
	struct attr managed, external;
	/* both attrs of thread samples.  Folds use the first attr */
	const struct attr *shown[2];
	struct frame *frames;
	size_t frames_cap;
	/* Memory of the last delivered event, and of some earlier events. */
	struct arena scratch;
	unsigned kept_for;
	char build_id[BUILD_ID_MOST];
	/* Number of damage reports in this pass, and the maximum over all passes. */
	unsigned long reports, said;
};

static struct nettrace *of(struct reader *r)
{
	return (struct nettrace *)r;
}

/*
 * Releases the memory of earlier events once for every KEPT_FOR events, because a release after
 * each event takes too much time.
 */
static void forget(struct nettrace *nt)
{
	if (nt->kept_for++ % KEPT_FOR == 0)
		arena_release(&nt->scratch);
}

static int report(struct nettrace *nt, uint64_t at, const char *what)
{
	if (++nt->reports <= nt->said)
		return -1;
	nt->said = nt->reports;
	return diag_at(nt->base.diag, nt->base.name, at, "%s", what);
}

static void take_block(struct nettrace *nt, const struct netblock *block)
{
	const char *wrong = NULL;

	if (block->kind == NET_EVENTS)
		wrong = netsegment_events(&nt->segment, &nt->nf, block);
	else if (block->kind == NET_STACKS)
		wrong = netsegment_stacks(&nt->segment, block);
	else if (block->kind == NET_THREADS)
		wrong = netthread_read(&nt->threads, block, nt->base.run);
	else if (block->kind == NET_METADATA &&
	         !netevent_kind_read(&nt->kinds, &nt->nf, block))
		wrong = "a damaged metadata block";
	/* If the end of the file truncates the block, read_segment reports it. */
	if (wrong && !nt->nf.cut)
		report(nt, block->at, wrong);
}

/* Reads the blocks of the next segment.  Returns false at the end of the file. */
static bool read_segment(struct nettrace *nt)
{
	unsigned damaged = nt->nf.damaged;
	struct netblock block;
	bool any = false;

	netsegment_clear(&nt->segment);
	while (netfile_next(&nt->nf, &block)) {
		any = true;
		take_block(nt, &block);
		if (block.kind == NET_SEQUENCE_POINT)
			break;
	}
	netsegment_order(&nt->segment);
	if (nt->nf.damaged != damaged)
		report(nt, nt->nf.damaged_at, "no block begins here");
	else if (nt->nf.cut && any)
		report(nt, nt->nf.bytes.n, "the file ends inside a block");
	return any;
}

/* Stores a text for `key`, and replaces an earlier text. */
static void keep(struct nettrace *nt, struct texts *t, uint64_t key, struct str text)
{
	uint32_t *at = table_at(&t->of, nt->base.run, key, 0);

	if (!*at) {
		arena_fit(nt->base.run, t->text, t->n + 1, t->cap);
		*at = (uint32_t)++t->n;
	}
	if (!str_eq(t->text[*at - 1], text))
		t->text[*at - 1] = arena_str(nt->base.run, text);
}

static struct str kept(const struct texts *t, uint64_t key)
{
	uint32_t at = table_get(&t->of, key, 0);

	return at ? t->text[at - 1] : (struct str){ 0 };
}

static void keep_comm(struct nettrace *nt, int32_t pid, struct str comm)
{
	keep(nt, &nt->comm, (uint32_t)pid, comm);
}

/*
 * Names the process after the program in its command line: "dotnet" for "/usr/bin/dotnet app.dll".
 */
static void take_command(struct nettrace *nt, struct str payload)
{
	struct cursor in = cur_little(payload);
	struct str line = netevent_kind_utf16(&in, &nt->scratch);

	keep_comm(nt, nt->nf.pid, str_base(str_head(line, str_find(line, ' '))));
}

static void take_method(struct nettrace *nt, const struct netevent *ne, uint64_t from_ns)
{
	*arena_push(nt->base.run, nt->method, nt->nmethods, nt->methods_cap) =
	        (struct net_method){ ne->thread, from_ns, ne->payload };
}

/* Reads the build-id of a file from JSON: {"type": "ELF", "build_id": "555678e3...", ...} */
static void take_file(struct nettrace *nt, const struct netevent_kind *k,
                      struct str payload)
{
	static const struct str key = { "\"build_id\": \"", 13 };
	struct str json, hex;
	uint64_t id;
	size_t n = 0;

	if (!netevent_kind_number(k, payload, STR("Id"), &id) ||
	    !netevent_kind_text(k, payload, STR("SymbolMetadata"), &json))
		return;
	hex = str_from(json, str_search(json, key) + key.n);
	for (; n < BUILD_ID_MOST && 2 * n + 1 < hex.n; n++) {
		struct str two = str_head(str_from(hex, 2 * n), 2);
		uint64_t byte;

		if (!str_take_hex(&two, &byte) || two.n)
			break;
		nt->build_id[n] = (char)byte;
	}
	keep(nt, &nt->file, id, (struct str){ nt->build_id, n });
}

static bool is_kernel(uint64_t ip)
{
	return ip >> USER_BITS;
}

static bool give_mapping(struct nettrace *nt, const struct netevent_kind *k,
                         struct str payload, struct event *ev)
{
	uint64_t end, file = 0;

	if (!netevent_kind_number(k, payload, STR("StartAddress"), &ev->map.start) ||
	    !netevent_kind_number(k, payload, STR("EndAddress"), &end) ||
	    !netevent_kind_number(k, payload, STR("FileOffset"), &ev->map.file_off) ||
	    !netevent_kind_text(k, payload, STR("FileName"), &ev->map.path) ||
	    end <= ev->map.start)
		return false;
	netevent_kind_number(k, payload, STR("MetadataId"), &file);
	ev->kind = EV_MMAP;
	ev->map.len = end - ev->map.start;
	ev->map.prot = 4; /* PROT_EXEC: only executable mappings are recorded */
	ev->map.cpumode = is_kernel(ev->map.start) ? MODE_KERNEL : MODE_USER;
	ev->map.build_id = kept(&nt->file, file);
	if (!ev->map.path.n)
		ev->map.path = STR("//anon");
	return true;
}

/* Delivers a symbol as EV_CODE.  EndAddress is the address of its last byte. */
static bool give_symbol(const struct netevent_kind *k, struct str payload,
                        struct event *ev)
{
	uint64_t end;

	if (!netevent_kind_number(k, payload, STR("StartAddress"), &ev->map.start) ||
	    !netevent_kind_number(k, payload, STR("EndAddress"), &end) ||
	    !netevent_kind_text(k, payload, STR("Name"), &ev->map.path) ||
	    end < ev->map.start)
		return false;
	ev->kind = EV_CODE;
	ev->map.len = end - ev->map.start + 1;
	return true;
}

static void take_frames(struct nettrace *nt, struct str stack, struct event *ev)
{
	unsigned size = nt->nf.pointer;
	size_t n = stack.n / size;

	arena_fit(nt->base.run, nt->frames, n + 1, nt->frames_cap);
	for (size_t i = 0; i < n; i++) {
		uint64_t ip = 0;
		bool kernel;

		memcpy(&ip, stack.p + i * size, size);
		ip = le64toh(ip);
		kernel = is_kernel(ip);
		nt->frames[i] = (struct frame){
			.ip = ip,
			.cpumode = kernel ? MODE_KERNEL : MODE_USER,
			.caller = i && kernel == is_kernel(nt->frames[i - 1].ip),
		};
	}
	ev->frames = nt->frames;
	ev->nframes = n;
	if (n)
		ev->top = nt->frames[0];
}

static bool give_sample(struct nettrace *nt, const struct netevent_kind *k,
                        const struct netevent *ne, struct event *ev)
{
	struct cursor in = cur_little(ne->payload);

	nt->given = k;
	ev->kind = EV_SAMPLE;
	ev->weight = 1;
	ev->attr = k->attr;
	ev->payload = ne->payload;
	if (k->role == NET_THREAD_SAMPLE)
		ev->attr = cur_u32(&in) == 1 ? &nt->external : &nt->managed;
	else if (k->role == NET_VALUE)
		netevent_kind_number(k, ne->payload, STR("Value"), &ev->weight);
	ev->comm = kept(&nt->comm, (uint32_t)ev->pid);
	if (!ev->comm.n)
		ev->comm = arena_fmt(&nt->scratch, ":%d", ev->pid);
	take_frames(nt, netsegment_stack(&nt->segment, ne->stack), ev);
	return true;
}

/*
 * Stores data of an event, such as modules and names of processes, for later samples and methods.
 */
static void take_facts(struct nettrace *nt, const struct netevent_kind *k,
                       const struct netevent *ne, const struct event *ev)
{
	struct str name;

	switch (k->role) {
	case NET_METHOD:
		take_method(nt, ne, 0);
		break;
	case NET_METHOD_LOAD:
		take_method(nt, ne, ev->time_ns);
		break;
	case NET_MODULE:
		netcode_add_module(&nt->code, ne->payload, nt->base.run);
		break;
	case NET_IL_MAP:
		netcode_add_map(&nt->code, ne->payload, &nt->sequences);
		break;
	case NET_COMMAND:
		take_command(nt, ne->payload);
		break;
	case NET_FILE:
		take_file(nt, k, ne->payload);
		break;
	case NET_PROCESS:
		if (netevent_kind_text(k, ne->payload, STR("Name"), &name))
			keep_comm(nt, ev->pid, name);
		break;
	default:
		break;
	}
}

/* Handles an event.  Returns true if *ev must be delivered. */
static bool deliver(struct nettrace *nt, const struct netevent *ne, struct event *ev)
{
	const struct netevent_kind *k = netevent_kind_find(&nt->kinds, ne->metadata);

	if (!k)
		return false;
	if (k->role == NET_THREAD_SAMPLE || k->role == NET_VALUE)
		return give_sample(nt, k, ne, ev);
	if (k->role == NET_MAPPING)
		return give_mapping(nt, k, ne->payload, ev);
	if (k->role == NET_SYMBOL)
		return give_symbol(k, ne->payload, ev);
	take_facts(nt, k, ne, ev);
	return k->wanted && give_sample(nt, k, ne, ev);
}

/*
 * Adds to *ev the data that map the method's code to source lines.  `in` is at the last two fields
 * of the payload: runtime and ReJITID.
 */
static void give_source(struct nettrace *nt, const struct net_module *module,
                        uint64_t method, uint32_t token, struct cursor in,
                        struct event *ev)
{
	struct code_fields *code = arena_new(&nt->scratch, struct code_fields, 1);
	struct other_fields *other = arena_new(&nt->scratch, struct other_fields, 1);
	uint64_t rejit;

	cur_u16(&in);
	rejit = cur_u64(&in); /* version 1 has no ReJITID */
	*code = (struct code_fields){ .method = token & TOKEN_ROW,
		                      .image = module->image,
		                      .pdb = module->pdb,
		                      .guid = module->guid };
	netcode_find_map(&nt->code, method, rejit, &code->il, &code->native);
	other->code = code;
	ev->other = other;
}

/*
 * Delivers a method.  The payload contains u64 method, u64 module, u64 start, u32 size, u32
 * token, u32 flags, the type, name and signature in UTF-16, u16 runtime, and u64 ReJITID.
 */
static bool give_method(struct nettrace *nt, const struct net_method *m, struct event *ev)
{
	struct cursor in = cur_little(m->payload);
	const struct net_module *module;
	struct str type, name, signature;
	uint32_t token, flags;
	uint64_t method;

	method = cur_u64(&in);
	module = netcode_module(&nt->code, cur_u64(&in));
	ev->map.start = cur_u64(&in);
	ev->map.len = cur_u32(&in);
	token = cur_u32(&in);
	flags = cur_u32(&in);
	type = netevent_kind_utf16(&in, &nt->scratch);
	name = netevent_kind_utf16(&in, &nt->scratch);
	signature = netevent_kind_utf16(&in, &nt->scratch);
	if (in.bad || !ev->map.start || !ev->map.len)
		return false;
	ev->kind = EV_CODE;
	ev->has_time = m->from_ns != 0;
	ev->time_ns = m->from_ns;
	ev->pid = ev->tid = netthread_of(&nt->threads, &nt->nf, m->thread).pid;
	ev->map.path =
	        netname_method(&nt->scratch, module ? module->name : (struct str){ 0 },
	                       type, name, signature, flags);
	if (module && token >> TOKEN_TABLE == METHOD_DEF)
		give_source(nt, module, method, token, in, ev);
	return true;
}

static bool next_method(struct nettrace *nt, struct event *ev)
{
	while (nt->told < nt->nmethods) {
		forget(nt);
		*ev = (struct event){ .cpu = -1, .by_tid = -1 };
		if (give_method(nt, &nt->method[nt->told++], ev))
			return true;
	}
	return false;
}

/* Delivers a mapping of the whole address space, because managed code may be anywhere. */
static void give_memory(struct nettrace *nt, struct event *ev)
{
	*ev = (struct event){ .kind = EV_MMAP,
		              .pid = nt->nf.pid,
		              .tid = nt->nf.pid,
		              .cpu = -1,
		              .by_tid = -1 };
	ev->map.len = (uint64_t)1 << USER_BITS;
	ev->map.prot = 4;
	ev->map.cpumode = MODE_USER;
	ev->map.path = STR("//anon");
	nt->began = true;
}

static void begin_event(const struct nettrace *nt, const struct netevent *ne, uint64_t at,
                        struct event *ev)
{
	struct net_thread t = netthread_of(&nt->threads, &nt->nf, ne->thread);
	uint64_t hz = nt->nf.ticks_per_second;

	*ev = (struct event){ .pid = t.pid,
		              .tid = t.tid,
		              .cpu = (int32_t)ne->cpu,
		              .by_tid = -1,
		              .has_time = true,
		              .at = at };
	ev->time_ns =
	        ne->ticks / hz * CLOCK_SECOND_NS +
	        (uint64_t)((unsigned __int128)(ne->ticks % hz) * CLOCK_SECOND_NS / hz);
}

/*
 * Returns the number of lost events between this event and the previous event of the same thread,
 * from their sequence numbers.  If a tid is reused, the sequence restarts at 1.
 */
static uint32_t count_lost(struct nettrace *nt, const struct netevent *ne)
{
	uint32_t *last = table_at(&nt->sequence_of, &nt->sequences, ne->writer, 0);
	uint32_t before = *last;

	*last = ne->sequence ? ne->sequence : 1;
	return ne->sequence > before ? ne->sequence - before - 1 : 0;
}

/*
 * Returns true if events were lost before *ne.  *ev then reports them, and *ne waits for the next
 * call.
 */
static bool give_loss(struct nettrace *nt, const struct netevent *ne, struct event *ev)
{
	uint32_t lost = count_lost(nt, ne);
	struct net_thread writer;

	if (!lost)
		return false;
	writer = netthread_of(&nt->threads, &nt->nf, ne->writer);
	nt->held = *ne;
	nt->holds = true;
	ev->kind = EV_LOST;
	ev->weight = lost;
	ev->pid = writer.pid;
	ev->tid = writer.tid;
	return true;
}

/* Like netsegment_next, but returns the waiting event first. */
static int next_event(struct nettrace *nt, struct netevent *ne, uint64_t *at)
{
	if (!nt->holds)
		return netsegment_next(&nt->segment, ne, at);
	*ne = nt->held;
	*at = nt->held_at;
	return 1;
}

static int next(struct reader *r, struct event *ev)
{
	struct nettrace *nt = of(r);
	unsigned long before = nt->reports;
	struct netevent ne;
	bool held;
	uint64_t at;

	if (nt->nf.version < 6 && !nt->began) {
		give_memory(nt, ev);
		return 1;
	}
	for (;;) {
		int got = next_event(nt, &ne, &at);

		held = nt->holds;
		nt->holds = false;
		if (got < 0 && nt->nf.cut)
			continue;
		if (got < 0)
			return report(nt, at, "the rest of an event block is damaged");
		if (!got && !read_segment(nt))
			break;
		if (nt->reports != before)
			return -1;
		if (!got)
			continue;
		forget(nt);
		begin_event(nt, &ne, at, ev);
		if (!held && give_loss(nt, &ne, ev)) {
			nt->held_at = at;
			return 1;
		}
		if (deliver(nt, &ne, ev))
			return 1;
	}
	if (nt->reports != before)
		return -1;
	return next_method(nt, ev);
}

static void restart(struct nettrace *nt)
{
	const char *why;

	netfile_open(&nt->nf, nt->nf.bytes, &why);
	netsegment_clear(&nt->segment);
	nt->nmethods = nt->told = 0;
	nt->began = nt->holds = false;
	nt->reports = 0;
	arena_release(&nt->sequences);
	nt->sequence_of = (struct table){ 0 };
	netcode_clear_maps(&nt->code);
}

static struct attr thread_samples(const char *name)
{
	return (struct attr){ .name = str_of(name),
		              .sample_type = NET_SAMPLE_TYPE,
		              .has_callchain = true,
		              .monotonic = true };
}

/* Opens a reader of `bytes`.  `error` is errno if the file could not be mapped, else 0. */
static struct reader *open_bytes(struct str name, struct str bytes, int error,
                                 struct arena *run, struct diag *diag)
{
	struct nettrace *nt = arena_new(run, struct nettrace, 1);
	const char *why = strerror(error);

	nt->base = (struct reader){
		.format = &nettrace_format, .run = run, .diag = diag, .name = name
	};
	if (!bytes.p || !netfile_open(&nt->nf, bytes, &why)) {
		diag_fatal(diag, PRSTR ": cannot be read: %s", STRARG(nt->base.name),
		           why);
		return NULL;
	}
	nt->kinds.run = run;
	nt->managed = thread_samples("managed");
	nt->external = thread_samples("external");
	nt->shown[0] = &nt->managed;
	nt->shown[1] = &nt->external;
	return &nt->base;
}

struct reader *nettrace_over(struct str name, struct str bytes, struct arena *run,
                             struct diag *diag)
{
	struct reader *r = open_bytes(name, bytes, 0, run, diag);

	if (r)
		of(r)->kinds.stackless = true;
	return r;
}

static struct reader *open_nettrace(struct source *s, size_t member, struct arena *run,
                                    struct diag *diag)
{
	struct str bytes = source_map(s, member);

	return open_bytes(s->members[member].name, bytes, errno, run, diag);
}

void nettrace_name_process(struct reader *r, int32_t pid, struct str comm)
{
	keep_comm(of(r), pid, comm);
}

static void rewind_nettrace(struct reader *r)
{
	restart(of(r));
}

static void want_events(struct reader *r, const struct event_names *names)
{
	netevent_kind_want(&of(r)->kinds, names);
}

static bool trace_value(struct reader *r, const struct event *ev, struct str field,
                        struct trace_value *out)
{
	struct nettrace *nt = of(r);
	struct netfield_value v;

	*out = (struct trace_value){ 0 };
	if (!nt->given ||
	    !netfield_find(&nt->given->fields, nt->nf.pointer, ev->payload, field, &v))
		return false;
	if (v.kind == NETFIELD_UTF16)
		v.text = netfield_utf8(&nt->scratch, v.text);
	out->number = v.number;
	out->text = v.text;
	return v.kind == NETFIELD_NUMBER || v.text.n;
}

static struct str trace_fields(struct reader *r, const struct event *ev, struct arena *a)
{
	struct nettrace *nt = of(r);

	return nt->given ? netfield_numbers(&nt->given->fields, nt->nf.pointer,
	                                    ev->payload, a)
	                 : (struct str){ 0 };
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	const struct nettrace *nt = (const struct nettrace *)r;

	/* A damaged block may claim to end after the end of the file, so *done is limited. */
	*total = nt->nf.bytes.n;
	*done = nt->nf.at < *total ? nt->nf.at : *total;
}

/*
 * Returns the attrs of samples.  In version 6, these are only the attrs of the metadata that was
 * read so far.
 */
static size_t attrs(const struct reader *r, const struct attr *const **out)
{
	const struct nettrace *nt = (const struct nettrace *)r;

	*out = nt->nf.version < 6 ? nt->shown : nt->kinds.sampled;
	return nt->nf.version < 6 ? 2 : nt->kinds.nsampled;
}

static void close_nettrace(struct reader *r)
{
	netsegment_clear(&of(r)->segment);
	arena_release(&of(r)->scratch);
	arena_release(&of(r)->sequences);
}

static int bid(struct str head)
{
	return netfile_bid(head) ? 64 : 0;
}

const struct format nettrace_format = {
	.name = "nettrace",
	.traits = { .sets = READ_SAMPLES | READ_ADDRESSES,
	            .rank = 2,
	            .has_ips = true,
	            .is_runtime = true },
	.bid = bid,
	.open = open_nettrace,
	.next = next,
	.rewind = rewind_nettrace,
	.progress = progress,
	.attrs = attrs,
	.want_events = want_events,
	.trace_value = trace_value,
	.trace_fields = trace_fields,
	.close = close_nettrace,
};
