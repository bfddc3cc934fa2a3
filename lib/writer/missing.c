#include "writer/missing.h"

#include "image/source/source_path.h"
#include "writer/caption.h"
#include "writer/package.h"
#include "writer/unnamed.h"

/* Writes an id in hexadecimal, padded with zeros to `least` bytes. */
static void put_id(struct out *o, struct str id, size_t least)
{
	for (size_t i = 0; i < id.n || i < least; i++)
		out_fmt(o, "%02x", i < id.n ? (unsigned char)id.p[i] : 0u);
}

enum {
	/* bytes of a build-id in a key of .NET's symbol server.  Shorter ids are zero-padded */
	SSQP_ID = 20,
	ALT_ID_MAX = 64, /* maximum size of a build-id in bytes */
};

/* Writes a name, escaped for a URL. */
static void put_escaped(struct out *o, struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];

		if (str_is_alnum((char)c) || (c && strchr("-._~", c)))
			out_char(o, (char)c);
		else
			out_fmt(o, "%%%02X", c);
	}
}

/* Writes a file name in a key of .NET's symbol server: in lower case, escaped for a URL. */
static void put_file(struct out *o, struct str name)
{
	arena_scope(scratch);
	struct str base = str_base(name);
	char *lower = arena_new(&scratch, char, base.n + 1);

	for (size_t i = 0; i < base.n; i++)
		lower[i] = (char)(base.p[i] >= 'A' && base.p[i] <= 'Z'
		                          ? base.p[i] + ('a' - 'A')
		                          : base.p[i]);
	put_escaped(o, (struct str){ lower, base.n });
}

/* Writes FILE/KEY/FILE, a key of .NET's symbol server. */
static void put_file_key(struct out *o, struct str file, struct str key)
{
	put_file(o, file);
	out_char(o, '/');
	out_str(o, key);
	out_char(o, '/');
	put_file(o, file);
	out_char(o, '\n');
}

static void put_key(struct out *o, const char *before, struct str id, size_t least,
                    const char *after)
{
	out_str(o, str_of(before));
	put_id(o, id, least);
	out_fmt(o, "%s\n", after);
}

/*
 * Returns the version in a path: "10.0.1" for
 * ".../shared/Microsoft.NETCore.App/10.0.1/libcoreclr.so".
 */
static struct str runtime_version(struct str path, struct str *framework)
{
	static const struct str frameworks[] = { STR("/Microsoft.NETCore.App/"),
		                                 STR("/Microsoft.AspNetCore.App/") };
	struct str none = { 0 };

	for (size_t i = 0; i < sizeof(frameworks) / sizeof(*frameworks); i++) {
		size_t at = str_search(path, frameworks[i]);
		struct str rest = str_from(path, at + frameworks[i].n);

		if (at == path.n || str_find(rest, '/') == rest.n)
			continue;
		*framework = (struct str){ frameworks[i].p + 1, frameworks[i].n - 2 };
		return str_cut(&rest, '/');
	}
	return none;
}

static bool is_runtime(struct str path)
{
	static const char *const names[] = { "libcoreclr",       "libclrjit",
		                             "libclrgc",         "libhostfxr.so",
		                             "libhostpolicy.so", "libmscordac",
		                             "libSystem." };
	struct str framework;

	return STR_ANY(str_base(path), str_starts, names) ||
	       runtime_version(path, &framework).n != 0;
}

/* Returns the Debian package that contains the debug file of a common library, or NULL. */
static const char *debian_package(struct str path)
{
	static const struct {
		struct str name;
		const char *package;
	} known[] = {
		{ STR("libc.so.6"), "libc6-dbg" },
		{ STR("libm.so.6"), "libc6-dbg" },
		{ STR("libpthread.so.0"), "libc6-dbg" },
		{ STR("ld-linux-x86-64.so.2"), "libc6-dbg" },
		{ STR("ld-linux-aarch64.so.1"), "libc6-dbg" },
		{ STR("libstdc++.so.6"), "libstdc++6-dbgsym" },
		{ STR("libgcc_s.so.1"), "libgcc-s1-dbgsym" },
		{ STR("libssl.so.3"), "libssl3-dbgsym" },
		{ STR("libcrypto.so.3"), "libssl3-dbgsym" },
		{ STR("libz.so.1"), "zlib1g-dbgsym" },
	};

	/* Only Debian and its derivatives have paths with multiarch directories. */
	if (!str_has(path, STR("-linux-gnu/")))
		return NULL;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (str_starts(str_base(path), known[i].name))
			return known[i].package;
	return NULL;
}

