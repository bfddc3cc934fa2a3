#include "writer/script/records.h"

#include "reader/fields.h"
#include "writer/script/lines.h"

/* Values of PROT_*, MAP_SHARED and PERF_RECORD_MISC_MMAP_BUILD_ID in Linux. */
enum { READ = 1, WRITE = 2, EXEC = 4, SHARED = 1, MISC_BUILD_ID = 1 << 14 };

/* Writes v like printf's "%#llx": 0 has no prefix. */
static void write_hex(struct out *o, uint64_t v)
{
	if (v)
		out_str(o, STR("0x"));
	out_hex(o, v, 0);
}

/* Writes " 4711/4712". */
static void write_owner(struct out *o, const struct event *ev)
{
	out_fmt(o, " %d/%d", ev->pid, ev->tid);
}

static void write_mmap(struct out *o, const struct event *ev)
{
	const struct mmap_event *m = &ev->map;

	out_str(o, m->brief ? STR("MMAP") : STR("MMAP2"));
	write_owner(o, ev);
	out_str(o, STR(": ["));
	write_hex(o, m->start);
	out_char(o, '(');
	write_hex(o, m->len);
	out_str(o, STR(") @ "));
	write_hex(o, m->file_off);
	if (!m->brief && ev->misc & MISC_BUILD_ID) {
		out_str(o, STR(" <"));
		out_bytes(o, m->build_id);
		out_char(o, '>');
	} else if (!m->brief) {
		out_fmt(o, " %02x:%02x %llu %llu", m->maj, m->min,
		        (unsigned long long)m->ino, (unsigned long long)m->ino_gen);
	}
	out_str(o, STR("]: "));
	if (m->brief)
		out_char(o, m->prot & EXEC ? 'x' : 'r');
	else
		out_fmt(o, "%c%c%c%c", m->prot & READ ? 'r' : '-',
		        m->prot & WRITE ? 'w' : '-', m->prot & EXEC ? 'x' : '-',
		        m->flags & SHARED ? 's' : 'p');
	out_char(o, ' ');
	out_name(o, m->recorded);
	out_char(o, '\n');
}

static void write_comm(struct out *o, const struct event *ev)
{
	out_str(o, STR("COMM"));
	out_str(o, ev->exec ? STR(" exec: ") : STR(": "));
	out_name(o, ev->comm);
	out_fmt(o, ":%d/%d\n", ev->pid, ev->tid);
}

static void write_task(struct out *o, const char *what, const struct event *ev)
{
	out_fmt(o, "%s(%d:%d):(%d:%d)\n", what, ev->pid, ev->tid, ev->ppid, ev->ptid);
}

static void write_switch(struct out *o, const struct other_fields *s)
{
	out_str(o, s->wide ? STR("SWITCH_CPU_WIDE ") : STR("SWITCH "));
	out_str(o, !s->out      ? STR("IN         ")
	           : s->preempt ? STR("OUT preempt")
	                        : STR("OUT        "));
	if (s->wide)
		out_fmt(o, "  %s pid/tid: %5d/%-5d", s->out ? "next" : "prev",
		        s->other_pid, s->other_tid);
	out_char(o, '\n');
}

static void write_namespaces(struct out *o, const struct event *ev)
{
	static const char *const names[] = { "net",  "uts", "ipc",   "pid",
		                             "user", "mnt", "cgroup" };
	const struct other_fields *s = ev->other;

	out_str(o, STR("NAMESPACES"));
	write_owner(o, ev);
	out_fmt(o, " - nr_namespaces: %u\n\t\t[", (unsigned)s->nnamespaces);
	for (size_t i = 0; i < s->nnamespaces; i++) {
		if (i && i % 4 == 0)
			out_str(o, STR("\n\t\t "));
		out_fmt(o, "%zu/%s: %llu/", i,
		        i < sizeof(names) / sizeof(*names) ? names[i] : "UNKNOWN",
		        (unsigned long long)s->namespaces[i].dev);
		write_hex(o, s->namespaces[i].ino);
		out_str(o, i + 1 < s->nnamespaces ? STR(", ") : STR("]\n"));
	}
}

