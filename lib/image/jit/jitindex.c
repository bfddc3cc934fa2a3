#include "image/jit/jitindex.h"

enum {
	LEVELS = 65,
	/*
	 * number of levels of fences.  A fence of the first level covers 64 pieces, a fence of
	 * the next level 64^2 pieces
	 */
	FENCES = 4,
	FENCE_BITS = 6,
};

/*
 * The address bounds of consecutive elements of the index.  A search skips these elements if the
 * address is outside of the bounds.
 */
struct fence {
	/*
	 * lowest address of a first byte, and highest address of a last byte, among the pieces
	 */
	uint64_t first, last;
};

/* An element of the index: a piece of code. */
struct piece {
	/*
	 * the address bits that all addresses in the piece share: any of these addresses,
	 * shifted right by `level`
	 */
	uint64_t center;
	uint32_t code;
	uint32_t level; /* number of low address bits that differ inside the piece */
};

struct jit_index {
	const struct jit_code *code;
	size_t n;
	struct piece *piece;     /* sorted by level, center, time */
	size_t from[LEVELS + 1]; /* index of the first piece of each level */
	struct fence *fence[FENCES];
};

/*
 * Returns the number of low address bits that may differ inside a piece from `first` to `last`.
 */
static uint32_t level_of(uint64_t first, uint64_t last)
{
	return first == last ? 0 : 64 - (uint32_t)__builtin_clzll(first ^ last);
}

static uint64_t center_of(uint64_t ip, uint32_t level)
{
	return level == 64 ? 0 : ip >> level;
}

static uint64_t last_byte(const struct jit_code *c)
{
	return c->start + c->size - 1;
}

ORDER(by_center, struct piece,
      num_cmp(a->level, b->level) ?: num_cmp(a->center, b->center)
              ?: num_cmp(a->code, b->code))

static void extend(struct fence *f, uint64_t first, uint64_t last)
{
	if (first < f->first)
		f->first = first;
	if (last > f->last)
		f->last = last;
}

static void add_fences(struct jit_index *ix, struct arena *a)
{
	size_t below = ix->n;

	for (unsigned k = 0; k < FENCES; k++) {
		size_t n = (below >> FENCE_BITS) + 1;
		struct fence *f = arena_new(a, struct fence, n);

		for (size_t i = 0; i < n; i++)
			f[i].first = UINT64_MAX;
		for (size_t i = 0; i < below && !k; i++) {
			const struct jit_code *c = &ix->code[ix->piece[i].code];

			extend(&f[i >> FENCE_BITS], c->start, last_byte(c));
		}
		for (size_t i = 0; i < below && k; i++)
			extend(&f[i >> FENCE_BITS], ix->fence[k - 1][i].first,
			       ix->fence[k - 1][i].last);
		ix->fence[k] = f;
		below = n;
	}
}

struct jit_index *jitindex_new(const struct jit_code *code, size_t n, struct arena *a)
{
	struct jit_index *ix = arena_new(a, struct jit_index, 1);
	size_t at = 0;

	*ix = (struct jit_index){ .code = code, .n = n };
	ix->piece = arena_new(a, struct piece, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t level = level_of(code[i].start, last_byte(&code[i]));

		ix->piece[i] = (struct piece){ center_of(code[i].start, level),
			                       (uint32_t)i, level };
	}
	order_by(ix->piece, n, by_center);
	for (uint32_t level = 0; level <= LEVELS; level++) {
		while (at < n && ix->piece[at].level < level)
			at++;
		ix->from[level] = at;
	}
	add_fences(ix, a);
	return ix;
}

/* Returns the index of the first piece that is not less than `want`. */
static size_t lower_bound(const struct jit_index *ix, const struct piece *want)
{
	size_t first = ix->from[want->level];

	return first + bisect(ix->from[want->level + 1] - first, i,
	                      by_center(&ix->piece[first + i], want) < 0);
}

