#include "reader/otlp/otlp.h"

#include "reader/fields.h"
#include "reader/otlp/otlp_dictionary.h"
#include "reader/otlp/otlp_fields.h"
#include "reader/otlp/otlp_groups.h"

enum {
	BID = 36,
	PREFIX = 4,            /* size of the length that precedes a message */
	LISTED_MOST = 1 << 20, /* maximum length of otlp.listed */
	OLD_ENOUGH = 64 /* this many samples with evidence prove the layout of 1.9 */
};

/* A Profile, and the process in its resource. */
struct scoped {
	struct str bytes, comm;
	size_t part, column;
	int32_t pid;
};

struct otlp {
	struct located l;
	struct otlp_dictionary *dictionary;
	struct scoped *profile;
	size_t nprofiles, profiles_cap, attrs_cap;
	bool old;  /* samples have the layout of versions 1.8 and 1.9 */
	bool cut;  /* the last message is truncated */
	size_t at; /* index of the current profile */
	struct cursor in;
	/* The attributes to which the current profile refers by index. */
	const struct otlp_attribute *attribute;
	size_t nattributes;
	uint64_t first_ns, last_ns; /* times of the first and of the last sample, or 0 */
	/* The samples that are delivered if reader_skim is on. */
	struct listed {
		size_t profile;
		struct str bytes;
	} * listed, first, last; /* samples at first_ns and last_ns */
	size_t nlisted, listed_cap, nskimmed;
	bool unlisted; /* reader_skim has no effect: all samples are delivered */
	struct otlp_groups groups;
	size_t group; /* index of the next group */
	/* Values and times of the current sample that were not delivered yet. */
	struct str values, times;
	size_t turn, turns;
};

static struct otlp *of(struct reader *r)
{
	return (struct otlp *)r;
}

/* Returns the column for a type of values. */
static size_t column_of(struct otlp *o, size_t part, struct str type)
{
	uint64_t field[TYPE_UNIT + 1];
	struct located *l = &o->l;
	struct str name, unit;
	size_t i = 0;

	wire_read(type, field, TYPE_UNIT + 1);
	name = otlp_dictionary_string(o->dictionary, part, field[TYPE_TYPE]);
	unit = otlp_dictionary_string(o->dictionary, part, field[TYPE_UNIT]);
	while (i < l->nattrs &&
	       (!str_eq(l->attr[i].name, name) || !str_eq(l->attr[i].unit, unit)))
		i++;
	if (i < l->nattrs)
		return i;
	*arena_push(l->base.run, l->attr, l->nattrs, o->attrs_cap) =
	        located_attr(name, unit);
	return i;
}

/*
 * The evidence about the layout of samples.  Damaged samples do not count.  Once the evidence
 * decides the layout, later samples are not examined.
 */
struct layout {
	unsigned old; /* number of samples with evidence of the old layout */
	/*
	 * recent: a sample has evidence of the new layout.  beyond: at least one number in
	 * field 2 cannot be the index of an attribute
	 */
	bool recent, beyond;
	bool older; /* version 1.7 or older */
};

static bool is_decided(const struct layout *is)
{
	return is->recent || is->old >= OLD_ENOUGH;
}

/*
 * Updates *is, the evidence about the layout, from a sample.  most: number of attributes in the
 * part of the sample.
 */
static void judge_sample(size_t most, struct str bytes, struct layout *is)
{
	struct cursor in = cur_little(bytes), numbers;
	struct layout found = *is;
	bool old = false, bad = false;
	struct wire w;

	while (wire_next(&in, &w)) {
		if (w.field == SAMPLE_STACK || w.field == SAMPLE_TIMES)
			continue;
		old |= (w.field == SAMPLE_LINK && w.type == WIRE_BYTES) ||
		       (w.field == SAMPLE_VALUES && w.type == WIRE_VARINT);
		found.recent |= (w.field == SAMPLE_LINK && w.type == WIRE_VARINT) ||
		                (w.field == SAMPLE_VALUES && w.type == WIRE_BYTES);
		numbers = wire_numbers(&w);
		while (w.field == SAMPLE_ATTRIBUTES && cur_left(&numbers) && !numbers.bad)
			found.beyond |= cur_uleb(&numbers) >= most;
		bad |= numbers.bad;
	}
	found.old += old;
	if (!in.bad && !bad)
		*is = found;
}

