/* Which member of a source is the profile: DESIGN section 1. */
#include "reader/reader.h"

enum { LISTED = 10 };

struct choice {
	size_t member;
	enum reader_format format;
	bool exact; /* called perf.data */
};

static bool named_so(struct str member, struct str name)
{
	return str_eq(member, name) || (str_ends(member, name) && member.n > name.n &&
	                                member.p[member.n - name.n - 1] == '/');
}

/* perf.data before text before folded stacks, then shallow, then by name. */
static int compare(const struct source *s, const struct choice *a, const struct choice *b)
{
	unsigned da = s->members[a->member].depth, db = s->members[b->member].depth;

	if (a->format != b->format)
		return a->format < b->format ? -1 : 1;
	if (da != db)
		return da < db ? -1 : 1;
	return (int)b->exact - (int)a->exact;
}

static size_t candidates(struct source *s, const char *name, unsigned mask,
                         struct choice *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct member *m = &s->members[i];
		enum reader_format f;

		/* What is linked to is there under its own name. */
		if (m->linked && !name)
			continue;
		if (m->absent || (name && !named_so(m->name, str_of(name))))
			continue;
		f = reader_bid(source_head(s, i));
		if (f == READ_NONE || !(mask >> f & 1))
			continue;
		out[n++] = (struct choice){ i, f,
			                    str_eq(str_base(m->name), STR("perf.data")) };
	}
	return n;
}

static void list(struct source *s, const struct choice *c, size_t n, struct diag *diag)
{
	diag_fatal(diag, PRSTR ": holds %zu profiles; choose one with --member:",
	           STRARG(s->name), n);
	for (size_t i = 0; i < n && i < LISTED; i++)
		diag_fatal(diag, "  --member " PRSTR,
		           STRARG(s->members[c[i].member].name));
}

static const char *wanted(unsigned mask)
{
	if (!(mask >> READ_PERFDATA & 1))
		return "no folded stacks";
	return mask >> READ_FOLDED & 1 ? "no perf.data, perf script text or folded stacks"
	                               : "no perf.data or perf script text";
}

/* Members are called without what "tar -t" may show in front. */
static const char *bare(const char *name)
{
	for (;;) {
		if (name[0] == '/')
			name++;
		else if (name[0] == '.' && name[1] == '/')
			name += 2;
		else
			return name;
	}
}

/* A member that holds nothing, or what perf said instead of samples; false: none. */
static bool found_excuse(struct source *s, const char *name, struct diag *diag)
{
	for (size_t i = 0; i < s->n && i < LISTED; i++) {
		struct str member = s->members[i].name, head, line;

		if (s->members[i].absent || (name && !named_so(member, str_of(name))))
			continue;
		head = source_head(s, i);
		if (!head.n && (name || s->n == 1)) {
			diag_fatal(diag, PRSTR ": empty", STRARG(member));
			return true;
		}
		for (int n = 0; n < LISTED && head.n; n++) {
			line = str_trim(str_cut(&head, '\n'));
			if (!reader_is_perf_error(line))
				continue;
			diag_fatal(diag,
			           PRSTR ": no samples, but what perf script said: " PRSTR
			                 "%s",
			           STRARG(member), STRARG(line),
			           reader_perf_advice(line));
			return true;
		}
	}
	return false;
}

/* A file that is nothing we know may still hold what another filter reads. */
static int nothing(struct source *s, const char *name, unsigned mask, struct diag *diag)
{
	enum reader_format f = READ_NONE;

	if (s->n == 1 && !name)
		f = reader_bid(source_head(s, 0));
	if (f == READ_NONE && found_excuse(s, name, diag))
		return -1;
	if (f == READ_PERFDATA || f == READ_PERFSCRIPT || f == READ_STACKS)
		return diag_fatal(diag, PRSTR ": %s; run it through psym | pfold first",
		                  STRARG(s->name),
		                  f == READ_PERFDATA ? "this is perf.data"
		                  : f == READ_PERFSCRIPT
		                          ? "this is perf script text"
		                          : "these are stacks of BCC or bpftrace");
	if (f == READ_FOLDED)
		return diag_fatal(diag,
		                  PRSTR ": these are folded stacks; nothing to do here",
		                  STRARG(s->name));
	if (name)
		return diag_fatal(diag, PRSTR ": %s called %s in it", STRARG(s->name),
		                  wanted(mask), name);
	return diag_fatal(diag, PRSTR ": %s in it", STRARG(s->name), wanted(mask));
}

int reader_choose(struct source *s, const char *name, unsigned mask, struct diag *diag,
                  size_t *out)
{
	struct arena scratch = { 0 };
	struct choice *c = arena_new(&scratch, struct choice, s->n + 1);
	size_t n = candidates(s, name ? bare(name) : NULL, mask, c), kept = 0;
	int ret = -1;

	if (!n) {
		ret = nothing(s, name, mask, diag);
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		int order = kept ? compare(s, &c[i], &c[0]) : 0;

		if (order < 0)
			kept = 0;
		if (order <= 0)
			c[kept++] = c[i];
	}
	if (kept > 1) {
		list(s, c, kept, diag);
		goto out;
	}
	*out = c[0].member;
	ret = 0;
	if (s->n > 1)
		diag_note(diag, PRSTR ": profile is " PRSTR, STRARG(s->name),
		          STRARG(s->members[*out].name));
out:
	arena_release(&scratch);
	return ret;
}
