#!/bin/bash
# stems.sh - uses the objects in BIN to check the place of each function and table of lib/.  If
# another object uses it, its name begins with the stem of its file, and the header with that stem
# (X.h or X_private.h) declares it.  No two files use each other.  Lists the first 40 violations, or
# with -v all of them.
set -u
cd "${TOP:-.}" || exit 1
most=40
[ "${1:-}" = -v ] && most=100000

objects=()
while read -r c; do
	o=$BIN/${c%.c}.o
	[ -e "$o" ] || { echo "$c: no object in $BIN"; exit 1; }
	objects+=("$o")
done < <(find lib -name '*.c' | sort)

nm -A "${objects[@]}" | awk -v bin="$BIN/" -v most="$most" '
function file_of(object) {
	sub(/:.*/, "", object)
	return substr(object, length(bin) + 1, length(object) - length(bin) - 2)
}
function read_header(path,    line, text) {
	text = ""
	while ((getline line < path) > 0)
		text = text " " line
	close(path)
	gsub(/[^A-Za-z0-9_]+/, " ", text)
	return text
}
function say(what) {
	if (bad++ < most)
		print what
}
{
	kind = $(NF - 1)
	name = $NF
	file = file_of($1)
	if (kind ~ /^[TDRBVW]$/)
		owner[name] = file
	else if (kind == "U")
		uses[file, name] = 1
}
# Depth first: if a file is met again while it is open, there is a cycle.
function visit(f,    i, n, to, k, ring) {
	state[f] = 1
	path[++depth] = f
	n = split(needs[f], to, " ")
	for (i = 1; i <= n; i++) {
		if (state[to[i]] == 1) {
			ring = to[i]
			for (k = depth; path[k] != to[i]; k--)
				ring = path[k] " -> " ring
			say("cycle of files: " to[i] " -> " ring)
		} else if (!state[to[i]]) {
			visit(to[i])
		}
	}
	depth--
	state[f] = 2
}
END {
	for (u in uses) {
		split(u, at, SUBSEP)
		if (!(at[2] in owner) || owner[at[2]] == at[1])
			continue
		used[at[2]] = 1
		if (!((at[1], owner[at[2]]) in edge)) {
			edge[at[1], owner[at[2]]] = 1
			needs[at[1]] = needs[at[1]] " " owner[at[2]]
		}
	}
	for (s in used) {
		f = owner[s]
		stem = f
		sub(/.*\//, "", stem)
		if (!(f in header))
			header[f] = read_header(f ".h") " " read_header(f "_private.h") " "
		if (!index(header[f], " " s " "))
			say(f ".c: " s " is not declared in " stem ".h")
		if (s != stem && index(s, stem "_") != 1)
			say(f ".c: " s " does not begin with " stem "_")
	}
	for (f in needs)
		if (!state[f])
			visit(f)
	if (bad > most)
		printf "and %d more\n", bad - most
	exit bad > 0
}' | sort
exit "${PIPESTATUS[1]}"