/* Updates *is from the samples of a profile, until the evidence is sufficient. */
static void judge_profile(struct otlp *o, const struct scoped *p, struct layout *is)
{
	struct cursor in = cur_little(p->bytes);
	struct wire w;
	size_t most;

	otlp_dictionary_attributes(o->dictionary, p->part, &most);
	while (!is_decided(is) && !budget_spent(o->l.base.budget) && wire_next(&in, &w))
		if (w.field == PROFILE_SAMPLE && w.type == WIRE_BYTES)
			judge_sample(most, w.bytes, is);
}

static bool is_id(int64_t number)
{
	return number >= 0 && number <= INT32_MAX;
}

/* Reads the process that a resource describes. */
static void take_resource(struct otlp *o, struct str bytes, struct scoped *p)
{
	struct cursor in = cur_little(bytes);
	struct str path = { 0 }, service = { 0 };
	struct wire w;

	while (wire_next(&in, &w)) {
		struct otlp_attribute a = { .number = -1 };

		if (w.field == RESOURCE_ATTRIBUTE && w.type == WIRE_BYTES)
			a = otlp_dictionary_read(o->dictionary, p->part, w.bytes);
		if (a.role == OTLP_PID && is_id(a.number))
			p->pid = (int32_t)a.number;
		else if (str_eq(a.key, STR("process.executable.name")))
			p->comm = a.text;
		else if (str_eq(a.key, STR("process.executable.path")))
			path = str_base(a.text);
		else if (str_eq(a.key, STR("service.name")))
			service = a.text;
	}
	if (in.bad)
		located_damaged(&o->l, bytes, "a damaged resource");
	if (!p->comm.n)
		p->comm = path.n ? path : service;
}

static void take_scope(struct otlp *o, struct str bytes, const struct scoped *of,
                       struct layout *is)
{
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (!budget_spent(o->l.base.budget) && wire_next(&in, &w)) {
		struct scoped p = *of;

		p.bytes = w.bytes;
		if (w.field != SCOPE_PROFILES || w.type != WIRE_BYTES)
			continue;
		judge_profile(o, &p, is);
		*arena_push(o->l.base.run, o->profile, o->nprofiles, o->profiles_cap) = p;
	}
	if (in.bad)
		located_damaged(&o->l, bytes, "the profiles of a scope are damaged");
}

static void take_resource_profiles(struct otlp *o, size_t part, struct str bytes,
                                   struct layout *is)
{
	struct scoped p = { .part = part, .pid = -1 };
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == RESOURCE_PROFILES_RESOURCE && w.type == WIRE_BYTES)
			take_resource(o, w.bytes, &p);
	in = cur_little(bytes);
	while (!budget_spent(o->l.base.budget) && wire_next(&in, &w))
		if (w.field == RESOURCE_PROFILES_SCOPE && w.type == WIRE_BYTES)
			take_scope(o, w.bytes, &p, is);
	if (in.bad)
		located_damaged(&o->l, bytes, "the profiles of a resource are damaged");
}

static void read_part(struct otlp *o, struct str bytes, struct layout *is)
{
	struct cursor in = cur_little(bytes), table;
	struct wire w, entry;
	size_t part;

	while (wire_next(&in, &w)) {
		table = cur_little(w.bytes);
		if (w.field != DATA_DICTIONARY || w.type != WIRE_BYTES)
			continue;
		while (!budget_spent(o->l.base.budget) && wire_next(&table, &entry))
			if (!otlp_dictionary_take(o->dictionary, &entry))
				located_damaged(&o->l, entry.whole,
				                "a damaged entry of a table");
		if (table.bad)
			located_damaged(&o->l, w.whole, "a damaged dictionary");
	}
	if (in.bad && !o->cut)
		located_damaged(&o->l, str_span(in.p, in.p),
		                "a message is damaged or truncated");
	part = otlp_dictionary_settle(o->dictionary);
	in = cur_little(bytes);
	while (!budget_spent(o->l.base.budget) && wire_next(&in, &w))
		if (w.field == DATA_RESOURCE_PROFILES && w.type == WIRE_BYTES)
			take_resource_profiles(o, part, w.bytes, is);
}

