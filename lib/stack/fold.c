#include "stack/fold.h"

/* code[frame]: 0 when not yet known; a label; or MANY and a place in lists. */
enum { MANY = 1u << 31 };

enum { SCRATCH_LABELS = 16 }; /* that share a scratch arena */

static void done_with_label(struct fold *f)
{
	if (++f->in_scratch < SCRATCH_LABELS)
		return;
	arena_release(&f->scratch);
	f->in_scratch = 0;
}

void fold_init(struct fold *f, struct arena *run, const struct label_opts *labels,
               enum label_ids ids)
{
	*f = (struct fold){ .run = run, .labels = *labels, .ids = ids };
	intern_init(&f->names, run);
	intern_init(&f->comms, run);
	intern_init(&f->pieces, run);
	stack_init(&f->stacks, run);
}

void fold_begin(struct fold *f)
{
	if (f->code_cap)
		memset(f->code, 0, f->code_cap * sizeof(*f->code));
	f->nlists = 0;
	f->nframes = 0;
	f->root = 0;
	f->chains = f->named = (struct table){ 0 };
}

void fold_end(struct fold *f)
{
	arena_release(&f->scratch);
}

enum trait {
	TRAIT_KNOWN = 1,
	TRAIT_UNNAMED = 2, /* "[libc.so.6]" */
	TRAIT_ASYNC = 4,   /* "App.Svc::RunAsync (async)" */
	TRAIT_RESUMES = 8, /* stands between an async method and its continuation */
};

/* label without the mark at its end. */
static struct str without_mark(struct str label)
{
	if (label.n > 4 && label.p[label.n - 1] == ']' && label.p[label.n - 3] == '[' &&
	    label.p[label.n - 4] == '_')
		label.n -= 4;
	return label;
}

static uint8_t find_trait(struct str label)
{
	static const char *const resumes[] = {
		"[async resume]",
		"System.Threading.ExecutionContext::Run",
		"System.Runtime.CompilerServices.AsyncMethodBuilderCore::",
	};

	label = without_mark(label);
	for (size_t i = 0; i < sizeof(resumes) / sizeof(*resumes); i++)
		if (str_starts(label, str_of(resumes[i])))
			return TRAIT_KNOWN | TRAIT_RESUMES;
	if (str_ends(label, STR("(async)")) || str_ends(label, STR(", async)")))
		return TRAIT_KNOWN | TRAIT_ASYNC;
	if (label.n > 2 && label.p[0] == '[' && label.p[label.n - 1] == ']' &&
	    !str_starts(label, STR("[resume ")))
		return TRAIT_KNOWN | TRAIT_UNNAMED;
	return TRAIT_KNOWN;
}

static uint8_t trait_of(struct fold *f, str_id label)
{
	if (label >= f->trait_cap)
		f->trait = arena_grow(f->run, f->trait, &f->trait_cap, f->names.n,
		                      sizeof(*f->trait));
	if (!f->trait[label])
		f->trait[label] = find_trait(intern_str(&f->names, label));
	return f->trait[label];
}

/* The frame below which label stands, or that it becomes one with; the root is none. */
static bool is_frame_of(const struct fold *f, stack_id id, str_id label)
{
	return id && f->stacks.node[id].name == label && f->stacks.node[id].parent;
}

static stack_id push(struct fold *f, stack_id parent, str_id label)
{
	uint8_t trait = f->all_frames ? TRAIT_KNOWN : trait_of(f, label);
	stack_id id = parent;

	if (trait & TRAIT_ASYNC)
		while (f->stacks.node[id].parent &&
		       trait_of(f, f->stacks.node[id].name) & TRAIT_RESUMES)
			id = f->stacks.node[id].parent;
	if ((trait & (TRAIT_UNNAMED | TRAIT_ASYNC) || f->recursion) &&
	    is_frame_of(f, id, label))
		return id;
	if (f->recursion == RECURSION_CYCLIC)
		for (id = parent; id; id = f->stacks.node[id].parent)
			if (is_frame_of(f, id, label))
				return id;
	return stack_push(&f->stacks, parent, label);
}

static void list_add(struct fold *f, str_id id)
{
	f->lists = arena_grow(f->run, f->lists, &f->lists_cap, f->nlists + 1,
	                      sizeof(*f->lists));
	f->lists[f->nlists++] = id;
}

/* Appends the labels of one name to lists. */
static void list_labels(struct fold *f, const struct profile *p, const struct named *n)
{
	struct label_name name = { .func = profile_str(p, n->func),
		                   .module = profile_str(p, n->module),
		                   .addr = n->addr,
		                   .flags = n->flags,
		                   .srcline = profile_str(p, n->srcline) };
	struct str labels = label_frame(&f->scratch, &name, &f->labels);

	while (labels.n)
		list_add(f, intern(&f->names, str_cut(&labels, ';')));
	done_with_label(f);
}

