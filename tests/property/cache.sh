#!/bin/bash
# Whatever the cache holds, nothing, all or damage, and wherever it is: what is printed is
# the same, with every option that changes how frames are named.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
unset XDG_CACHE_HOME
export HOME=$TMPDIR/home

# A program with symbols and lines enough to be worth keeping: this one.
mkdir -p lib/bin nat home
cp "$BIN/psym" lib/bin/
read -r off size < <(readelf -lW lib/bin/psym | awk '$1 == "LOAD" && /R E/ { print $2, $5 }')
printf '%x-%x r-xp %08x 08:01 5 /srv/x/psym\n' $((0x100000000000 + off)) \
	$((0x100000000000 + off + (size + 4095) / 4096 * 4096)) "$off" >lib/maps-100.txt
for ((i = 0; i < 300; i++)); do
	printf 'work 100  %d.000000:  1 cycles: \n' $i
	printf '\t%16x [unknown] (/srv/x/psym)\n' $((off + size / 600 * i)) \
		$((off + size / 601 * (i + 300)))
	echo
done >text
tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C nat
tar -czf libs.tar.gz -C nat srv usr
sleep 0.2 # what is younger is not kept

# outputs DIR OPTION ... - of the filters, with what is said and the exit status.
one()
{
	"${@:2}" >"$1.out" 2>"$1.err" </dev/null
	echo $? >"$1.status"
}
outputs()
{
	local to=$1 native=(-m nat --member) member
	shift
	mkdir -p "$to"
	one "$to/plain" "$BIN/psym" "$@" -m lib text
	for o in --no-demangle --params --no-inline --perf-compat; do
		one "$to/${o#--}" "$BIN/psym" "$@" $o -m lib text
	done
	one "$to/lines" "$BIN/pfold" "$@" --srcline -m lib text
	one "$to/folded" "$BIN/pfold" "$@" -m lib text
	one "$to/jobs" "$BIN/psym" "$@" -j 3 -m lib -o "$to/many/" text nat/fp.perf.data
	one "$to/merged" "$BIN/pmerge" "$@" -m lib -m libs.tar.gz "$TOP/fixtures/web10.prof.tar.gz"
	for member in dwarf fp lld; do
		one "$to/$member" "$BIN/psym" "$@" "${native[@]}" $member.perf.data \
			"$TOP/fixtures/native.prof.tar.gz"
	done
	one "$to/archive" "$BIN/psym" "$@" -F +srcline -m libs.tar.gz nat/lld.perf.data
}
# agrees NAME OPTION ...
agrees()
{
	local name=$1
	shift
	rm -rf is
	outputs is "$@"
	diff -r want is >differ
	report $? "$name"
	head -n 8 differ
}
# How many such entries are in it.
kept() { find "$1" -maxdepth 1 -name "$2-*" | wc -l; }

outputs want --no-host --no-cache
sed -i 's,want/,is/,' want/jobs.err
check "the program is named" grep -qE '(arena|cache|profile|table)_[a-z_]+[+]' want/plain.out
check "with its lines" grep -q '\.c:[0-9]' want/lines.out
check "nothing is kept" [ ! -e home/.cache ]

agrees "an empty cache" --no-host --cache c
for kind in t d i u m; do
	check "which then has entries: $kind" [ "$(kept c $kind)" -gt 0 ]
done
agrees "a warm cache" --no-host --cache c
find c -name '?-*' -exec md5sum {} + | sort >before
agrees "once more" --no-host --cache=c
find c -name '?-*' -exec md5sum {} + | sort >after
same "nothing is written where nothing is new" before after

# damage SEED - of every entry, in a few places.
damage()
{
	local at entry
	for entry in c/?-*; do
		for ((at = $1 * 37; at < $(stat -c %s "$entry"); at = at * 3 / 2 + 64)); do
			printf '\xa5%d' "$at" |
				dd of="$entry" bs=1 seek=$at conv=notrunc 2>/dev/null
		done
	done
}
for seed in 1 2 7; do
	damage $seed
	agrees "damaged entries, $seed" --no-host --cache c
