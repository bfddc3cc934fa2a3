#include "bind/dotnet/match_bundled.h"

#include "base/out.h"
#include "bind/binder.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/local_image.h"
#include "bind/sampled.h"
#include "image/dotnet/assembly.h"

enum {
	/*
	 * least percentage of addresses in methods, and of return addresses after calls.
	 * The right image has 100 %, other images have 0 to 40 %
	 */
	PERCENT_RIGHT = 75,
	/*
	 * If no return address was sampled in an unpacked image, the image needs
	 * ENOUGH_SAMPLES or ENOUGH_CODE as evidence.
	 */
	ENOUGH_SAMPLES = 3, /* minimum number of sampled addresses in methods */
	/*
	 * minimum size of the code in bytes.  The code must also be as long as the
	 * mapping
	 */
	ENOUGH_CODE = 1 << 20,
	HEAD = 4096, /* size of the part of an image that contains its headers */
	ID_BYTES = 20,
};

/* The pages of a compressed image that contain code.  If the image has no code, length is 0. */
struct bundled_code {
	uint64_t rva, length;
};

/* Returns false if both build-ids are known and differ. */
static bool is_build(const struct elf *e, const struct mapping *m)
{
	return !m->build_id.n || !e->build_id.n || str_eq(e->build_id, m->build_id);
}

static struct item *find_host(struct binder *b, const struct mapping *m)
{
	struct locator *l = b->locator;
	struct str path = intern_str(l->names, m->path);
	struct item *it = locate_base(l, path), *best = NULL;
	size_t most = 0;

	for (int tried = 0; it && tried < SAME_NAME; tried++, it = locate_next(l, it)) {
		size_t parts = locate_common_parts(it->name, path);
		const struct elf *e =
		        it->program && !it->local ? locate_elf(l, it) : NULL;

		if (!e || parts <= most || !is_build(e, m) || !assembly_bundle(l, it))
			continue;
		most = parts;
		best = it;
	}
	if (best)
		return best;
	it = local_image_program(b, m);
	return it && assembly_bundle(l, it) ? it : NULL;
}

static void note_program(struct binder *b, struct item *it, int32_t pid)
{
	struct bundled *bd = b->bundled;

	for (size_t i = 0; i < bd->n; i++)
		if (bd->program[i].item == it && bd->program[i].pid == pid)
			return;
	*arena_push(b->run, bd->program, bd->n, bd->cap) =
	        (struct bundled_program){ .item = it, .pid = pid };
}

/* Counts of the addresses sampled in a mapping, as evidence for an image. */
struct evidence {
	/* all sampled addresses, and those inside a method */
	size_t addresses, inside;
	/*
	 * number of return addresses, and number of return addresses that follow a call
	 */
	size_t callers, calls;
};

static void weigh(struct binder *b, const struct bound_image *im,
                  const struct sampled_address *at, struct evidence *e)
{
	const struct pe *pe = locate_pe(b->locator, im->image);
	struct r2r *r = bound_image_methods(b, im);
	uint64_t rva, off;
	size_t index;

	e->addresses++;
	e->callers += at->caller;
	if (!bound_image_rva(im, sampled_byte(at->ip, at->caller), &rva))
		return;
	e->inside += r2r_find(r, rva, &index);
	e->calls += at->caller && pe_file_off(pe, rva, &off) &&
	            (!pe_knows_calls(pe) || pe_follows_call(pe, off + 1));
}

static struct evidence weigh_all(struct binder *b, const struct bound_image *im)
{
	const struct mapping *m = im->m;
	const struct sampled_address *a = m->kind == MAPPED_IMAGE
	                                          ? sampled_find(b->sampled, m)
	                                          : sampled_jit(b->sampled, m->pid);
	struct evidence e = { 0 };

	for (; a; a = sampled_next(b->sampled, a))
		if (a->m && a->m->id == m->id)
			weigh(b, im, a, &e);
	return e;
}

static bool is_right(const struct evidence *e)
{
	return e->inside * 100 >= e->addresses * PERCENT_RIGHT &&
	       e->calls * 100 >= e->callers * PERCENT_RIGHT;
}

