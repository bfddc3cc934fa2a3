/* wiremade - protobuf messages of a test. */
#ifndef TESTS_WIREMADE_H
#define TESTS_WIREMADE_H

#include <stdlib.h>

#include "base/str.h"

struct wiremade {
	char bytes[1 << 12];
	size_t n;
};

static inline struct str wiremade_bytes(const struct wiremade *w)
{
	return (struct str){ w->bytes, w->n };
}

static inline void wiremade_varint(struct wiremade *w, uint64_t v)
{
	do {
		if (w->n == sizeof(w->bytes))
			abort();
		w->bytes[w->n++] = (char)(v > 0x7f ? v | 0x80 : v);
		v >>= 7;
	} while (v);
}

static inline void wiremade_number(struct wiremade *w, unsigned field, uint64_t v)
{
	wiremade_varint(w, field << 3);
	wiremade_varint(w, v);
}

static inline void wiremade_put(struct wiremade *w, unsigned field, struct str s)
{
	wiremade_varint(w, field << 3 | 2);
	wiremade_varint(w, s.n);
	for (size_t i = 0; i < s.n; i++) {
		if (w->n == sizeof(w->bytes))
			abort();
		w->bytes[w->n++] = s.p[i];
	}
}

static inline void wiremade_text(struct wiremade *w, unsigned field, const char *text)
{
	wiremade_put(w, field, str_of(text));
}

static inline void wiremade_message(struct wiremade *w, unsigned field,
                                    const struct wiremade *m)
{
	wiremade_put(w, field, wiremade_bytes(m));
}

#endif
