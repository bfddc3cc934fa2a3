/*
 * What other viewers are given of folded text: the packed profile can be read and adds up,
 * the JSON is well-formed, tables have as many fields in each line as in the first.
 */
#ifndef FUZZ_VIEWED_H
#define FUZZ_VIEWED_H

#include <isa-l.h>
#include <profile.pb-c.h>

#include "writer/calltree.h"
#include "writer/pprof.h"
#include "writer/speedscope.h"
#include "writer/top.h"

static struct str viewed_unpacked(struct str packed, struct arena *a)
{
	struct inflate_state *z = arena_new(a, struct inflate_state, 1);
	uint8_t *to = NULL;
	size_t n = 0, cap = 0;

	isal_inflate_init(z);
	z->crc_flag = ISAL_GZIP;
	z->next_in = (uint8_t *)(uintptr_t)packed.p;
	z->avail_in = (uint32_t)packed.n;
	do {
		to = arena_grow(a, to, &cap, n + 4096, 1);
		z->next_out = to + n;
		z->avail_out = (uint32_t)(cap - n);
		must(isal_inflate(z) == ISAL_DECOMP_OK);
		n = cap - z->avail_out;
	} while (z->block_state != ISAL_BLOCK_FINISH);
	must(!z->avail_in);
	return (struct str){ (char *)to, n };
}

static void check_pprof(struct out *o, const struct fold *f, const struct head *h,
                        struct arena *a)
{
	struct weight sum = sums_totals(&f->stacks, a)[0];
	Pprof__Profile *p;
	struct str plain;
	int64_t total = 0;
	bool *known;

	pprof_write(o, f, h, a);
	plain = viewed_unpacked(taken_out(o, a), a);
	p = pprof__profile__unpack(NULL, plain.n, (const uint8_t *)plain.p);
	must(p && p->n_sample_type == 1 && p->n_string_table && !*p->string_table[0]);
	for (size_t i = 0; i < p->n_string_table; i++) {
		struct str s = str_of(p->string_table[i]);

		must(caption_clean(a, s).p == s.p);
	}
	known = arena_new(a, bool, f->stacks.n + 1);
	for (size_t i = 0; i < p->n_location; i++) {
		must(p->location[i]->id && p->location[i]->id <= f->stacks.n);
		known[p->location[i]->id] = true;
		for (size_t k = 0; k < p->location[i]->n_line; k++)
			must(p->location[i]->line[k]->function_id - 1 < p->n_function);
	}
	for (size_t i = 0; i < p->n_sample; i++) {
		must(p->sample[i]->n_value == 1 && p->sample[i]->n_location_id);
		must(!__builtin_add_overflow(total, p->sample[i]->value[0], &total));
		for (size_t k = 0; k < p->sample[i]->n_location_id; k++)
			must(known[p->sample[i]->location_id[k]]);
	}
	must((uint64_t)total == (sum.n < INT64_MAX ? sum.n : INT64_MAX));
	pprof__profile__free_unpacked(p, NULL);
}

static void skip_json_string(struct str *s)
{
	must(s->n && *s->p == '"');
	*s = str_from(*s, 1);
	while (s->n && *s->p != '"') {
		must((unsigned char)*s->p >= 0x20);
		if (*s->p == '\\') {
			*s = str_from(*s, 1);
			must(s->n && strchr("\"\\", *s->p));
		}
		*s = str_from(*s, 1);
	}
	must(s->n);
	*s = str_from(*s, 1);
}

static void skip_blanks(struct str *s)
{
	while (s->n && (*s->p == '\n' || *s->p == ' '))
		*s = str_from(*s, 1);
}

/* A value; the arrays and objects of the format stand in five others at most. */
static void skip_json(struct str *s, int depth)
{
	char close;

	skip_blanks(s);
	must(s->n && depth < 6);
	if (*s->p == '"') {
		skip_json_string(s);
	} else if (str_is_digit(*s->p)) {
		while (s->n && (str_is_digit(*s->p) || *s->p == '.'))
			*s = str_from(*s, 1);
	} else {
		must(*s->p == '{' || *s->p == '[');
		close = *s->p == '{' ? '}' : ']';
		do {
			char before = *s->p;

			*s = str_from(*s, 1);
			skip_blanks(s);
			if (before == '[' && s->n && *s->p == ']')
				break;
			if (close == '}') {
				skip_json_string(s);
				must(s->n && *s->p == ':');
				*s = str_from(*s, 1);
			}
			skip_json(s, depth + 1);
			skip_blanks(s);
			must(s->n && (*s->p == ',' || *s->p == close));
		} while (*s->p != close);
		*s = str_from(*s, 1);
	}
}

/* Fields with tabs between them; only the last one may have its own bytes. */
static void check_fields(struct str s, struct arena *a)
{
	size_t tabs = 0;

	for (bool first = true; s.n; first = false) {
		struct str line = str_cut(&s, '\n');
		size_t n = 0;

		for (size_t i = 0; i < line.n; i++)
			n += line.p[i] == '\t';
		tabs = first ? n : tabs;
		must(n == tabs);
		while (line.n) {
			struct str field = str_cut(&line, '\t');

			must(caption_clean(a, field).p == field.p);
		}
	}
}

static void check_tables(struct out *o, const struct fold *f, const struct head *h,
                         struct arena *a)
{
	struct top_opts opts = { .by = (enum group_by)(f->stacks.n % (GROUP_LINE + 1)),
		                 .most = 100 };
	struct str json;

	top_write(o, f, h, &opts, a);
	check_fields(taken_out(o, a), a);
	opts.form = TOP_TSV;
	top_write(o, f, h, &opts, a);
	check_fields(taken_out(o, a), a);
	for (opts.form = TOP_ALIGNED; opts.form <= TOP_CSV; opts.form++) {
		top_write(o, f, h, &opts, a);
		taken_out(o, a);
	}
	opts.form = TOP_JSON;
	top_write(o, f, h, &opts, a);
	json = taken_out(o, a);
	skip_json(&json, 0);
	must(str_eq(json, STR("\n")));
	for (enum calls_way way = CALLS_CALLERS; way <= CALLS_CALLEES; way++) {
		struct calltree_opts tree = { .name = STR("a"),
			                      .way = way,
			                      .begins = true };

		calltree_write(o, f, h, &tree, a);
		check_fields(taken_out(o, a), a);
	}
}

/* f keeps sites. */
static void check_viewers(const struct fold *f)
{
	struct head h = { .event = STR("cpu-clock"), .samples = 3, .unit = STR("ns") };
	struct arena a = { 0 };
	struct out *o = out_to_memory();
	struct str json;

	if (f->stacks.n < 2)
		return;
	check_pprof(o, f, &h, &a);
	speedscope_write(o, f, &h, &a);
	json = taken_out(o, &a);
	skip_json(&json, 0);
	must(str_eq(json, STR("\n")));
	check_tables(o, f, &h, &a);
	arena_release(&a);
}

#endif
