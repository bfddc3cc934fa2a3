#include "stack/fold.h"

#include "base/nearest.h"
#include "process/process.h"
#include "label/async.h"
#include "label/namespace.h"
#include "label/tidy_native.h"
#include "label/compat.h"
#include "label/kind.h"

/*
 * A code represents the label of a frame.  0 means an unknown code.  If the frame has several
 * labels, the code is MANY plus an index in f->codes.lists.  Otherwise, the code is the name of a
 * node or, if there are rules, an index in f->verdicts.judged.
 */
enum { MANY = 1u << 31 };

/* the scratch arena is released after this number of labels */
enum { SCRATCH_LABELS = 16 };

static void done_with_label(struct fold *f)
{
	if (++f->in_scratch < SCRATCH_LABELS)
		return;
	arena_release(&f->scratch);
	f->in_scratch = 0;
}

void fold_init(struct fold *f, struct arena *run, const struct fold_opts *opts)
{
	*f = (struct fold){ .run = run, .opts = *opts, .path.seen = { .arena = run } };
	f->verdicts.judged =
	        arena_grow(run, NULL, &f->verdicts.cap, 1, sizeof(*f->verdicts.judged));
	intern_init(&f->names, run);
	intern_init(&f->starts.comms, run);
	intern_init(&f->pieces.texts, run);
	stack_init(&f->stacks, run);
}

static void forget_frames(struct fold_labels *l)
{
	if (l->code_cap)
		memset(l->code, 0, l->code_cap * sizeof(*l->code));
	l->named = l->placed = (struct table){ 0 };
}

void fold_begin(struct fold *f, struct profile *p)
{
	f->profile = p;
	forget_frames(&f->codes.now);
	forget_frames(&f->codes.other);
	f->codes.nlists = 0;
	f->rooted = false;
	seen_stacks_forget(&f->path.seen);
	if (f->path.known_cap)
		memset(f->path.known, 0, f->path.known_cap * sizeof(*f->path.known));
}

void fold_keep_sites(struct fold *f)
{
	f->sites = arena_new(f->run, struct sites, 1);
	site_init(f->sites, f->run);
}

void fold_keep_origins(struct fold *f)
{
	f->origins = arena_new(f->run, struct origins, 1);
	origin_init(f->origins, f->run);
}

void fold_end(struct fold *f)
{
	arena_release(&f->scratch);
}

enum trait {
	TRAIT_KNOWN = 1,
	TRAIT_UNNAMED = 2, /* a label such as "[libc.so.6]" */
	TRAIT_ASYNC = 4,   /* async_part_of returns ASYNC_METHOD */
	TRAIT_RESUMES = 8, /* async_part_of returns ASYNC_RESUMES */
	/* the function is a shim, or has the same name as a shim */
	TRAIT_SHIM = 16,
};

/*
 * Determines the traits of a label.  If the compiler inlined this function, its stack variable
 * would add a stack protector to trait_of.
 */
static __attribute__((noinline)) uint8_t find_trait(struct str label)
{
	enum async_part part;
	char mark;

	label = mark_cut(label, &mark);
	part = async_part_of(label);
	if (part != ASYNC_NONE)
		return TRAIT_KNOWN | (part == ASYNC_METHOD ? TRAIT_ASYNC : TRAIT_RESUMES);
	if (label.n > 2 && label.p[0] == '[' && label.p[label.n - 1] == ']' &&
	    !str_starts(label, STR("[resume ")))
		return TRAIT_KNOWN | TRAIT_UNNAMED;
	return TRAIT_KNOWN;
}

static uint8_t *trait_at(struct fold *f, str_id label)
{
	if (label >= f->traits.cap)
		arena_fit(f->run, f->traits.trait, f->names.n, f->traits.cap);
	if (!f->traits.trait[label])
		f->traits.trait[label] = find_trait(intern_str(&f->names, label));
	return &f->traits.trait[label];
}

static uint8_t trait_of(struct fold *f, str_id name)
{
	return *trait_at(f, fold_label(f, name));
}

/*
 * Returns true if node `id` is a frame with the label in `name`.  Roots of threads are not
 * frames.
 */
static bool is_frame_of(const struct fold *f, stack_id id, str_id name)
{
	return id && fold_label(f, f->stacks.node[id].name) == fold_label(f, name) &&
	       (f->stacks.node[id].parent || f->opts.root == FOLD_ROOT_NONE);
}

