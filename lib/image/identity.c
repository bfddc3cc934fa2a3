#include "image/identity.h"

#include "base/digest.h"
#include "image/dotnet/pdb.h"
#include "image/locate.h"

static const char *const kinds[] = {
	[ITEM_OTHER] = "other",       [ITEM_PERFDATA] = "perf.data",
	[ITEM_NETTRACE] = "nettrace", [ITEM_TEXT] = "perf-script",
	[ITEM_FOLDED] = "folded",     [ITEM_LOCATIONS] = "profile",
	[ITEM_PERFMAP] = "perf-map",  [ITEM_PERFINFO] = "perfinfo",
	[ITEM_JITDUMP] = "jitdump",   [ITEM_MAPS] = "maps",
	[ITEM_STATUS] = "status",     [ITEM_PE] = "pe",
	[ITEM_ELF] = "elf",           [ITEM_KALLSYMS] = "kallsyms",
	[ITEM_PDB] = "pdb",
};

static struct identity elf_identity(struct str bytes, struct arena *a)
{
	struct elf elf;

	if (!elf_read(&elf, bytes, a))
		return (struct identity){ .kind = kinds[ITEM_OTHER] };
	return (struct identity){ elf.bare ? "elf-debug" : kinds[ITEM_ELF],
		                  arena_hex(a, elf.build_id) };
}

static struct identity pe_identity(struct str bytes, struct arena *a)
{
	struct pe pe;

	if (!pe_read(&pe, bytes))
		return (struct identity){ .kind = kinds[ITEM_OTHER] };
	return (struct identity){ kinds[ITEM_PE],
		                  arena_fmt(a, "%08x%x", pe.time_stamp, pe.image_size) };
}

/*
 * Reads the GUID of a PDB, which is its id.  The first three parts of a GUID are little-endian
 * numbers in the file, and big-endian in text.
 */
static struct identity pdb_identity(struct str bytes, struct arena *a)
{
	unsigned char guid[PDB_GUID_BYTES];
	char text[GUID_TEXT + 1];
	size_t n = 0;

	if (!pdb_signature(bytes, guid))
		return (struct identity){ .kind = kinds[ITEM_OTHER] };
	perfmap_guid_text(guid, text);
	for (size_t i = 0; i < GUID_TEXT; i++)
		if (text[i] != '-')
			text[n++] = text[i];
	return (struct identity){ "pdb", arena_str(a, (struct str){ text, n }) };
}

static struct identity map_identity(struct str name, struct str bytes, struct arena *a)
{
	struct perfmap map;

	perfmap_read(&map, name, bytes, a);
	if (!map.has_signature)
		return (struct identity){ .kind = kinds[ITEM_PERFMAP] };
	return (struct identity){ "r2rmap",
		                  arena_hex(a, (struct str){ (const char *)map.signature,
		                                             sizeof(map.signature) }) };
}

enum source_look identity_look(struct str name, struct str head)
{
	return pdb_bid(head) ? LOOK_WHOLE : locate_look(name, head);
}

struct identity identity_of(struct str name, struct str bytes, struct arena *a)
{
	enum item_kind kind;

	if (pdb_bid(bytes))
		return pdb_identity(bytes, a);
	kind = locate_kind(str_head(bytes, SOURCE_HEAD));
	switch (kind) {
	case ITEM_ELF:
		return elf_identity(bytes, a);
	case ITEM_PE:
		return pe_identity(bytes, a);
	case ITEM_PERFMAP:
		return map_identity(name, bytes, a);
	default:
		return (struct identity){ .kind = kinds[kind] };
	}
}

enum { ENDS = 4096, TYPE_AND_NAME = 8 };

static bool has_hash(struct str bytes, struct str hex)
{
	uint64_t sum[2], given[2];
	char length[8];
	struct digest d;

	if (hex.n != 2 * sizeof(given) || !str_hex_bytes(hex, given))
		return false;
	for (size_t i = 0; i < sizeof(length); i++)
		length[i] = (char)((uint64_t)bytes.n >> (56 - 8 * i));
	digest_begin(&d);
	digest_add(&d, str_head(bytes, ENDS));
	digest_add(&d, str_from(bytes, bytes.n > ENDS ? bytes.n - ENDS : 0));
	digest_add(&d, (struct str){ length, sizeof(length) });
	digest_end(&d, sum);
	return memcmp(sum, given, sizeof(sum)) == 0;
}

/*
 * Returns true if the build-id note of Go contains this text.  The fields of the note are the
 * lengths of name and text, the type, "Go", and the text.
 */
static bool has_go_id(const struct elf *e, struct str text)
{
	struct str note, id = { 0 };
	struct cursor in;
	uint64_t va;

	if (!elf_section(e, STR(".note.go.buildid"), &note, &va))
		return false;
	in = cur_over(note, e->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	cur_u32(&in);
	id.n = cur_u32(&in);
	cur_take(&in, TYPE_AND_NAME);
	id.p = cur_take(&in, id.n);
	return id.p && str_eq(id, text);
}

bool identity_has(const struct elf *e, struct str id)
{
	struct str kind = str_cut(&id, '/');

	return str_eq(kind, STR("go")) ? has_go_id(e, id) : has_hash(e->bytes, id);
}