/* Finds an uncompressed image whose code is in the mapping. */
static bool find_stored(struct binder *b, struct item *host, struct bound_image *im)
{
	const struct bundle *bundle = host->bundle;
	uint64_t file_off = im->m->first - im->m->bias;
	uint64_t length = im->m->last - im->m->first;

	for (size_t i = 0; i < bundle->n; i++) {
		const struct bundle_entry *e = &bundle->entry[i];
		struct evidence found;

		/* Entries are not aligned to pages, so the ranges need only overlap. */
		if (e->packed || e->file_off >= file_off + length ||
		    e->file_off + e->size <= file_off)
			continue;
		im->image = assembly_carried(b->locator, host, i);
		im->pe = im->image ? locate_pe(b->locator, im->image) : NULL;
		if (!im->pe || pe_mapped_length(im->pe, e->file_off, file_off) != length)
			continue;
		im->file_base = e->file_off;
		if (!bound_image_methods(b, im))
			continue;
		found = weigh_all(b, im);
		if (is_right(&found))
			return true;
	}
	return false;
}

/* Counts of sampled return addresses in an entry of a bundle (a single-file program). */
struct entry_calls {
	size_t all;
	size_t good; /* number of return addresses that follow a call instruction */
};

static bool follows_call(const struct binder *b, struct item *image, uint64_t off)
{
	const struct pe *pe = image ? locate_pe(b->locator, image) : NULL;

	return pe && pe_knows_calls(pe) && pe_follows_call(pe, off);
}

static void count_calls(const struct binder *b, struct item *host,
                        const struct mapping *m, struct entry_calls *calls)
{
	const struct bundle *bundle = host->bundle;
	const struct sampled_address *a = sampled_find(b->sampled, m);

	for (; a; a = sampled_next(b->sampled, a)) {
		uint64_t off = a->ip - m->bias;
		const struct bundle_entry *e = bundle_at(bundle, off);
		size_t at = e ? (size_t)(e - bundle->entry) : 0;

		if (!e || !a->caller)
			continue;
		calls[at].all++;
		calls[at].good += follows_call(b, assembly_carried(b->locator, host, at),
		                               off - e->file_off);
	}
}

/*
 * Finds the program of an assumed mapping, which is made for a text without mappings.  The text
 * prints offsets in the program.  The return addresses in all images together must prove that this
 * program ran.  The addresses in each image must also prove that the image ran, because a rebuilt
 * program may have most images at the same offsets.  Sets *im to one of the images that are proved
 * to have run.  match_bundled_neighbour then finds the image of an offset.
 */
static bool find_assumed(struct binder *b, struct item *host, struct bound_image *im)
{
	arena_scope(scratch);
	struct entry_calls *calls =
	        arena_new(&scratch, struct entry_calls, host->bundle->n);
	struct entry_calls sum = { 0 };

	count_calls(b, host, im->m, calls);
	for (size_t i = 0; i < host->bundle->n; i++) {
		struct item *it;

		if (!calls[i].all)
			continue;
		sum.all += calls[i].all;
		sum.good += calls[i].good;
		it = assembly_carried(b->locator, host, i);
		if (!it)
			continue;
		it->unlike = calls[i].good * 100 < calls[i].all * VERIFIED_CALLS_PERCENT;
		if (it->unlike)
			continue;
		im->image = it;
		im->pe = locate_pe(b->locator, it);
		im->file_base = host->bundle->entry[i].file_off;
	}
	return im->image && sum.all >= VERIFIED_MIN_CALLS &&
	       sum.good * 100 >= sum.all * VERIFIED_CALLS_PERCENT;
}

/* Determines the length of each compressed image's code.  Unpacks only the headers. */
static void measure(struct binder *b, struct bundled_program *h)
{
	const struct bundle *bundle = h->item->bundle;
	struct arena scratch = { 0 };

	if (h->code)
		return;
	h->code = arena_new(b->run, struct bundled_code, bundle->n);
	for (size_t i = 0; i < bundle->n; i++) {
		const struct bundle_entry *e = &bundle->entry[i];
		struct pe pe;

		if (e->packed && e->kind == BUNDLE_ASSEMBLY &&
		    pe_read(&pe, bundle_head(bundle, e, HEAD, &scratch)))
			pe_code_pages(&pe, &h->code[i].rva, &h->code[i].length);
		arena_release(&scratch);
	}
}

/*
 * Finds the compressed image of a mapping.  It must be the only entry whose code has the length
 * of the mapping and fits the samples.
 */
static bool find_copied(struct binder *b, struct bundled_program *h,
                        struct bound_image *im)
{
	uint64_t length = im->m->last - im->m->first;
	struct bound_image best = { 0 };
	bool one = false;

	measure(b, h);
	for (size_t i = 0; i < h->item->bundle->n; i++) {
		struct evidence found;

		if (h->code[i].length != length)
			continue;
		im->image = assembly_carried(b->locator, h->item, i);
		im->base = im->m->first - h->code[i].rva;
		if (!bound_image_methods(b, im))
			continue;
		found = weigh_all(b, im);
		if (!is_right(&found) ||
		    (!found.callers && found.addresses < ENOUGH_SAMPLES &&
		     length < ENOUGH_CODE))
			continue;
		if (one)
			return false;
		one = true;
		best = *im;
	}
	*im = best;
	return one;
}

