#include "stack/spots_part.h"

static bool has_weight(struct spot_part *part)
{
	while (part && !part->weight.total && !part->weight.self)
		part = spots_next_part(part);
	return part;
}

static void clear_weights(struct spots *s)
{
	for (size_t i = 0; i < s->input.nparts; i++)
		s->input.part[i].weight = (struct spot_weight){ 0 };
	s->whole = (struct spot_weight){ 0 };
}

void spots_part_begin(struct spots *s, struct spots_sent *sent)
{
	sent->base = sent->slots = s->input.nslots;
	clear_weights(s);
}

void spots_part_send(struct spots *s, struct spots_sent *sent, struct out *to)
{
	const struct spot_slot *slot = s->input.slot;

	parcel_number(to, sent->base);
	parcel_number(to, s->input.nslots - sent->slots);
	for (; sent->slots < s->input.nslots; sent->slots++)
		parcel_object(to, &slot[sent->slots], sizeof(slot[sent->slots]));
	for (size_t i = 0; i < s->input.nslots; i++) {
		struct spot_part *part = s->input.part + slot[i].first;

		if (!has_weight(part))
			continue;
		parcel_number(to, i + 1);
		for (; part; part = spots_next_part(part))
			parcel_object(to, part, sizeof(*part));
	}
	parcel_number(to, 0);
	parcel_object(to, &s->whole, sizeof(s->whole));
	clear_weights(s);
}

/* Finds the parts of the slots that a worker has added. */
static void take_slots(struct spots *s, const struct profile *p,
                       const struct part_sent *frames, struct spots_known *known,
                       struct cursor *from)
{
	for (uint64_t n = cur_u64(from); n && !from->bad; n--) {
		struct spot_slot slot;

		if (!parcel_take_object(from, &slot, sizeof(slot)) ||
		    slot.frame >= frames->base + frames->n) {
			from->bad = true;
			return;
		}
		slot.frame = part_frame(frames, slot.frame);
		*arena_push(s->arena, known->part, known->n, known->cap) =
		        spots_slot(s, p, &slot, slot.caller);
	}
}

/* Adds the weights of a slot, whose first part is `part`. */
static void take_weights(struct spot_part *part, struct cursor *from)
{
	struct spot_part sent;

	for (; part && !from->bad; part = spots_next_part(part)) {
		if (!parcel_take_object(from, &sent, sizeof(sent)) ||
		    sent.more != part->more)
			from->bad = true;
		else
			spots_add_weight(&part->weight, &sent.weight);
	}
}

void spots_part_take(struct spots *s, const struct profile *p,
                     const struct part_sent *frames, struct spots_known *known,
                     struct cursor *from)
{
	uint64_t base = cur_u64(from), at;
	struct spot_weight whole;

	take_slots(s, p, frames, known, from);
	while ((at = cur_u64(from)) && !from->bad) {
		uint32_t part = SPOTS_NO_PART;

		if (at <= base && at <= s->input.nslots)
			part = s->input.slot[at - 1].first;
		else if (at > base && at - base <= known->n)
			part = known->part[at - base - 1];
		if (part == SPOTS_NO_PART)
			from->bad = true;
		else
			take_weights(s->input.part + part, from);
	}
	if (parcel_take_object(from, &whole, sizeof(whole)))
		spots_add_weight(&s->whole, &whole);
}
