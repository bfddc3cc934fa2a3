#!/bin/bash
# A text of perf 6.1 that tells no mappings has offsets in the files: return addresses
# show which version of an image it is, eight of them, or what stands beside it.
. "$TOP/tests/check.sh"
. "$TOP/tests/image.sh"
needs perl
cd "$TMPDIR" || exit 1
fixtures=$TOP/fixtures/r2r/x64

# sampled FOLDER IMAGE FROM N - N samples whose callers are behind calls of that image.
sampled()
{
	calls "$fixtures/$2.dll" "$fixtures/$2.ni.r2rmap" | tail -n "+$3" | head -n "$4" |
		while read -r off _; do
			printf 'app 7 2.0: 1 cycles: \n\t            1000 f+0x1 (/usr/lib/other.so)\n'
			printf '\t%16x [unknown] (%s/%s.dll)\n\n' "$off" "$1" "$2"
		done
}

# text FOLDER N - of an image that shows its version, and N samples of another.
text()
{
	echo '# perf version : 6.1.187'
	sampled "$1" calc10 1 12
	sampled "$1" oddnames 1 "$2"
}

# named N WHAT - frames of oddnames.dll that have names, by what -m fw says.
named()
{
	"$BIN/psym" --no-host --coverage -m fw text >out 2>said
	[ "$(grep '^	.*calc10.dll)' out | grep -vc '\[unknown\]')" = 12 ] || echo 'calc10 has no names'
	[ "$(grep '^	.*oddnames.dll)' out | grep -vc '\[unknown\]')" = "$1" ]
	report $? "$2"
}
of=usr/share/dotnet/shared/Odd.Names.App/10.0.12
mkdir -p fw/$of
cp "$fixtures"/{calc10,oddnames}.dll fw/$of

text /$of 3 >text
named 3 "three return addresses, and one framework with an image that is shown"
check "by what, is said" grep -q '3 by .*oddnames.dll (others of its framework)' said
text /$of 0 >text
printf 'app 7 2.0: 1 cycles: \n\t%16x [unknown] (/%s/oddnames.dll)\n\n' \
	"$(calls "$fixtures/oddnames.dll" "$fixtures/oddnames.ni.r2rmap" | head -n 1 | cut -d' ' -f1)" $of >>text
