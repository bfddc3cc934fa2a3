#include "stack/fold_part.h"

static void clear_weights(struct fold *f)
{
	for (stack_id i = 0; i < f->stacks.n; i++) {
		f->stacks.node[i].self = 0;
		f->stacks.node[i].fraction = 0;
	}
}

void fold_part_begin(struct fold *f, struct fold_sent *sent)
{
	*sent = (struct fold_sent){ .labels = f->names.n, .stacks = f->stacks.n };
	sent->base = (struct fold_base){ sent->labels, sent->stacks };
	if (f->origins)
		sent->origins = f->origins->known.n;
	clear_weights(f);
}

static void send_origins(const struct fold *f, struct fold_sent *sent, struct out *to)
{
	const struct origins *o = f->origins;
	size_t n = o ? o->known.n : 0;

	parcel_number(to, n - sent->origins);
	for (; sent->origins < n; sent->origins++) {
		struct origin_ids ids;

		memcpy(&ids, intern_str(&o->known, (str_id)sent->origins).p, sizeof(ids));
		parcel_number(to, ids.label);
		parcel_text(to, intern_str(&o->texts, ids.module));
		parcel_text(to, intern_str(&o->texts, ids.file));
		parcel_number(to, ids.line);
	}
}

void fold_part_send(struct fold *f, struct fold_sent *sent, struct out *to)
{
	const struct stack_node *node = f->stacks.node;
	uint64_t weighty = 0;

	parcel_number(to, sent->base.labels);
	parcel_number(to, sent->base.stacks);
	parcel_number(to, f->names.n - sent->labels);
	for (; sent->labels < f->names.n; sent->labels++)
		parcel_text(to, intern_str(&f->names, (str_id)sent->labels));
	parcel_number(to, f->stacks.n - sent->stacks);
	for (; sent->stacks < f->stacks.n; sent->stacks++) {
		parcel_number(to, node[sent->stacks].parent);
		parcel_number(to, node[sent->stacks].name);
	}
	for (stack_id i = 0; i < f->stacks.n; i++)
		weighty += node[i].self || node[i].fraction;
	parcel_number(to, weighty);
	for (stack_id i = 0; i < f->stacks.n; i++) {
		if (!node[i].self && !node[i].fraction)
			continue;
		parcel_number(to, i);
		parcel_number(to, node[i].self);
		parcel_number(to, node[i].fraction);
	}
	send_origins(f, sent, to);
	clear_weights(f);
}

static str_id label_here(const struct fold_known *k, uint64_t id)
{
	if (id < k->base.labels)
		return (str_id)id;
	return id - k->base.labels < k->nlabels ? k->label[id - k->base.labels] : 0;
}

static stack_id stack_here(const struct fold_known *k, uint64_t id)
{
	if (id < k->base.stacks)
		return (stack_id)id;
	return id - k->base.stacks < k->nstacks ? k->stack[id - k->base.stacks] : 0;
}

static void take_labels(struct fold *f, struct fold_known *k, struct cursor *from)
{
	for (uint64_t n = cur_u64(from); n && !from->bad; n--) {
		*arena_push(f->run, k->label, k->nlabels, k->labels_cap) =
		        intern(&f->names, parcel_take_text(from));
	}
}

static void take_stacks(struct fold *f, struct fold_known *k, struct cursor *from)
{
	for (uint64_t n = cur_u64(from); n && !from->bad; n--) {
		stack_id parent = stack_here(k, cur_u64(from));
		str_id label = label_here(k, cur_u64(from));

		*arena_push(f->run, k->stack, k->nstacks, k->stacks_cap) =
		        stack_push(&f->stacks, parent, label);
	}
}

void fold_part_take(struct fold *f, struct fold_known *k, struct cursor *from)
{
	k->base.labels = cur_u64(from);
	k->base.stacks = cur_u64(from);
	if (k->base.labels > f->names.n || k->base.stacks > f->stacks.n) {
		k->base = (struct fold_base){ 0 };
		from->bad = true;
		return;
	}
	take_labels(f, k, from);
	take_stacks(f, k, from);
	for (uint64_t n = cur_u64(from); n && !from->bad; n--) {
		stack_id id = stack_here(k, cur_u64(from));
		uint64_t self = cur_u64(from);

		stack_add(&f->stacks, id, self, (uint32_t)cur_u64(from));
	}
	for (uint64_t n = cur_u64(from); n && !from->bad; n--) {
		str_id label = label_here(k, cur_u64(from));
		struct origin at = { .module = parcel_take_text(from) };

		at.file = parcel_take_text(from);
		at.line = (uint32_t)cur_u64(from);
		if (f->origins)
			origin_add(f->origins, label, &at);
	}
}
