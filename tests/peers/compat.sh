#!/bin/bash
# pfold --compat beside the results that FlameGraph and inferno recorded for their own
# tests, and beside the two programs themselves, all looked for below PEERS.  A result is
# the same, or compat.tsv lists what the other program reads wrongly; then that program
# prints ours once the input is mended there.  Whatever else differs fails.
. "$TOP/tests/check.sh"
needs perl
if [ -z "${PEERS:-}" ]; then
	echo 'PEERS=DIR names no directory with FlameGraph and the source of inferno'
	exit 77
fi
export LC_ALL=C
list=$TOP/tests/peers/compat.tsv
cd "$TMPDIR" || exit 2
find_peer() { find -L "$PEERS" -maxdepth "$1" "${@:2}" 2>/dev/null | head -n 1; }
flamegraph=$(find_peer 3 -name stackcollapse-perf.pl -type f)
inferno=$(find_peer 4 -name inferno-collapse-perf -type f -perm -u+x)
inferno_data=$(find_peer 5 -path '*/tests/data/collapse-perf' -type d)
[ -n "$flamegraph" ] || { echo "no stackcollapse-perf.pl below $PEERS"; exit 77; }
[ -n "$inferno_data" ] || { echo "no source of inferno below $PEERS"; exit 77; }
flamegraph_dir=$(dirname "$flamegraph")

peer()
{
	case $1 in
	flamegraph) perl "$flamegraph" "${@:2}" ;;
	inferno) "$inferno" "${@:2}" ;;
	esac 2>/dev/null
}

ours() { "$BIN/pfold" -q --no-host --compat="$1" "${@:2}" 2>/dev/null; }

# mend INPUT ERROR... - a copy of the input without these errors, in ./mended
mend()
{
	local error
	cp "$1" mended
	for error in "${@:2}"; do
		case $error in
		end) [ -z "$(tail -n 1 mended)" ] && return 1; echo >>mended ;;
		nameless)
			grep -qE '^\s*[0-9a-f]+  \(' mended || return 1
			sed -E -i 's/^(\s*[0-9a-f]+)  \(/\1 [unknown] (/' mended
			;;
		esac
	done
}

# Ours differs from the recorded result: is it an error of TOOL's that is listed?
is_theirs()
{
	local tool=$1 input=$2 errors
	errors=$(awk -F '\t' -v t="$tool" -v i="$(basename "$input" .txt)" \
		'$1 == t && $2 == i { print $3 }' "$list")
	[ -n "$errors" ] || return 1
	# shellcheck disable=SC2086 # words
	mend "$input" $errors || return 1
	peer "$tool" "${@:3}" "$input" >today
	if cmp -s today "$recorded"; then
		[ "$errors" != old ] || return 1
	else
		[[ $errors == *old* ]] || return 1
	fi
	echo "$tool $(basename "$input" .txt)" >>used
	peer "$tool" "${@:3}" mended | cmp - folded
}

# compare TOOL NAME INPUT OPTION... - beside ./recorded
compare()
{
	local tool=$1 name=$2 input=$3
	shift 3
	recorded=$PWD/recorded
	ours "$tool" "$@" "$input" >folded
	if cmp -s folded recorded; then
		report 0 "$tool $name $*: same"
		echo "$tool" >>equal
	elif [ -e "$input" ] && is_theirs "$tool" "$input" "$@"; then
		report 0 "$tool $name $*: theirs: $(awk -F '\t' -v t="$tool" -v i="$name" \
			'$1 == t && $2 == i { print $4 }' "$list")"
	else
		diff recorded folded | cut -c1-200 | head -n 6
		report 1 "$tool $name $*"
	fi
}
: >used
: >equal

for input in "$flamegraph_dir"/test/*.txt; do
	name=$(basename "$input" .txt)
	for option in pid tid kernel jit all addrs; do
		cp "$flamegraph_dir/test/results/$name-collapsed-$option.txt" recorded
		compare flamegraph "$name" "$input" --$option
		if [ -n "$inferno" ]; then
			peer inferno --$option "$input" >recorded
			compare inferno "$name" "$input" --$option
		fi
	done
done

for result in "$inferno_data"/results/*.txt; do
	name=$(basename "$result" .txt)
	option=${name#*-collapsed}
	name=${name%-collapsed*}
	cp "$result" recorded
	for input in "$inferno_data/$name.txt" "$flamegraph_dir/test/$name.txt" \
		"$flamegraph_dir/$name.txt.gz"; do
		[ ! -e "$input" ] || break
	done
	compare inferno "$name" "$input" ${option:+-"$option"}
done

# A real service, whole.
"$BIN/psym" -q --no-host "$TOP/fixtures/web31.prof.tar.gz" >web31
for option in --all --addrs --tid; do
	peer flamegraph $option web31 >recorded
	compare flamegraph web31 web31 $option
	[ -z "$inferno" ] || peer inferno $option web31 >recorded
	[ -z "$inferno" ] || compare inferno web31 web31 $option
done

# Every option of theirs is in the manual.
{
	sed -n '/^GetOptions(/,/^or die/p' "$flamegraph" | grep -oE "'[a-z-]+(=s)?'" | sed -E "s/'([a-z-]+).*/--\1/"
	grep -oE "(short|long) = ['\"][a-z-]+" "$inferno_data/../../../src/bin/collapse-perf.rs" |
		sed -E "s/short = ./-/;s/long = ./--/"
	printf '%s\n' -h --help -V --version
} | sort -u >theirs
sed -n '/^[.]Sh OTHER PROGRAMS/,/^[.]Sh EXIT/p' "$TOP/share/man/man1/pfold.1" | grep '^[.]It -' |
	grep -oE -- '--?[A-Za-z][a-z-]*' | sort -u >manual
[ "$(wc -l <theirs)" -ge 20 ] && diff theirs manual
report $? "the manual has their options, $(wc -l <theirs)"

needless=$(grep -v '^#' "$list" | cut -f 1,2 --output-delimiter=' ' | grep -vxFf used)
[ -n "$inferno" ] || needless=$(grep -v '^inferno' <<<"$needless")
[ -z "$needless" ]
report $? "no error is listed that is none${needless:+: $needless}"
echo "same: $(grep -c flamegraph equal) of FlameGraph, $(grep -c inferno equal) of inferno"
finish