done
for entry in c/?-*; do truncate -s -100 "$entry"; done
agrees "entries that are cut" --no-host --cache c
for entry in c/?-*; do truncate -s 0 "$entry"; done
agrees "empty entries" --no-host --cache c
cp "$(find c -name "t-*" | head -n 1)" other
for entry in c/?-*; do cat other >"$entry"; done
agrees "entries of something else" --no-host --cache c
: >c/key
agrees "a key that was lost" --no-host --cache c
agrees "and is made anew" --no-host --cache c
rm -r c && mkdir -p c/key
"$BIN/psym" --no-host --cache c -m lib text 2>said | cmp - want/plain.out
report $? "a key that cannot be made"
check "which is said" grep -q 'c: cannot be used as a cache' said

# Several programs at once, from nothing.
rm -rf c
for i in 1 2 3 4; do
	outputs at$i --no-host --cache c &
done
wait
for i in 1 2 3 4; do
	sed -i "s,at$i/,is/," at$i/jobs.err
	diff -r want at$i >differ
	report $? "program $i of four at once"
	head -n 8 differ
done
agrees "afterwards" --no-host --cache c
check "nothing is left half written" [ "$(find c -name 'part-*' | wc -l)" = 0 ]

# What lies in a source may change.
name() { "$BIN/psym" -q --no-host "$@" -m lib text; }
name --cache c >one
cp lib/bin/psym all
strip lib/bin/psym
name --cache c >got
name --no-cache >two
same "a program that was stripped" two got
mv all lib/bin/psym
name --cache c >got
same "and is back" one got
mkdir lib/more && mv lib/bin/psym lib/more/ && rmdir lib/bin
name --cache c >got
same "a program that was moved" one got
mv lib/more/psym .
name --cache c >got
cmp text got
report $? "a program that is gone"
mkdir lib/bin && mv psym lib/bin/ && rmdir lib/more

sleep 0.2

# Without options it is in its place, without archives.
named() { "$BIN/psym" -q "$@" -m lib text >got; }
named
check "below ~/.cache" [ "$(kept home/.cache/offbox t)" -gt 0 ]
named -m libs.tar.gz
check "but no archives" [ "$(kept home/.cache/offbox u)" = 0 ]
same "the same" one got
XDG_CACHE_HOME=$TMPDIR/xdg named
check "below XDG_CACHE_HOME" [ "$(kept xdg/offbox t)" = 1 ]
named --cache= -m libs.tar.gz
check "archives when asked" [ "$(kept home/.cache/offbox u)" = 1 ]
rm -r home xdg && mkdir home
named --no-cache
named --no-host
XDG_CACHE_HOME=here named --no-cache
check "none is made when it is not wanted" [ -z "$(ls -A home)" ]
mkdir others
if [ "$(id -u)" = 0 ] && chown 12345 others 2>said; then
	HOME=$TMPDIR/others named
	XDG_CACHE_HOME=$TMPDIR/others named
	check "nor in the home of another" [ -z "$(ls -A others)" ]
fi
# Whoever may write to the directory could name the frames.
"$BIN/psym" -q --cache shared -m lib text >got
same "a directory of this user" one got
for mode in 775 757 777; do
	chmod $mode shared
	cp -a shared untouched
	"$BIN/psym" --cache shared -m lib text >got 2>said
	same "a directory of mode $mode" one got
	check "mode $mode: it is reported" grep -qx \
		'psym: warning: shared: cannot be used as a cache: it belongs to another user, or others may write to it' said
	check "mode $mode: nothing in it is changed" diff -r untouched shared
	rm -r untouched
done
if [ "$(id -u)" = 0 ] && chmod 755 shared && chown 12345 shared 2>said; then
	"$BIN/psym" --cache shared -m lib text >got 2>said
	same "a directory of another user" one got
	check "another user: it is reported" grep -q 'shared: cannot be used as a cache: it belongs' said
fi
for where in /dev/null /dev/null/x relative ''; do
	HOME=$where XDG_CACHE_HOME=$where "$BIN/psym" -q -m lib text >got 2>said
	same "no place to keep it: '$where'" one got
	check "which is not said" [ ! -s said ]
done
"$BIN/psym" -q --cache /dev/null/x -m lib text >got 2>said
status "a directory that cannot be is no reason to stop" 0 cmp one got
named --cache-size 1
check "a size that is too small keeps nothing" [ "$(kept home/.cache/offbox t)" = 0 ]

# Files of this machine by their names alone.
"$BIN/psym" -q --no-cache --trust-host nat/dwarf.perf.data >trusted
for how in cold warm; do
	"$BIN/psym" -q --cache mine --trust-host nat/dwarf.perf.data >got
	same "--trust-host, the cache $how" trusted got
done
finish
