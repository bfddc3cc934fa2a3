#include "image/locate.h"

#include "image/dotnet/streams.h"
#include "image/path_build_id.h"
#include "reader/ctf/ctf.h"
#include "reader/perfdata/perfdata.h"
#include "reader/procmaps.h"
#include "reader/reader.h"
#include "source/decompress.h"

enum { MODULE_MAX = 64 << 20 }; /* limit in bytes of an uncompressed kernel module */

enum item_kind locate_kind(struct str head)
{
	const struct traits *f;

	if (!head.n)
		return ITEM_OTHER;
	if (kallsyms_bid(head))
		return ITEM_KALLSYMS;
	if (procmaps_bid(head))
		return ITEM_MAPS;
	if (perfinfo_bid(head))
		return ITEM_PERFINFO;
	if (procmaps_is_status(head))
		return ITEM_STATUS;
	if (jitdump_bid(head))
		return ITEM_JITDUMP;
	if (pe_bid(head))
		return ITEM_PE;
	if (elf_bid(head))
		return ITEM_ELF;
	if (streams_bid(head))
		return ITEM_PDB;
	if (perfmap_bid(head))
		return ITEM_PERFMAP;
	f = reader_bid(head);
	if (!f)
		return ITEM_OTHER;
	return f->has_records     ? ITEM_PERFDATA
	       : f->has_locations ? ITEM_LOCATIONS
	       : f->is_runtime    ? ITEM_NETTRACE
	       : f->is_text       ? ITEM_TEXT
	       : f->is_folded     ? ITEM_FOLDED
	                          : ITEM_OTHER;
}

/* Returns true for a compressed kernel module. */
static bool is_packed_module(struct str name)
{
	return str_ends(name, STR(".ko.xz")) || str_ends(name, STR(".ko.zst")) ||
	       str_ends(name, STR(".ko.gz"));
}

enum source_look locate_look(struct str name, struct str head)
{
	if (is_packed_module(name))
		return LOOK_WHOLE;
	switch (locate_kind(head)) {
	case ITEM_OTHER:
		return perfdata_is_part(name, head) || ctf_is_part(head) ? LOOK_WHOLE
		                                                         : LOOK_NOTHING;
	case ITEM_TEXT:
	case ITEM_FOLDED:
		return LOOK_STREAM;
	default:
		return LOOK_WHOLE;
	}
}

void locate_init(struct locator *l, struct arena *run, struct interner *names)
{
	*l = (struct locator){ .run = run, .names = names, .silent = { .quiet = true } };
}

/*
 * Returns true for extensions of files that never name code but are common in root file systems.
 */
static bool names_nothing(struct str ext)
{
	static const char known[] =
	        " a ads adb ali bc c cc cfg class cmake cpp cs css d go gif h hh hpp "
	        "html jar java jmod jpg js json la lua md mjs mo mod o obj pc php pl "
	        "pm "
	        "png po ppu properties py pyc pyi rb rlib rmeta rs rsj rst service sh "
	        "svg "
	        "target tcl ts ttf typed vim wasm whl xml yaml yml ";
	char word[16] = " ";

	if (!ext.n || ext.n > sizeof(word) - 3)
		return false;
	memcpy(word + 1, ext.p, ext.n);
	word[ext.n + 1] = ' ';
	return strstr(known, word) != NULL;
}

static struct str extension(struct str name)
{
	struct str base = str_base(name);

	return str_from(base, str_rfind(base, '.') + 1);
}

/*
 * Classifies a member of a directory by its name, so that binaries are opened only when a mapping
 * needs them.
 */
static enum item_kind kind_by_name(struct str name)
{
	if (str_ends(name, STR(".dll")) || str_ends(name, STR(".exe")))
		return ITEM_PE;
	if (str_ends(name, STR(".pdb")))
		return ITEM_PDB;
	if (is_packed_module(name) || str_ends(name, STR(".ko")) ||
	    str_ends(name, STR(".so")) || str_ends(name, STR(".debug")) ||
	    str_ends(name, STR(".dbg")) || str_has(str_base(name), STR(".so.")))
		return ITEM_ELF;
	return names_nothing(extension(name)) ? ITEM_OTHER : ITEM_TEXT;
}