/* Writes the id that a profile has in place of a build-id. */
static void put_other_id(struct out *o, struct str id)
{
	struct arena scratch = { 0 };

	if (str_starts(id, STR("go/"))) {
		out_str(o, STR("# take the file from the machine: build-id of Go "));
		out_str(o, caption_clean(&scratch, str_from(id, 3)));
		out_char(o, '\n');
		arena_release(&scratch);
		return;
	}
	put_file(o, str_head(id, str_find(id, '/')));
	out_char(o, '/');
	put_file(o, str_from(id, str_find(id, '/') + 1));
	out_str(o, STR("/executable\n"));
}

static void put_native(struct out *o, const struct module_coverage *m)
{
	const char *package = debian_package(m->module);
	struct str base = str_base(m->module);

	if (m->vdso) {
		out_str(o, STR("# vdso64.so of that kernel, from its debug package\n"));
		if (m->build_id.n)
			put_key(o, "buildid/", m->build_id, 0, "/debuginfo");
		return;
	}
	if (package)
		out_fmt(o, "# Debian: package %s\n", package);
	if (m->package.n)
		package_write(o, m->package);
	if (!m->build_id.n && m->other_id.n) {
		put_other_id(o, m->other_id);
	} else if (!m->build_id.n) {
		out_str(o, STR("# its build-id is not recorded: take the file from the "
		               "machine\n"));
	} else if (is_runtime(m->module)) {
		if (!m->has_image) {
			put_file(o, base);
			out_str(o, STR("/elf-buildid-"));
			put_id(o, m->build_id, SSQP_ID);
			out_char(o, '/');
			put_file(o, base);
			out_char(o, '\n');
		}
		put_key(o, "_.debug/elf-buildid-sym-", m->build_id, SSQP_ID, "/_.debug");
	} else {
		if (!m->has_image)
			put_key(o, "buildid/", m->build_id, 0, "/executable");
		if (!m->has_symbols)
			put_key(o, "buildid/", m->build_id, 0, "/debuginfo");
	}
}

static void put_map_key(struct out *o, struct str name, uint32_t version,
                        const unsigned char signature[16])
{
	arena_scope(scratch);
	struct str id = arena_hex(&scratch, (struct str){ (const char *)signature, 16 });

	put_file_key(o, name,
	             arena_fmt(&scratch, "r2rmap-v%u-" PRSTR, version, STRARG(id)));
}

/*
 * Writes two symbol server keys: of an image, and of the map that crossgen2 made for the image.
 */
static void put_image(struct out *o, struct str file, const struct pe *pe)
{
	arena_scope(scratch);

	put_file_key(o, file,
	             arena_fmt(&scratch, "%08X%x", pe->time_stamp, pe->image_size));
	if (pe->has_signature && pe->map_name.n)
		put_map_key(o, pe->map_name, pe->map_version, pe->signature);
}

/*
 * Writes the symbol server key of a map.  The key contains the signature of the map.  Since .NET
 * 6, the signature in maps of frameworks is the MVID of the assembly.
 */
static void put_signed(struct out *o, struct str file, const unsigned char signature[16])
{
	arena_scope(scratch);
	struct str stem = str_head(file, file.n - 4);

	put_map_key(o, arena_fmt(&scratch, PRSTR ".ni.r2rmap", STRARG(stem)), 1,
	            signature);
}

/* Writes the file name that crossgen used for a map before .NET 6. */
static void put_named(struct out *o, struct str file, const unsigned char *mvid)
{
	arena_scope(scratch);
	char guid[GUID_TEXT + 1];

	perfmap_guid_text(mvid, guid);
	out_fmt(o, "# .NET: or crossgen's map of it, " PRSTR ".ni.{%s}.map\n",
	        STRARG(caption_clean(&scratch, str_head(file, file.n - 4))), guid);
}

enum { FIRST_SIGNED = 6 }; /* first major version of .NET with signatures in maps */