bool otlp_message(struct str *rest, struct str *out, bool *cut)
{
	const unsigned char *p = (const unsigned char *)rest->p;
	uint64_t n;

	if (!rest->n)
		return false;
	/*
	 * If the first byte is at least 8, it is the tag of a field, not the start of a length.
	 * The rest of the file is then one message.
	 */
	if (*p >> 3) {
		*out = *rest;
		*rest = (struct str){ 0 };
		return true;
	}
	*cut |= rest->n < PREFIX;
	if (rest->n < PREFIX)
		return false;
	n = (uint64_t)p[0] << 24 | (uint64_t)p[1] << 16 | (uint64_t)p[2] << 8 | p[3];
	*rest = str_from(*rest, PREFIX);
	*cut |= n > rest->n;
	*out = str_head(*rest, n);
	*rest = str_from(*rest, n);
	return true;
}

static void begin_profile(struct otlp *o, size_t at)
{
	o->at = at;
	o->in = cur_little((struct str){ 0 });
	if (at >= o->nprofiles)
		return;
	o->in = cur_little(o->profile[at].bytes);
	o->attribute = otlp_dictionary_attributes(o->dictionary, o->profile[at].part,
	                                          &o->nattributes);
}

static void rewind_otlp(struct reader *r)
{
	struct otlp *o = of(r);

	located_restart(&o->l);
	o->turn = o->turns = o->nskimmed = o->group = 0;
	begin_profile(o, 0);
}

static void take_attribute(struct otlp *o, const struct otlp_attribute *a)
{
	struct located_sample *s = &o->l.sample;

	if (a->role == OTLP_THREAD_NAME)
		s->comm = a->text;
	else if (a->role == OTLP_THREAD_ID && is_id(a->number))
		s->tid = (int32_t)a->number;
	else if (a->role == OTLP_PID && is_id(a->number))
		s->pid = (int32_t)a->number;
}

/* Returns false if the last number is incomplete. */
static bool take_attributes(struct otlp *o, const struct wire *w)
{
	struct cursor in = wire_numbers(w);

	while (cur_left(&in) && !in.bad) {
		uint64_t i = cur_uleb(&in);

		if (i < o->nattributes && o->attribute[i].role)
			take_attribute(o, &o->attribute[i]);
	}
	return !in.bad;
}

static size_t count_varints(struct str packed)
{
	size_t n = 0;

	for (size_t i = 0; i < packed.n; i++)
		n += !((unsigned char)packed.p[i] >> 7);
	return n;
}

/* Takes the values of a sample.  Writers pack them into one field. */
static bool take_values(struct otlp *o, const struct wire *w)
{
	struct cursor numbers = wire_numbers(w);

	if (o->values.n)
		return false;
	o->values = str_span(numbers.p, numbers.end);
	return !wire_is_cut(o->values);
}

/* Reads a sample into o->l.sample, `values` and `times`.  Returns false if it is damaged. */
static inline bool parse_sample(struct otlp *o, const struct scoped *p, struct str bytes)
{
	uint32_t attributes = o->old ? SAMPLE_OLD_ATTRIBUTES : SAMPLE_ATTRIBUTES;
	uint32_t values = o->old ? SAMPLE_OLD_VALUES : SAMPLE_VALUES;
	struct cursor in = cur_little(bytes);
	bool whole = true;
	struct wire w;

	located_begin(&o->l, (uint64_t)(bytes.p - o->l.bytes.p));
	o->l.sample.pid = p->pid;
	o->l.sample.comm = p->comm;
	o->values = o->times = (struct str){ 0 };
	o->turn = o->turns = 0;
	while (wire_next_short(&in, &w))
		if (w.field == SAMPLE_STACK && w.type == WIRE_VARINT)
			o->l.sample.stack =
			        otlp_dictionary_stack(o->dictionary, p->part, w.n);
		else if (w.field == attributes)
			whole &= take_attributes(o, &w);
		else if (w.field == values)
			whole &= take_values(o, &w);
		else if (w.field == SAMPLE_TIMES && w.type == WIRE_BYTES)
			o->times = w.bytes;
	return whole && !in.bad;
}