/* flag in addition to the kind: the file may be a single-file .NET program */
enum { PROGRAM = 0x80 };

/*
 * Returns the kind of a member from its first bytes.  Binaries in a directory are classified by
 * name.
 */
static unsigned tell(struct source *s, size_t member)
{
	const struct member *m = &s->members[member];
	enum item_kind kind = s->kind == SOURCE_DIR ? kind_by_name(m->name) : ITEM_TEXT;
	struct str head;

	if (s->kind == SOURCE_PIPE || m->absent)
		return ITEM_OTHER;
	if (is_packed_module(m->name))
		return ITEM_ELF;
	if (kind != ITEM_TEXT)
		return kind;
	head = source_head(s, member);
	kind = locate_kind(head);
	return kind == ITEM_ELF && bundle_bid(head, m->size) ? kind | PROGRAM : kind;
}

/*
 * Returns the key of a build-id in by_id.  The key consists of the first bytes of the build-id.
 */
static uint64_t id_start(struct str id)
{
	uint64_t start = 0;

	if (id.n)
		memcpy(&start, id.p, id.n < sizeof(start) ? id.n : sizeof(start));
	return start;
}

static void note_id(struct locator *l, struct item *it, struct str id)
{
	uint32_t *at = table_at(&l->by_id, l->run, id_start(id), 0);

	it->next_id = *at;
	*at = (uint32_t)(it - l->item) + 1;
}

static void note_path_id(struct locator *l, struct item *it)
{
	char id[PATH_BUILD_ID_MAX];
	size_t n = it->kind == ITEM_ELF ? path_build_id(it->name, id) : 0;

	it->path_has_id = n != 0;
	if (n)
		note_id(l, it, (struct str){ id, n });
}

/*
 * Returns the build-id of a file.  Reads the first page first, because it nearly always contains
 * the note.
 */
static struct str read_id(struct locator *l, struct item *it)
{
	struct str id;
	const struct elf *e;

	/* Only the vdso of this machine has no source.  It was already opened. */
	if (!it->source)
		return it->elf ? it->elf->build_id : (struct str){ 0 };
	if (source_noted_id(it->source, it->member, &id))
		return id;
	if (it->opened || !elf_head_id(source_head(it->source, it->member), &id)) {
		e = locate_elf(l, it);
		id = e ? e->build_id : (struct str){ 0 };
	}
	source_note_id(it->source, it->member, id);
	return id;
}

static void learn_ids(struct locator *l)
{
	if (l->ids_known)
		return;
	l->ids_known = true;
	for (size_t i = l->n; i-- > 0;) {
		struct item *it = &l->item[i];
		struct str id;

		/*
		 * Compressed modules are found by name, because decompressing all of them
		 * takes seconds.
		 */
		if (it->kind != ITEM_ELF || it->path_has_id || is_packed_module(it->name))
			continue;
		id = read_id(l, it);
		if (id.n)
			note_id(l, it, id);
	}
	/*
	 * Stores the ids in the cache.  source_close would do so, too, but the locator does not
	 * close shared sources.
	 */
	for (size_t i = 0; i < l->n; i++)
		if (!i || l->item[i].source != l->item[i - 1].source)
			source_remember(l->item[i].source);
}

void locate_learn(struct locator *l, struct str list)
{
	size_t i = 0;

	/* The list and the items are both in the order of members, so one pass is enough. */
	while (list.n) {
		struct str name = str_cut(&list, '\0');
		bool id = str_starts(name, STR("i"));

		name = str_from(name, 1);
		while (i < l->n && !str_eq(l->item[i].name, name))
			i++;
		if (i < l->n && id)
			read_id(l, &l->item[i]);
		else if (i < l->n)
			source_head(l->item[i].source, l->item[i].member);
	}
}

