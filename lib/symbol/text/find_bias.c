#include "symbol/text/find_bias.h"

#include "bind/dotnet/loaded.h"

enum {
	ASKED = 64,          /* distinct addresses of a module and process */
	MODULES = 4096,      /* and of them */
	SPOTS = 16,          /* of one module: a text may not say whose a thread is */
	REACH = 1 << 28,     /* a file is smaller, and processes have it farther apart */
	ANCHORS = 3,         /* addresses that may be garbage before none is left */
	PLACES = 1 << 17,    /* tried in one file */
	PAGE = 1 << 12,      /* what an ELF file is moved by, */
	IMAGE_STEP = 1 << 16 /* and an image: the runtime reserves memory by as much */
};

/* A module in a process, or in several of which a text does not say who is who. */
struct sought {
	str_id module;
	int32_t pid;
	uint64_t ip[ASKED]; /* return addresses */
	size_t n;
	bool found;
	uint64_t bias; /* ip - file offset */
	uint32_t next; /* the same elsewhere, index + 1 */
};

struct seeker {
	struct sought *of;
	size_t n, cap;
	struct table index; /* (module, pid) -> index of `of` + 1 */
};

/* Where a file may lie. */
struct hunt {
	const struct pe *pe; /* one of these two */
	const struct elf *elf;
	const struct sought *s;
	size_t tried, hits;
	uint64_t bias; /* of the last hit */
};

/* What is near ip of module in pid; NULL: nothing. */
static struct sought *sought_of(const struct profile *p, int32_t pid, str_id module,
                                uint64_t ip)
{
	struct seeker *k = p->seeker;
	uint32_t at = k ? table_get(&k->index, module, (uint32_t)pid) : 0;

	for (int tried = 0; at && tried < SPOTS; tried++, at = k->of[at - 1].next)
		if (ip - k->of[at - 1].ip[0] + REACH < 2 * (uint64_t)REACH)
			return &k->of[at - 1];
	return NULL;
}

static struct sought *add_sought(struct profile *p, int32_t pid, str_id module)
{
	struct seeker *k = p->seeker;
	uint32_t *at;

	if (!k)
		k = p->seeker = arena_new(&p->run, struct seeker, 1);
	if (k->n >= MODULES)
		return NULL;
	at = table_at(&k->index, &p->run, module, (uint32_t)pid);
	k->of = arena_grow(&p->run, k->of, &k->cap, k->n + 1, sizeof(*k->of));
	k->of[k->n++] = (struct sought){ .module = module, .pid = pid, .next = *at };
	*at = (uint32_t)k->n;
	return &k->of[k->n - 1];
}

void profile_seek_note(struct profile *p, int32_t pid, str_id module, uint64_t ip)
{
	struct sought *s = sought_of(p, pid, module, ip);

	if (!s && !(s = add_sought(p, pid, module)))
		return;
	for (size_t i = 0; i < s->n; i++)
		if (s->ip[i] == ip)
			return;
	if (s->n < ASKED)
		s->ip[s->n++] = ip;
}

static bool is_code(const struct hunt *h, uint64_t off)
{
	uint64_t shift;

	if (h->elf)
		return elf_place(h->elf, off, 1, false, &shift);
	for (size_t i = 0; i < h->pe->nsections; i++) {
		const struct pe_section *s = &h->pe->section[i];

		if (s->executable && off >= s->file_off &&
		    off - s->file_off < s->raw_size)
			return true;
	}
	return false;
}

static bool follows_call(const struct hunt *h, uint64_t off)
{
	return off && is_code(h, off - 1) &&
	       (h->elf ? elf_follows_call(h->elf, off) : pe_follows_call(h->pe, off));
}

/* Do nearly all addresses follow calls, if the file lay there? */
static bool suits(const struct hunt *h, uint64_t bias)
{
	const struct sought *s = h->s;
	size_t bad = 0;

	for (size_t i = 0; i < s->n && bad * 100 <= s->n * (100 - VERIFIED_CALLS_PERCENT); i++)
		bad += !follows_call(h, s->ip[i] - bias);
	return bad * 100 <= s->n * (100 - VERIFIED_CALLS_PERCENT);
}

/* All places where ip is in from..to of the file. */
static void try_part(struct hunt *h, uint64_t ip, uint64_t from, uint64_t to,
                     uint64_t step)
{
	/* The first offset from there on that leaves a whole number of steps. */
	uint64_t off = from + (ip - from) % step;

	for (; off >= from && off <= to && h->tried < PLACES && h->hits < 2;
	     off += step) {
		h->tried++;
		if (!suits(h, ip - off))
			continue;
		if (!h->hits || h->bias != ip - off)
			h->hits++;
		h->bias = ip - off;
	}
}