static void put_dotnet(struct out *o, const struct module_coverage *m)
{
	arena_scope(scratch);
	struct str framework, version = runtime_version(m->module, &framework);
	struct str file = str_base(m->module), rest = version;
	uint64_t major;

	if (!str_is_dec(str_cut(&rest, '.'), &major))
		major = 0;
	if (m->pe)
		put_image(o, file, m->pe);
	if (m->has_signature && major >= FIRST_SIGNED && !(m->pe && m->pe->has_signature))
		put_signed(o, file, m->signature);
	if (version.n)
		out_fmt(o,
		        "# .NET: package " PRSTR ".Runtime.linux-x64 (or similar) " PRSTR
		        " contains it\n",
		        STRARG(framework), STRARG(caption_clean(&scratch, version)));
	else
		out_str(o, STR("# .NET: take the file from the machine or the "
		               "build\n"));
	if (m->mvid && major < FIRST_SIGNED)
		put_named(o, file, m->mvid);
}

/*
 * Writes how to get the method names of a fragile native image (.NET Core 2).  Only the
 * crossgen program of the same runtime can write a map with these names.
 */
static void put_fragile(struct out *o, const struct module_coverage *m)
{
	arena_scope(scratch);
	struct str base = caption_clean(&scratch, str_base(m->module));
	char guid[GUID_TEXT + 1] = "MVID";

	if (m->pe && m->pe->has_mvid)
		perfmap_guid_text(m->pe->mvid, guid);
	out_fmt(o,
	        "# " PRSTR ".ni.{%s}.map, by crossgen /CreatePerfMap of that runtime; or "
	        "a recording with COMPlus_ZapDisable=1\n",
	        STRARG(str_head(base, base.n > 4 ? base.n - 4 : 0)), guid);
}

/* Writes the name of the missing map of a process, and how its runtime can write this map. */
static void put_jit(struct out *o, const struct module_coverage *m)
{
	if (str_starts(str_base(m->module), STR("jitted-"))) {
		out_str(o, STR("# the jit-PID.dump from which perf inject made it\n"));
		return;
	}
	if (unnamed_has_names(m)) {
		out_str(o, STR("# its map, saved at the end of the recording\n"));
	} else {
		if (m->pid >= 0)
			out_fmt(o, "# /tmp/perf-%d.map of the machine\n", m->pid);
		if (m->runtime)
			out_fmt(o, "# %s writes it with: %s\n", m->runtime->name,
			        m->runtime->how);
		else
			out_str(o, STR("# the runtime that made the code has an option "
			               "that writes one: offbox-maps(5)\n"));
	}
	if (unnamed_can_be_asked(m))
		out_str(o, STR("# or, without a restart: offbox-collect --ask PID\n"));
}

static void put_wanted(struct out *o, const struct module_coverage *m)
{
	switch (m->kind) {
	case MODULE_NATIVE:
		put_native(o, m);
		break;
	case MODULE_DOTNET:
		if (m->fragile)
			put_fragile(o, m);
		else
			put_dotnet(o, m);
		break;
	case MODULE_JIT:
		put_jit(o, m);
		break;
	case MODULE_KERNEL:
		out_str(o, STR("# /proc/kallsyms of the machine, saved by root\n"));
		if (m->build_id.n)
			put_key(o, "buildid/", m->build_id, 0, "/debuginfo");
		break;
	case MODULE_NOWHERE:
		out_str(o, STR("# record with perf record --call-graph dwarf, or compile "
		               "with "
		               "-fno-omit-frame-pointer\n"));
		break;
	}
}

/*
 * Returns true if another file could name the frames.  A file is not missing if the module's
 * file was read and its symbols do not cover the frames.
 */
static bool is_missing(const struct module_coverage *m)
{
	if (m->kind == MODULE_NOWHERE)
		return m->broken;
	if (m->vdso && m->frames == m->named)
		return false;
	if (m->kind == MODULE_NATIVE)
		return (!m->has_symbols && (m->frames > m->named || m->has_image)) ||
		       (m->has_symbols && m->no_alt.n) || (m->ended && m->ended_for_file);
	return m->fragile ||
	       (m->frames > m->named && !(m->kind == MODULE_DOTNET && m->nfiles));
}

/*
 * Writes the supplementary debug file that module i lacks.  Does not write this file again if
 * an earlier module lacks the same file.
 */
