#!/bin/bash
# run.sh BUILD [GROUP | TEST ...] - runs tests.  The last line is "N passed, N failed".
#
# BUILD is a directory of programs, build/release or build/san.  The groups are
# unit golden property fuzz peers browser house.  By default all are run, or for a
# build with sanitizers the groups that use its programs.  The name of a test is that
# of its result: unit/arena, property/mutants, layers.
#
# A test is a program or script that uses the variables BIN (directory of
# the programs), TOP (the checkout) and TMPDIR (its own directory, removed
# afterwards).  It passes if it exits with 0.  It is skipped if it exits with 77 and prints
# the reason in its last line, which is a failure if CI=true.  If it prints lines "ok NAME"
# and "not ok NAME", it counts as several tests; "# SKIP reason" at their end means skipped.
#
# VERBOSE=1 prints the status and the times of each test when it ends.
#
# SLOWER=N gives each test N times its time, for use with emulated programs.
#
# Recordings of peers depend on the load of the machine.  If a script of peers fails, or
# skips a part and CI=true, it runs again alone.  Both results are printed, and the second one
# counts.
set -u

# Runs a job that add() wrote: NAME, path of the results, seconds, command.
run_job()
{
	local job out
	mapfile -d '' -t job <"$1"
	out=${job[1]}
	export TMPDIR=$out.tmp
	mkdir "$TMPDIR"
	TIMEFORMAT='%0R s, of processors %1U + %1S s'
	{
		time CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 10 "$((job[2] * ${SLOWER:-1}))" \
			"${job[@]:3}" >"$out.log" 2>&1 </dev/null
		echo $? >"$out.rc"
	} 2>"$out.time"
	rm -rf "$TMPDIR"
	[ -z "${VERBOSE:-}" ] || echo "$(cat "$out.rc") ${job[0]} $(cat "$out.time")" >&2
}

if [ "${1:-}" = --job ]; then
	run_job "$2"
	exit
fi

TOP=$(cd "$(dirname "$0")/.." && pwd)
BIN=$(cd "$1" && pwd) || exit 2
# Tests do not share files, and do not use the home directory.
export TOP BIN LC_ALL=C XDG_CACHE_HOME=/dev/null/none
cd "$TOP" || exit 2
shift
every='unit golden property fuzz peers browser house'
groups=${*:-$every}
case $#:$BIN in
0:*san)	groups='unit golden property fuzz peers' ;;
esac
# perf record links files into its cache, which changes their ctime while another test compares it
# with the time of its recording.  A test that needs the cache uses one in APART (check.sh), on
# another file system if possible, because perf then copies the files.
work=$(mktemp -d) && APART=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 2
trap 'rm -rf "$work" "$APART"' EXIT
export APART PERF_CONFIG=$work/perfconfig
printf '[record]\n\tbuild-id = no-cache\n' >"$PERF_CONFIG"
names=()

# asked NAME - succeeds if NAME, or its group, is requested.
asked() { [[ " $groups " = *" $group "* || " $groups " = *" $1 "* ]]; }