/* The names of a frame are innermost first, a stack is built from the root. */
static uint32_t make_code(struct fold *f, const struct profile *p,
                          const struct resolved *r)
{
	size_t at = f->nlists;

	list_add(f, 0);
	for (size_t i = r->n; i-- > 0;)
		list_labels(f, p, &r->names[i]);
	f->lists[at] = (str_id)(f->nlists - at - 1);
	if (f->lists[at] != 1)
		return MANY | (uint32_t)at;
	f->nlists = at;
	return f->lists[at + 1];
}

/* Most frames are other places in a function that has its label. */
static uint32_t find_code(struct fold *f, const struct profile *p, frame_id frame)
{
	const struct resolved *r = profile_frame(p, frame);
	const struct named *n = r->names;
	uint64_t name, rest;
	uint32_t code;

	if (r->n != 1 || f->labels.addrs)
		return make_code(f, p, r);
	name = (uint64_t)n->func << 32 | n->module;
	rest = (uint64_t)n->srcline << 32 | n->flags;
	code = table_get(&f->named, name, rest);
	if (!code) {
		code = make_code(f, p, r);
		*table_at(&f->named, f->run, name, rest) = code;
	}
	return code;
}

static stack_id push_frame(struct fold *f, const struct profile *p, stack_id id,
                           frame_id frame)
{
	uint32_t code = f->code[frame];
	const str_id *list;

	if (!code)
		code = f->code[frame] = find_code(f, p, frame);
	if (!(code & MANY))
		return push(f, id, code);
	list = f->lists + (code & ~(uint32_t)MANY);
	for (size_t i = 1; i <= list[0]; i++)
		id = push(f, id, list[i]);
	return id;
}

static stack_id find_root(struct fold *f, const struct sample *s)
{
	uint64_t pid = f->ids != LABEL_COMM ? (uint32_t)s->pid : 0;
	uint64_t tid = f->ids == LABEL_TID || !s->comm.n ? (uint32_t)s->tid : 0;
	struct str label;
	uint32_t *at;

	if (!str_eq(intern_str(&f->comms, f->comm), s->comm))
		f->comm = intern(&f->comms, s->comm);
	at = table_at(&f->roots, f->run, f->comm, pid << 32 | tid);
	if (!*at) {
		label = label_root(&f->scratch, s->comm, s->pid, s->tid, f->ids);
		*at = stack_push(&f->stacks, 0, intern(&f->names, label));
		done_with_label(f);
	}
	return *at;
}

/* A chain of callers that was seen below this root is known as a whole. */
static stack_id fold_chain(struct fold *f, const struct profile *p,
                           const struct sample *s, stack_id root)
{
	stack_id known = table_get(&f->chains, root, s->chain), id = known ? known : root;

	if (!known) {
		for (size_t i = s->nframes; i-- > 1;)
			id = push_frame(f, p, id, s->frames[i]);
		*table_at(&f->chains, f->run, root, s->chain) = id;
	}
	return push_frame(f, p, id, s->frames[0]);
}

stack_id fold_sample(struct fold *f, const struct profile *p, const struct sample *s)
{
	const frame_id *frames = s->frames;
	size_t n = s->nframes, known = profile_frames(p), i = 0;
	stack_id id = find_root(f, s);

	if (known > f->code_cap)
		f->code = arena_grow(f->run, f->code, &f->code_cap, known,
		                     sizeof(*f->code));
	if (s->chain)
		return fold_chain(f, p, s, id);
	if (n > f->frames_cap) {
		f->frames = arena_grow(f->run, f->frames, &f->frames_cap, n,
		                       sizeof(*f->frames));
		f->stack =
		        arena_grow(f->run, f->stack, &f->stack_cap, n, sizeof(*f->stack));
	}
	if (id == f->root)
		while (i < n && i < f->nframes && f->frames[i] == frames[n - 1 - i])
			i++;
	f->root = id;
	if (i)
		id = f->stack[i - 1];
	for (; i < n; i++) {
		id = push_frame(f, p, id, frames[n - 1 - i]);
		f->frames[i] = frames[n - 1 - i];
		f->stack[i] = id;
	}
	f->nframes = n;
	return id;
}

stack_id fold_line(struct fold *f, struct str line)
{
	stack_id id = 0;
	bool more = true;

	while (more) {
		size_t end = str_find(line, ';');
		str_id piece = intern(&f->pieces, str_head(line, end)), *clean;

		more = end < line.n;
		line = str_from(line, end + 1);
		f->clean = arena_grow(f->run, f->clean, &f->clean_cap, piece + 1u,
		                      sizeof(*f->clean));
		clean = &f->clean[piece];
		if (!*clean && piece) {
			*clean = intern(
			        &f->names,
			        label_clean(&f->scratch, intern_str(&f->pieces, piece)));
			done_with_label(f);
		}
		id = push(f, id, *clean);
	}
	return id;
}
