#!/bin/bash
# mutate.sh [-j JOBS] [-n EVERY] [-t TESTS] [-m MS] [-d DIR] FILE... - do tests detect wrong code?
#
# Changes each comparison, logical and additive operator and each integer constant of the C
# files named, one at a time:
#
#	== <-> !=   < <-> <=   > <-> >=   && <-> ||   + <-> -   += <-> -=   |= <-> &=
#	n -> n+1, n -> n/2
#
# Each mutant is compiled, and the unit programs, golden files and property scripts that use the
# changed line are run, the quickest first.  If a test fails that passes with the original, the
# mutant is caught.  Other mutants are listed with the old and the new line, and the exit status is
# 1 if fewer than 90 of 100 are caught.  tests/mutants.txt lists mutants with the same meaning as
# the original, each with the reason.  They are not counted.
#
# If a test loops, a limit of processor time ends it, because that does not depend on other load.
#
# DIR (default: mutate in TMPDIR) contains a copy of the tree, the builds and the results.  If a run
# is stopped, the next run continues: caught mutants stay caught, even if other lines are edited, and
# surviving mutants are tried again, after the others.  Mutants are tried in random order, so a
# partial run is a sample.  -n 5 uses one mutant in five.  -t unit uses only tests with that word in
# their name, -m 3000 only tests that take at most three seconds.  make check does not run this
# script, because 1,000 mutants take an hour or two.
set -u
export LC_ALL=C XDG_CACHE_HOME=/dev/null/none FIRST=1

jobs=1 every=1 only="" longest=600000 dir=${TMPDIR:-/tmp}/mutate
while getopts j:n:t:m:d: option; do
	case $option in
	j) jobs=$OPTARG ;;
	n) every=$OPTARG ;;
	t) only=$OPTARG ;;
	m) longest=$OPTARG ;;
	d) dir=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; }
cd "$(dirname "$0")/.." || exit 2
mkdir -p "$dir" || exit 2
dir=$(cd "$dir" && pwd)
tree=$dir/tree
export TOP=$tree

# Prints the mutants of FILE: number of the line, number among equal ones, old and new line, with
# tabs between.
mutants()
{
	awk -v OFS='\t' '
	# Comments, strings and characters become blanks of the same length.
	function mask(line,    i, c, out, quote) {
		out = quote = ""
		for (i = 1; i <= length(line); i++) {
			c = substr(line, i, 1)
			if (comment) {
				if (substr(line, i, 2) == "*/") {
					comment = 0
					out = out " "
					i++
				}
				out = out " "
			} else if (quote != "") {
				if (c == "\\") {
					out = out " "
					i++
				} else if (c == quote) {
					quote = ""
				}
				out = out " "
			} else if (substr(line, i, 2) == "/*") {
				comment = 1
				out = out "  "
				i++
			} else if (c == "\"" || c == "\047") {
				quote = c
				out = out " "
			} else {
				out = out c
			}
		}
		return out
	}
	function plain(line) {
		gsub(/\t/, " ", line)
		sub(/^ +/, "", line)
		return line
	}
	function put(at, n, by,    before, after) {
		before = plain($0)
		after = plain(substr($0, 1, at - 1) by substr($0, at + n))
		print FNR, ++times[before, after], before, after
	}
	function number(m, at,    n, text, value, digits) {
		match(substr(m, at), /^(0x[0-9a-fA-F]+|[0-9]+)[uUlL]*/)
		n = RLENGTH
		text = substr(m, at, n)
		digits = text
		sub(/[uUlL]+$/, "", digits)
		# An object cleared, and the length of an array that is declared.
		if (substr(m, at - 2, 5) == "{ 0 }")
			return n
		if (substr(m, at - 1, n + 2) ~ /^\[.*\]$/ &&
		    m ~ /^\t*(static |const )*(struct [a-z_0-9]+|char|size_t|u?int[0-9]+_t|str_id) [^=]*[;{]?$/)
			return n
		if (digits ~ /^0x/) {
			put(at, n, "(" text " + 1)")
			put(at, n, "(" text " / 2)")
			return n
		}
		value = digits + 0
		# More room than is needed means the same.
		if (m !~ /arena_(grow|new|alloc)|^\t*(static |const )*char [a-z_]+\[[^]]*[+*][^]]*\]/)
			put(at, n, sprintf("%d", value + 1))
		if (value)
			put(at, n, sprintf("%d", int(value / 2)))
		return n
	}
	BEGIN {
		n = split("== != != == <= < >= > && || || && |= &= &= |= += -= -= +=", w, " ")
		for (i = 1; i < n; i += 2)
			two[w[i]] = w[i + 1]
		n = split("<<= >>= -> << >> ++ -- ...", w, " ")
		for (i = 1; i <= n; i++)
			skip[w[i]] = 1
		one["<"] = "<="
		one[">"] = ">="
		one["+"] = "-"
		one["-"] = "+"
	}
	{
		m = mask($0)
		if (m ~ /^[ \t]*#/)
			next
		for (i = 1; i <= length(m); i++) {
			c = substr(m, i, 1)
			if (substr(m, i, 3) in skip)
				i += 2
			else if (substr(m, i, 2) in skip)
				i++
			else if (substr(m, i, 2) in two) {
				put(i, 2, two[substr(m, i, 2)])
				i++
			} else if (c in one && substr(m, i - 1, 1) == " " &&
			           substr(m, i + 1, 1) == " ")
				put(i, 1, one[c])
			else if (c ~ /[0-9]/)
				i += number(m, i) - 1
			else if (c ~ /[A-Za-z_]/) {
				match(substr(m, i), /^[A-Za-z_0-9]+/)
				i += RLENGTH - 1
			}
		}
	}' "$1"
}