static bool take_sample(struct otlp *o, const struct scoped *p, struct str bytes)
{
	if (!parse_sample(o, p, bytes)) {
		if (format_tells(&o->l.base, o->l.sample.at))
			located_damaged(&o->l, bytes, "a damaged sample");
		return false;
	}
	/* One value of a sample without times is enough for reader_skim. */
	if (o->l.skims && !o->times.n)
		o->turns = o->values.n != 0;
	else if (o->values.n)
		o->turns = count_varints(o->values);
	else
		o->turns = o->times.n / sizeof(uint64_t);
	return true;
}

/* Sets the value of the current sample in the column of its profile. */
static void set_value(struct otlp *o, size_t column, int64_t value)
{
	o->l.turn = o->l.sample.nvalues = 0;
	for (size_t i = 0; i < o->l.nattrs; i++)
		located_value(&o->l, i == column ? value : 0);
}

/* Moves to the next value of the sample. */
static void take_turn(struct otlp *o)
{
	struct cursor values = cur_little(o->values), times = cur_little(o->times);
	int64_t value = o->values.n ? (int64_t)cur_uleb(&values) : 1;
	struct located *l = &o->l;

	o->values = str_span(values.p, values.end);
	l->sample.time_ns = o->times.n ? cur_u64(&times) : 0;
	o->times = str_span(times.p, times.end);
	set_value(o, o->profile[o->at].column, value);
	o->turn++;
}

/*
 * Sets the times of a group from those of the current sample, and updates the first and the last
 * time of the file.
 */
static void take_times(struct otlp *o, struct listed at, struct otlp_group *out)
{
	struct cursor in = cur_little(o->times);

	while (cur_left(&in) >= sizeof(uint64_t)) {
		uint64_t ns = cur_u64(&in);

		if (!out->last_ns || ns < out->first_ns)
			out->first_ns = ns;
		if (ns > out->last_ns)
			out->last_ns = ns;
	}
	if (out->last_ns && (!o->last_ns || out->first_ns < o->first_ns)) {
		o->first_ns = out->first_ns;
		o->first = at;
	}
	if (out->last_ns > o->last_ns) {
		o->last_ns = out->last_ns;
		o->last = at;
	}
}

static void list_sample(struct otlp *o, struct listed sample)
{
	o->unlisted |= o->nlisted == LISTED_MOST;
	if (!o->unlisted)
		*arena_push(o->l.base.run, o->listed, o->nlisted, o->listed_cap) = sample;
}

/*
 * Adds the values of the current sample to *sum.  Returns false if a value is negative, because
 * this is reported for each sample, or if the sum is too large.
 */
static bool sum_values(const struct otlp *o, struct otlp_group *sum)
{
	struct cursor in = cur_little(o->values);

	if (!o->values.n) {
		sum->n = (uint32_t)(o->times.n / sizeof(uint64_t));
		sum->weight = sum->n;
	}
	while (cur_left(&in)) {
		int64_t value = (int64_t)cur_uleb(&in);

		sum->n += value != 0;
		if (value < 0 || __builtin_add_overflow(sum->weight, value, &sum->weight))
			return false;
	}
	return true;
}

/*
 * Adds the sample to a group, and lists it for reader_skim if it may be the first with its stack.
 * at: the sample, with the index of its profile.
 */
static void index_sample(struct otlp *o, struct listed at)
{
	const struct scoped *p = &o->profile[at.profile];
	const struct located_sample *s = &o->l.sample;
	struct otlp_group sum = { 0 };
	bool added = true;

	if (!parse_sample(o, p, at.bytes)) {
		otlp_groups_drop(&o->groups);
		return;
	}
	take_times(o, at, &sum);
	sum.at = s->at;
	sum.stack = s->stack;
	if (!o->values.n && o->times.n < sizeof(uint64_t))
		return;
	if (!sum_values(o, &sum))
		otlp_groups_drop(&o->groups);
	else if (sum.n)
		added = otlp_groups_add(
		        &o->groups,
		        &(struct otlp_thread){ at.profile, s->pid, s->tid, s->comm },
		        &sum);
	if (added && !located_skips(&o->l, s->stack, p->pid))
		list_sample(o, at);
}

