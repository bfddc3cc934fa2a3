#!/bin/bash
# run.sh [--rewrite BUILD] [NAME ...] - what the filters print, byte for byte.
#
# NAME is a file of golden/; none named means all.
#
# The stem links the files (fixtures/ and tests/golden/ have the same layout):
#
#	fixtures/NAME.*          the input; NAME.CASE.TOOL also finds NAME.*
#	golden/NAME.TOOL         what TOOL prints for it on standard output
#	golden/NAME.CASE.TOOL    the same input with other options
#	golden/NAME.TOOL.args    the options, in shell words, instead of -q; they are
#	                         read in fixtures/, so "-m web/maps" names a fixture
#	golden/NAME.TOOL.err     standard error, if not empty
#	golden/NAME.TOOL.rc      exit status, if not 0
#
# Each is run three ways: from the file, through a pipe (seven bytes at a time if it
# is small) and as the only member of a tar file.  Standard error is compared for the
# file only, as it names its input.  A fixture that is an archive or a directory is
# not packed again, a directory not piped.  --no-host is given to who takes it.
#
# To add one: touch golden/NAME.TOOL, make golden, read the diff.
set -u

rewrite=
if [ "${1:-}" = --rewrite ]; then
	rewrite=1
	BIN=$(cd "$2" && pwd) || exit 2
	TOP=$(cd "$(dirname "$0")/../.." && pwd)
	shift 2
fi
golden=$TOP/tests/golden fixtures=${FIXTURES:-$TOP/fixtures}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$fixtures" || exit 2
export LC_ALL=C

# The one fixture of stem $1, or of it without its last part.
fixture()
{
	local stem=$1 found
	while :; do
		mapfile -t found < <(compgen -G "$stem.*")
		if [ ${#found[@]} = 1 ]; then
			echo "${found[0]}"
			return
		elif [ ${#found[@]} -gt 1 ] || [[ $(basename "$stem") != *.* ]]; then
			echo "$1: ${#found[@]} fixtures" >&2
			return 1
		fi
		stem=${stem%.*}
	done
}

# Runs $tool with $words and what follows; sets rc.
run()
{
	"$BIN/$tool" "${words[@]}" "$@" >"$work/out" 2>"$work/err"
	rc=$?
}

# Compares with what is expected; way $1.
judge()
{
	local good=ok what
	what="$name $1"
	cmp -s "$golden/$name" "$work/out" || good='not ok'
	[ "$rc" = "$want_rc" ] || good='not ok'
	if [ "$1" = file ] && ! cmp -s "$want_err" "$work/err"; then
		good='not ok'
	fi
	echo "$good $what"
	[ "$good" = ok ] && return
	failed=1
	[ -z "${FIRST:-}" ] || exit 1
	echo "exit status $rc, expected $want_rc; expected and printed:"
	diff "$golden/$name" "$work/out" | cut -c1-200 | head -n 20
	[ "$1" != file ] || diff "$want_err" "$work/err" | cut -c1-200 | head -n 20
}

keep()
{
	cp "$work/out" "$golden/$name"
	rm -f "$golden/$name.err" "$golden/$name.rc"
	[ ! -s "$work/err" ] || cp "$work/err" "$golden/$name.err"
	[ "$rc" = 0 ] || echo "$rc" >"$golden/$name.rc"
}

feed()
{
	if [ "$(stat -c %s "$1")" -le 65536 ]; then
		dd if="$1" bs=7 status=none
	else
		cat "$1"
	fi
}

one()
{
	local input
	input=$(fixture "${name%.*}") || {
		echo "not ok $name"
		failed=1
		return
	}
	tool=${name##*.}
	words=(-q)
	if [ -e "$golden/$name.args" ]; then
		eval "words=($(cat "$golden/$name.args"))"
	fi
	[ "$tool" = pflame ] || words+=(--no-host)
	want_rc=$(cat "$golden/$name.rc" 2>/dev/null || echo 0)
	want_err=$golden/$name.err
	[ -e "$want_err" ] || want_err=/dev/null

	run "$input"
	if [ -n "$rewrite" ]; then
		keep
		return
	fi
	judge file
	[ ! -d "$input" ] || return
	run < <(feed "$input")
	judge pipe
	case $input in
	*.tar | *.tar.* | *.tgz | *.zip | *.gz | *.xz | *.zst | *.bz2) return ;;
	esac
	tar -cf "$work/in.tar" "$input"
	run "$work/in.tar"
	judge member
}

failed=0 count=0
while read -r name; do
	count=$((count + 1))
	one
done < <(
	[ $# = 0 ] || printf '%s\n' "$@"
	[ $# != 0 ] || (cd "$golden" && find . -name '*.p*' -printf '%P\n' |
		grep -E '[.](pmerge|psym|pfold|pflame|pannotate)$' | sort)
)
[ "$count" != 0 ] || echo 'no goldens'
[ "$failed" = 0 ] && [ "$count" != 0 ]