static stack_id push(struct fold *f, stack_id parent, str_id name, bool grouped)
{
	uint8_t trait = f->opts.labels.compat ? TRAIT_KNOWN : trait_of(f, name);
	stack_id id = parent;

	if (trait & TRAIT_ASYNC)
		while (f->stacks.node[id].parent &&
		       trait_of(f, f->stacks.node[id].name) & TRAIT_RESUMES)
			id = f->stacks.node[id].parent;
	if ((trait & (TRAIT_UNNAMED | TRAIT_ASYNC | TRAIT_SHIM) || f->opts.recursion ||
	     grouped) &&
	    is_frame_of(f, id, name))
		return id;
	if (f->opts.recursion == RECURSION_CYCLIC)
		for (id = parent; id; id = f->stacks.node[id].parent)
			if (is_frame_of(f, id, name))
				return id;
	return stack_push(&f->stacks, parent, name);
}

/* Pushes a frame with verdict v at *at, unless the rules hide it. */
static void take_judged(struct fold *f, struct stack_place *at, struct fold_judged v)
{
	enum { AS_LEAF = RULE_IS_KEPT_AS_LEAF | RULE_IS_DROPPED_AS_LEAF };
	unsigned state = (at->state & ~(unsigned)AS_LEAF) |
	                 (v.flags & (RULE_IS_KEPT | RULE_IS_DROPPED | AS_LEAF));

	if (v.flags & RULE_PARTS)
		state &= ~(unsigned)RULE_STOPS;
	if (!(state & (RULE_STOPS | RULE_IS_DROPPED))) {
		if (v.flags & RULE_PARTS ||
		    (v.flags & RULE_STARTS && !(state & RULE_STARTS)))
			at->id = f->path.root;
		state |= v.flags & (RULE_STARTS | RULE_STOPS);
		if (v.name)
			at->id = push(f, at->id, v.name, v.flags & RULE_GROUPED);
	}
	at->state = (uint8_t)state;
}

static void take(struct fold *f, struct stack_place *at, uint32_t code)
{
	if (f->opts.rules)
		take_judged(f, at, f->verdicts.judged[code]);
	else
		at->id = push(f, at->id, code, false);
}

/* Returns the number of a verdict.  Equal verdicts have the same number. */
static uint32_t number_verdict(struct fold *f, str_id name, uint8_t flags)
{
	uint32_t *at = table_at(&f->verdicts.numbers, f->run, name, flags);

	if (!*at) {
		arena_fit(f->run, f->verdicts.judged, f->verdicts.n + 2, f->verdicts.cap);
		*at = (uint32_t)++f->verdicts.n;
		f->verdicts.judged[*at] = (struct fold_judged){ name, flags };
	}
	return *at;
}

/* Returns the name of a node: the number of its site if sites are kept, or else its label. */
static str_id name_of(struct fold *f, struct str label, struct site *site)
{
	site->label = intern(&f->names, label);
	return f->sites ? site_add(f->sites, site) : site->label;
}

void fold_add(struct fold *f, stack_id id, uint64_t weight, uint64_t time_ns)
{
	stack_add(&f->stacks, id, weight, 0);
	if (f->slices)
		slices_add(f->slices, time_ns, id, weight);
}

void fold_add_span(struct fold *f, stack_id id, uint64_t from_ns, uint64_t to_ns)
{
	stack_add(&f->stacks, id, to_ns - from_ns, 0);
	if (f->slices)
		slices_add_span(f->slices, from_ns, to_ns, id);
}

stack_id fold_push(struct fold *f, stack_id parent, struct str label)
{
	struct site site = { 0 };

	return stack_push(&f->stacks, parent, name_of(f, label, &site));
}

stack_id fold_push_root(struct fold *f, struct str label)
{
	struct site site = { .root = 1, .pid = -1, .tid = -1 };

	if (f->sites)
		site.comm = intern(&f->sites->texts, label);
	return stack_push(&f->stacks, 0, name_of(f, label, &site));
}

/*
 * Applies the rules to s.  Returns the index of the verdict.  `label` is the name of s with the
 * mark ("_[k]") that is displayed.
 */
static uint32_t judge(struct fold *f, struct rule_subject *s, struct str label,
                      struct site *site)
{
	struct tidy t = { .arena = &f->scratch };
	struct rule_verdict v;
	char shown;