/* Reads the samples of a profile once.  Sets *older if the profile has the layout of 1.7. */
static void index_profile(struct otlp *o, size_t i, bool *older)
{
	struct scoped *p = &o->profile[i];
	struct cursor in = cur_little(p->bytes);
	struct str type = { 0 };
	struct wire w;

	begin_profile(o, i);
	for (size_t a = 0; a < o->nattributes; a++)
		o->unlisted |= o->attribute[a].role == OTLP_PID;
	while (!budget_spent(o->l.base.budget) && wire_next_short(&in, &w)) {
		located_give_back(&o->l, w.whole.p);
		if (w.field == PROFILE_TYPE && w.type == WIRE_BYTES)
			type = w.bytes;
		else if (w.field == PROFILE_SAMPLE && w.type == WIRE_BYTES)
			index_sample(o, (struct listed){ i, w.bytes });
		else if (w.field == PROFILE_TIME && w.type == WIRE_BYTES)
			*older = true;
	}
	if (in.bad)
		located_damaged(&o->l, p->bytes, "a damaged profile");
	p->column = column_of(o, p->part, type);
}

/*
 * Chooses the layout, and reads all samples once.  If the file has an unsupported old version,
 * reports this and returns -1.
 */
static int index_samples(struct otlp *o, const struct layout *is)
{
	struct reader *r = &o->l.base;
	bool older = is->older;

	o->old = !is->recent && (is->old || is->beyond);
	for (size_t i = 0; i < o->nprofiles; i++)
		index_profile(o, i, &older);
	if (budget_is_spent(r->budget))
		return 0;
	if (older || (!otlp_dictionary_has_strings(o->dictionary) && o->nprofiles))
		return diag_fatal(r->diag,
		                  PRSTR ": profiles of OTLP 1.7 or earlier, whose layout "
		                        "has changed since; write them with 1.8 or later",
		                  STRARG(r->name));
	if (!is->recent && !is->old && !is->beyond && o->nprofiles)
		diag_warn(r->diag,
		          PRSTR
		          ": samples fit the layouts of OTLP 1.9 and 1.10; they are "
		          "read as 1.10",
		          STRARG(r->name));
	return 0;
}

static void list_stack(struct located *l, uint32_t stack)
{
	otlp_dictionary_frames(((struct otlp *)l)->dictionary, stack);
}

/* Sets *out to the next sample.  Returns false at the end. */
static bool next_sample(struct otlp *o, struct str *out)
{
	bool skims = o->l.skims && !o->unlisted;
	struct wire w;

	while (!skims && o->at < o->nprofiles) {
		if (!wire_next_short(&o->in, &w)) {
			begin_profile(o, o->at + 1);
		} else if (w.field == PROFILE_SAMPLE && w.type == WIRE_BYTES) {
			located_give_back(&o->l, w.bytes.p);
			*out = w.bytes;
			return true;
		}
	}
	if (!skims || o->nskimmed == o->nlisted)
		return false;
	if (o->at != o->listed[o->nskimmed].profile)
		begin_profile(o, o->listed[o->nskimmed].profile);
	*out = o->listed[o->nskimmed++].bytes;
	located_give_back(&o->l, out->p);
	return true;
}

/* Begins the next group of samples.  Returns false at the end. */
static bool next_group(struct otlp *o)
{
	const struct otlp_group *g = &o->groups.group[o->group];
	const struct otlp_thread *t;

	if (o->group == o->groups.n) {
		o->at = o->nprofiles;
		return false;
	}
	o->group++;
	t = &o->groups.thread[g->thread];
	located_begin(&o->l, g->at);
	o->in.p = o->l.bytes.p + g->at;
	o->l.sample.pid = t->pid;
	o->l.sample.tid = t->tid;
	o->l.sample.comm = t->comm;
	o->l.sample.stack = g->stack;
	o->l.sample.repeats = g->n - 1;
	o->l.sample.time_ns = g->first_ns;
	o->l.sample.until_ns = g->last_ns;
	o->l.sample.is_sum = true;
	set_value(o, o->profile[t->profile].column, g->weight);
	return true;
}

