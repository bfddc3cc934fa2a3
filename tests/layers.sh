#!/bin/bash
# The tree is the architecture: a module includes only the public headers of modules to its left,
# and each foreign library is used by one module.
cd "${TOP:-.}" || exit 1
shopt -s globstar
awk '
BEGIN {
	n = split("base cache source " \
		"reader/tracepoint reader/perfdata reader/perftext reader/nettrace reader/ctf reader/pprof reader/otlp reader/firefox reader " \
		"process collect image/elf image/dwarf image/cfi image/jit image/dotnet image/code image/source image " \
		"bind/dotnet bind/native bind symbol/text symbol/report symbol " \
		"label rule stack compare measure writer/flame writer/script writer/annotate writer", m, " ")
	for (i = 1; i <= n; i++)
		rank[m[i]] = i
	# The headers that other directories may use.  base/ and writer/ are collections, and all
	# of their headers are public.
	doors("cache", "cache order")
	doors("source", "source archive stream decompress made ordered unpacked file spool")
	doors("reader", "reader beside event event_name fields json procmaps capture location skimming sliced wire wireput")
	doors("reader/perfdata", "header perfdata")
	doors("reader/perftext", "bpfstacks folded frameline perfscript")
	doors("reader/nettrace", "nettrace netfile netruntime")
	doors("reader/ctf", "ctf ctf_stream")
	doors("reader/pprof", "pprof profile_fields")
	doors("reader/otlp", "otlp otlp_fields otlp_json")
	doors("reader/firefox", "firefox")
	doors("reader/tracepoint", "traced tracing")
	doors("process", "file_offset known_runtime process")
	doors("collect", "ask gather recording target work_file")
	doors("image", "find_pdb host host_maps host_origin host_roots identity kallsyms locate symtab tables")
	doors("image/elf", "elf elf_cache elf_symbols relocate section")
	doors("image/dwarf", "dwarf dwarf_cache")
	doors("image/cfi", "cfi_step")
	doors("image/jit", "jitdump perfmap")
	doors("image/code", "code disasm")
	doors("image/dotnet", "assembly bundle clr_lines il_map metadata pdb pe perfinfo r2r r2r_lines r2r_name sig streams")
	doors("image/source", "ppdb source_files source_link source_path")
	doors("bind", "bind bound_code merge sampled shared_code")
	doors("bind/native", "demangle made_tables name_offset text_kallsyms unwind")
	doors("bind/dotnet", "bound_image loaded managed_lines")
	doors("symbol", "function_code part profile select shared_sources")
	doors("symbol/text", "address_form textline textplace")
	doors("symbol/report", "modules sources summary")
	doors("label", "async clone_suffix compat kind label mark namespace tidy_dotnet tidy_method tidy_native")
	doors("rule", "rule")
	doors("stack", "calls fold fold_part graft group head origin site slices spots spots_part stack sums weight")
	doors("compare", "compare contrast gate moved stable")
	doors("measure", "clr counted elapsed events field_weight marks measure measure_part offcpu offcpu_measure statistics wall")
	doors("writer/annotate", "annotated annotated_page annotated_rows listing")
	doors("writer/flame", "colormap diff_words folds svg xml")
	open["base"] = open["writer"] = open["writer/script"] = 1
	# The headers that a directory shares with its subdirectories, which precede it.
	shares("reader", "format event fields capture json located located_list location skimming wire wireput")
	shares("image", "symtab calls locate")
	shares("bind", "bind binder bound_map match_maps sampled shared_code verified")
	shares("symbol", "profile profile_private resolve session")
	shares("writer", "caption field json unit")

	# The headers that only the parent directory may use, in addition to those doors.
	inner("bind/native", "inlined jitted_so kernel match_given native native_files")
	inner("bind/dotnet", "image_names local_image match_bundled match_images r2rmap_names")

	home("archive.h archive_entry.h", "^lib/(source/libarchive[.]h|collect/pack[.]c)$")
	home("dlfcn.h", "^lib/base/library[.]c$")
	home("zstd.h lzma.h zlib.h bzlib.h lz4.h lz4frame.h", "^lib/source/decompress[.]c$")
	home("libelf.h gelf.h dwarf.h", "^lib/image/(elf|dwarf|cfi)/")
	home("isa-l.h", "^lib/(source/decompress|writer/gzip)[.]c$")
	home_dir["isa-l"] = "^lib/(source/decompress|writer/gzip)[.]c$"
	home("protobuf-c.h profile.pb-c.h", "^tests/")
	home_dir["protobuf-c"] = "^tests/"
	home_dir["yajl"] = "^lib/reader/json[.]c$"
	home("event-parse.h event-utils.h kbuffer.h trace-seq.h", "^lib/reader/tracepoint/")
	home_dir["babeltrace2"] = "^lib/reader/ctf/babeltrace[.]h$"
	home("pcre2.h pcre2posix.h", "^lib/rule/rule[.]c$")
	home("pthread.h threads.h", "^lib/base/pool[.]c$")
	home("xxhash.h", "^lib/base/")
	home("demangle.h libiberty.h", "^lib/bind/native/demangle[.]c$")
	home_dir["Zydis"] = home_dir["capstone"] = "^lib/image/code/"
	home_dir["nettle"] = "^lib/base/"
	home_dir["elfutils"] = "^lib/image/(elf|dwarf|cfi)/"
	home_dir["traceevent"] = "^lib/reader/tracepoint/"
	home_dir["libiberty"] = "^lib/bind/native/demangle[.]c$"
}
function home(headers, where,    h, i, k) {
	k = split(headers, h, " ")
	for (i = 1; i <= k; i++)
		landlord[h[i]] = where
}
function doors(directory, names,    d, i, k) {
	k = split(names, d, " ")
	for (i = 1; i <= k; i++)
		door[directory "/" d[i] ".h"] = 1
}
function shares(directory, names,    d, i, k) {
	k = split(names, d, " ")
	for (i = 1; i <= k; i++)
		shared[directory "/" d[i] ".h"] = 1
}
function inner(directory, names,    d, i, k) {
	k = split(names, d, " ")
	for (i = 1; i <= k; i++)
		private[directory "/" d[i] ".h"] = 1
}
function no(why) {
	printf "%s:%d: %s may not include %s: %s\n", FILENAME, FNR, FILENAME, what, why
	bad = 1
}
function directory_of(path) {
	sub(/\/[^\/]*$/, "", path)
	return path
}
# Of ours; the front is cmd/, which may use every module.
function ours(    from, to) {
	to = directory_of(what)
	if (to == what)
		return at[1] == "cmd" ? "" : no("a path from lib/ is needed")
	if (what ~ /[.][.]/ || !(to in rank))
		return no("not a module")
	from = directory_of(FILENAME)
	if (from == "cmd") {
		if (!(to in open) && !(what in door))
			no("private to its module")
		return
	}
	sub(/^lib\//, "", from)
	if (!(from in rank))
		return no("its directory is not a module")
	if (from == to || index(from, to "/") == 1 && what in shared ||
	    index(to, from "/") == 1 && what in private)
		return
	if (rank[to] > rank[from])
		return no("it stands to the right")
	if (!(to in open) && !(what in door))
		no("private to its module")
}
/^[ \t]*#[ \t]*include/ {
	quoted = index($0, "\"")
	split($0, q, /["<>]/)
	what = q[2]
	split(FILENAME, at, "/")
	nto = split(what, to, "/")
	if (quoted)
		ours()
	where = what in landlord ? landlord[what] : nto > 1 ? home_dir[to[1]] : ""
	if (where != "" && FILENAME !~ where)
		no("that library has one landlord, " where)
}
END { exit bad }' lib/**/*.[ch] cmd/*.[ch]
