/*
 * Runs a graph of babeltrace2: the component source.ctf.fs reads a directory with one stream, and
 * a sink receives its messages.  babeltrace2 prints events of LTTng's user space tracer in this
 * form:
 *
 * 	DotNETRuntime:GCStart_V2: { cpu_id = 0 }, { vpid = 11312, vtid = 11322 },
 * 	        { Count = 2, Depth = 0, Reason = 0, Type = 0, ClrInstanceID = 0, ... }
 *
 * If the runtime writes a payload as a blob, the payload is an array: { length = 194, __data__ =
 * [ ... ] }.
 */
#include "reader/ctf/ctf_worker.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/intern.h"
#include "base/library.h"
#include "base/table.h"
#include "reader/ctf/babeltrace.h"
#include "reader/ctf/ctf_frame.h"
#include "reader/nettrace/netruntime.h"

enum {
	KINDS_MOST = 60000,
	PRINTED = 4096, /* bytes that are read from the start of the library's messages */
};

struct kind {
	uint32_t metadata;
	/* the payload is one byte array, with the layout of a payload in a nettrace */
	bool blob;
	/* event of an EventSource.  The payload contains the name of the event */
	bool source;
};

struct worker {
	struct babeltrace bt;
	struct ctf_frames out;
	const struct ctf_job *job;
	bt_message_iterator *messages;
	struct arena arena;
	struct table kind_of; /* address of an event class -> index of kind + 1 */
	struct kind *kind;
	size_t nkinds, kinds_cap;
	/* count of metadata numbers used so far, for kinds and for EventSource events */
	uint32_t nnumbers;
	struct interner sources;
	/* indexed by str_id in `sources`: metadata number + 1, or 0 */
	uint32_t *source_number;
	size_t source_cap;
	struct table thread_of; /* (pid, tid) -> index + 1 */
	uint32_t nthreads;
	/*
	 * pid -> 2 if the process has the name of its main thread, 1 if it has the name
	 * of another thread
	 */
	struct table named;
	int32_t env_pid; /* pid if the trace has only one process, or -1 */
	uint32_t cpu, sequence;
	struct buffer payload;
	bool complete;
};

/* Returns the member with that name, or NULL. */
static const bt_field *member(const struct worker *w, const bt_field *of,
                              const char *name)
{
	return of ? w->bt.field_structure_borrow_member_field_by_name_const(of, name)
	          : NULL;
}

static bool is(bt_field_class_type type, bt_field_class_type of)
{
	return bt_field_class_type_is(type, of);
}

