#!/bin/bash
# Examples in the manuals are true.  Behind a comment "file NAME" a literal block of a page is the
# content of a file, behind "run COMMAND" it is the output of a command; and each option in an example
# is one of the program.
. "$TOP/tests/check.sh"
PATH=$BIN:$PATH
cd "$TMPDIR" || exit 1

# examples PAGE - the blocks as 1.file, 1.block ...; the word and what follows it as 1.kind, 1.what.
examples()
{
	awk '
	/^\.\\" (file|run) / {
		n++
		kind = $2
		what = $0
		sub(/^\.\\" [a-z]+ /, "", what)
		print kind >(n ".kind")
		print what >(n ".what")
		next
	}
	kind && /^\.Ed/ { kind = ""; inside = 0; close(n ".block") }
	inside { gsub(/\\e/, "\\"); print >(n ".block") }
	kind && /^\.Bd -literal/ { inside = 1 }' "$1"
}

run=0
for page in "$TOP"/share/man/man[57]/*.[57]; do
	name=$(basename "$page")
	mkdir "$name" && cd "$name" || exit 1
	examples "$page"
	for ((i = 1; ; i++)); do
		[ -e $i.what ] || break
		what=$(cat $i.what)
		case $(cat $i.kind) in
		file)	mkdir -p "$(dirname "$what")" && cp $i.block "$what" ;;
		run)	bash -c "$what" >$i.got 2>$i.err || cat $i.err
			same "$name: $what" $i.block $i.got
			run=$((run + 1)) ;;
		esac
	done
	cd ..
done
check 'examples were run' [ "$run" -ge 4 ]

# "pfold --top X" in a page, README or another example: option by option.
options_known()
{
	local tool option bad=0
	while read -r tool option; do
		"$BIN/$tool" --help=table | cut -f 2 | grep -qx -- "${option#--}" ||
			{ echo "$tool has no $option"; bad=1; }
	done < <(grep -ohE '(psym|pfold|pflame|pmerge) [^|;>]*' "$@" | sed "s/'[^']*'//g" |
		awk '{ for (i = 2; i <= NF && $i !~ /^#/; i++) if ($i ~ /^--[a-z]/) { sub(/[^a-z-].*/, "", $i); print $1, $i } }' |
		sort -u)
	return $bad
}
for page in "$TOP"/share/man/man*/*.[1-9] "$TOP/README.md"; do
	grep -E "^[.](Dl|Ql)|^    |^[a-z]|^# " "$page" | sed 's/^[.]D[l1] //' >lines
	check "$(basename "$page"): options in examples exist" options_known lines
done
finish
