/*
 * A file of a source: its name up to the first line end, then its bytes, read as
 * what they are taken for.  What a parser says of them must hold together.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/identity.h"
#include "image/locate.h"
#include "reader/procmaps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void inside(struct str part, struct str whole)
{
	must(!part.n || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n));
}

static void read_perfmap(struct str name, struct str bytes, struct arena *a)
{
	char guid[GUID_TEXT + 1];
	struct perfmap pm;
	uint64_t end = 0;

	perfmap_read(&pm, name, bytes, a);
	for (size_t i = 0; i < pm.symbols.n; i++) {
		const struct symbol *s = &pm.symbols.sym[i];

		must(s->start >= end && s->end > s->start && s->base <= s->start);
		must(symtab_find(&pm.symbols, s->start) == s);
		must(symtab_find(&pm.symbols, s->end - 1) == s);
		inside(s->name, bytes);
		end = s->end;
	}
	for (size_t i = 0; i < pm.shared.n; i++)
		must(symtab_find(&pm.symbols, pm.shared.sym[i].start) != NULL);
	must(pm.inside <= pm.bad_lines + 1);
	must(!pm.has_mvid || pm.relative);
	perfmap_guid_text(pm.mvid, guid);
	must(strlen(guid) == GUID_TEXT);
	perfmap_signed_for(&pm, pm.mvid);
}

static void read_perfinfo(struct str bytes, struct arena *a)
{
	struct perfinfo pi;

	perfinfo_read(&pi, bytes, a);
	for (size_t i = 0; i < pi.n; i++) {
		must(pi.load[i].path.n != 0);
		inside(pi.load[i].path, bytes);
	}
}

static void read_maps(struct str bytes)
{
	struct mmap_event m;
	struct str rest = bytes;

	while (procmaps_next(&rest, &m))
		must(m.len && m.start + m.len > m.start && m.path.n);
}

static void read_pe(struct str bytes)
{
	uint64_t rva, length;
	struct pe pe;

	if (!pe_read(&pe, bytes))
		return;
	must(pe.nsections && pe.nsections <= PE_SECTIONS);
	for (size_t i = 0; i < pe.nsections; i++) {
		const struct pe_section *s = &pe.section[i];
		uint64_t off;

		must(!s->raw_size || s->file_off <= bytes.n);
		must(!s->raw_size || s->raw_size <= bytes.n - s->file_off);
		if (pe_rva(&pe, s->file_off, &rva))
			must(rva <= (uint64_t)UINT32_MAX * 2);
		if (pe_file_off(&pe, s->rva, &off))
			must(off < bytes.n);
		must(pe_mapped_length(&pe, 0, s->file_off) % 4096 == 0);
		must(pe_cut_length(&pe, 0, s->file_off) % 4096 == 0);
		inside(pe_bytes(&pe, s->rva, SIZE_MAX), bytes);
	}
	if (pe_code_pages(&pe, &rva, &length))
		must(rva % 4096 == 0 && length);
	pe_file_version(&pe);
	for (uint64_t off = 0; pe_knows_calls(&pe) && off < bytes.n + 8; off++)
		pe_follows_call(&pe, off);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct str name = str_cut(&bytes, '\n');
	struct arena a = { 0 };
	struct identity id = identity_of(name, bytes, &a);
	int32_t pid, nspid;

	must(id.kind && *id.kind && id.id.n <= 2 * bytes.n + 16);

	switch (locate_kind(bytes)) {
	case ITEM_PERFMAP:
		read_perfmap(name, bytes, &a);
		break;
	case ITEM_PERFINFO:
		read_perfinfo(bytes, &a);
		break;
	case ITEM_MAPS:
		read_maps(bytes);
		break;
	case ITEM_STATUS:
		if (procmaps_read_status(bytes, &pid, &nspid))
			must(pid >= 0 && nspid >= 0);
		break;
	case ITEM_PE:
		read_pe(bytes);
		break;
	default:
		break;
	}
	must(perfmap_pid(name) >= -1);
	must(procmaps_pid(name) >= -1);
	inside(perfmap_image(name), name);
	arena_release(&a);
	return 0;
}
