#define PCRE2_CODE_UNIT_WIDTH 8
#include "rule/rule.h"

#include <pcre2.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/nearest.h"
#include "rule/shipped_rules.h"
#include "source/source.h"

enum {
	PATTERN_MAX = 8 << 10, /* bytes */
	/*
	 * limit of a name in bytes.  Longer names are truncated before the match, because
	 * the number of steps may grow with the square of the length
	 */
	LOOKED_AT = 4096,
	FILE_MAX = 1 << 20, /* bytes */
	/*
	 * maximum number of steps of a match.  A name of 1,000 bytes takes a few thousand
	 * steps
	 */
	STEPS = 50000,
	DEPTH = 1000,          /* maximum depth of backtracking in a match without JIT */
	HEAP_KIB = 4 << 10,    /* maximum memory in KiB of a match without JIT */
	STACK_MAX = 512 << 10, /* maximum stack in bytes of a match with JIT */
	/* maximum number of names for which matches may reach a limit */
	COSTLY_MAX = 1000,
};

struct rule {
	struct rule_text text;
	/* position of the pattern, used in messages: "rules:3:6" */
	struct str place;
	pcre2_code *code;
	bool given;   /* the rule comes from the user, not from share/rules */
	bool matched; /* the rule matched a subject of this output */
	/* if the user's rule did not match: the most similar name */
	struct nearest *near;
	uint64_t costly;        /* number of names for which the rule reached a limit */
	struct str costly_name; /* the first name for which the rule reached a limit */
};

struct rules {
	struct diag *diag;
	struct arena arena;
	struct rule *rule;
	size_t n, cap;
	bool given; /* the rules that are being added come from the user */
	/*
	 * keeps_frames: a rule with the action "keep" tests names of frames.
	 * keeps_others: such a rule tests the comm or the module
	 */
	bool keeps_frames, keeps_others;
	uint64_t costly;
	pcre2_compile_context *compile;
	pcre2_match_context *match;
	pcre2_match_data *groups;
	pcre2_jit_stack *stack; /* NULL before the first rule is compiled */
};

struct rules *rule_open(struct diag *diag)
{
	struct arena arena = { 0 };
	struct rules *r = arena_new(&arena, struct rules, 1);

	*r = (struct rules){ .diag = diag, .arena = arena };
	r->compile = pcre2_compile_context_create(NULL);
	r->match = pcre2_match_context_create(NULL);
	r->groups = pcre2_match_data_create(100, NULL);
	if (!r->compile || !r->match || !r->groups) {
		diag_fatal(diag, "not enough memory for the rules");
		rule_close(r);
		return NULL;
	}
	pcre2_set_max_pattern_length(r->compile, PATTERN_MAX);
	pcre2_set_match_limit(r->match, STEPS);
	pcre2_set_depth_limit(r->match, DEPTH);
	pcre2_set_heap_limit(r->match, HEAP_KIB);
	return r;
}

void rule_close(struct rules *r)
{
	struct arena arena;

	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		pcre2_code_free(r->rule[i].code);
	pcre2_jit_stack_free(r->stack);
	pcre2_match_data_free(r->groups);
	pcre2_match_context_free(r->match);
	pcre2_compile_context_free(r->compile);
	arena = r->arena;
	arena_release(&arena);
}

/*
 * Reads a reference to a group, "$1" or "${1}", at the start of *s.  The caller handles "$$", an
 * escaped dollar.
 */
static bool take_group(struct str *s, uint64_t *group)
{
	struct str rest = str_from(*s, 1);
	bool braced = rest.n && rest.p[0] == '{';

	rest = str_from(rest, braced);
	if (!str_take_dec(&rest, group) || (braced && !str_starts(rest, STR("}"))))
		return false;
	*s = str_from(rest, braced);
	return true;
}

/*
 * Returns the index of the first '$' in name that does not refer to a group of the pattern, or
 * name.n.
 */
static size_t bad_group(const pcre2_code *code, struct str name)
{
	struct str rest = name;
	uint32_t groups = 0;

	pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
	for (;;) {
		struct str at = str_from(rest, str_find(rest, '$'));
		uint64_t group;

		rest = str_from(at, 2);
		if (!at.n)
			return name.n;
		if (str_starts(at, STR("$$")))
			continue;
		rest = at;
		if (!take_group(&rest, &group) || group > groups)
			return (size_t)(at.p - name.p);
	}
}

