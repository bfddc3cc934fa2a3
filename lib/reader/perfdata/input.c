#include "reader/perfdata/input.h"

enum { SKIPPED = 64 << 10 };

/* Consumes the bytes before `at`.  False: the pipe ends there or before. */
static bool consume(struct input *in, uint64_t at)
{
	uint64_t here = stream_at(in->stream);

	while (here < at) {
		struct str s = stream_ahead(in->stream, SKIPPED);
		size_t n = at - here < s.n ? (size_t)(at - here) : s.n;

		if (!n)
			return false;
		stream_consume(in->stream, n);
		here += n;
	}
	return true;
}

struct str input_ahead(struct input *in, uint64_t at, size_t min)
{
	struct str s;
	uint64_t skip;

	if (!in->stream)
		return (struct str){ in->bytes.p + at, in->end - at };
	if (!consume(in, in->last))
		return (struct str){ 0 };
	skip = at - stream_at(in->stream);
	s = stream_ahead(in->stream, skip + min);
	return str_from(s, skip);
}

bool input_go(struct input *in, uint64_t at)
{
	in->at = in->last = at;
	return !in->stream || consume(in, at);
}

void input_rewind(struct input *in)
{
	if (in->stream)
		stream_rewind(in->stream);
	in->at = in->last = in->begin;
}
