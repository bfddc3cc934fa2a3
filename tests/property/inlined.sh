#!/bin/bash
# Functions that were compiled into others are printed before the one that is there, on
# every chain; a return address is looked up one byte before.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1

# text FILE ADDRESS ... - one sample, leaf first, of a program with one page of code.
text()
{
	printf 'work 100  1.000000:  1 cycles: \n'
	file=$1 && shift
	printf "\t%16s [unknown] (/srv/x/$file)\n" "$@"
	echo
}
# shown FILE [ARGUMENT ...] - the frames of 0x244 called from 0x250.
shown()
{
	printf '7f0000000000-7f0000001000 r-xp 00000000 08:01 5 /srv/x/%s\n' "$1" >maps-100.txt
	text "$1" 244 250 | "$BIN/psym" --no-host -m maps-100.txt "${@:2}" 2>said | sed -n 2,9p
}
expected()
{
	cat <<'END'
	             244 work::twice<int>+0x14 (inlined)
	             244 work::inner+0x14 (inlined)
	             244 work::middle+0x14 (inlined)
	             244 work::outer+0x14 (/srv/x/FILE)
	             250 work::twice<int>+0x20 (inlined)
	             250 work::inner+0x20 (inlined)
	             250 work::middle+0x20 (inlined)
	             250 work::outer+0x20 (/srv/x/FILE)
END
}
fixtures=$TOP/fixtures/dwarf

# as_expected FILE WHAT SOURCE ...
as_expected()
{
	expected | sed "s/FILE/$1/" >want
	sources=()
	for s in "${@:3}"; do
		sources+=(-m "$s")
	done
	shown "$1" "${sources[@]}" >got
	same "$2" want got
}
as_expected gxx4.so "of a program" "$fixtures/gxx4.so"
as_expected split4.so "of its .dwo" "$fixtures/split4.so" "$fixtures/split4.dwo"
mkdir package && cp "$fixtures/split5.so" package && cp "$fixtures/split5.dwp" package/split5.so.dwp
as_expected split5.so "of its .dwp" package
mkdir dwz && cp "$fixtures/dwz.so" dwz && cp "$fixtures/shared.debug" dwz/common.debug
as_expected dwz.so "with common parts in another file" dwz
mkdir other && cp "$fixtures/split4.so" other && cp "$fixtures/split5.dwo" other/split4.dwo
shown split4.so -m other >got
[ "$(grep -c inlined got)" = 0 ] && [ "$(grep -c 'outer+0x' got)" = 2 ]
report $? "the .dwo of another build shows none"
check "and that is said" grep -q 'split4.so: 1 of its split units' said
tar -cf all.tar -C "$fixtures" .
as_expected split5.so "all from an archive" all.tar

shown gxx4.so -m "$fixtures/gxx4.so" --no-inline >got
[ "$(grep -c 'work::outer' got)" = 2 ] && ! grep -q inlined got
report $? "none with --no-inline"
shown gxx4.so -m "$fixtures/gxx4.so" --perf-compat >got
[ "$(grep -c 'work::outer' got)" = 2 ] && ! grep -q inlined got
report $? "none as perf shows them"

shown gxx4.so -m "$fixtures/gxx4.so" --no-demangle >got
check "as linkers see them" grep -q ' _ZN4work5outerEi+0x14 (/srv' got
shown gxx4.so -m "$fixtures/gxx4.so" --params >got
check "with parameters" grep -q ' work::outer(int)+0x14 (/srv' got

# psym X | pfold and pfold X agree.
text gxx4.so 244 250 >text
"$BIN/psym" -q --no-host -m maps-100.txt -m "$fixtures/gxx4.so" text | "$BIN/pfold" -q >one
"$BIN/pfold" -q --no-host -m maps-100.txt -m "$fixtures/gxx4.so" text >two
same_stacks "folded at once or after printing" one two
check "with inlined functions" grep -q 'work::outer;work::middle_\[i];work::inner_\[i];work::twice<int>_\[i];work::outer' two

# A text that was made where the files were names what is there, and not more.
mkdir native && tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C native
files=(-m native/srv -m native/usr)
recorded() { "$BIN/psym" --no-host -F +srcline "${files[@]}" "$@" native/dwarf.perf.data 2>said; }
in_library() { grep -A1 'collatz\|hash_block' "$1"; }
recorded >without
recorded -m native/dwarf.perf_script.out >with
check "a recorded text names places" grep -q 'dwarf.perf_script.out: recorded .* names [1-9]' said
in_library without >want
in_library with >got
check "inlined functions" grep -q collatz_steps got
same "inlined functions and lines of what a recorded text names" want got
sed 's/each_collatz/others/' native/dwarf.perf_script.out >text
recorded -m text >got
grep -q 'work::others+0x[0-9a-f]* (/srv/app/native/libwork.so)' got && ! grep -q collatz_steps got
report $? "none of a file that calls the place otherwise"

# Lines in folded stacks, from debug information as from a text that has them.
"$BIN/pfold" -q --no-host --srcline "${files[@]}" native/dwarf.perf.data >want
recorded >text
"$BIN/pfold" -q --no-host --srcline text >got
check "pfold --srcline shows lines" grep -q ';work::each_collatz:work.cc:[0-9]*;work::collatz_steps:work.cc:[0-9]*_\[i] ' got
same_stacks "and those of a text that has them" want got
"$BIN/pfold" -q --no-host --srcline --inline text >marked
check "marks stand behind them" grep -q 'collatz_steps:work.cc:[0-9]*_\[i\] ' marked
"$BIN/pfold" -q --no-host text | grep -c 'cc:[0-9]' >count
[ "$(cat count)" = 0 ]
report $? "none without --srcline"
finish