static bool holds(const struct jit_index *ix, size_t at, uint64_t ip)
{
	const struct jit_code *c = &ix->code[ix->piece[at].code];

	return ip - c->start < c->size;
}

/* Returns false if no piece within the bounds of f contains ip. */
static bool may_hold(const struct fence *f, uint64_t ip)
{
	return f->first <= ip && ip <= f->last;
}

/*
 * Returns how many pieces can be skipped, because the bounds of their fence do not contain ip.
 * If `back` is set, the skipped pieces end before `at`.  Otherwise they begin at `at`.
 */
static size_t count_unfit(const struct jit_index *ix, size_t at, size_t room, bool back,
                          uint64_t ip)
{
	for (unsigned k = FENCES; k-- > 0;) {
		unsigned bits = FENCE_BITS * (k + 1);
		size_t length = (size_t)1 << bits;

		if (at % length || room < length)
			continue;
		if (!may_hold(&ix->fence[k][(at >> bits) - back], ip))
			return length;
	}
	return 0;
}

/* Returns the last piece in [from, to) that contains ip, or `to`. */
static size_t last_holding(const struct jit_index *ix, size_t from, size_t to,
                           uint64_t ip)
{
	size_t at = to, skip;

	while (at > from) {
		skip = count_unfit(ix, at, at - from, true, ip);
		if (!skip && holds(ix, at - 1, ip))
			return at - 1;
		at -= skip ? skip : 1;
	}
	return to;
}

static size_t first_holding(const struct jit_index *ix, size_t from, size_t to,
                            uint64_t ip)
{
	size_t at = from, skip;

	while (at < to) {
		skip = count_unfit(ix, at, to - at, false, ip);
		if (!skip && holds(ix, at, ip))
			return at;
		at += skip ? skip : 1;
	}
	return to;
}

/* Returns the number of pieces that were made at or before that time. */
static uint32_t begun_by(const struct jit_index *ix, uint64_t time_ns)
{
	return (uint32_t)bisect(ix->n, i, ix->code[i].time_ns <= time_ns);
}

/*
 * Searches the pieces that contain ip.  The number of a piece is its index in the order of
 * times.  Sets *latest to the last piece with a number below `begun`, and *next to the first
 * piece with a number of at least `begun`.  Sets each to SIZE_MAX if no piece fits.
 */
static void find_both(const struct jit_index *ix, uint64_t ip, uint32_t begun,
                      size_t *latest, size_t *next)
{
	*latest = *next = SIZE_MAX;
	for (uint32_t level = 0; level < LEVELS; level++) {
		uint64_t center = center_of(ip, level);
		struct piece want = { center, 0, level };
		size_t from, now, to, at;

		if (ix->from[level] == ix->from[level + 1])
			continue;
		from = lower_bound(ix, &want);
		want.code = begun;
		now = lower_bound(ix, &want);
		want.code = UINT32_MAX;
		to = lower_bound(ix, &want);
		at = last_holding(ix, from, now, ip);
		if (at < now && (*latest == SIZE_MAX || ix->piece[at].code > *latest))
			*latest = ix->piece[at].code;
		at = first_holding(ix, now, to, ip);
		if (at < to && ix->piece[at].code < *next)
			*next = ix->piece[at].code;
	}
}

bool jitindex_find(const struct jit_index *ix, uint64_t ip, uint64_t time_ns, size_t *out)
{
	size_t latest, next;

	find_both(ix, ip, begun_by(ix, time_ns), &latest, &next);
	*out = latest != SIZE_MAX ? latest : next;
	return *out != SIZE_MAX;
}

bool jitindex_earlier(const struct jit_index *ix, uint64_t ip, size_t *piece)
{
	size_t latest, next;

	find_both(ix, ip, (uint32_t)*piece, &latest, &next);
	if (latest == SIZE_MAX)
		return false;
	*piece = latest;
	return true;
}