# Objects of the copy go to build/$1, compiled with the flags that follow.
build()
{
	# shellcheck disable=SC2086
	printf '%s\n' $2 | sed "s|^|build/$1/|; s|[.]c\$|.o|" |
		xargs make -s -j"$jobs" "B=build/$1" "OPT=-O2 -fPIC" CFLAGS="${*:3}" >/dev/null
}

# link_library TO OBJECT...
link_library()
{
	# shellcheck disable=SC2086
	gcc -shared --coverage -o "$1/liboffbox.so" "${@:2}" $libs
}

# Every program, against the library that is beside it, in $1.
link_programs()
{
	local o name front
	front=$(find build/plain/cmd -name '*.o' ! -name 'p[a-z]*.o' -o -name 'pfold_*.o')
	rm -rf "$1/unit"
	mkdir -p "$1/unit"
	while read -r o; do
		name=$1/${o##*/}
		[[ $o = */unit/* ]] && name=$1/unit/${o##*/}
		# shellcheck disable=SC2086
		gcc -o "${name%.o}" "$o" $front -L"$1" -loffbox \
			-Wl,-rpath,"\$ORIGIN:\$ORIGIN/.." $libs -larchive -lcmocka -lz || return
	done < <(sed -n 's#^\(cmd/p[a-z]*\|tests/unit/.*\)[.]c$#build/plain/\1.o#p' "$dir/files")
}

# run_test NAME MS - succeeds if the test passes with the programs in BIN.  MS is its usual time.
run_test()
{
	local at rc script=("$tree/tests/property/$1.sh")
	at=$(mktemp -d)
	case $1 in
	unit/*) script=("$BIN/$1") ;;
	golden/*) script=("$tree/tests/golden/run.sh" "${1#golden/}") ;;
	esac
	(
		ulimit -v 8000000 -t $(($2 / 200 + 5))
		cd "$at" && TMPDIR=$at exec timeout -k 5 $(($2 / 50 + 60)) "${script[@]}" \
			>"$at/log" 2>&1 </dev/null
	)
	rc=$?
	rm -rf "$at"
	return $rc
}

# Prints the tests that can detect mutants.  Others test the tree, the machine or kinds of input.
all_tests()
{
	(cd "$tree/tests" && ls unit/*.c property/*.sh && find golden -name '*.p*') | sed -nE '
		s|^(unit/.*)[.]c$|\1|p
		/^golden.*[.](pmerge|psym|pfold|pflame)$/p
		/house|man[.]|install|libarchive|front|badinput|batch|files|cache[.]|lttng/d
		s|^property/(.*)[.]sh$|\1|p'
}

# sum_of TEST FILE... - prints a sum that changes if the test or FILEs change.
sum_of()
{
	local from=("tests/property/$1.sh" "tests/$1"*)
	if [[ $1 = unit/* ]]; then
		from=("tests/$1.c")
		for _ in 1 2; do
			mapfile -t -O ${#from[@]} from < <(cat "${from[@]}" 2>/dev/null |
				sed -n 's|^#include "\([a-z_]*[.]h\)"$|tests/unit/\1|p')
		done
	fi
	cat "${@:2}" "${from[@]}" 2>/dev/null | cksum | cut -d ' ' -f 1
}

# spent_by COMMAND... - sets ms to its processor time, which does not depend on other load.
spent_by()
{
	local rc TIMEFORMAT='%3U %3S'
	ms=$({ time "$@" 2>/dev/null; } 2>&1)
	rc=$?
	ms=$(awk '{ printf "%d", ($1 + $2) * 1000 }' <<<"$ms")
	return $rc
}

# cover FILE... - finds the lines that each test uses.  Writes DIR/lines/TEST: its name, milliseconds,
# the sum of its inputs, and then FILE:LINE.
cover()
{
	local test tests out sum ms
	mapfile -t tests < <(all_tests)
	for out in "$dir"/lines/*; do
		printf '%s\n' "${tests[@]//\//_}" | grep -qxF "${out##*/}" || rm -f "$out"
	done
	for test in "${tests[@]}"; do
		out=$dir/lines/${test//\//_}
		sum=$(sum_of "$test" "$@")
		grep -qx "$test [0-9]* $sum" "$out" 2>/dev/null && continue
		find build/cover -name '*.gcda' -delete
		rm -f "$out"
		if ! BIN=$dir/cover spent_by run_test "$test" 100000; then
			echo "mutate.sh: $test fails by itself and is left out" >&2
			continue
		fi
		echo "$test $ms $sum" >"$out"
		find build/cover -name '*.gcda' -exec gcov -t {} + 2>/dev/null | awk -F: '
			$3 == "Source" && $2 ~ /^ *0$/ { file = $4 }
			$1 ~ /^ *[0-9]/ && file ~ /^lib/ {
				gsub(/ /, "", $2)
				print file ":" $2
			}' >>"$out"
	done
}

# Prints the tests that run line $2 of file $1, the quickest first.  If the line is not code, prints
# the tests that use the file, or all tests for a header.
tests_of()
{
	awk -v here="$1:$2" -v file="$1:" -v longest="$longest" '
	FNR == 1 {
		test = $1
		ms[test] = $2
	}
	index($1, file) == 1 {
		any[test] = 1
		if ($1 == here)
			run[test] = known = 1
	}
	END {
		for (test in ms)
			if (ms[test] <= longest && (known ? test in run : test in any || file ~ /[.]h:$/))
				print ms[test], test
	}' "$dir"/lines/* | grep -- "$only" | sort -n
}

# compile FILE - sets objects, using the worker's changed FILE.  For a header, compiles all users.
compile()
{
	local c o changed=()
	objects=()
	if [[ $1 = *.h ]]; then
		mapfile -t changed < <(sed 's/o$/d/' "$dir/objects" | xargs grep -slw "$1")
	else
		changed=("build/plain/${1%.c}.d")
	fi
	mapfile -t objects < <(printf '%s\n' "${changed[@]/%.d/.o}" | sort - "$dir/objects" |
		uniq -u)
	rm -rf "$work/new"
	mkdir "$work/new"
	for o in "${changed[@]%.d}"; do
		c=${o#build/plain/}.c
		[[ $1 = *.h ]] || c=$work/$c
		o=$work/new/${o//\//_}.o
		# shellcheck disable=SC2086
		${compiler/ / -I$work/lib } -O0 -w -c -o "$o" "$c" 2>/dev/null || return
		objects+=("$o")
	done
}

# judge FILE LINE - prints the first test that fails, or SURVIVED.
judge()
{
	local ms test
	if ! compile "$1" || ! link_library "$work" "${objects[@]}" 2>/dev/null; then
		echo no-program
		return
	fi
	while read -r ms test; do
		BIN=$work run_test "$test" "$ms" && continue
		BIN=$dir/plain run_test "$test" "$ms" || continue
		echo "$test"
		return
	done < <(tests_of "$1" "$2")
	echo SURVIVED
}

# Worker $1 uses every JOBS-th line of DIR/todo.
work_off()
{
	local n=0 file line nth before after
	work=$dir/work$1
	rm -rf "$work"
	cp -r "$dir/plain" "$work"
	cd "$tree" || return
	while IFS=$'\t' read -r file line nth before after; do
		[ $((n++ % jobs)) = "$1" ] || continue
		mkdir -p "$work/${file%/*}"
		after=$after awk -v n="$line" 'NR == n { print ENVIRON["after"]; next } 1' \
			"$file" >"$work/$file"
		printf '%s\t%s\t%s\t%s\t%s\n' "$(judge "$file" "$line")" "$file" "$nth" \
			"$before" "$after" >>"$dir/results"
		rm "$work/$file"
	done <"$dir/todo"
}

# Copies the current tree, and builds its programs.
mkdir -p "$tree" "$dir/plain" "$dir/cover" "$dir/lines" || exit 2
git ls-files --cached --others --exclude-standard | while read -r f; do
	[ -e "$f" ] && echo "$f"
done | sort >"$dir/files"
xargs -d '\n' cp -au --parents -t "$tree" <"$dir/files" || exit 2
cd "$tree" || exit 2
find . -path ./build -prune -o -type f -printf '%P\n' | sort | comm -23 - "$dir/files" |
	xargs -d '\n' rm -f
made=build/plain/proto/profile.pb-c.o
make -s -j"$jobs" generators $made B=build/plain OPT='-O2 -fPIC' CFLAGS= || exit 2
libs=$(make -pn 2>/dev/null | sed -n 's/^PKG_LIBS := //p')
libs+=' -lprotobuf-c'
compiler=$(make -n -B V=1 build/plain/lib/bind/bind.o B=build/plain OPT='-O2 -fPIC' CFLAGS= |
	sed -n 's/ -MMD.*//p')
build plain 'lib/*/*.c lib/*/*/*.c cmd/*.c tests/unit/*.c' || exit 2
{
	sed -n 's|^\(lib/.*\)[.]c$|build/plain/\1.o|p' "$dir/files"
	echo $made
} >"$dir/objects"
mapfile -t objects <"$dir/objects"
link_library "$dir/plain" "${objects[@]}" && link_programs "$dir/plain" || exit 2

# Like the above, but FILEs record which lines were run, so the programs are not confined.
cp -r "$dir/plain/." "$dir/cover"
build cover "$(printf '%s ' "$@" lib/base/confine.c | sed 's/[^ ]*[.]h //g')" -O0 --coverage \
	-DCONFINE_OFF || exit 2
mapfile -t objects < <(while read -r o; do
	[ -e "${o/plain/cover}" ] && o=${o/plain/cover}
	echo "$o"
done <"$dir/objects")
link_library "$dir/cover" "${objects[@]}" && cover "$@" || exit 2

for f; do
	mutants "$f" | sed "s|^|$f\t|"
done | awk -F'\t' -v every="$every" '
# Sorts by content, so edits of other lines do not change the sample.
function hash(text,    i, h) {
	for (i = 1; i <= length(text); i++)
		h = (h * 31 + index(letters, substr(text, i, 1))) % 1000003
	return h
}
BEGIN {
	for (i = 32; i < 127; i++)
		letters = letters sprintf("%c", i)
}
hash($1 $3 $4 $5) % every == 0' >"$dir/mutants"
touch "$dir/results"
# Mutants with the same meaning are not tried.
# tests/mutants.txt: FILE, then the line "- before", "+ after", and the reason.
# shellcheck disable=SC2016
listed='
FILENAME ~ /mutants[.]txt$/ {
	if (/^[a-z]/)
		file = $0
	else if (/^- /)
		before = substr($0, 3)
	else if (/^[+] /)
		same[file, before, substr($0, 3)] = 1
	next
}'
sort -R --random-source=<(yes) "$dir/mutants" | awk -F'\t' "$listed"'
FILENAME ~ /results$/ {
	done[$2, $3, $4, $5] = 1 + ($1 != "SURVIVED")
	next
}
($1, $4, $5) in same { next }
{
	at = done[$1, $3, $4, $5]
	if (!at)
		print
	else if (at == 1)
		again[++n] = $0
}
END {
	for (i = 1; i <= n; i++)
		print again[i]
}' tests/mutants.txt "$dir/results" - >"$dir/todo"
echo "$(wc -l <"$dir/mutants") mutants, $(wc -l <"$dir/todo") of them to be tried"
for ((i = 0; i < jobs; i++)); do
	work_off "$i" &
done
wait

awk -F'\t' "$listed"'
FILENAME ~ /results$/ {
	verdict[$2, $3, $4, $5] = $1
	next
}
{
	v = verdict[$1, $3, $4, $5]
	if (($1, $4, $5) in same) {
		all++
		equal++
		next
	}
	if (v == "" || v == "no-program")
		next
	all++
	if (v == "SURVIVED") {
		printf "%s:%s\n- %s\n+ %s\n", $1, $2, $4, $5
		survived++
	} else
		caught++
}
END {
	percent = all > equal ? 100 * caught / (all - equal) : 100
	printf "%d mutants: %d caught, %d survived, %d mean the same; %.1f %% caught\n", all,
		caught, survived, equal, percent
	exit percent < 90
}' tests/mutants.txt "$dir/results" "$dir/mutants"