static int read_sample(struct located *l)
{
	struct otlp *o = (struct otlp *)l;
	struct str sample;

	if (l->joins && !l->skims && !o->groups.dropped && (l->undated || !o->last_ns))
		return next_group(o);
	while (o->turn >= o->turns) {
		if (!next_sample(o, &sample))
			return 0;
		if (!take_sample(o, &o->profile[o->at], sample))
			return -1;
	}
	take_turn(o);
	return 1;
}

static struct reader *open_over(struct otlp *o, struct layout is)
{
	struct str rest = o->l.bytes, message;

	o->l.read = read_sample;
	o->l.list = list_stack;
	o->dictionary = otlp_dictionary_new(&o->l);
	otlp_groups_init(&o->groups, o->l.base.run);
	while (!budget_spent(o->l.base.budget) && otlp_message(&rest, &message, &o->cut))
		read_part(o, message, &is);
	if (o->cut)
		located_damaged(&o->l, str_from(o->l.bytes, o->l.bytes.n),
		                "the last message is truncated");
	if (index_samples(o, &is) < 0)
		return NULL;
	o->l.dated = o->last_ns;
	for (size_t i = 0; i < o->l.nattrs && o->last_ns; i++)
		o->l.attr[i].sample_type |= HAS_TIME;
	if (o->last_ns) {
		list_sample(o, o->first);
		list_sample(o, o->last);
	}
	located_settle(&o->l);
	rewind_otlp(&o->l.base);
	return &o->l.base;
}

static struct reader *open_otlp(struct source *s, size_t member, struct arena *run,
                                struct diag *diag)
{
	struct otlp *o = arena_new(run, struct otlp, 1);

	return located_open(&o->l, &otlp_format, s, member, run, diag)
	               ? open_over(o, (struct layout){ 0 })
	               : NULL;
}

struct reader *otlp_over(struct source *s, size_t member, struct str made, bool older,
                         struct arena *run, struct diag *diag)
{
	struct otlp *o = arena_new(run, struct otlp, 1);

	if (!located_open(&o->l, &otlp_format, s, member, run, diag))
		return NULL;
	o->l.bytes = made;
	o->l.made = true;
	return open_over(o, (struct layout){ .recent = true, .older = older });
}

static struct location location(struct reader *r, uint32_t number)
{
	return otlp_dictionary_location(of(r)->dictionary, number);
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	const struct otlp *o = (const struct otlp *)r;

	*total = o->l.bytes.n;
	*done = o->at < o->nprofiles ? (uint64_t)(o->in.p - o->l.bytes.p) : *total;
}

/*
 * Returns true if the first fields of a message are messages or strings with field numbers below
 * `most`.  cut: more bytes may follow.  Sets *first to the content of the first field.
 */
static bool has_messages(struct str bytes, uint64_t most, bool cut, struct str *first)
{
	struct cursor in = cur_little(bytes);

	*first = (struct str){ 0 };
	while (cur_left(&in)) {
		uint64_t tag = cur_uleb(&in), n = cur_uleb(&in);

		if ((tag & 7) != WIRE_BYTES || !(tag >> 3) || tag >> 3 >= most)
			return false;
		if (in.bad || n > cur_left(&in)) {
			if (!cut)
				return false;
			n = cur_left(&in);
		}
		if (!first->n)
			*first = (struct str){ in.p, n };
		cur_take(&in, n);
	}
	return true;
}

/*
 * Recognises the first resource or dictionary by its first entry: an attribute of the resource, a
 * scope, or an entry of a table.
 */
static int bid(struct str head)
{
	bool cut = head.n >= SOURCE_HEAD, ends = false;
	struct str rest = head, first, second;

	if (!otlp_message(&rest, &head, &ends) || !head.n ||
	    !has_messages(head, DATA_DICTIONARY + 1, cut, &first) || !first.n)
		return 0;
	cut &= first.p + first.n == head.p + head.n;
	return has_messages(first, OTLP_STACK + 1, cut, &second) && second.n ? BID : 0;
}

const struct format otlp_format = {
	.name = "otlp",
	.traits = { LOCATED_TRAITS, .again = STR("otlp") },
	.bid = bid,
	.open = open_otlp,
	LOCATED_FUNCTIONS,
	.rewind = rewind_otlp,
	.progress = progress,
	.capture = located_capture,
	.skim = located_skim,
	.join = located_join,
	.location = location,
	.written = located_written,
};