named 1 "no return address at all, likewise"
{
	text /$of 3
	printf 'app 7 2.0: 1 cycles: \n\t            1000 f+0x1 (/usr/lib/other.so)\n\t%16x [unknown] (/%s/oddnames.dll)\n\n' \
		$((16#2345)) $of
} >text
named 0 "one of four that follows no call: another version"
check "and that is said" grep -q 'oddnames.dll: not used: its load address was not recorded' said
text /srv/app 3 >text
named 0 "a folder of no framework may hold files of several builds"
# versioned IMAGE NUMBERS - its file version.
versioned()
{
	NUMBERS=$2 perl -0777 -i -pe \
		's/(\xbd\x04\xef\xfe.{4}).{8}/$1 . pack "S4", split \/[.]\/, $ENV{NUMBERS}/se or die' "fw/srv/app/$1.dll"
}
mkdir -p fw/srv/app
cp "$fixtures/oddnames.dll" fw/srv/app
cp "$fixtures/calc10.dll" fw/srv/app/System.Private.CoreLib.dll
shown_by_build()
{
	text /srv/app 3 | sed 's/calc10[.]dll/System.Private.CoreLib.dll/' >text
	"$BIN/psym" --no-host -m fw/srv text >out 2>said
	[ "$(grep '^	.*CoreLib.dll)' out | grep -vc '\[unknown\]')" = 12 ] || echo 'the core library has no names'
	[ "$(grep '^	.*oddnames.dll)' out | grep -vc '\[unknown\]')" = "$1" ]
	report $? "$2"
}
shown_by_build 0 "nor with a core library, of no official build"
versioned System.Private.CoreLib 0.10.42308.1226
versioned oddnames 0.10.42308.1225
shown_by_build 0 "nor of another build"
versioned oddnames 0.10.42308.1226
shown_by_build 3 "but what is of the core library's build is the framework's"
rm -r fw/srv
text /$of 12 >text
named 12 "twelve return addresses show it"
mkdir -p fw/elsewhere
mv fw/$of/oddnames.dll fw/elsewhere
text /$of 3 >text
named 0 "an image from elsewhere is not shown by that framework"

# perfinfo tells the MVID of what the process had loaded.
guid=$(perl -e 'local $/; open F, "<", $ARGV[0]; binmode F; $_ = <F>;
	my $g = substr $_, index($_, pack "a4", "BSJB"); my $at = 16 + unpack "x12L", $g;
	my $n = unpack "x2S", substr $g, $at; $at += 4;
	for (1 .. $n) {
		my ($off, undef, $name) = unpack "LLZ*", substr $g, $at;
		$at += 8 + (length($name) + 4 & ~3);
		next if $name ne "#GUID";
		my @g = unpack "LSSC8", substr $g, $off;
		printf "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", @g;
	}' "$fixtures/oddnames.dll")
loaded() { printf 'ImageLoad;/%s/oddnames.dll;{%s};00007F3802320000;\n' $of "$1" >fw/perfinfo-7.map; }
loaded "$guid"
named 3 "three return addresses and the MVID"
loaded "$(echo "$guid" | tr 0123456789abcdef 123456789abcdef0)"
named 0 "not with another MVID"
check "and that is said" grep -q 'its MVID differs from the one in perfinfo' said

# perf since 6.4 prints the addresses frames ran at: return addresses show where, too.  The
# runtime moves an image by 64 KiB.
mv fw/elsewhere/oddnames.dll fw/$of
rm fw/perfinfo-7.map
# moved BY - the text, with its images moved by as much.
moved()
{
	perl -pe 's/6\.1\.187/6.6.1/; s/^(\t *)([0-9a-f]+)(?= .*oddnames)/sprintf "%s%x", $1, hex($2) + 0x7f2000000000/e;
		s/^(\t *)([0-9a-f]+)(?= .*calc10)/sprintf "%s%x", $1, hex($2) + hex $ENV{BY}/e;
		s/^\t *1000 f/\t    7f3000001000 f/' text
}
# unmoved - what psym printed, by offsets again.
unmoved()
{
	perl -pe 's/6\.6\.1/6.1.187/; s/^(\t *)([0-9a-f]+)(?= .*oddnames)/sprintf "\t%16x", hex($2) - 0x7f2000000000/e;
		s/^(\t *)([0-9a-f]+)(?= .*calc10)/sprintf "\t%16x", hex($2) - hex $ENV{BY}/e;
		s/^\t *7f3000001000 f/\t            1000 f/' "$@"
}
text /$of 3 >text
named 3 "by offsets"
cp out by-offsets
export BY=7f1234560000
moved >absolute
mv absolute text
named 3 "by addresses they ran at"
unmoved out >by-addresses
same "and alike" by-offsets by-addresses
cp text one
sed -n 's/^\(	 *\)7f12\(.*calc10\)/\17e12\2/; /^\(app\|$\)/p; /calc10\|other/p' one >>text
"$BIN/psym" --no-host -m fw text >out 2>said
[ "$(grep '^	.*calc10.dll)' out | grep -vc '\[unknown\]')" = 24 ]
report $? "of two processes that have it elsewhere, and a text that says not which is which"
none_named() { "$BIN/psym" --no-host -m fw text >out 2>said && cmp -s text out; }
for BY in 7f1234561000 7f1234560001; do
	text /$of 0 >text
	moved >absolute
	mv absolute text
	check "but not moved by $BY" none_named
	check "and that is said" grep -q '12 frames are offsets in files with unknown load addresses' said
done
BY=7f1234560000
{
	text /$of 0
	sampled /$of oddnames 1 3 | sed 's/oddnames/calc10/'
} >text
moved >absolute
mv absolute text
check "nor with three of fifteen that follow no call" none_named

# perfinfo tells the place as well, where one address would suit several.
{
	echo '# perf version : 6.1.187'
	sampled /$of oddnames 1 1
} >text
moved >absolute
mv absolute text
check "nor with one address" none_named
printf 'ImageLoad;/%s/oddnames.dll;{%s};00007F1FFFFF0000;\n' $of "$guid" >fw/perfinfo-7.map
named 1 "but where perfinfo says it was loaded"

# Offsets in a memfd mean nothing without the mappings of their process.
mkdir saved
for pid in 7 8; do
	printf '7f000000%d000-7f000000%d000 r-xs 00001000 00:01 9 /memfd:doublemapper (deleted)\n' \
		$pid $((pid + 1)) >saved/maps-$pid.txt
	printf '7f000000%d010 10 void [app] A::B%d()\n' $pid $pid >saved/perf-$pid.map
done
# frame_of THREAD
frame_of() { printf 'app %s 2.0: 1 cycles: \n\t            1018 [unknown] (/memfd:doublemapper (deleted))\n\n' "$1"; }
{
	echo '# perf version : 6.1.187'
	frame_of 7
	frame_of 8
} >text
"$BIN/psym" --no-host -m saved text >out 2>said
[ "$(grep -c 'A::B7()+0x8 \|A::B8()+0x8 ' out)" = 2 ]
report $? "two processes' offsets, by their mappings"
frame_of 9 >>text
"$BIN/psym" --no-host -m saved text >out 2>said
check "a thread of either" grep -q '1 frames are offsets in .*, of threads in unknown processes' said
rm saved/maps-*
"$BIN/psym" --no-host -m saved text >out 2>said
check "no mappings at all" grep -q '3 frames are offsets in .*, which has an unknown load address' said
finish
