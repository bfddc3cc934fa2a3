#!/bin/bash
# ELF files name native code as perf does that has them at hand (K.named.out, which
# has inlined functions as well), and only when they are what ran.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
mkdir all files
tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C all
cp -r all/srv all/usr files
native=/srv/app/native

# real FILE - the frames that are no inlined functions.
real() { grep '^	' "$1" | grep -v '(inlined)$'; }
# in_files FILE - those in modules that are there, as far as perf has a name.
in_files() { real "$1" | grep -E "$native/(tally|grind-fp|libworkfp[.]so)\)\$" | grep -v ' \[unknown\] '; }

# as_perf NAME CAPTURE COUNT SOURCE
as_perf()
{
	"$BIN/psym" -q --no-host --perf-compat -m "$4" "all/$2.perf.data" >named
	in_files "all/$2.named.out" >perf.frames
	in_files named >psym.frames
	same "$1: the same names and offsets" perf.frames psym.frames
	[ "$(wc -l <psym.frames)" = "$3" ] || wc -l psym.frames
	[ "$(wc -l <psym.frames)" = "$3" ]
	report $? "$1: all $3"
}
as_perf "gcc: .symtab, .gnu_debugdata and .plt" fp 4575 files
as_perf "lld: a debug file by its link" lld 191776 files
tar -czf files.tar.gz -C files .
as_perf "the same out of an archive" lld 191776 files.tar.gz

# By build-id alone, whatever they are called.
mkdir renamed
cp files$native/tally renamed/a
cp files$native/tally.debug renamed/b
as_perf "under other names" lld 191776 renamed
rm renamed/a
as_perf "the debug file alone, without .plt" lld 191776 renamed

# Text with neither header nor mapping lines, of a program alone: it is position independent,
# which no system loads so low, so the addresses are offsets in it.
grep -Ev '^#|[.]so' all/lld.perf_script.out >bare
"$BIN/psym" --no-host -m files bare >named 2>said
check "a bare text has no name of its own" sh -c "grep -F '$native/tally)' bare | grep -qvF '[unknown]' && exit 1 || exit 0"
"$BIN/psym" -q --no-host -m files all/lld.perf_script.out | grep -F "$native/tally)" >want
grep -F "$native/tally)" named >got
same "it is named as the whole text is" want got
[ "$(grep -vcF '[unknown]' got)" -gt 191000 ]
report $? "nearly all of it: $(grep -vcF '[unknown]' got)"
# One that was linked to fixed addresses shows nothing.
cp -r files fixed
printf '\2' | dd of=fixed$native/tally bs=1 seek=16 conv=notrunc 2>/dev/null
"$BIN/psym" -q --no-host -m fixed bare >named 2>said
! grep -F "$native/tally)" named | grep -qvF '[unknown]'
report $? "a file linked to fixed addresses shows nothing"

# Another build is not used, and that is said.
mkdir other
perl -0777 -pe 's/\x8b\xb5\xee\xac\x83\x49\xe4\x89/\x8b\xb5\xee\xac\x83\x49\xe4\x88/' \
	files$native/tally >other/tally
cp files$native/tally.debug other/tally.debug
"$BIN/psym" --no-host -m other/tally all/lld.perf.data >named 2>said
[ "$(in_files named | wc -l)" = 0 ]
report $? "another build names nothing"
check "and that is said" grep -q 'tally: not used: its build-id differs from the recorded one' said

# Where nothing says the build, path and length must do, and that is said.
text() { printf 'work 100  1.000000:  1 cycles: \n\t11ed [unknown] (/srv/x/libworkfp.so)\n\n'; }
map() { printf '7f0000001000-7f000000%s r-xp 00001000 08:01 5 /srv/x/libworkfp.so\n' "$1"; }
map 2000 >maps-100.txt
text | "$BIN/psym" --no-host -m maps-100.txt -m files >named 2>said
check "by name alone" grep -q '11ed work::each_collatz+0x3d (/srv/x/libworkfp.so)' named
check "and that is said" grep -q '1 ELF file used by name only.*libworkfp.so' said
map 3000 >maps-100.txt
text | "$BIN/psym" --no-host -m maps-100.txt -m files >named 2>said
check "not when the length differs" grep -q '11ed \[unknown\]' named
check "and that is said" grep -q 'libworkfp.so: not used: its code has another length' said

# Labels inside of a function are no functions; what has a type or a size is one.
cat >label.s <<'END'
	.text
	.type outer, @function
outer:
	.skip 16
inner:	.skip 16
	.globl entry
entry:	.skip 16
	.type typed, @function
typed:	.skip 16
	.size outer, . - outer
behind:	.skip 16
END
{ ${CC:-cc} -c label.s && ${CC:-cc} -shared -nostdlib -Wl,--build-id=none -o label.so label.o; } || exit 1
read -r off size < <(readelf -lW label.so | awk '$1 == "LOAD" && /R E/ { print $2, $5 }')
at=$(nm label.so | awk '/ outer$/ { print $1 }')
place() { printf '%x' $((0x$at + $1)); }
names_of() { for n in 8 24 40 56 72; do printf 'work 100 1.0: 1 cycles:\n\t%s [unknown] (/srv/x/label.so)\n\n' "$(place $n)"; done |
	"$BIN/psym" -q --no-host -m maps-100.txt -m "$1" | awk '/^\t/ { printf "%s ", $2 }'; }
printf '7f0000001000-%x r-xp %08x 08:01 5 /srv/x/label.so\n' $((0x7f0000001000 + (size + 4095) / 4096 * 4096)) \
	$((off)) >maps-100.txt
names=$(names_of label.so)
[ "$names" = 'outer+0x8 outer+0x18 outer+0x28 typed+0x8 behind+0x8 ' ] || echo "$names"
[ "$names" = 'outer+0x8 outer+0x18 outer+0x28 typed+0x8 behind+0x8 ' ]
report $? "a label inside a function is no function"

# A program of today, beside perf itself.
cat >busy.c <<'END'
static volatile unsigned long sink;
__attribute__((noinline)) static void leaf(unsigned long n)
{
	while (n--)
		sink += n % 7;
}
__attribute__((noinline, weak)) void weak_name(unsigned long n)
{
	leaf(n);
	while (n--)
		sink += n % 5;
}
void strong_name(unsigned long) __attribute__((alias("weak_name")));
int main(void)
{
	strong_name(200000000);
	return sink == 1;
}
END
mkdir here
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o here/busy busy.c
if perf record -q -F 499 -g -o here.data here/busy >record.log 2>&1 && [ -s here.data ]; then
	perf script --no-inline -i here.data 2>/dev/null >perf.text
	"$BIN/psym" -q --no-host --perf-compat --perf-version "$(perf version | sed 's/[^0-9]*//')" \
		-m here here.data >psym.text
	grep 'here/busy)$' perf.text >perf.frames
	grep 'here/busy)$' psym.text >psym.frames
	same "a program recorded here: as perf script names it" perf.frames psym.frames
	check "by its strong or weak name" grep -q '_name+0x' psym.frames
else
	echo "ok a program recorded here # SKIP perf record does not work here"
fi
finish