bool match_bundled_neighbour(const struct binder *b, const struct bound_image *im,
                             uint64_t ip, struct bound_image *out)
{
	struct item *host = im->image ? im->image->host : NULL;
	const struct bundle_entry *e = NULL;

	if (host && im->pe)
		e = bundle_at(host->bundle, ip - im->m->bias);
	if (!e || e->file_off == im->file_base)
		return false;
	*out = *im;
	out->file_base = e->file_off;
	out->image =
	        assembly_carried(b->locator, host, (size_t)(e - host->bundle->entry));
	out->pe = out->image ? locate_pe(b->locator, out->image) : NULL;
	return out->pe != NULL && !(im->m->assumed && out->image->unlike);
}

/* Lists the programs among the input files, because a program may contain images. */
static void list_files(const struct binder *b)
{
	struct bundled *bd = b->bundled;
	struct locator *l = b->locator;

	for (size_t i = 0; i < l->n && !bd->listed; i++) {
		if (!l->item[i].program || l->item[i].local)
			continue;
		*arena_push(b->run, bd->file, bd->nfiles, bd->files_cap) = &l->item[i];
	}
	bd->listed = true;
}

struct item *match_bundled_next(const struct binder *b, struct str file, size_t *at)
{
	list_files(b);
	while (*at < b->bundled->nfiles) {
		struct item *host = b->bundled->file[(*at)++];
		const struct bundle *bundle = assembly_bundle(b->locator, host);
		const struct bundle_entry *e = bundle ? bundle_find(bundle, file) : NULL;
		struct item *it = NULL;

		if (e)
			it = assembly_carried(b->locator, host,
			                      (size_t)(e - bundle->entry));
		if (it && locate_pe(b->locator, it))
			return it;
	}
	return NULL;
}

static void place_stored(struct binder *b, const struct mapping *m)
{
	struct bound_image im = { .m = m };
	struct item *host = find_host(b, m);

	if (!host)
		return;
	note_program(b, host, m->pid);
	if (m->assumed ? find_assumed(b, host, &im) : find_stored(b, host, &im))
		bound_image_add(b, &im);
}

static void place_copied(struct binder *b, const struct mapping *m)
{
	for (size_t i = 0; i < b->bundled->n; i++) {
		struct bound_image im = { .m = m };
		struct bundled_program *h = &b->bundled->program[i];

		if (h->pid != m->pid || !find_copied(b, h, &im))
			continue;
		bound_image_add(b, &im);
		h->found++;
		return;
	}
}

/*
 * Reports a program without symbols.  Single-file programs contain the runtime, and are shipped
 * without its symbols.
 */
static void report_stripped(const struct binder *b, struct bundled_program *h)
{
	const struct elf *e = locate_elf(b->locator, h->item);
	char hex[2 * ID_BYTES + 1] = "";

	out_bytes_at(hex, str_head(e->build_id, ID_BYTES));
	if (!e->has_symtab)
		diag_note(b->diag,
		          PRSTR ": the symbols of its own code are stripped%s%s; add its "
		                "debug file with -m",
		          STRARG(h->item->name), *hex ? ", build-id " : "", hex);
}

/* Returns true if no earlier process in the list ran the same program as process i. */
static bool is_first(const struct binder *b, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (b->bundled->program[k].item == b->bundled->program[i].item)
			return false;
	return true;
}

static void report(const struct binder *b, struct bundled_program *h)
{
	const struct bundle *bundle = h->item->bundle;
	size_t images = 0;

	for (size_t i = 0; h->code && i < bundle->n; i++)
		images += h->code[i].length != 0;
	if (images)
		diag_note(b->diag,
		          "%s: of %zu compressed images in " PRSTR
		          ", %zu were found in anonymous memory",
		          process_label(h->pid).text, images, STRARG(h->item->name),
		          h->found);
}

void match_bundled(struct binder *b)
{
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);

	for (size_t i = 0; i < n; i++)
		if (maps[i]->kind == MAPPED_IMAGE)
			place_stored(b, maps[i]);
	for (size_t i = 0; i < n && b->bundled->n; i++)
		if (maps[i]->kind == MAPPED_ANON)
			place_copied(b, maps[i]);
	for (size_t i = 0; i < b->bundled->n; i++) {
		if (is_first(b, i))
			report_stripped(b, &b->bundled->program[i]);
		report(b, &b->bundled->program[i]);
	}
}
