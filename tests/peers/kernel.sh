#!/bin/bash
# Kernel frames as perf script prints them, from a saved kallsyms; and what perf archive
# packs names every frame, of the kernel and of programs, that perf names at home.
. "$TOP/tests/check.sh"
needs_perf 6.1
needs perl
cd "$TMPDIR" || exit 1
perf_cache
work='cat /usr/bin/perf /bin/bash | gzip -1 | wc -c; find /usr/lib -name "*.x" | wc -l'
perf record -q -F 999 -g -o perf.data -- sh -c "$work" >record.log 2>&1
if ! grep -q '[1-9a-f]0* T _text$' /proc/kallsyms || [ ! -s perf.data ]; then
	echo "perf record -g does not work here, or the kernel hides its symbols"
	exit 77
fi
cp /proc/kallsyms kallsyms
perf script --no-inline -i perf.data >want 2>/dev/null

# perf drops a chain that has an unknown context word: only frames of the other samples
# are compared, with the line of their sample in front.  perf calls the stub of an ifunc after a
# neighbour, and the header of .plt _init+0x20 and so on (offbox-perf.7).  Both are left out here,
# and peers/stubs.sh compares them.
samples()
{
	perl -00 -ne '($h, @f) = split /\n/; print "$h $_\n" for grep { /'"$1"'/ && !/(\@plt\+|\.plt\+|\s_init\+0x2.\b)/ } @f' "$2"
}
whole() { perl -00 -ne '($h, @f) = split /\n/; print "$h \n" if @f' want | sort -u >headers; }
whole
compare()
{
	samples "$2" want | grep -F -f "$4" | sort >perf.frames
	samples "$2" "$3" | grep -F -f headers | grep -F -f "$4" | sort >psym.frames
	same "$1: $(wc -l <perf.frames) frames" perf.frames psym.frames
}
"$BIN/psym" -q --no-host --perf-compat -m kallsyms perf.data >named
echo '([kernel.kallsyms])' >kernel
compare "kernel frames from kallsyms" 'kernel.kallsyms' named kernel

# A text has no mappings, and two thirds of its kernel frames no names.
perl -pe 's/^(\t *\S+) .*( \(\[.*\]\))$/$1 [unknown]$2/ if $. % 3 && /^\t *ffffffff/' want >part
"$BIN/psym" -q --no-host --perf-compat -m kallsyms part >named
same "kernel frames of a text from kallsyms" want named

if perf archive perf.data >archive.log 2>&1; then
	# It packs what samples were taken in, not what is in their chains alone.
	tar -tjf perf.data.tar.bz2 |
		sed -nE 's,^(\[.*)/[0-9a-f]+/[a-z]+$,(\1),p; s,^([^.[].*)/[0-9a-f]+/elf$,(/\1),p' >held
	"$BIN/psym" -q --no-host --perf-compat --no-inline -m perf.data.tar.bz2 perf.data >named
	compare "a tarball of perf archive" '0x' named held
	mkdir packed && tar -xjf perf.data.tar.bz2 -C packed
	"$BIN/psym" -q --no-host --perf-compat --no-inline -m packed perf.data >named
	compare "the same unpacked" '0x' named held
else
	echo "ok a tarball of perf archive # SKIP perf archive does not work here"
fi
# At home: what perf kept in ~/.debug, else the running kernel's own list; never that of
# a kernel with another build-id.
"$BIN/psym" -q --perf-compat --no-inline perf.data >named
compare "at home, from what perf kept" 'kernel.kallsyms' named kernel
mv .debug .debug.away
"$BIN/psym" -q --perf-compat --no-inline perf.data >named
compare "at home, from /proc/kallsyms" 'kernel.kallsyms' named kernel
"$BIN/psym" --perf-compat --no-inline --coverage perf.data >covered 2>&1
check "the coverage says where the names are from" grep -q '/proc/kallsyms.*of this machine' covered
id=$(perf buildid-list -i perf.data | sed -n 's/ \[kernel.kallsyms\]$//p')
perl -0777 -e '
	$id = pack "H*", $ARGV[0]; $other = reverse $id;
	open F, "<:raw", "perf.data"; $_ = <F>; s/\Q$id\E/$other/g; print' "$id" >other.data
"$BIN/psym" -q --perf-compat --no-inline other.data | grep '(\[kernel.kallsyms\])' >others
check "another kernel's frames: $(grep -c . others)" [ -s others ]
check "another kernel's frames have no names" sh -c '! grep -v " \[unknown\] " others'
if setpriv --reuid=65534 --clear-groups --bounding-set=-all true 2>/dev/null &&
	setpriv --reuid=65534 --clear-groups sh -c '! grep -q "[1-9a-f]0* T _text$" /proc/kallsyms'; then
	chmod a+rx . && chmod a+r perf.data
	setpriv --reuid=65534 --clear-groups "$BIN/psym" --perf-compat perf.data >hidden 2>said
	check "hidden addresses name none" sh -c '! grep "(\[kernel.kallsyms\])" hidden | grep -v " \[unknown\] "'
	check "the right that is lacking is said" grep -q '/proc/kallsyms.*CAP_SYSLOG' said
else
	echo "ok hidden addresses # SKIP the kernel shows them to everybody here"
fi

# An interrupt may hit the first byte of a function.  The byte before it is padding, which has
# a name of its own since Linux 6.3 (CONFIG_PREFIX_SYMBOLS).  perf drops some chains, as above.
if grep -q ' __pfx_' kallsyms; then
	perf record -q -F 9000 -g -e cpu-clock -o perf.data -- \
		sh -c 'for i in $(seq 100); do /bin/true; ls -R /usr/share/man >/dev/null; done' >record.log 2>&1
	perf script --no-inline -i perf.data 2>/dev/null | sed -n 's/^\t//p' >perf.frames
	"$BIN/psym" -q --no-inline perf.data | sed -n 's/^\t//p' >psym.frames
	sed -nE 's/^ *([0-9a-f]+) (.*)[+]0x0 .*kernel.kallsyms.*/\2 \1/p' perf.frames | sort -u >want
	sed -nE 's/^ *([0-9a-f]+) (.*)[+]0x0 .*kernel.kallsyms.*/\2 \1/p' psym.frames | sort -u |
		awk 'NR == FNR { there[$1] = 1; next } $2 in there' perf.frames - >got
	same "$(wc -l <want) functions that were interrupted at their first byte" want got
	grep -c ' __pfx_' perf.frames >want
	grep -c ' __pfx_' psym.frames >got
	same "as much padding as perf has" want got
else
	echo "ok functions that were interrupted at their first byte # SKIP this kernel names no padding"
fi
finish
