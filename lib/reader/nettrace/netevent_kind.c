#include "reader/nettrace/netevent_kind.h"

#include "reader/format.h"
#include "reader/nettrace/netruntime.h"

bool netevent_kind_number(const struct netevent_kind *k, struct str payload,
                          struct str name, uint64_t *out)
{
	struct netfield_value v;

	if (!netfield_find(&k->fields, k->pointer, payload, name, &v) ||
	    v.kind != NETFIELD_NUMBER)
		return false;
	*out = (uint64_t)v.number;
	return true;
}

bool netevent_kind_text(const struct netevent_kind *k, struct str payload,
                        struct str name, struct str *out)
{
	struct netfield_value v;

	if (!netfield_find(&k->fields, k->pointer, payload, name, &v) ||
	    v.kind != NETFIELD_UTF8)
		return false;
	*out = v.text;
	return true;
}

struct str netevent_kind_utf16(struct cursor *in, struct arena *a)
{
	return netfield_utf8(a, netfield_utf16(in));
}

/*
 * Returns the role of an event.  The role depends on the provider, and on the id (versions 4 and
 * 5) or on the name (version 6).
 */
static enum netevent_kind_role role_of(struct str provider, uint32_t id, struct str name)
{
	static const struct {
		const char *provider;
		/* name of the event, or NULL for any name */
		const char *name;
		uint32_t id;
		enum netevent_kind_role role;
	} roles[] = {
		{ "Microsoft-DotNETCore-SampleProfiler", NULL, 0, NET_THREAD_SAMPLE },
		{ "Microsoft-DotNETCore-EventPipe", NULL, 1, NET_COMMAND },
		/* MethodLoadVerbose and MethodUnloadVerbose, ModuleLoad and ModuleUnload. */
		{ "Microsoft-Windows-DotNETRuntime", NULL, 143, NET_METHOD_LOAD },
		{ "Microsoft-Windows-DotNETRuntime", NULL, 144, NET_METHOD },
		{ "Microsoft-Windows-DotNETRuntime", NULL, 152, NET_MODULE },
		{ "Microsoft-Windows-DotNETRuntime", NULL, 153, NET_MODULE },
		/* MethodDCStartVerbose and MethodDCEndVerbose, ModuleDCStart and ModuleDCEnd. */
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 143, NET_METHOD },
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 144, NET_METHOD },
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 153, NET_MODULE },
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 154, NET_MODULE },
		/* MethodILToNativeMap and MethodDCEndILToNativeMap. */
		{ "Microsoft-Windows-DotNETRuntime", NULL, 190, NET_IL_MAP },
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 149, NET_IL_MAP },
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 150, NET_IL_MAP },
		{ "Universal.System", "ExistingProcess", 0, NET_PROCESS },
		{ "Universal.System", "ProcessCreate", 0, NET_PROCESS },
		{ "Universal.System", "ProcessMapping", 0, NET_MAPPING },
		{ "Universal.System", "ProcessMappingMetadata", 0, NET_FILE },
		{ "Universal.System", "ProcessSymbol", 0, NET_SYMBOL },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (str_eq(provider, str_of(roles[i].provider)) &&
		    (roles[i].name ? str_eq(name, str_of(roles[i].name))
		                   : id == roles[i].id))
			return roles[i].role;
	return str_eq(provider, STR("Universal.Events")) && name.n ? NET_VALUE
	                                                           : NET_IGNORED;
}

/* Returns "Provider/Event", and sets *at to the offset of the event in this name. */
static struct str full_name(struct arena *a, struct str provider, struct str name,
                            uint32_t id, size_t *at)
{
	*at = provider.n + 1;
	if (name.n)
		return arena_fmt(a, PRSTR "/" PRSTR, STRARG(provider), STRARG(name));
	return arena_fmt(a, PRSTR "/%u", STRARG(provider), id);
}

static bool is_wanted(const struct event_names *names, const struct netevent_kind *k)
{
	if (!names)
		return false;
	for (size_t i = 0; i < names->n; i++)
		if (str_eq(names->name[i], k->attr->name) ||
		    str_eq(names->name[i], str_from(k->attr->name, k->event_at)))
			return true;
	return names->all;
}

void netevent_kind_want(struct netevent_kinds *ks, const struct event_names *names)
{
	ks->names = names;
	for (size_t i = 0; i < ks->n; i++)
		ks->kind[i].wanted = is_wanted(names, &ks->kind[i]);
}

