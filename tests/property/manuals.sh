#!/bin/bash
# Checks the examples in the manuals.  If a comment "file NAME" precedes a literal block of a page, the
# block is the content of the file NAME.  If a comment "run COMMAND" precedes a block, the command must
# print the block.  Each option in an example must be an option of the program.
. "$TOP/tests/check.sh"
PATH=$BIN:$PATH
cd "$TMPDIR" || exit 1

# examples PAGE - writes the literal block that follows comment N to N.block, the first word of the
# comment ("file" or "run") to N.kind, and the rest of the comment (NAME or COMMAND) to N.what.
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

# options_known FILE... - succeeds if each long option of a command in the files, such as --top in
# "pfold --top X", is in the --help=table of its program.  Prints the unknown options.
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
