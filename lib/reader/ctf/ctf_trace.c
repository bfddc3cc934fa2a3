/*
 *	c1 1f fc c1 10 67 09 2a 9a 5c 48 75 a1 7e e9 2e  magic, UUID ...
 *	a8 45 42 f8 00 00 00 00 00 00 00 00 00 00 00 00  ..., stream, its instance
 */
#include "reader/ctf/ctf_trace.h"

enum { MAGIC = 4, PACKET_HEAD = 20, ALIGNED = 8 };

static bool begins(struct str head, const char *magic)
{
	char swapped[] = { magic[3], magic[2], magic[1], magic[0] };

	return str_starts(head, (struct str){ magic, MAGIC }) ||
	       str_starts(head, (struct str){ swapped, MAGIC });
}

bool ctf_trace_is_metadata(struct str head)
{
	return begins(head, "\x75\xd1\x1d\x57") || str_starts(head, STR("/* CTF 1."));
}

bool ctf_trace_is_stream(struct str head)
{
	return begins(head, "\xc1\xfc\x1f\xc1");
}

size_t ctf_trace_next(struct source *s, size_t from)
{
	for (size_t i = from; i < s->n; i++)
		if (!s->members[i].absent && !s->members[i].linked &&
		    ctf_trace_is_metadata(source_head(s, i)))
			return i;
	return SIZE_MAX;
}

bool ctf_trace_has(struct source *s, size_t metadata, size_t member)
{
	const struct member *m = &s->members[member];

	return !m->absent && !m->linked &&
	       str_eq(str_dir(m->name), str_dir(s->members[metadata].name)) &&
	       ctf_trace_is_stream(source_head(s, member));
}

size_t ctf_trace_packets(struct str stream, struct arena *a, uint64_t **out)
{
	struct str head = str_head(stream, PACKET_HEAD);
	size_t n = 0, cap = 0;
	uint64_t *list = NULL;

	for (size_t at = 0; at < stream.n || !n;) {
		if (at % ALIGNED == 0) {
			*arena_push(a, list, n, cap) = at;
		}
		at++;
		at += head.n ? str_search(str_from(stream, at), head) : stream.n;
	}
	*out = list;
	return n;
}