struct item *locate_id(struct locator *l, struct str id, bool all)
{
	uint32_t at;

	if (!id.n)
		return NULL;
	if (all)
		learn_ids(l);
	at = table_get(&l->by_id, id_start(id), 0);
	return at ? &l->item[at - 1] : NULL;
}

struct item *locate_next_id(struct locator *l, const struct item *it)
{
	return it->next_id ? &l->item[it->next_id - 1] : NULL;
}

/*
 * Returns the kind of a member.  Caches it in the source, because other profiles may use the same
 * source.
 */
static unsigned tell_once(struct source *s, size_t member)
{
	uint8_t *note = &s->members[member].note;

	if (!*note)
		*note = (uint8_t)(tell(s, member) + 1);
	return *note - 1u;
}

void locate_tell(struct source *s)
{
	for (size_t i = 0; i < s->n; i++)
		tell_once(s, i);
}

static void add(struct locator *l, const struct item *what)
{
	str_id base = intern(l->names, str_base(what->name));
	struct item *it;

	arena_fit(l->run, l->item, l->n + 1, l->cap);
	arena_fit(l->run, l->by_base, base + 1u, l->bases_cap);
	if (l->bases <= base)
		l->bases = base + 1u;
	it = &l->item[l->n++];
	*it = *what;
	it->next = l->by_base[base];
	l->by_base[base] = (uint32_t)l->n;
	note_path_id(l, it);
}

void locate_add(struct locator *l, struct source *s, bool own, size_t chosen)
{
	for (size_t i = 0; i < s->n; i++) {
		unsigned what = i == chosen ? ITEM_OTHER : tell_once(s, i);

		add(l, &(struct item){
		               .kind = (enum item_kind)(what & ~(unsigned)PROGRAM),
		               .name = s->members[i].name,
		               .source = s,
		               .member = i,
		               .own = own,
		               .chosen = i == chosen,
		               .program = what & PROGRAM,
		       });
	}
}

void locate_add_map(struct locator *l, const struct item *of, int32_t pid,
                    struct perfmap *map)
{
	add(l, &(struct item){
	               .kind = ITEM_PERFMAP,
	               .name = arena_fmt(l->run, PRSTR "/perf-%d.map", STRARG(of->name),
	                                 pid),
	               .source = of->source,
	               .member = of->member,
	               .own = of->own,
	               .opened = true,
	               .perfmap = map,
	       });
}

struct item *locate_base(struct locator *l, struct str path)
{
	str_id base = intern(l->names, str_base(path));

	if (base >= l->bases || !l->by_base[base])
		return NULL;
	return &l->item[l->by_base[base] - 1];
}

bool locate_is_named(const struct item *it)
{
	return it->source && it->source->kind != SOURCE_DIR && it->source->n == 1 &&
	       !it->own && !it->local;
}

bool locate_is_native_image(struct str path)
{
	return str_ends(path, STR(".ni.dll")) || str_ends(path, STR(".ni.exe"));
}

size_t locate_common_parts(struct str a, struct str b)
{
	size_t n = 0;

	while (a.n && b.n && str_eq(str_base(a), str_base(b))) {
		n++;
		a = str_dir(a);
		b = str_dir(b);
		while (a.n && a.p[a.n - 1] == '/')
			a.n--;
		while (b.n && b.p[b.n - 1] == '/')
			b.n--;
	}
	return n;
}

struct item *locate_path(struct locator *l, struct str path, enum item_kind kind)
{
	struct item *best = NULL, *it = locate_base(l, path);
	size_t most = 0;

	while (it) {
		size_t parts = locate_common_parts(it->name, path);

		if (it->kind == kind && parts > most) {
			most = parts;
			best = it;
		}
		it = it->next ? &l->item[it->next - 1] : NULL;
	}
	return best;
}

