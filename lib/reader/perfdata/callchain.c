#include "reader/perfdata/callchain.h"

uint8_t callchain_mode(uint64_t marker, uint8_t mode)
{
	switch ((int64_t)marker) {
	case CONTEXT_HV:
		return MODE_HV;
	case CONTEXT_KERNEL:
		return MODE_KERNEL;
	case CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
		return MODE_USER;
	case CONTEXT_GUEST:
	case CONTEXT_GUEST_USER:
		return MODE_GUEST_USER;
	case CONTEXT_GUEST_KERNEL:
		return MODE_GUEST_KERNEL;
	default:
		return mode;
	}
}

size_t callchain_run(const struct raw_chain *c, size_t i, const struct frame *like,
                     struct frame *to)
{
	size_t n = callchain_words(c) - i, k;

	for (k = 0; k < n; k++) {
		uint64_t ip = callchain_word(c, i + k);

		if (ip >= CALLCHAIN_MARKERS)
			break;
		to[k] = *like;
		to[k].ip = ip;
	}
	if (k)
		to->caller = false;
	return k;
}

size_t callchain_frames(const struct raw_chain *c, size_t words, struct frame *to)
{
	const struct raw_chain part = { str_head(c->words, words * 8), c->swap };
	struct frame like = { .cpumode = MODE_USER, .caller = true };
	size_t n = 0, run;

	for (size_t i = 0; i < words; i++) {
		run = callchain_run(&part, i, &like, to + n);
		n += run;
		i += run;
		if (i >= words)
			break;
		like.cpumode = callchain_mode(callchain_word(c, i), like.cpumode);
		if ((int64_t)callchain_word(c, i) == CONTEXT_USER_DEFERRED)
			i++;
	}
	return n;
}

static bool is_deferred(uint64_t word)
{
	return (int64_t)word == CONTEXT_USER_DEFERRED;
}

/* The last marker in the first `words` words of c, or one that a cookie follows; 0: none. */
static uint64_t last_marker(const struct raw_chain *c, size_t words)
{
	uint64_t marker = 0;

	for (size_t i = 0; i < words && !is_deferred(marker); i++)
		if (callchain_word(c, i) >= CALLCHAIN_MARKERS)
			marker = callchain_word(c, i);
	return marker;
}

size_t callchain_same(const struct raw_chain *c, const struct raw_chain *before)
{
	size_t n = callchain_words(c), m = callchain_words(before), same = 0;
	uint64_t word, marker;

	for (; same < n && same < m; same++) {
		word = callchain_word(c, n - 1 - same);
		if (is_deferred(word))
			return 0;
		if (word != callchain_word(before, m - 1 - same))
			break;
	}
	if (same == n && same == m)
		return same;
	/* The first of them may be a caller in one chain and not in the other. */
	same -= same != 0;
	marker = last_marker(c, n - same);
	return marker == last_marker(before, m - same) && !is_deferred(marker) ? same : 0;
}