static bool take_number(const struct worker *w, const bt_field *f, uint64_t *out)
{
	bt_field_class_type type;

	if (!f)
		return false;
	type = w->bt.field_get_class_type(f);
	if (is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		*out = w->bt.field_integer_unsigned_get_value(f);
	else if (is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		*out = (uint64_t)w->bt.field_integer_signed_get_value(f);
	else
		return false;
	return true;
}

static struct str text_of(const struct worker *w, const bt_field *f)
{
	if (!f || !is(w->bt.field_get_class_type(f), BT_FIELD_CLASS_TYPE_STRING))
		return (struct str){ 0 };
	return str_of(w->bt.field_string_get_value(f));
}

/* Returns the ctf_frame_type for a class of fields, or 0 if such fields are skipped. */
static unsigned sent_as(bt_field_class_type type)
{
	if (is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) ||
	    is(type, BT_FIELD_CLASS_TYPE_BOOL))
		return CTF_FRAME_U64;
	if (is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return CTF_FRAME_I64;
	if (is(type, BT_FIELD_CLASS_TYPE_REAL))
		return CTF_FRAME_F64;
	return is(type, BT_FIELD_CLASS_TYPE_STRING) ? CTF_FRAME_UTF8 : 0;
}

static double real_of(const struct worker *w, const bt_field *f, bt_field_class_type type)
{
	if (is(type, BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL))
		return (double)w->bt.field_real_single_precision_get_value(f);
	return w->bt.field_real_double_precision_get_value(f);
}

static void put_field(struct worker *w, const bt_field *f)
{
	bt_field_class_type type = w->bt.field_get_class_type(f);
	uint64_t number = 0;
	double real;

	switch (sent_as(type)) {
	case CTF_FRAME_UTF8:
		ctf_frame_text(&w->payload, text_of(w, f));
		break;
	case CTF_FRAME_F64:
		real = real_of(w, f, type);
		memcpy(&number, &real, sizeof(number));
		wireput_fixed64(&w->payload, number);
		break;
	case CTF_FRAME_U64:
	case CTF_FRAME_I64:
		if (is(type, BT_FIELD_CLASS_TYPE_BOOL))
			number = (uint64_t)w->bt.field_bool_get_value(f);
		else
			take_number(w, f, &number);
		wireput_fixed64(&w->payload, number);
		break;
	default:
		break;
	}
}

/* Appends the descriptions of a row's fields.  Returns their number. */
static uint16_t describe(struct worker *w, const bt_field_class *payload,
                         struct buffer *fields)
{
	uint64_t n = payload ? w->bt.field_class_structure_get_member_count(payload) : 0;
	uint16_t described = 0;

	for (uint64_t i = 0; i < n && described < UINT8_MAX; i++) {
		const bt_field_class_structure_member *m =
		        w->bt.field_class_structure_borrow_member_by_index_const(payload,
		                                                                 i);
		unsigned type = sent_as(w->bt.field_class_get_type(
		        w->bt.field_class_structure_member_borrow_field_class_const(m)));

		if (!type)
			continue;
		ctf_frame_field(fields,
		                str_of(w->bt.field_class_structure_member_get_name(m)),
		                type);
		described++;
	}
	return described;
}

static uint32_t next_number(struct worker *w)
{
	return w->job->first + (w->nnumbers < UINT16_MAX ? w->nnumbers++ : UINT16_MAX);
}

static bool has_member(const struct worker *w, const bt_field_class *payload,
                       const char *name)
{
	return payload &&
	       w->bt.field_class_structure_borrow_member_by_name_const(payload, name);
}

static const char runtime[] = "DotNETRuntime";

/*
 * Splits a name such as "DotNETRuntime:GCStart_V2" into provider and event name.  Removes the
 * version, as nettraces do.
 */
static void name_row(struct worker *w, struct str whole, struct ctf_row *row)
{
	size_t last = str_rfind(whole, '_');
	uint64_t version;

	row->name = whole;
	row->provider = str_cut(&row->name, ':');
	if (!row->name.n) {
		row->name = whole;
		row->provider = STR("ctf");
	}
	if (!str_starts(row->provider, str_of(runtime)))
		return;
	if (str_starts(str_from(whole, last), STR("_V")) &&
	    str_is_dec(str_from(whole, last + 2), &version))
		row->name.n -= whole.n - last;
	row->provider =
	        arena_fmt(&w->arena, "Microsoft-Windows-" PRSTR, STRARG(row->provider));
}

static void define(struct worker *w, const bt_event_class *class, struct kind *k)
{
	const bt_field_class *payload =
	        w->bt.event_class_borrow_payload_field_class_const(class);
	const char *name = w->bt.event_class_get_name(class);
	struct ctf_row row = { .metadata = next_number(w) };
	struct buffer fields = { .arena = &w->arena };
	const struct netruntime_event *known;

	k->metadata = row.metadata;
	name_row(w,
	         name ? str_of(name)
	              : arena_fmt(&w->arena, "%llu",
	                          (unsigned long long)w->bt.event_class_get_id(class)),
	         &row);
	k->source = str_eq(row.name, STR("EventSource")) &&
	            has_member(w, payload, "EventName");
	if (has_member(w, payload, "__data__")) {
		known = netruntime_named(row.provider, row.name);
		k->blob = known && known->fields;
		row.id = k->blob ? known->id : 0;
		if (k->blob)
			row.name = (struct str){ 0 };
	} else {
		row.nfields = describe(w, payload, &fields);
		row.fields = buffer_str(&fields);
	}
	ctf_frame_row(&w->out, &row);
}

static const struct kind *kind_of(struct worker *w, const bt_event_class *class)
{
	uint32_t *at = table_at(&w->kind_of, &w->arena, (uintptr_t) class, 0);

	if (!*at) {
		arena_fit(&w->arena, w->kind, w->nkinds + 1, w->kinds_cap);
		define(w, class, &w->kind[w->nkinds]);
		*at = (uint32_t)++w->nkinds;
	}
	return &w->kind[*at - 1];
}

/*
 * Returns the number for an event of an EventSource.  The payload is text, such as {"TaskID":1}.
 */
static uint32_t source_event(struct worker *w, const struct kind *k,
                             const bt_field *payload)
{
	struct str source = text_of(w, member(w, payload, "EventSourceName"));
	struct str name = text_of(w, member(w, payload, "EventName"));
	struct buffer fields = { .arena = &w->arena };
	struct ctf_row row = { .provider = source, .name = name, .nfields = 1 };
	str_id id;

	if (!source.n || !name.n || w->nnumbers >= KINDS_MOST)
		return k->metadata;
	id = intern(&w->sources,
	            arena_fmt(&w->arena, PRSTR "/" PRSTR, STRARG(source), STRARG(name)));
	arena_fit(&w->arena, w->source_number, id + 1u, w->source_cap);
	if (!w->source_number[id]) {
		row.metadata = next_number(w);
		ctf_frame_field(&fields, STR("Payload"), CTF_FRAME_UTF8);
		row.fields = buffer_str(&fields);
		ctf_frame_row(&w->out, &row);
		w->source_number[id] = row.metadata + 1;
	}
	return w->source_number[id] - 1;
}

/* Appends an array of bytes to the payload. */
static void put_blob(struct worker *w, const bt_field *f)
{
	uint64_t n, byte;

	if (!f || !is(w->bt.field_get_class_type(f), BT_FIELD_CLASS_TYPE_ARRAY))
		return;
	n = w->bt.field_array_get_length(f);
	for (uint64_t i = 0; i < n && i < CTF_FRAME_VALUE; i++) {
		char c;

		if (!take_number(
		            w,
		            w->bt.field_array_borrow_element_field_by_index_const(f, i),
		            &byte))
			return;
		c = (char)byte;
		buffer_put(&w->payload, (struct str){ &c, 1 });
	}
}

static void put_payload(struct worker *w, const struct kind *k, const bt_field *payload)
{
	const bt_field_class *class;
	uint64_t n;

	w->payload.n = 0;
	if (!payload)
		return;
	if (k->blob) {
		put_blob(w, member(w, payload, "__data__"));
		return;
	}
	class = w->bt.field_borrow_class_const(payload);
	n = w->bt.field_class_structure_get_member_count(class);
	for (uint64_t i = 0; i < n; i++)
		put_field(w, w->bt.field_structure_borrow_member_field_by_index_const(
		                     payload, i));
}

static int32_t id_of(const struct worker *w, const bt_field *context, const char *name,
                     const char *kernel, int32_t unknown)
{
	uint64_t id;

	if (take_number(w, member(w, context, name), &id) ||
	    take_number(w, member(w, context, kernel), &id))
		return (int32_t)id;
	return unknown;
}

/*
 * Sends the name of a process: the name of its main thread, or else the name of the first
 * thread that has a name.
 */
static void take_comm(struct worker *w, int32_t pid, int32_t tid, struct str comm)
{
	uint32_t *have = table_at(&w->named, &w->arena, (uint32_t)pid, 0);
	uint32_t rank = pid == tid ? 2 : 1;

	if (!comm.n || *have >= rank)
		return;
	*have = rank;
	ctf_frame_comm(&w->out, pid, comm);
}

static uint32_t thread_of(struct worker *w, const bt_field *context,
                          const bt_field *payload)
{
	int32_t pid = id_of(w, context, "vpid", "pid", w->env_pid);
	int32_t tid = id_of(w, context, "vtid", "tid", -1);
	struct str comm = text_of(w, member(w, context, "procname"));
	uint32_t *at = table_at(&w->thread_of, &w->arena, (uint32_t)pid, (uint32_t)tid);

	if (!*at) {
		*at = ++w->nthreads;
		ctf_frame_thread(&w->out, w->job->first + *at, pid, tid);
	}
	if (!comm.n)
		comm = text_of(w, member(w, payload, "procname"));
	take_comm(w, pid, tid, comm);
	return w->job->first + *at;
}

/* Returns the time in ns on the trace's clock.  LTTng uses CLOCK_MONOTONIC. */
static uint64_t time_of(const struct worker *w, const bt_message *message)
{
	const bt_clock_class *clock =
	        w->bt.message_event_borrow_stream_class_default_clock_class_const(
	                message);
	uint64_t hz, value;

	if (!clock)
		return 0;
	hz = w->bt.clock_class_get_frequency(clock);
	value = w->bt.clock_snapshot_get_value(
	        w->bt.message_event_borrow_default_clock_snapshot_const(message));
	return hz == CLOCK_SECOND_NS || !hz
	               ? value
	               : (uint64_t)((unsigned __int128)value * CLOCK_SECOND_NS / hz);
}

static void take_event(struct worker *w, const bt_message *message)
{
	const bt_event *event = w->bt.message_event_borrow_event_const(message);
	const struct kind *k = kind_of(w, w->bt.event_borrow_class_const(event));
	const bt_field *payload = w->bt.event_borrow_payload_field_const(event);
	struct ctf_event ev = { .metadata = k->metadata,
		                .sequence = ++w->sequence,
		                .cpu = w->cpu,
		                .writer = w->job->writer,
		                .time_ns = time_of(w, message) };

	ev.thread = thread_of(w, w->bt.event_borrow_common_context_field_const(event),
	                      payload);
	if (k->source)
		ev.metadata = source_event(w, k, payload);
	if (ev.metadata == k->metadata) {
		put_payload(w, k, payload);
	} else {
		w->payload.n = 0;
		put_field(w, member(w, payload, "Payload"));
	}
	ev.payload = (struct str){ w->payload.p, w->payload.n };
	ctf_frame_event(&w->out, &ev);
}

static void take_packet(struct worker *w, const bt_message *message)
{
	const bt_packet *packet =
	        w->bt.message_packet_beginning_borrow_packet_const(message);
	uint64_t cpu;

	w->cpu = UINT32_MAX;
	if (take_number(
	            w,
	            member(w, w->bt.packet_borrow_context_field_const(packet), "cpu_id"),
	            &cpu))
		w->cpu = (uint32_t)cpu;
}

/*
 * Reads the pid from the trace's environment.  The environment contains the pid if each process
 * has its own buffers.
 */
static void take_stream(struct worker *w, const bt_message *message)
{
	const bt_stream *stream =
	        w->bt.message_stream_beginning_borrow_stream_const(message);
	const bt_trace *trace = w->bt.stream_borrow_trace_const(stream);
	const bt_value *pid =
	        w->bt.trace_borrow_environment_entry_value_by_name_const(trace, "vpid");
	const bt_value *name = w->bt.trace_borrow_environment_entry_value_by_name_const(
	        trace, "procname");

	if (!pid || w->bt.value_get_type(pid) != BT_VALUE_TYPE_SIGNED_INTEGER)
		return;
	w->env_pid = (int32_t)w->bt.value_integer_signed_get(pid);
	if (name && w->bt.value_get_type(name) == BT_VALUE_TYPE_STRING)
		take_comm(w, w->env_pid, -1, str_of(w->bt.value_string_get(name)));
}

/* Skips n sequence numbers.  The next number then shows how many events were lost. */
static void take_loss(struct worker *w, bt_property_availability known, uint64_t n)
{
	if (known != BT_PROPERTY_AVAILABILITY_AVAILABLE || !n)
		n = 1;
	w->sequence += n < INT32_MAX ? (uint32_t)n : INT32_MAX;
}

static void take_message(struct worker *w, const bt_message *message)
{
	uint64_t n = 0;

	switch (w->bt.message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		take_stream(w, message);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		take_packet(w, message);
		break;
	case BT_MESSAGE_TYPE_EVENT:
		take_event(w, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		take_loss(w, w->bt.message_discarded_events_get_count(message, &n), n);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		take_loss(w, w->bt.message_discarded_packets_get_count(message, &n), n);
		break;
	default:
		break;
	}
}

static bt_graph_simple_sink_component_initialize_func_status begin_sink(
        bt_message_iterator *messages, void *ctx)
{
	struct worker *w = ctx;

	w->messages = messages;
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_INITIALIZE_FUNC_STATUS_OK;
}

static bt_graph_simple_sink_component_consume_func_status consume(
        bt_message_iterator *messages, void *ctx)
{
	struct worker *w = ctx;
	bt_message_array_const got;
	uint64_t n = 0;
	bt_message_iterator_next_status status =
	        w->bt.message_iterator_next(messages, &got, &n);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
		w->complete = true;
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	}
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
	for (uint64_t i = 0; i < n; i++) {
		take_message(w, got[i]);
		w->bt.message_put_ref(got[i]);
	}
	/* If the pipe is closed, its reader has ended or needs no more events, so stop. */
	return w->out.failed ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR
	                     : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

/* Returns source.ctf.fs, which is in the only loaded plugin, or NULL. */
static const bt_component_class_source *find_class(const struct worker *w)
{
	const bt_plugin_set *set = NULL;

	if (w->bt.plugin_find_all_from_file(CTF_PLUGIN, BT_TRUE, &set) !=
	            BT_PLUGIN_FIND_ALL_FROM_FILE_STATUS_OK ||
	    !w->bt.plugin_set_get_plugin_count(set))
		return NULL;
	return w->bt.plugin_borrow_source_component_class_by_name_const(
	        w->bt.plugin_set_borrow_plugin_by_index_const(set, 0), "fs");
}

/* Returns {"inputs": [directory]}, or NULL if memory runs out. */
static bt_value *make_parameters(const struct worker *w)
{
	bt_value *map = w->bt.value_map_create(), *inputs = NULL;

	if (map && w->bt.value_map_insert_empty_array_entry(map, "inputs", &inputs) ==
	                   BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
		w->bt.value_array_append_string_element(inputs, w->job->directory);
	return map;
}

/* Builds the graph.  Returns false if there is no stream, or if the library reports an error. */
static bool build(struct worker *w, bt_graph *graph,
                  const bt_component_class_source *class)
{
	const bt_component_source *source = NULL;
	const bt_component_sink *sink = NULL;
	bt_value *parameters = make_parameters(w);
	const bt_port_output *from;

	if (!parameters ||
	    w->bt.graph_add_source_component(graph, class, "stream", parameters,
	                                     BT_LOGGING_LEVEL_ERROR, &source) !=
	            BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
	    w->bt.graph_add_simple_sink_component(graph, "sink", begin_sink, consume,
	                                          NULL, w, &sink) !=
	            BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return false;
	/* The file is not a stream, because it has no packet. */
	if (!w->bt.component_source_get_output_port_count(source)) {
		w->complete = true;
		return false;
	}
	from = w->bt.component_source_borrow_output_port_by_index_const(source, 0);
	return w->bt.graph_connect_ports(
	               graph, from,
	               w->bt.component_sink_borrow_input_port_by_index_const(sink, 0),
	               NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
}

/*
 * Returns the text that the library printed about an error in metadata.  Only this text contains
 * the position of the error.
 */
static struct str printed(char *buf, size_t n)
{
	ssize_t got = pread(STDERR_FILENO, buf, n, 0);
	struct str text = { buf, got > 0 ? (size_t)got : 0 };

	return str_from(text, str_search(text, STR("At line ")));
}

/*
 * Sends the reason for an error: the printed text, or else the library's first (innermost) cause,
 * or else `otherwise`.
 */
static void send_error(struct worker *w, const char *otherwise)
{
	const bt_error *error = w->bt.current_thread_take_error();
	char buf[PRINTED];
	struct str text = printed(buf, sizeof(buf)), line;

	if (!text.n)
		text = str_of(otherwise);

	if (error && text.p == otherwise && w->bt.error_get_cause_count(error))
		text = str_of(w->bt.error_cause_get_message(
		        w->bt.error_borrow_cause_by_index(error, 0)));
	line = str_trim(str_cut(&text, '\n'));
	ctf_frame_damage(&w->out, line);
}

/* Loads the library.  Returns NULL, or the reason why this failed. */
static const char *load(struct babeltrace *bt)
{
	static const char *const names[] = {
#define NAME_OF(name) "bt_" #name,
		BABELTRACE_CALLS(NAME_OF)
#undef NAME_OF
	};

	return library_open(BABELTRACE, names, sizeof(names) / sizeof(*names), bt);
}

void ctf_worker_load(void)
{
	struct babeltrace bt;

	(void)load(&bt);
}

static void read_stream(struct worker *w)
{
	const bt_component_class_source *class;
	bt_graph *graph;

	w->bt.logging_set_global_level(BT_LOGGING_LEVEL_NONE);
	class = find_class(w);
	graph = w->bt.graph_create(0);
	if (!class || !graph)
		send_error(w, CTF_PLUGIN " cannot be loaded");
	else if ((!build(w, graph, class) ||
	          w->bt.graph_run(graph) != BT_GRAPH_RUN_STATUS_OK) &&
	         !w->complete)
		send_error(w, "babeltrace2 cannot read it");
}

int ctf_worker_run(void *job)
{
	struct worker w = { .job = job, .env_pid = -1, .cpu = UINT32_MAX };
	const char *error = load(&w.bt);

	ctf_frame_begin(&w.out, w.job->fd, &w.arena);
	w.payload.arena = &w.arena;
	w.sequence = w.job->lost;
	intern_init(&w.sources, &w.arena);
	if (error)
		ctf_frame_damage(&w.out, str_of(error));
	else
		read_stream(&w);
	ctf_frame_end(&w.out, w.complete);
	return w.complete ? 0 : 1;
}