	s->name = mark_cut(label, &shown);
	v = rule_judge(f->opts.rules, s, &f->scratch);
	if (s->root && !v.name.n)
		v.name = s->name;
	if (v.mark != s->mark)
		shown = v.mark;
	tidy_put(&t, v.name);
	if (v.name.n && shown)
		tidy_put(&t, (struct str){ (const char[]){ '_', '[', shown, ']' }, 4 });
	label = label_clean(&f->scratch, tidy_text(&t));
	return number_verdict(f, label.n || s->root ? name_of(f, label, site) : 0,
	                      v.flags);
}

static struct str find_label(struct arena *a, const struct label_name *name,
                             const struct label_opts *opts)
{
	return opts->compat ? compat_label(a, name, opts) : label_frame(a, name, opts);
}

static void list_add(struct fold *f, str_id id)
{
	*arena_push(f->run, f->codes.lists, f->codes.nlists, f->codes.lists_cap) = id;
}

/*
 * Returns the code of one label.  `kind` is the label with its mark, even if marks are not
 * displayed.
 */
static uint32_t code_of(struct fold *f, const struct label_name *name, struct str label,
                        struct str kind, struct site *site)
{
	struct rule_subject subject = { .module = name->module };

	if (!f->opts.rules)
		return name_of(f, label, site);
	if (!subject.module.p)
		subject.module = STR("");
	mark_cut(kind, &subject.mark);
	return judge(f, &subject, label, site);
}

/*
 * Returns the site of a name: its module, file and line.  The site is empty if sites are not
 * kept.
 */
static struct site find_site(struct fold *f, const struct profile *p,
                             const struct resolved *r, const struct named *n)
{
	struct site site = { .inlined = (n->flags & NAMED_INLINED) != 0 };
	struct str file;

	if (!f->sites)
		return site;
	site.module = intern(&f->sites->texts, kind_module(profile_str(p, n->module)));
	site.assembly = intern(&f->sites->texts,
	                       namespace_module(profile_str(p, n->func),
	                                        profile_str(p, n->module), n->flags));
	if (r->m)
		site.build_id = intern(&f->sites->texts, r->m->build_id);
	site.line = str_split_line(profile_str(p, n->srcline), &file);
	if (site.line)
		site.file = intern(&f->sites->texts, file);
	return site;
}

/* Returns the label of a code without the bit MANY, or 0 if rules hide the frame. */
static str_id label_of(const struct fold *f, uint32_t code)
{
	str_id name = f->opts.rules ? f->verdicts.judged[code].name : code;

	return name ? fold_label(f, name) : 0;
}

/* Stores the origin of the label of name n. */
static void keep_origin(struct fold *f, const struct profile *p, const struct named *n,
                        uint32_t code)
{
	struct origin at = { .module = namespace_module(profile_str(p, n->func),
		                                        profile_str(p, n->module),
		                                        n->flags) };

	at.line =
	        str_split_line(profile_str(p, n->decl ? n->decl : n->srcline), &at.file);
	origin_add(f->origins, label_of(f, code), &at);
}

/* Appends the codes of the labels of one name to `lists`. */
static void list_labels(struct fold *f, const struct profile *p, const struct resolved *r,
                        const struct named *n)
{
	struct label_name name = { .func = profile_str(p, n->func),
		                   .module = profile_str(p, n->module),
		                   .addr = r->addr,
		                   .flags = n->flags };
	struct site site = find_site(f, p, r, n);
	struct label_opts marked = f->opts.labels;
	struct str labels, kinds;

	if (!f->opts.no_lines)
		name.srcline = profile_str(p, n->srcline);
	labels = kinds = find_label(&f->scratch, &name, &f->opts.labels);
	marked.marks = MARK_ALL;
	if (f->opts.rules && f->opts.labels.marks != MARK_ALL)
		kinds = find_label(&f->scratch, &name, &marked);
	for (; labels.n; site.inlined = 1) {
		struct str label = str_cut(&labels, ';');
		uint32_t code = code_of(f, &name, label, str_cut(&kinds, ';'), &site);

		list_add(f, code);
		if (tidy_native_is_shim(name.func) && label_of(f, code))
			*trait_at(f, label_of(f, code)) |= TRAIT_SHIM;
		if (f->origins)
			keep_origin(f, p, n, code);
	}
	done_with_label(f);
}

/*
 * Returns the code of a frame.  The loop is backward, because the names of a frame are sorted
 * innermost first, but a stack begins at the root.
 */
static uint32_t make_code(struct fold *f, const struct profile *p,
                          const struct resolved *r)
{
	size_t at = f->codes.nlists;

	list_add(f, 0);
	for (size_t i = r->n; i-- > 0;)
		list_labels(f, p, r, &r->names[i]);
	f->codes.lists[at] = (str_id)(f->codes.nlists - at - 1);
	if (f->codes.lists[at] != 1)
		return MANY | (uint32_t)at;
	f->codes.nlists = at;
	return f->codes.lists[at + 1];
}

