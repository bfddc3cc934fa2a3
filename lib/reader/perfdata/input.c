#include "reader/perfdata/input.h"

enum {
	SKIPPED = 64 << 10,
	GIVEN = 1 << 20,      /* minimum bytes to release */
	PAGE = 4 << 10,       /* a released range begins at a multiple of this */
	EXPECTED = 512 << 10, /* bytes to prepare at once */
};

/* Consumes the bytes before `at`.  Returns false if the pipe ends before `at`. */
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

uint64_t input_expect(struct input *in, uint64_t at)
{
	if (!in->source)
		return in->end;
	if (at < in->expected || at >= in->expected_end) {
		in->expected = at;
		in->expected_end = in->end - at < EXPECTED ? in->end : at + EXPECTED;
		source_expect(in->source, in->member,
		              (struct str){ in->bytes.p + at, in->expected_end - at });
	}
	return in->expected_end;
}

struct str input_ahead(struct input *in, uint64_t at, size_t min)
{
	struct str s;
	uint64_t skip;

	if (!in->stream) {
		input_expect(in, at);
		return (struct str){ in->bytes.p + at, in->end - at };
	}
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

void input_give_back(struct input *in, uint64_t at)
{
	if (!in->source || at < in->given + GIVEN)
		return;
	source_give_back(in->source, in->member,
	                 (struct str){ in->bytes.p + in->given, at - in->given });
	in->given = at / PAGE * PAGE;
}

void input_use_again(struct input *in, uint64_t at)
{
	if (at < in->given)
		in->given = at;
}

void input_rewind(struct input *in)
{
	if (in->stream)
		stream_rewind(in->stream);
	input_give_back(in, in->at);
	in->at = in->last = in->begin;
	in->given = 0;
}