static void put_shared(struct out *o, const struct module_coverage *all, size_t i)
{
	if (!all[i].no_alt.n || !all[i].no_alt_id.n || all[i].no_alt_id.n > ALT_ID_MAX)
		return;
	for (size_t k = 0; k < i; k++)
		if (is_missing(&all[k]) && str_eq(all[k].no_alt_id, all[i].no_alt_id))
			return;
	out_str(o, STR("# its debug file refers to "));
	caption_put(o, all[i].no_alt);
	out_str(o, STR(" (.gnu_debugaltlink)\n"));
	put_key(o, "buildid/", all[i].no_alt_id, 0, "/debuginfo");
}

static const char *why(const struct module_coverage *m)
{
	if (m->fragile)
		return "a fragile native image (.NET Core 2), identified by its name "
		       "only";
	if (m->frames > m->named)
		return unnamed_reason(m);
	if (m->has_symbols && m->no_alt.n && !m->ended)
		return "the file with the names of its inlined functions is missing";
	return m->has_symbols ? unnamed_end(m)
	                      : "it is stripped, and has only exported symbols";
}

void missing_write_module(struct out *o, const struct module_coverage *all, size_t i)
{
	const struct module_coverage *m = &all[i];
	uint64_t unnamed = m->fragile ? m->frames : m->frames - m->named;

	if (!is_missing(m))
		return;
	out_fmt(o, "# %llu of %llu frames in ", (unsigned long long)unnamed,
	        (unsigned long long)m->frames);
	caption_put(o, unnamed_module(m));
	out_fmt(o, ": %s\n", why(m));
	if (m->ended)
		out_fmt(o, "# %llu stacks end in it: %s\n", (unsigned long long)m->ended,
		        unnamed_end(m));
	if (m->refused.n) {
		out_str(o, STR("# not used: "));
		caption_put(o, m->refused);
		out_fmt(o, ": %s\n", m->why);
	}
	put_wanted(o, m);
	put_shared(o, all, i);
}

/*
 * Writes the key of a portable PDB.  The key has "ffffffff" in place of the age that keys of
 * other PDBs have.
 */
static void put_pdb(struct out *o, const struct missing_pdb *pdb)
{
	arena_scope(scratch);
	char guid[GUID_TEXT + 1], digits[GUID_TEXT];
	size_t n = 0;

	perfmap_guid_text((const unsigned char *)pdb->guid.p, guid);
	out_str(o, STR("# its PDB assigns source lines to "));
	caption_put(o, pdb->image);
	out_char(o, '\n');
	for (size_t i = 0; i < GUID_TEXT; i++)
		if (guid[i] != '-')
			digits[n++] = guid[i];
	put_file_key(o, pdb->name, arena_fmt(&scratch, "%.*sffffffff", (int)n, digits));
}

/*
 * Writes a path as part of a key, without empty, "." and ".." parts.  A backslash becomes '/'.
 */
static void put_path(struct out *o, struct str path)
{
	arena_scope(scratch);
	struct str rest = source_path_slashes(path, &scratch);

	while (rest.n) {
		struct str part = str_cut(&rest, '/');

		if (!part.n || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			continue;
		out_char(o, '/');
		put_escaped(o, part);
	}
}

/* Returns false for a URL with characters that a shell or curl could misread. */
static bool is_address(struct str address)
{
	for (size_t i = 0; i < address.n; i++) {
		unsigned char c = (unsigned char)address.p[i];

		if (c <= ' ' || c >= 0x7f || strchr("\"\\`'<>{}|^", c))
			return false;
	}
	return address.n;
}

static void put_source(struct out *o, const struct linked_source *s)
{
	if (!is_address(s->address))
		return;
	out_str(o, STR("# source of "));
	caption_put(o, s->path);
	out_str(o, STR("\nsource/"));
	put_id(o, s->hash, 0);
	put_path(o, s->path);
	out_fmt(o, " " PRSTR "\n", STRARG(s->address));
}

void missing_write(struct out *o, const struct profile *p)
{
	const struct module_coverage *module;
	const struct linked_source *source;
	const struct missing_pdb *pdb;
	arena_scope(scratch);
	size_t n = modules_list(p, &scratch, &module);

	for (size_t i = 0; i < n; i++)
		missing_write_module(o, module, i);
	n = sources_missing_pdbs(p, &scratch, &pdb);
	for (size_t i = 0; i < n; i++)
		put_pdb(o, &pdb[i]);
	n = sources_linked(p, &scratch, &source);
	for (size_t i = 0; i < n; i++)
		put_source(o, &source[i]);
}