static int fail(struct rules *r, struct str place, size_t column, const char *why)
{
	return diag_fatal(r->diag, PRSTR ":%zu: %s", STRARG(place), column, why);
}

/*
 * Compiles a pattern with JIT.  If the kernel forbids JIT, PCRE2 uses its interpreter, with the same
 * limits.
 */
static void compile_fast(struct rules *r, pcre2_code *code)
{
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	if (!r->stack)
		r->stack = pcre2_jit_stack_create(32 << 10, STACK_MAX, NULL);
	if (r->stack)
		pcre2_jit_stack_assign(r->match, NULL, r->stack);
}

/* Adds a rule.  `place` is "FILE:LINE" or the option.  Strings in t live as long as r. */
static int add(struct rules *r, struct str place, const struct rule_text *t)
{
	PCRE2_UCHAR why[256];
	PCRE2_SIZE at;
	int error;
	size_t bad;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)t->pattern.p, t->pattern.n,
	                                 PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
	                                         PCRE2_NEVER_BACKSLASH_C,
	                                 &error, &at, r->compile);

	if (!code) {
		pcre2_get_error_message(error, why, sizeof(why));
		return fail(r, place, t->pattern_at + at, (const char *)why);
	}
	*arena_push(&r->arena, r->rule, r->n, r->cap) = (struct rule){
		.text = *t,
		.place = arena_fmt(&r->arena, PRSTR ":%zu", STRARG(place), t->pattern_at),
		.code = code,
		.given = r->given,
	};
	bad = t->action == RULE_MARK ? t->name.n : bad_group(code, t->name);
	if (bad < t->name.n)
		return fail(r, place, t->name_at + bad,
		            "the pattern has no such group; write $$ for a dollar");
	/* RULE_ROOT applies only to names of threads, which are too few to need JIT. */
	if (t->action != RULE_ROOT)
		compile_fast(r, code);
	if (t->action == RULE_KEEP && (t->scope == RULE_COMM || t->scope == RULE_MODULE))
		r->keeps_others = true;
	else if (t->action == RULE_KEEP)
		r->keeps_frames = true;
	return 0;
}

int rule_add(struct rules *r, enum rule_action action, const char *option,
             const char *rest)
{
	struct str place = arena_fmt(&r->arena, "--%s", option);
	struct rule_text t = { .action = action };
	struct rule_error error;

	r->given = true;
	if (rule_parse_rest(arena_str(&r->arena, str_of(rest)), &t, &error) < 0)
		return fail(r, place, error.column, error.why);
	return add(r, place, &t);
}

int rule_add_text(struct rules *r, struct str name, struct str text)
{
	struct str rest = arena_str(&r->arena, text);
	size_t line = 0;

	while (rest.n) {
		struct str one = str_cut(&rest, '\n'), place;
		struct rule_error error;
		struct rule_text t;
		int got = rule_parse_line(one, &t, &error);

		line++;
		if (!got)
			continue;
		place = arena_fmt(&r->arena, PRSTR ":%zu", STRARG(name), line);
		if (got < 0)
			return fail(r, place, error.column, error.why);
		if (add(r, place, &t) < 0)
			return -1;
	}
	return 0;
}

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_WHOLE;
}

int rule_read(struct rules *r, const char *name)
{
	struct source_opts opts = {
		.look = look, .max_spool = FILE_MAX, .run = &r->arena, .diag = r->diag
	};
	struct str shipped = shipped_rules_find(str_of(name)), text;
	struct source *s;
	struct stat st;
	int ret;

	r->given = !shipped.p;
	if (shipped.p)
		return rule_add_text(r, str_of(name), shipped);
	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		return diag_fatal(r->diag, "%s: a directory, not a file of rules", name);
	s = source_open(name, &opts);
	if (!s)
		return -1;
	text = source_map(s, 0);
	if (!text.p)
		ret = diag_fatal(r->diag, "%s: cannot be read", name);
	else if (text.n > FILE_MAX)
		ret = diag_fatal(r->diag, "%s: too large for a file of rules", name);
	else
		ret = rule_add_text(r, str_of(name), text);
	source_close(s);
	return ret;
}