# add NAME SECONDS COMMAND... - adds a job if it or its group is requested.  NUL separates its words.
add()
{
	local at
	asked "$1" || return
	at=$work/$(printf %03d ${#names[@]})
	names+=("$1")
	printf '%s\0' "$1" "$at" "${@:2}" >"$at.job"
}

add_scripts()
{
	local f seconds=600
	# A new page takes a browser 0.1 to 10 seconds.
	[ "$1" != browser ] || seconds=3000
	for f in "tests/$1"/*.sh; do
		case $BIN:$f in
		*:tests/property/house.sh | *:tests/peers/bench*) continue ;;
		*san:tests/property/faults.sh | *san:tests/property/losses.sh) continue ;; # their malloc is not replaced
		*san:tests/property/crash.sh) continue ;; # they report crashes themselves
		*san:tests/property/hardened.sh) continue ;; # sanitizers replace these measures
		*san:tests/property/confine.sh) continue ;; # with sanitizers nothing is given up
		# They compare help texts and installed files, which are the same with sanitizers.
		*san:tests/property/man.sh | *san:tests/property/complete.sh) continue ;;
		*san:tests/property/install.sh) continue ;;
		esac
		# Tools that are no Debian package are asked when somebody has them.
		if [ -z "${PEERS:-}" ] && [ "$1" = peers ] && grep -q PEERS "$f"; then
			asked "peers/$(basename "$f" .sh)" && echo "Not asked without PEERS=DIR: $f"
			continue
		fi
		[ -x "$f" ] || { echo "$f cannot be run"; exit 2; }
		add "$1/$(basename "$f" .sh)" $seconds "$f"
	done
}

sources()
{
	find "$1" -maxdepth 1 -name '*.c' ! -name replay.c -printf '%f\n' | sed 's/[.]c$//' | sort
}

# Slow tests start first, and run in parallel with the others.
for group in browser golden house property peers fuzz unit; do
	case $group in
	unit)
		for t in $(sources tests/unit); do
			case $BIN:$t in
			*san:confine) continue ;;
			esac
			if [ -x "$BIN/unit/$t" ] || { [ -e /usr/include/cmocka.h ] && [ -e /usr/include/zlib.h ] &&
				[ -e /usr/include/protobuf-c/protobuf-c.h ] &&
				[ -e /usr/bin/protoc ] && [ -e /usr/bin/protoc-gen-c ]; }; then
				add "unit/$t" 400 "$BIN/unit/$t"
			else
				add "unit/$t" 400 sh -c 'echo "not all of libcmocka-dev, zlib1g-dev, libprotobuf-c-dev,\
 protobuf-compiler and protobuf-c-compiler are installed"; exit 77'
			fi
		done ;;
	fuzz)
		for t in $(sources tests/fuzz); do
			add "fuzz/$t" 400 sh -ec '[ -x "$1" ] || [ "${1##*/}" != folded ] || { [ -e /usr/include/protobuf-c/protobuf-c.h ] &&
				[ -e /usr/bin/protoc ] && [ -e /usr/bin/protoc-gen-c ]; } ||
				{ echo "libprotobuf-c-dev, protobuf-compiler or protobuf-c-compiler is not installed"; exit 77; }
				mkdir "$TMPDIR/in"; tar -xf "$2" -C "$TMPDIR/in"
				exec "$1" "$TMPDIR/in"' - build/san/fuzz/"$t" tests/fuzz/corpus/"$t".tar
		done ;;
	golden)
		add golden 600 tests/golden/run.sh ;;
	house)
		add house 300 tests/property/house.sh
		add layers 60 tests/layers.sh
		add stems 60 tests/stems.sh
		add style 60 tests/style.sh
		add valgrind 600 tests/valgrind.sh ;;
	browser)
		add_scripts browser
		for t in tests/browser/*.mjs; do
			# One that a script starts, or that others import, is no test by itself.
			[ -x "$t" ] || continue
			add "browser/$(basename "$t" .mjs)" 300 sh -c \
				'command -v node >/dev/null && exec "$1"; echo "node is not installed"; exit 77' - "$t"
		done ;;
	*)
		add_scripts "$group" ;;
	esac
done

for word in $groups; do
	[[ " $every ${names[*]} " = *" $word "* ]] ||
		{ echo "run.sh: no group and no test is called $word" >&2; exit 2; }
done
if [ ${#names[@]} != 0 ]; then
	printf '%s\0' "$work"/*.job | xargs -0 -n 1 -P "$(nproc)" tests/run.sh --job
fi

for i in "${!names[@]}"; do
	out=$work/$(printf %03d "$i")
	case ${names[i]}:$(cat "$out.rc" 2>/dev/null) in
	peers/*:0 | peers/*:77) [ "${CI:-}" = true ] && grep -q '^ok .*# SKIP' "$out.log" ;;
	peers/*) true ;;
	*) false ;;
	esac && {
		echo "AGAIN ${names[i]}, alone: it failed or skipped beside other tests"
		{ grep -E '^not ok|# SKIP' "$out.log"; grep -vE '^(not )?ok ' "$out.log"; } | head -n 20 |
			cut -c1-300 | sed 's/^/    /'
		tests/run.sh --job "$out.job"
	}
done

passed=0 failed=0 skipped=0
for i in "${!names[@]}"; do
	name=${names[i]} out=$work/$(printf %03d "$i")
	log=$out.log
	rc=$(cat "$out.rc" 2>/dev/null || echo 'no status')
	skips=$(grep -cE '^(not )?ok .*# SKIP' "$log")
	good=$(grep -E '^ok ' "$log" | grep -vc '# SKIP')
	bad=$(grep -E '^not ok ' "$log" | grep -vc '# SKIP')
	if [ "$rc" = 77 ] && [ "$bad" = 0 ]; then
		echo "SKIP $name: $(tail -n 1 "$log")"
		skips=$((skips + 1))
	elif [ "$rc" != 0 ] && [ "$bad" = 0 ]; then
		bad=1 # a status that no line accounts for
	elif [ "$((good + bad + skips))" = 0 ]; then
		case $name in
		unit/*)	bad=1 ;; # it ended before its first test
		*)	good=1 ;;
		esac
	fi
	grep -E '^(not )?ok .*# SKIP' "$log" | sed "s|^|SKIP $name: |"
	if [ "$bad" != 0 ]; then
		echo "FAIL $name (exit $rc)"
		grep -v '^ok ' "$log" | head -n 100 | cut -c1-300 | sed 's/^/    /'
	fi
	if [ "${CI:-}" = true ]; then
		bad=$((bad + skips)) skips=0
	fi
	passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skips))
done

printf '%d passed, %d failed' "$passed" "$failed"
[ "$skipped" = 0 ] || printf ', %d skipped' "$skipped"
echo
[ "$failed" = 0 ] && [ "$passed" != 0 ]