struct perfmap *locate_perfmap(struct locator *l, struct item *it)
{
	struct str bytes;

	if (it->opened || it->kind != ITEM_PERFMAP)
		return it->perfmap;
	it->opened = true;
	bytes = source_map(it->source, it->member);
	if (!bytes.p)
		return NULL;
	it->perfmap = arena_new(l->run, struct perfmap, 1);
	perfmap_read(it->perfmap, it->name, bytes, l->run);
	return it->perfmap;
}

static struct str bytes_of(struct locator *l, struct item *it)
{
	const struct bundle *b = it->host ? it->host->bundle : NULL;
	struct str bytes = b ? bundle_bytes(b, &b->entry[it->entry], l->run)
	                     : source_map(it->source, it->member);

	if (bytes.p && it->kind == ITEM_ELF && is_packed_module(it->name))
		return decompress_file(bytes, MODULE_MAX, l->run);
	return bytes;
}

/*
 * Returns zeroed memory for the table of an item of that kind, and sets *bytes.  Returns NULL if
 * the item has another kind, cannot be read or was opened before.
 */
static void *first_open(struct locator *l, struct item *it, enum item_kind kind,
                        size_t size, struct str *bytes)
{
	if (it->opened || it->kind != kind)
		return NULL;
	it->opened = true;
	*bytes = bytes_of(l, it);
	if (bytes->p)
		return arena_alloc(l->run, 1, size);
	it->why = "it cannot be read";
	return NULL;
}

struct jitdump *locate_jitdump(struct locator *l, struct item *it)
{
	struct str bytes;
	struct jitdump *table = first_open(l, it, ITEM_JITDUMP, sizeof(*table), &bytes);

	if (table && jitdump_read(table, bytes, l->run))
		it->jitdump = table;
	return it->jitdump;
}

struct pe *locate_pe(struct locator *l, struct item *it)
{
	struct str bytes;
	struct pe *table = first_open(l, it, ITEM_PE, sizeof(*table), &bytes);

	if (table && pe_read(table, bytes))
		it->pe = table;
	else if (table)
		it->why = "it is damaged, or not an image";
	return it->pe;
}

struct elf *locate_elf(struct locator *l, struct item *it)
{
	struct str bytes;
	struct elf *table = first_open(l, it, ITEM_ELF, sizeof(*table), &bytes);

	if (table && elf_read(table, bytes, l->run))
		it->elf = table;
	else if (table)
		it->why = "it is damaged, or not an ELF file";
	return it->elf;
}

struct kallsyms *locate_kallsyms(struct locator *l, struct item *it)
{
	struct str bytes;
	struct kallsyms *table = first_open(l, it, ITEM_KALLSYMS, sizeof(*table), &bytes);

	if (table && kallsyms_read(table, bytes, l->run))
		it->kallsyms = table;
	return it->kallsyms;
}

struct ppdb *locate_pdb(struct locator *l, struct item *it)
{
	struct str bytes;
	struct ppdb *table = first_open(l, it, ITEM_PDB, sizeof(*table), &bytes);

	if (table && ppdb_read(table, bytes))
		it->pdb = table;
	else if (table)
		it->why = "it is damaged, or not a portable PDB";
	return it->pdb;
}

bool locate_path_has_id(const struct item *it, struct str id)
{
	char said[PATH_BUILD_ID_MAX];
	size_t n = path_build_id(it->name, said);

	return elf_same_id((struct str){ said, n }, id);
}

struct item *locate_next(struct locator *l, const struct item *it)
{
	return it->next ? &l->item[it->next - 1] : NULL;
}

void locate_give_back(const struct locator *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct item *it = &l->item[i];

		if (it->source)
			source_give_back(it->source, it->member,
			                 it->source->members[it->member].map);
	}
}

void locate_close(struct locator *l)
{
	for (size_t i = 0; i < l->nopened; i++)
		source_close(l->opened[i]);
	l->nopened = 0;
}