/* Returns true if the pattern of the rule matches s.  r->groups then contains the groups. */
static bool matches(struct rules *r, struct rule *rule, struct str s)
{
	int got;

	if (r->costly > COSTLY_MAX) /* rule_finish will fail */
		return false;
	/* If the name is truncated, '$' must not match at the end of the truncated name. */
	got = pcre2_match(rule->code, (PCRE2_SPTR)(s.p ? s.p : ""),
	                  str_head(s, LOOKED_AT).n, 0, s.n > LOOKED_AT ? PCRE2_NOTEOL : 0,
	                  r->groups, r->match);
	if (got >= 0)
		return true;
	if (got != PCRE2_ERROR_NOMATCH && !rule->costly++)
		rule->costly_name = arena_str(&r->arena, str_head(s, 60));
	r->costly += got != PCRE2_ERROR_NOMATCH;
	return false;
}

/* Writes the name that the rule sets, with references to groups replaced by text of s. */
static void put_name(struct buffer *t, struct rules *r, const struct rule *rule,
                     struct str s)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->groups);
	struct str rest = rule->text.name;

	while (rest.n) {
		size_t dollar = str_find(rest, '$');
		uint64_t group;

		buffer_put(t, str_head(rest, dollar));
		rest = str_from(rest, dollar);
		if (!rest.n)
			break;
		if (!take_group(&rest, &group)) {
			buffer_put(t, STR("$"));
			rest = str_from(rest, 2);
		} else if (group < pcre2_get_ovector_count(r->groups) &&
		           at[2 * group] != PCRE2_UNSET &&
		           at[2 * group] <= at[2 * group + 1]) {
			buffer_put(t, str_span(s.p + at[2 * group],
			                       s.p + at[2 * group + 1]));
		}
	}
}

/* Returns s with the matched part replaced by the rule's name. */
static struct str renamed(struct rules *r, const struct rule *rule, struct str s,
                          struct arena *a)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->groups);
	struct buffer t = { .arena = a };

	if (at[0] > at[1]) /* with \K in a lookahead, a match can end before its start */
		return s;
	buffer_put(&t, str_head(s, at[0]));
	put_name(&t, r, rule, s);
	buffer_put(&t, str_from(s, at[1]));
	return buffer_str(&t);
}

static struct str named(struct rules *r, const struct rule *rule, struct str s,
                        struct arena *a)
{
	struct buffer t = { .arena = a };

	put_name(&t, r, rule, s);
	return buffer_str(&t);
}

/*
 * Like matches().  If a rule of the user has not matched yet, also stores the name most similar
 * to its pattern.
 */
static bool meets(struct rules *r, struct rule *rule, struct str s)
{
	bool met = matches(r, rule, s);

	rule->matched |= met;
	if (met || rule->matched || !rule->given)
		return met;
	if (!rule->near) {
		rule->near = arena_new(&r->arena, struct nearest, 1);
		nearest_init(rule->near, nearest_literal(rule->text.pattern, &r->arena),
		             NEAREST_WORD, &r->arena);
	}
	nearest_take(rule->near, str_head(s, LOOKED_AT));
	return false;
}

/*
 * Returns the subject's property to which rule t applies.  If the subject lacks this property, p
 * of the result is NULL.
 */
static struct str looked_at(const struct rule_text *t, const struct rule_subject *s,
                            const struct rule_verdict *v)
{
	static const char marks[RULE_SCOPES] = { [RULE_KERNEL] = 'k',
		                                 [RULE_MANAGED] = 'j',
		                                 [RULE_RUNTIME] = 'r',
		                                 [RULE_INLINED] = 'i' };
	struct str name = { v->name.p ? v->name.p : "", v->name.n };

	if (t->action == RULE_ROOT ||
	    (s->root && t->action > RULE_DROP && t->action != RULE_RENAME))
		return (struct str){ 0 };
	switch (t->scope) {
	case RULE_COMM:
		return s->comm;
	case RULE_MODULE:
		return s->module;
	case RULE_LEAF:
	case RULE_FRAME:
		break;
	default:
		if (s->root || v->mark != marks[t->scope])
			return (struct str){ 0 };
	}
	return name;
}

/*
 * Applies a rule that has matched s to the verdict v.  Returns false if no further rules apply.
 */
