/*
 * Records beside samples, mappings and threads: include/uapi/linux/perf_event.h.
 *
 *	11 00 00 00 00 00 50 00  KSYMBOL, 80 bytes
 *	a4 2d 04 c0 ff ff ff ff  where the code is
 *	fb 00 00 00 01 00 00 00  251 bytes of it, type BPF, no flags
 *	62 70 66 5f 70 72 6f 67  "bpf_prog_..."
 */
#include "reader/perfdata/decode.h"

enum { MISC_SWITCH_OUT = 1 << 13, MISC_SWITCH_PREEMPT = 1 << 14, TAG = 8 };

static bool decode_switch(const struct record *r, struct cursor *c, struct room *room,
                          struct event *ev)
{
	struct other_fields *s = &room->other;

	ev->kind = EV_SWITCH;
	s->out = (r->misc & MISC_SWITCH_OUT) != 0;
	s->preempt = (r->misc & MISC_SWITCH_PREEMPT) != 0;
	s->wide = r->type == REC_SWITCH_CPU_WIDE;
	if (s->wide) {
		s->other_pid = (int32_t)cur_u32(c);
		s->other_tid = (int32_t)cur_u32(c);
	}
	return !c->bad;
}

static bool decode_namespaces(struct cursor *c, struct room *room, struct event *ev)
{
	uint64_t n;

	ev->kind = EV_NAMESPACES;
	ev->pid = (int32_t)cur_u32(c);
	ev->tid = (int32_t)cur_u32(c);
	n = cur_u64(c);
	if (n > cur_left(c) / sizeof(*room->namespaces))
		return false;
	room->namespaces =
	        arena_grow(room->arena, room->namespaces, &room->namespaces_cap, n,
	                   sizeof(*room->namespaces));
	for (uint64_t i = 0; i < n; i++) {
		room->namespaces[i].dev = cur_u64(c);
		room->namespaces[i].ino = cur_u64(c);
	}
	room->other.namespaces = room->namespaces;
	room->other.nnamespaces = n;
	return !c->bad;
}

static bool decode_ksymbol(struct cursor *c, struct other_fields *s, struct event *ev)
{
	ev->kind = EV_KSYMBOL;
	s->addr = cur_u64(c);
	s->len = cur_u32(c);
	s->type = cur_u16(c);
	s->flags = cur_u16(c);
	s->name = cur_zstr(c);
	return !c->bad;
}

static bool decode_bpf(struct cursor *c, struct other_fields *s, struct event *ev)
{
	const char *tag;

	ev->kind = EV_BPF;
	s->type = cur_u16(c);
	s->flags = cur_u16(c);
	s->id = cur_u32(c);
	tag = cur_take(c, TAG);
	if (tag)
		s->name = (struct str){ tag, TAG };
	return !c->bad;
}

static bool decode_cgroup(struct cursor *c, struct other_fields *s, struct event *ev)
{
	ev->kind = EV_CGROUP;
	s->id = cur_u64(c);
	s->name = cur_zstr(c);
	return !c->bad;
}

static bool decode_poke(struct cursor *c, struct other_fields *s, struct event *ev)
{
	size_t nold, nnew;
	const char *old, *new;

	ev->kind = EV_TEXT_POKE;
	s->addr = cur_u64(c);
	nold = cur_u16(c);
	nnew = cur_u16(c);
	old = cur_take(c, nold);
	new = cur_take(c, nnew);
	if (c->bad)
		return false;
	s->old = (struct str){ old, nold };
	s->new = (struct str){ new, nnew };
	return true;
}

static bool decode_aux(struct cursor *c, struct other_fields *s, struct event *ev)
{
	ev->kind = EV_AUX;
	s->addr = cur_u64(c);
	s->len = cur_u64(c);
	s->flags = cur_u64(c);
	return !c->bad;
}

static bool decode_throttle(const struct record *r, struct cursor *c,
                            struct other_fields *s, struct event *ev)
{
	ev->kind = r->type == REC_THROTTLE ? EV_THROTTLE : EV_UNTHROTTLE;
	cur_u64(c); /* time, which the sample id has as well */
	s->id = cur_u64(c);
	s->stream_id = cur_u64(c);
	return !c->bad;
}

bool decode_side(const struct record *r, struct cursor *c, struct room *room,
                 struct event *ev)
{
	struct other_fields *s = &room->other;

	*s = (struct other_fields){ 0 };
	ev->other = s;
	switch (r->type) {
	case REC_SWITCH:
	case REC_SWITCH_CPU_WIDE:
		return decode_switch(r, c, room, ev);
	case REC_NAMESPACES:
		return decode_namespaces(c, room, ev);
	case REC_KSYMBOL:
		return decode_ksymbol(c, s, ev);
	case REC_BPF_EVENT:
		return decode_bpf(c, s, ev);
	case REC_CGROUP:
		return decode_cgroup(c, s, ev);
	case REC_TEXT_POKE:
		return decode_poke(c, s, ev);
	case REC_AUX:
		return decode_aux(c, s, ev);
	case REC_ITRACE_START:
		ev->kind = EV_ITRACE_START;
		ev->pid = (int32_t)cur_u32(c);
		ev->tid = (int32_t)cur_u32(c);
		return !c->bad;
	case REC_THROTTLE:
	case REC_UNTHROTTLE:
		return decode_throttle(r, c, s, ev);
	default:
		return false;
	}
}