/* Returns true if origins are kept, and if this name and declaration are new. */
static bool is_new_place(struct fold *f, uint64_t name, str_id decl)
{
	uint32_t *seen;

	if (!f->origins || !decl)
		return false;
	seen = table_at(&f->codes.now.placed, f->run, name, decl);
	return !(*seen)++;
}

/*
 * Returns the code of a new frame.  Searches for the label by name, because most new frames are
 * further addresses in a function that already has a label.
 */
static uint32_t find_code(struct fold *f, const struct profile *p, frame_id frame)
{
	const struct resolved *r = profile_frame(p, frame);
	const struct named *n = r->names;
	uint64_t name, rest;
	uint32_t code;

	if (r->n != 1 || f->opts.labels.addrs || f->sites)
		return make_code(f, p, r);
	name = (uint64_t)n->func << 32 | n->module;
	rest = (uint64_t)n->srcline << 32 | n->flags;
	code = table_get(&f->codes.now.named, name, rest);
	if (is_new_place(f, name, n->decl) || !code) {
		code = make_code(f, p, r);
		*table_at(&f->codes.now.named, f->run, name, rest) = code;
	}
	return code;
}

static void push_code(struct fold *f, struct stack_place *at, uint32_t code)
{
	const str_id *list;

	if (!(code & MANY)) {
		take(f, at, code);
		return;
	}
	list = f->codes.lists + (code & ~(uint32_t)MANY);
	for (size_t i = 1; i <= list[0]; i++)
		take(f, at, list[i]);
}

/*
 * Returns the stack_place of a root frame to which the rules were applied.  code: the code of
 * its label.
 */
static struct stack_place begin_at(struct fold *f, uint32_t code)
{
	struct fold_judged v = f->opts.rules ? f->verdicts.judged[code]
	                                     : (struct fold_judged){ code, 0 };

	return (struct stack_place){ stack_push(&f->stacks, 0, v.name), v.flags };
}

/* Returns the name that a rule sets for the thread, or comm itself. */
static struct str thread_root(struct fold *f, struct str comm)
{
	struct str root =
	        f->opts.rules ? rule_root(f->opts.rules, comm, &f->scratch) : comm;

	return f->opts.roots && str_eq(root, comm)
	               ? rule_root(f->opts.roots, comm, &f->scratch)
	               : root;
}

/* Returns the stack_place of a sample's root.  process: name of the process, or empty. */
static struct stack_place make_root(struct fold *f, const struct sample *s,
                                    struct str process)
{
	struct rule_subject subject = { .root = true, .comm = s->comm };
	struct str name = process.n ? process : s->comm, label = STR("");
	struct site site = { .root = 1,
		             .pid = s->pid,
		             .tid = f->opts.threads ? s->tid : 0 };
	struct stack_place at = { 0 };
	uint32_t code;

	if (!process.n && f->opts.root != FOLD_ROOT_COMM)
		name = thread_root(f, s->comm);
	if (f->opts.root != FOLD_ROOT_NONE)
		label = label_root(&f->scratch, name, s->pid, s->tid, f->opts.ids);
	if (!subject.comm.p)
		subject.comm = STR("");
	if (f->sites)
		site.comm = intern(&f->sites->texts, str_trim(s->comm));
	code = f->opts.rules ? judge(f, &subject, label, &site)
	                     : name_of(f, label, &site);
	if (f->opts.root != FOLD_ROOT_NONE)
		at = begin_at(f, code);
	else if (f->opts.rules)
		at.state = f->verdicts.judged[code].flags;
	done_with_label(f);
	return at;
}