static const struct attr *make_attr(struct netevent_kinds *ks, struct str name,
                                    bool runtime)
{
	struct attr *attr = arena_new(ks->run, struct attr, 1);

	attr->name = name;
	attr->sample_type = NET_SAMPLE_TYPE | HAS_CPU;
	if (ks->stackless)
		attr->sample_type &= ~(uint64_t)(HAS_IP | HAS_CALLCHAIN);
	/* Events without a stack also lack an address, so they have an empty call chain. */
	attr->has_callchain = true;
	attr->runtime = runtime;
	attr->monotonic = true; /* EventPipe uses CLOCK_MONOTONIC on Linux */
	return attr;
}

/* A metadata row of any version. */
struct row {
	const char *at; /* position of the row in the file */
	uint32_t metadata, id;
	struct str provider, name;
	struct netfields fields;
};

/*
 * Adds a kind.  If the row was already read before a rewind, keeps the old kind, because events
 * point to its attr.
 */
static void define(struct netevent_kinds *ks, const struct netfile *nf, struct row *row)
{
	uint32_t *at = table_at(&ks->by_id, ks->run, row->metadata, 0);
	const struct netruntime_event *known = netruntime_find(row->provider, row->id);
	struct netevent_kind k = { .row = row->at,
		                   .fields = row->fields,
		                   .pointer = nf->pointer };

	if (*at && ks->kind[*at - 1].row == row->at)
		return;
	k.role = role_of(row->provider, row->id, row->name);
	if (known && !row->name.n)
		row->name = str_of(known->name);
	if (known && known->fields && !netfield_any(&k.fields))
		k.fields = (struct netfields){ NETFIELD_LETTERS, str_of(known->fields) };
	k.attr = make_attr(ks,
	                   k.role == NET_VALUE
	                           ? arena_str(ks->run, row->name)
	                           : full_name(ks->run, row->provider, row->name, row->id,
	                                       &k.event_at),
	                   k.role != NET_VALUE);
	k.wanted = is_wanted(ks->names, &k);
	*arena_push(ks->run, ks->kind, ks->n, ks->cap) = k;
	*at = (uint32_t)ks->n;
	if (k.role != NET_VALUE)
		return;
	*arena_push(ks->run, ks->sampled, ks->nsampled, ks->sampled_cap) = k.attr;
}

/* Reads rows of version 6: size of the row, id, provider, event id, event name, fields. */
static bool read_rows(struct netevent_kinds *ks, const struct netfile *nf,
                      struct cursor *in)
{
	netfile_take(in, cur_u16(in));
	while (cur_left(in) && !in->bad) {
		struct cursor bytes = cur_little(netfile_take(in, cur_u16(in)));
		struct row row = { .at = bytes.p,
			           .metadata = (uint32_t)cur_uleb(&bytes) };

		row.provider = netfile_string(&bytes);
		row.id = (uint32_t)cur_uleb(&bytes);
		row.name = netfile_string(&bytes);
		if (bytes.bad)
			return false;
		row.fields =
		        (struct netfields){ NETFIELD_V6, str_span(bytes.p, bytes.end) };
		define(ks, nf, &row);
	}
	return !in->bad;
}

/*
 * Reads rows of versions 4 and 5.  Each row is an event.  The payload of the event contains id,
 * provider, event id and event name.
 */
static bool read_events(struct netevent_kinds *ks, const struct netfile *nf,
                        const struct netblock *block)
{
	arena_scope(scratch);
	struct netevents it;
	struct netevent ev;

	if (!netfile_events(&it, nf, block))
		return false;
	while (netfile_next_event(&it, &ev)) {
		struct cursor in = cur_little(ev.payload);
		struct row row = { .at = ev.payload.p, .metadata = cur_u32(&in) };

		row.provider = netevent_kind_utf16(&in, &scratch);
		row.id = cur_u32(&in);
		if (in.bad)
			continue;
		row.name = netevent_kind_utf16(&in, &scratch);
		if (!in.bad)
			row.fields = netfield_read_metadata(in);
		define(ks, nf, &row);
	}
	return !it.in.bad;
}

bool netevent_kind_read(struct netevent_kinds *ks, const struct netfile *nf,
                        const struct netblock *block)
{
	struct cursor in = cur_little(block->bytes);

	return nf->version < 6 ? read_events(ks, nf, block) : read_rows(ks, nf, &in);
}

const struct netevent_kind *netevent_kind_find(const struct netevent_kinds *ks,
                                               uint32_t id)
{
	uint32_t at = table_get(&ks->by_id, id, 0);

	return at ? &ks->kind[at - 1] : NULL;
}