static void try_places(struct hunt *h, uint64_t ip)
{
	if (h->pe)
		for (size_t i = 0; i < h->pe->nsections; i++) {
			const struct pe_section *s = &h->pe->section[i];

			if (s->executable)
				try_part(h, ip, s->file_off,
				         (uint64_t)s->file_off + s->raw_size, IMAGE_STEP);
		}
	else
		for (size_t i = 0; i < h->elf->nloads; i++) {
			const struct elf_load *l = &h->elf->load[i];

			if (l->executable)
				try_part(h, ip, l->file_off, l->file_off + l->file_size,
				         PAGE);
		}
}

/*
 * Of addresses at a place that is not theirs about one in fifteen follows a call: of so
 * many places, would one suit so few by chance in one of a hundred cases?
 */
static bool is_certain(size_t places, size_t addresses)
{
	size_t chance = places > 1 ? places * 100 : places;

	for (size_t i = 0; i < addresses && chance; i++)
		chance /= 15;
	return !chance;
}

/* False: there is no such place in that file, or several. */
static bool find_place(struct hunt *h)
{
	for (size_t i = 0; i < ANCHORS && i < h->s->n && !h->hits; i++) {
		h->tried = 0;
		try_places(h, h->s->ip[i]);
	}
	return h->hits == 1 && is_certain(h->tried, h->s->n);
}

/* Where perfinfo says that the image was loaded. */
static bool find_loaded(struct profile *p, const struct sought *s, uint64_t *bias)
{
	struct locator *l = &p->locator;
	struct str path = intern_str(&p->names, s->module);
	const struct image_load *load;
	uint64_t lowest = s->ip[0], rva;

	for (size_t i = 1; i < s->n; i++)
		if (s->ip[i] < lowest)
			lowest = s->ip[i];
	load = loaded_below(p->binder, s->module, lowest);
	if (!load)
		return false;
	*bias = load->base;
	for (struct item *it = locate_base(l, path); it; it = locate_next(l, it)) {
		const struct pe *pe = it->kind == ITEM_PE ? locate_pe(l, it) : NULL;

		if (!pe || !pe->has_mvid || memcmp(pe->mvid, load->mvid, MVID_BYTES) != 0)
			continue;
		for (size_t i = 0; i < pe->nsections; i++)
			if (pe->section[i].executable &&
			    pe_rva(pe, pe->section[i].file_off, &rva)) {
				*bias = load->base + rva - pe->section[i].file_off;
				return true;
			}
	}
	return true;
}

/* In the files that are called so: where one of them suits, and no other elsewhere. */
static bool find_by_calls(struct profile *p, const struct sought *s, uint64_t *bias)
{
	struct locator *l = &p->locator;
	struct item *it = locate_base(l, intern_str(&p->names, s->module));
	bool found = false;

	for (int tried = 0; it && tried < SAME_NAME; tried++, it = locate_next(l, it)) {
		struct hunt h = { .s = s };

		if (it->kind == ITEM_PE)
			h.pe = locate_pe(l, it);
		else if (it->kind == ITEM_ELF)
			h.elf = locate_elf(l, it);
		if ((!h.pe && (!h.elf || h.elf->bare)) ||
		    (h.pe && !pe_knows_calls(h.pe)) || !find_place(&h))
			continue;
		if (found && *bias != h.bias)
			return false;
		found = true;
		*bias = h.bias;
	}
	return found;
}

void profile_seek(struct profile *p)
{
	for (size_t i = 0; p->seeker && i < p->seeker->n; i++) {
		struct sought *s = &p->seeker->of[i];

		s->found = find_loaded(p, s, &s->bias) || find_by_calls(p, s, &s->bias);
		if (s->found)
			diag_detail(p->diag, PRSTR ": of %s: its first byte lay at %llx",
			            STRARG(intern_str(&p->names, s->module)),
			            process_called(s->pid).text,
			            (unsigned long long)s->bias);
	}
}

const struct mapping *profile_sought_mapping(struct profile *p, int32_t pid,
                                             str_id module, uint64_t ip)
{
	const struct sought *s = sought_of(p, pid, module, ip);

	return s && s->found ? process_assume_at(p->ps, pid, module, s->bias) : NULL;
}