static bool act(struct rules *r, const struct rule *rule, struct str s,
                struct rule_verdict *v, struct arena *a)
{
	bool leaf = rule->text.scope == RULE_LEAF;

	switch (rule->text.action) {
	case RULE_KEEP:
		v->flags |= leaf ? RULE_IS_KEPT_AS_LEAF : RULE_IS_KEPT;
		break;
	case RULE_DROP:
		v->flags |= leaf ? RULE_IS_DROPPED_AS_LEAF : RULE_IS_DROPPED;
		break;
	case RULE_HIDE:
		v->name = (struct str){ 0 };
		break;
	case RULE_RENAME:
		v->name = renamed(r, rule, s, a);
		break;
	case RULE_GROUP:
		v->name = named(r, rule, s, a);
		v->flags |= RULE_GROUPED;
		break;
	case RULE_START_AT:
		v->flags |= RULE_STARTS;
		break;
	case RULE_STOP_AT:
		v->flags |= RULE_STOPS;
		break;
	case RULE_APART:
		v->flags |= RULE_PARTS;
		break;
	case RULE_MARK:
		v->mark = (char)rule_parse_mark(rule->text.name);
		break;
	default:
		break;
	}
	return v->name.n != 0;
}

struct rule_verdict rule_judge(struct rules *r, const struct rule_subject *s,
                               struct arena *a)
{
	struct rule_verdict v = { s->name, s->mark, 0 };

	for (size_t i = 0; i < r->n; i++) {
		struct str at = looked_at(&r->rule[i].text, s, &v);

		if (at.p && meets(r, &r->rule[i], at) && !act(r, &r->rule[i], at, &v, a))
			break;
	}
	return v;
}

struct str rule_root(struct rules *r, struct str comm, struct arena *a)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rule[i].text.action == RULE_ROOT && meets(r, &r->rule[i], comm))
			return named(r, &r->rule[i], comm, a);
	return comm;
}

bool rule_keeps(const struct rules *r, bool folded)
{
	return folded ? r->keeps_frames && !r->keeps_others
	              : r->keeps_frames || r->keeps_others;
}

bool rule_asks_more(const struct rules *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rule[i].text.scope == RULE_COMM ||
		    r->rule[i].text.scope == RULE_MODULE)
			return true;
	return false;
}

int rule_finish(struct rules *r)
{
	bool refused = r->costly > COSTLY_MAX, said = false;

	for (struct rule *rule = r->rule; rule < r->rule + r->n; rule++) {
		if (rule->costly && refused && !said)
			diag_fatal(r->diag,
			           PRSTR
			           ": the pattern takes too long, for example on " PRSTR,
			           STRARG(rule->place), STRARG(rule->costly_name));
		else if (rule->costly && !refused)
			diag_damage(r->diag,
			            PRSTR ": the pattern takes too long and skips %llu "
			                  "name%s: " PRSTR,
			            STRARG(rule->place), (unsigned long long)rule->costly,
			            rule->costly == 1 ? "" : "s",
			            STRARG(rule->costly_name));
		said |= rule->costly != 0;
		rule->costly = 0;
	}
	r->costly = 0;
	return refused ? -1 : 0;
}

void rule_report_unmatched(struct rules *r)
{
	static const char *const names[RULE_SCOPES] = {
		[RULE_FRAME] = "frame",           [RULE_LEAF] = "frame",
		[RULE_COMM] = "thread's name",    [RULE_MODULE] = "module",
		[RULE_KERNEL] = "kernel frame",   [RULE_MANAGED] = "managed frame",
		[RULE_RUNTIME] = "runtime frame", [RULE_INLINED] = "inlined frame",
		[RULE_NATIVE] = "native frame",
	};

	for (struct rule *rule = r->rule; rule < r->rule + r->n; rule++) {
		bool root = rule->text.action == RULE_ROOT;

		if (rule->given && rule->near && !rule->matched)
			diag_note(r->diag, PRSTR ": no %s matches " PRSTR PRSTR,
			          STRARG(rule->place),
			          root ? "thread's name" : names[rule->text.scope],
			          STRARG(rule->text.pattern),
			          STRARG(nearest_question(rule->near)));
		rule->matched = false;
		rule->near = NULL;
	}
}