static void write_ksymbol(struct out *o, const struct other_fields *s)
{
	out_str(o, STR("KSYMBOL addr "));
	out_hex(o, s->addr, 0);
	out_fmt(o, " len %llu type %u flags 0x%llx name ", (unsigned long long)s->len,
	        s->type, (unsigned long long)s->flags);
	out_name(o, s->name);
	out_char(o, '\n');
}

/*
 * Writes the text in a zero-padded field of `room` bytes, aligned to the right in `width`
 * columns.
 */
static void write_padded(struct out *o, const char *field, size_t room, size_t width)
{
	struct str s = { field, strnlen(field, room) };

	for (size_t i = s.n; i < width; i++)
		out_char(o, ' ');
	out_name(o, s);
}

static void write_notes(struct out *o, const struct other_fields *s)
{
	const size_t step = BPF_NOTE_KEY + BPF_NOTE_VALUE;

	out_str(o, STR("BPF_METADATA prog "));
	out_name(o, s->name);
	out_char(o, '\n');
	for (size_t i = 0; i < s->notes.n / step; i++) {
		const char *key = s->notes.p + i * step;

		out_fmt(o, "  entry %zu: ", i);
		write_padded(o, key, BPF_NOTE_KEY, 20);
		out_str(o, STR(" = "));
		write_padded(o, key + BPF_NOTE_KEY, BPF_NOTE_VALUE, 0);
		out_char(o, '\n');
	}
}

static void write_bytes(struct out *o, const char *which, struct str bytes)
{
	for (size_t i = 0; i < bytes.n; i++) {
		if (i % 16 == 0)
			out_fmt(o, "            %s bytes:", which);
		out_fmt(o, " %02x", (unsigned char)bytes.p[i]);
		if (i % 16 == 15 || i == bytes.n - 1)
			out_char(o, '\n');
	}
}

static void write_poke(struct script *sc, struct out *o, const struct other_fields *s)
{
	struct placed at = profile_lookup(sc->profile, -1, s->addr, MODE_KERNEL);
	const struct resolved *r = profile_frame(sc->profile, at.id);

	out_str(o, STR("TEXT_POKE "));
	out_hex(o, s->addr, 0);
	out_char(o, ' ');
	if (!(r->names[r->n - 1].flags & NAMED_UNKNOWN))
		lines_symbol(sc, o, at, true);
	out_fmt(o, " old len %zu new len %zu\n", s->old.n, s->new.n);
	write_bytes(o, "Old", s->old);
	write_bytes(o, "New", s->new);
}

void records_write(struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;

	if (ev->attr)
		script_start(sc, o, s);
	out_str(o, STR("PERF_RECORD_"));
	switch (ev->kind) {
	case EV_MMAP:
		write_mmap(o, ev);
		break;
	case EV_COMM:
		write_comm(o, ev);
		break;
	case EV_FORK:
		write_task(o, "FORK", ev);
		break;
	case EV_EXIT:
		write_task(o, "EXIT", ev);
		break;
	case EV_LOST:
		out_fmt(o, "LOST lost %llu\n", (unsigned long long)ev->weight);
		break;
	case EV_SWITCH:
		write_switch(o, ev->other);
		break;
	case EV_NAMESPACES:
		write_namespaces(o, ev);
		break;
	case EV_CGROUP:
		out_fmt(o, "CGROUP cgroup: %llu ", (unsigned long long)ev->other->id);
		out_name(o, ev->other->name);
		out_char(o, '\n');
		break;
	case EV_KSYMBOL:
		write_ksymbol(o, ev->other);
		break;
	case EV_BPF:
		out_fmt(o, "BPF_EVENT type %u, flags %u, id %u\n", ev->other->type,
		        (unsigned)ev->other->flags, (unsigned)ev->other->id);
		break;
	case EV_BPF_NOTES:
		write_notes(o, ev->other);
		break;
	case EV_TEXT_POKE:
		write_poke(sc, o, ev->other);
		break;
	default:
		out_str(o, STR("FINISHED_ROUND\n"));
	}
}
