#!/bin/sh
# The tree is the architecture: a module includes only modules to its left, through
# their doors, and each foreign library has one landlord.
cd "${TOP:-.}" || exit 1
awk '
BEGIN {
	n = split("base source reader process image symbol stack writer", m, " ")
	for (i = 1; i <= n; i++)
		rank[m[i]] = i
	# What others may include.  base/ and writer/ are collections, all of them public.
	doors("source", "source cache inflate")
	doors("reader", "reader event fields procmaps capture")
	doors("process", "process")
	doors("image", "dwarf locate recorded rundown symtab unwind")
	doors("symbol", "profile coverage merge select shelf")
	doors("stack", "stack event path fold")
	open["base"] = open["writer"] = 1

	home("archive.h archive_entry.h", "^lib/source/libarchive[.]h$")
	home("dlfcn.h", "^lib/source/libarchive[.]c$")
	home("zstd.h lzma.h zlib.h bzlib.h lz4.h lz4frame.h", "^lib/source/[a-z]+[.]c$")
	home("libelf.h gelf.h dwarf.h", "^lib/image/")
	home("isa-l.h", "^lib/source/deflate[.]c$")
	home_dir["isa-l"] = "^lib/source/deflate[.]c$"
	home("event-parse.h event-utils.h kbuffer.h trace-seq.h", "^lib/reader/tracing[.]c$")
	home("pcre2.h pcre2posix.h", "^lib/stack/rule[.]c$")
	home("pthread.h threads.h", "^lib/base/pool[.]c$")
	home("demangle.h libiberty.h", "^lib/symbol/demangle[.]c$")
	home_dir["elfutils"] = "^lib/image/"
	home_dir["traceevent"] = "^lib/reader/tracing[.]c$"
	home_dir["libiberty"] = "^lib/symbol/demangle[.]c$"
}
function home(headers, where,    h, i, k) {
	k = split(headers, h, " ")
	for (i = 1; i <= k; i++)
		landlord[h[i]] = where
}
function doors(module, names,    d, i, k) {
	k = split(names, d, " ")
	for (i = 1; i <= k; i++)
		door[module "/" d[i] ".h"] = 1
}
function no(why) {
	printf "%s:%d: %s may not include %s: %s\n", FILENAME, FNR, FILENAME, what, why
	bad = 1
}
# Of ours; the front is cmd/, which may use every module.
function ours(    from) {
	if (nto == 1)
		return at[1] == "cmd" ? "" : no("a path from lib/ is needed")
	if (to[1] == ".." || what ~ /[.][.]/ || !(to[1] in rank))
		return no("not a module")
	from = at[1] == "lib" ? rank[at[2]] : n
	if (!from)
		return no("its directory is not a module")
	if (rank[to[1]] > from)
		return no("it stands to the right")
	if (!(to[1] in open) && !(what in door) &&
	    !(at[1] == "lib" && to[1] == at[2]))
		return no("private to its module")
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
	# Which file of source/ it is, the first one says.
	if (what ~ /^(zstd|lzma|zlib|bzlib|lz4|lz4frame)[.]h$/) {
		if (what in unpacks && unpacks[what] != FILENAME)
			no("it is behind " unpacks[what])
		unpacks[what] = FILENAME
	}
}
END { exit bad }' lib/*/*.[ch] cmd/*.[ch]
