#!/bin/bash
# Limits of sizes, and rules of the library.  Uses the objects in BIN to find mutable variables and
# functions that print.
set -u
shopt -s globstar
cd "${TOP:-.}" || exit 1
bad=0

no()
{
	printf '%s\n' "$1"
	bad=1
}

# A function extends from "{" to "}" in the first column.
sizes=$(awk '
FNR == 1 { start = 0 }
/^[a-z_].*\(/ { name = $0 }
/^\{/ { start = FNR }
/^\}/ && start { print FNR - start + 1, FILENAME ":" start, name; start = 0 }
' lib/**/*.c cmd/*.c | sort -n)
awk '$1 > 80 { printf "%s: a function of %d lines, 80 are the most: ", $2, $1
               $1 = $2 = ""; print; bad = 1 } END { exit bad }' <<<"$sizes" || bad=1
echo "$sizes" | awk '{ n[NR] = $1 } END {
	p90 = n[int((NR * 9 + 9) / 10)]
	printf "%d functions, median %d lines, p90 %d, longest %d\n", NR,
		n[int((NR + 1) / 2)], p90, n[NR]
	if (p90 > 40)
		print "p90 is over 40 lines"
	exit p90 > 40 }' || bad=1

while read -r lines file; do
	case $file in
	total) ;;
	tests/*.h) ;;
	*.h) [ "$lines" -le 150 ] || no "$file: $lines lines, 150 are the most of a header" ;;
	*.c) [ "$lines" -le 1000 ] || no "$file: $lines lines, 1000 are the most of a file" ;;
	esac
done < <(wc -l lib/**/*.[ch] cmd/*.[ch] tests/*/*.[ch])
wc -l lib/**/*.c cmd/*.c | grep -v ' total$' | sort -n | awk '{ n[NR] = $1 } END {
	p90 = n[int((NR * 9 + 9) / 10)]
	if (p90 > 600)
		printf "p90 of the files is %d lines, 600 are the most\n", p90
	exit p90 > 600 }' || bad=1

# make files prints the purpose of each file.
"${0%/*}/files.sh" 2>/dev/null | awk '!/: ./ { print; bad = 1 } END { exit bad || !NR }' ||
	no "files.sh: a file has no comment with its purpose"

# Mutable variables, and functions of the C library that print or end the program.
objects=()
for c in lib/**/*.c; do
	if [ -e "$BIN/${c%.c}.o" ]; then
		objects+=("$BIN/${c%.c}.o")
	else
		no "$c: no object in $BIN"
	fi
done
[ ${#objects[@]} != 0 ] || exit 1
while read -r line; do
	no "${line#"$BIN/"}"
done < <(objdump -t "${objects[@]}" | awk '
/:  *file format/ { file = $1; sub(/o:$/, "c", file) }
(/ [.](t?data|t?bss|data[.]rel|data[.]rel[.]local)\t/ || / [*]COM[*]\t/) && $NF !~ /^[.]/ {
	print file ": mutable variable " $NF
}')
# Messages use diag.  Only main exits, and only pool ends a job's process.
forbidden='^(_?exit|_Exit|abort|quick_exit|printf|puts|putchar|perror|errx?|warnx?|stdout|stderr|__printf_chk)$'
while read -r line; do
	no "${line#"$BIN/"}"
done < <(nm -A -u "${objects[@]}" | awk -v forbidden="$forbidden" '
$NF ~ forbidden && $1 !~ /lib\/base\/(diag|arena)[.]o:/ &&
!($NF == "_exit" && $1 ~ /lib\/base\/pool[.]o:/) {
	sub(/o:$/, "c", $1)
	print $1 ": calls " $NF
}')

while read -r path; do
	no "$path: a name that says nothing"
done < <(find lib cmd tests share -name build -prune -o \
	-regextype posix-extended -iregex '.*/(utils?|common|misc|helpers?|stuff)([.][a-z]+)?' -print)
while read -r line; do
	no "$line"
done < <(grep -rnE 'TODO|FIXME|\bXXX\b' --include='*.[ch]' --include='*.sh' --include='*.js' \
	--include='*.mjs' --include='*.css' --include='*.[157]' --exclude=style.sh --exclude=house.sh \
	lib cmd tests share)

# A script that runs a program which may be missing names it in a line "needs ...".
while read -r line; do
	no "$line"
done < <(awk -v list='perl pgrep xz python3 unzip' '
BEGIN { n = split(list, name, " "); for (i = 1; i <= n; i++) tool[name[i]] }
function say(t) { for (t in used) if (!(t in needs)) print file ": lacks needs " t }
FNR == 1 { say(); split("", needs); split("", used); file = FILENAME }
/^[ \t]*#/ || file ~ /\/(bench-|house)/ { next }
/^[ \t]*needs / || /command -v / { for (i = 2; i <= NF; i++) needs[$i] }
{
	parts = split($0, part, /[|;&()]+/)
	for (i = 1; i <= parts; i++) {
		words = split(part[i], word, " ")
		for (k = 1; k < words && word[k] ~ /^[A-Za-z_]+=/; k++) ;
		if (words && word[k] in tool)
			used[word[k]]
		else if (words && word[k] ~ /[.]py"?$/)
			used["python3"]
	}
}
END { say() }' tests/p*/*.sh)

shopt -s nullglob
for path in tests/fuzz/corpus/*; do
	case $path in
	*.tar) ;;
	*) no "$path: not a tar; tests/fuzz/pack.sh adds its files to one" ;;
	esac
done
for path in * .[!.]*; do
	case $path in
	GNUmakefile | README.md | cmd | lib | fixtures | tests | share | build) ;;
	.ci | .git | .gitignore | .clang-format | .clang-tidy) ;;
	*) no "$path: not part of the tree" ;;
	esac
done
exit $bad
