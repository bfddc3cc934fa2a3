#include "symbol/text/find_bias.h"

#include "bind/dotnet/loaded.h"

enum {
	ASKED = 64,     /* maximum number of distinct addresses in one struct sought */
	MODULES = 4096, /* maximum number of struct sought */
	/*
	 * maximum number of struct sought for one module and pid.  In a text without
	 * pids, one pid represents several processes, and each process may have loaded the
	 * module at another address
	 */
	SPOTS = 16,
	REACH = 1
	        /*
	         * in bytes: greater than the size of a file, and less than the distance
	         * between two load addresses of a file
	         */
	        << 28,
	/*
	 * maximum number of searches for a load address.  Each search begins with another
	 * noted address, because a noted address may be garbage
	 */
	ANCHORS = 3,
	PLACES = 1 << 17,    /* maximum number of load addresses to try for one file */
	PAGE = 1 << 12,      /* load addresses of ELF files are multiples of PAGE */
	IMAGE_STEP = 1 << 16 /* load addresses of images are multiples of IMAGE_STEP */
};

/*
 * A module whose load address in a process is unknown.  If a text does not contain the processes
 * of threads, one pid may represent several processes.  Then there is one struct sought for each
 * load address of the module.
 */
struct sought {
	str_id module;
	int32_t pid;
	/* the first noted address, and the lowest noted address */
	uint64_t first, lowest;
	uint64_t ip[ASKED]; /* return addresses */
	size_t n;
	bool found;
	uint64_t bias; /* ip minus file offset */
	uint32_t next; /* index + 1 of another struct for the same module and pid, or 0 */
};

/* The search for the load address of a module, with one candidate file. */
struct hunt {
	const struct pe *pe; /* either pe or elf is set */
	const struct elf *elf;
	const struct sought *s;
	size_t tried, hits;
	uint64_t bias; /* bias of the last match */
};

/*
 * Returns the struct for the module in process pid if its addresses are near ip, or NULL.
 */
static struct sought *find_sought(const struct find_bias *b, int32_t pid, str_id module,
                                  uint64_t ip)
{
	uint32_t at = table_get(&b->index, module, (uint32_t)pid);

	for (int tried = 0; at && tried < SPOTS; tried++, at = b->of[at - 1].next)
		if (ip - b->of[at - 1].first + REACH < 2 * (uint64_t)REACH)
			return &b->of[at - 1];
	return NULL;
}

static struct sought *add_sought(struct find_bias *b, int32_t pid, str_id module,
                                 uint64_t ip)
{
	struct arena *run = &b->s->run;
	uint32_t *at;

	if (b->n >= MODULES)
		return NULL;
	at = table_at(&b->index, run, module, (uint32_t)pid);
	*arena_push(run, b->of, b->n, b->cap) = (struct sought){
		.module = module, .pid = pid, .first = ip, .lowest = ip, .next = *at
	};
	*at = (uint32_t)b->n;
	return &b->of[b->n - 1];
}

void find_bias_note(struct find_bias *b, int32_t pid, str_id module, uint64_t ip,
                    bool caller)
{
	struct sought *s = find_sought(b, pid, module, ip);

	if (!s && !(s = add_sought(b, pid, module, ip)))
		return;
	if (ip < s->lowest)
		s->lowest = ip;
	for (size_t i = 0; i < s->n; i++)
		if (s->ip[i] == ip)
			return;
	if (caller && s->n < ASKED)
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

/* Returns true if, with this bias, nearly all addresses follow a call instruction. */
static bool suits(const struct hunt *h, uint64_t bias)
{
	const struct sought *s = h->s;
	size_t bad = 0, most = s->n * (100 - VERIFIED_CALLS_PERCENT) / 100;

	for (size_t i = 0; i < s->n && bad <= most; i++)
		bad += !follows_call(h, s->ip[i] - bias);
	return bad <= most;
}

/* Tries all biases that put ip at a file offset from `from` to `to`. */
static void try_part(struct hunt *h, uint64_t ip, uint64_t from, uint64_t to,
                     uint64_t step)
{
	/* The lowest offset >= `from` that differs from ip by a multiple of `step`. */
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

bool find_bias_is_certain(size_t places, size_t addresses)
{
	size_t chance = places > 1 ? places * 100 : places;

	for (size_t i = 0; i < addresses && chance; i++)
		chance /= 15;
	return !chance;
}

/*
 * Finds the only bias at which the addresses fit the file.  Returns false if no bias fits, or if
 * several do.
 */
static bool find_place(struct hunt *h)
{
	for (size_t i = 0; i < ANCHORS && i < h->s->n && !h->hits; i++) {
		h->tried = 0;
		try_places(h, h->s->ip[i]);
	}
	return h->hits == 1 && find_bias_is_certain(h->tried, h->s->n);
}

/* Finds the load address of a .NET image in perfinfo. */
static bool find_loaded(struct session *s, const struct sought *of, uint64_t *bias)
{
	struct locator *l = &s->locator;
	struct str path = intern_str(&s->names, of->module);
	const struct image_load *load;
	uint64_t rva;

	load = loaded_find_below(s->binder, of->module, of->lowest);
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

/*
 * Tries all files that have the name of the module.  Returns false if no file fits, or if two
 * files fit with different biases.
 */
static bool find_by_calls(struct session *s, const struct sought *of, uint64_t *bias)
{
	struct locator *l = &s->locator;
	struct item *it = locate_base(l, intern_str(&s->names, of->module));
	bool found = false;

	for (int tried = 0; it && tried < SAME_NAME; tried++, it = locate_next(l, it)) {
		struct hunt h = { .s = of };

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

void find_bias_search(struct find_bias *b)
{
	for (struct sought *s = b->of; s < b->of + b->n; s++) {
		s->found = find_loaded(b->s, s, &s->bias) ||
		           find_by_calls(b->s, s, &s->bias);
		if (s->found)
			diag_detail(b->s->diag, PRSTR ": of %s: it was loaded at %llx",
			            STRARG(intern_str(&b->s->names, s->module)),
			            process_label(s->pid).text,
			            (unsigned long long)s->bias);
	}
}

const struct mapping *find_bias_mapping(const struct find_bias *b, int32_t pid,
                                        str_id module, uint64_t ip)
{
	const struct sought *s = find_sought(b, pid, module, ip);

	return s && s->found ? process_assume_at(b->s->ps, pid, module, s->bias) : NULL;
}