/* Returns the index of the sample's root in f->starts.places. */
static uint32_t find_root(struct fold *f, const struct profile *p, const struct sample *s)
{
	bool pids = f->opts.ids != LABEL_COMM || f->sites;
	bool tids = f->opts.ids == LABEL_TID || f->opts.threads || !s->comm.n;
	uint64_t pid = pids ? (uint32_t)s->pid : 0, tid = tids ? (uint32_t)s->tid : 0;
	/*
	 * Names are aligned to 16 bytes, so the lowest 4 bits of their addresses are 0.
	 */
	size_t slot = ((uintptr_t)s->comm.p / 16 + (uint32_t)s->tid) % RECENT_STARTS;
	struct fold_start *recent = &f->starts.recent[slot];
	struct str process = { 0 };
	uint64_t names = 0;
	uint32_t *at;

	if (f->opts.root == FOLD_ROOT_PROCESS) {
		process = s->pid == s->tid ? s->comm : profile_process_name(p, s->pid);
		names = (uint64_t)intern(&f->starts.comms, process) << 32;
	}
	if (!str_eq(intern_str(&f->starts.comms, recent->comm), s->comm))
		recent->comm = intern(&f->starts.comms, s->comm);
	names |= recent->comm;
	tid |= pid << 32;
	if (recent->index && recent->names == names && recent->ids == tid)
		return recent->index;
	at = table_at(&f->starts.place, f->run, names, tid);
	if (!*at) {
		arena_fit(f->run, f->starts.places, f->starts.n + 2, f->starts.cap);
		*at = (uint32_t)++f->starts.n;
		f->starts.places[*at] = make_root(f, s, process);
	}
	recent->names = names;
	recent->ids = tid;
	return recent->index = *at;
}

/* Pushes the frames of a sample one by one, and returns the stack_place of the last frame. */
static struct stack_place push_sample(struct fold *f, const uint32_t *codes, size_t n)
{
	struct stack_place at = f->starts.places[codes[0]];

	f->path.root = at.id;
	for (size_t i = n; i-- > 1;)
		push_code(f, &at, codes[i]);
	/*
	 * The stack is empty if it has no root frame and the rules hide all its frames.
	 */
	if (!at.id)
		at.id = stack_push(&f->stacks, 0,
		                   name_of(f, STR("[no frames]"), &(struct site){ 0 }));
	return at;
}

/*
 * Returns the stack_place of a sample.  Pushes the frames only if no recent sample had the same
 * codes.
 */
static struct stack_place place_sample(struct fold *f, const uint32_t *codes, size_t n)
{
	const struct stack_place *known = seen_stacks_find(&f->path.seen, codes, n);
	struct stack_place place;

	if (known)
		return *known;
	place = push_sample(f, codes, n);
	seen_stacks_keep(&f->path.seen, codes, n, place);
	return place;
}

/* Returns true if the rules keep the stack that ends at `at`. */
static bool is_kept(const struct fold *f, const struct stack_place *at, bool folded)
{
	if (!f->opts.rules)
		return true;
	if (at->state & (RULE_IS_DROPPED | RULE_IS_DROPPED_AS_LEAF))
		return false;
	return at->state & (RULE_IS_KEPT | RULE_IS_KEPT_AS_LEAF) ||
	       !rule_keeps(f->opts.rules, folded);
}

/* Sets f->path.codes to the root of a sample and the codes of its frames. */
static void make_codes(struct fold *f, const struct profile *p, const struct sample *s,
                       uint32_t root)
{
	size_t n = s->nframes, known = profile_frames(p);

	arena_fit(f->run, f->path.codes, n + 1, f->path.cap);
	f->path.codes[0] = root;
	arena_fit(f->run, f->codes.now.code, known, f->codes.now.code_cap);
	for (size_t i = 0; i < n; i++) {
		uint32_t *code = &f->codes.now.code[s->frames[i].id];

		if (!*code)
			*code = find_code(f, p, s->frames[i].id);
		f->path.codes[i + 1] = *code;
	}
}

/* Returns the stack_place of a sample whose event.stack is not 0. */
static struct stack_place place_stack(struct fold *f, const struct profile *p,
                                      const struct sample *s, uint32_t root)
{
	/* No frame has the code UINT32_MAX, so the key differs from the codes of all samples. */
	const uint32_t stack = s->ev->stack, key[] = { root, stack, UINT32_MAX };
	const struct stack_place *seen;
	struct sample whole = *s;
	struct fold_place *known;
	struct stack_place at;

	arena_fit(f->run, f->path.known, stack + 1u, f->path.known_cap);
	known = &f->path.known[stack];
	if (known->root == root)
		return known->place;
	seen = known->root ? seen_stacks_find(&f->path.seen, key, 3) : NULL;
	if (seen)
		return *seen;
	if (s->delayed)
		profile_resolve(f->profile, &whole);
	make_codes(f, p, &whole, root);
	at = push_sample(f, f->path.codes, whole.nframes + 1);
	if (known->root)
		seen_stacks_keep(&f->path.seen, key, 3, at);
	else
		*known = (struct fold_place){ root, at };
	return at;
}

bool fold_sample(struct fold *f, const struct profile *p, const struct sample *s,
                 stack_id *out)
{
	uint32_t root = find_root(f, p, s);
	struct stack_place at;

	if (s->ev->stack) {
		at = place_stack(f, p, s, root);
	} else {
		make_codes(f, p, s, root);
		at = place_sample(f, f->path.codes, s->nframes + 1);
	}
	*out = at.id;
	return is_kept(f, &at, false);
}

/* Returns the code of a name in a line of folded stacks.  `root` is true for the first name. */
static uint32_t line_code(struct fold *f, struct str name, bool root)
{
	str_id piece = intern(&f->pieces.texts, name);
	uint32_t *code;

	arena_fit(f->run, f->pieces.code, 3u * (piece + 1u), f->pieces.cap);
	code = &f->pieces.code[3 * piece + (root ? 1u + f->rooted : 0)];
	if (!*code && piece) {
		struct site site = { .root = root && f->rooted, .pid = -1, .tid = -1 };
		struct rule_subject s = { .root = root };
		struct str label =
		        label_clean(&f->scratch, intern_str(&f->pieces.texts, piece));

		mark_cut(label, &s.mark);
		site.inlined = s.mark == 'i';
		*code = f->opts.rules ? judge(f, &s, label, &site)
		                      : name_of(f, label, &site);
		done_with_label(f);
	}
	return *code;
}

void fold_add_origin(struct fold *f, struct str line)
{
	struct origin at;

	if (f->origins && origin_parse(line, &at))
		origin_add(f->origins, label_of(f, line_code(f, at.name, false)), &at);
}

bool fold_line(struct fold *f, struct str line, stack_id *out)
{
	struct stack_place at = { 0 };
	bool root = true, more = true;

	while (more) {
		size_t end = str_find(line, ';');
		uint32_t code = line_code(f, str_head(line, end), root);

		more = end < line.n;
		line = str_from(line, end + 1);
		if (root)
			at = begin_at(f, code);
		else
			take(f, &at, code);
		if (root)
			f->path.root = at.id;
		root = false;
	}
	*out = at.id;
	return is_kept(f, &at, true);
}

void fold_set_java(struct fold *f, bool java)
{
	struct fold_labels now = f->codes.now;

	if (f->opts.labels.java == java)
		return;
	f->opts.labels.java = java;
	f->codes.now = f->codes.other;
	f->codes.other = now;
}

/*
 * Returns 3 * n names, in f->run: each name unchanged, as a label of a Java program, and as a
 * label of other programs.
 */
static struct str *list_starts(struct fold *f, const struct str *names, size_t n)
{
	struct str *list = arena_new(f->run, struct str, 3 * n);
	struct label_opts opts = f->opts.labels;

	opts.marks = 0;
	for (size_t i = 0; i < 3 * n; i++) {
		struct label_name name = { .func = names[i / 3] };

		opts.java = i % 3 == 1;
		list[i] = i % 3 ? find_label(f->run, &name, &opts) : names[i / 3];
	}
	return list;
}

struct str fold_nearest(const struct fold *f, struct str want, struct arena *a)
{
	struct nearest near;
	struct table seen = { 0 };
	arena_scope(scratch);

	nearest_init(&near, want, NEAREST_AROUND, a);
	for (size_t i = 1; i < f->stacks.n; i++) {
		uint32_t label = fold_label(f, f->stacks.node[i].name);
		uint32_t *at = table_at(&seen, &scratch, label, 0);
		char mark;

		if (!*at)
			nearest_take(&near,
			             mark_cut(intern_str(&f->names, label), &mark));
		*at = 1;
	}
	return nearest_question(&near);
}

const stack_id *fold_skip_callers(struct fold *f, const struct str *names, size_t n,
                                  bool *met)
{
	const struct str *list = list_starts(f, names, n);
	struct stacks whole = f->stacks;
	stack_id *to = arena_new(f->run, stack_id, whole.n);

	stack_init(&f->stacks, f->run);
	for (size_t i = 1; i < whole.n; i++) { /* parents precede their children */
		const struct stack_node *node = &whole.node[i];
		stack_id parent = to[node->parent];
		struct str label = intern_str(&f->names, fold_label(f, node->name));
		char mark;

		label = mark_cut(label, &mark);
		for (size_t k = 0; k < 3 * n; k++)
			if (str_eq(label, list[k])) {
				parent = 0;
				met[k / 3] = true;
			}
		to[i] = stack_push(&f->stacks, parent, node->name);
		stack_add(&f->stacks, to[i], node->self, node->fraction);
	}
	return to;
}
