#!/bin/bash
# A single-file program, made here of a host without code and two images: stored ones
# are found by the offset in the file, compressed ones in anonymous memory by the length
# of their code and by what was sampled there.  peers/sarif8.sh has a real one.
. "$TOP/tests/check.sh"
. "$TOP/tests/image.sh"
needs perl
cd "$TMPDIR" || exit 1
mkdir app empty
cp "$TOP/fixtures/r2r/x64/"*.dll .

# program MODE SKEW - app/app: "stored" or "packed", its first entry SKEW bytes off a page.
program()
{
	MODE=$1 SKEW=$2 perl -MIO::Compress::RawDeflate=rawdeflate -e '
		sub slurp { local (@ARGV, $/) = @_; binmode ARGV; return <> }
		my $mark = pack "H*", "8b1202b96a612038727b930214d7a032" .
			"13f5b9e6efae3318ee3b2dce24b36aae";
		# An ELF header, for x86-64, whose section headers end at byte 4096.
		my $host = pack "a4CCCx9SSLQQQLSSSSSS", "\x7fELF", 2, 1, 1, 3, 62, 1, 0, 64,
			4096 - 64, 0, 64, 56, 1, 64, 1, 0;
		$host .= pack "LLQQQQQQ", 1, 5, 0, 0, 0, 4096, 4096, 4096;
		$host .= "\0" x (4096 - length $host);
		substr $host, 1008, 32, $mark;
		my ($body, $list, $at) = ("\0" x $ENV{SKEW}, "", 4096 + $ENV{SKEW});
		for my $name ("calc10.dll", "oddnames.dll", "none.json") {
			my $raw = $name eq "none.json" ? "{}" : slurp($name);
			my ($as, $packed) = ($raw, 0);
			if ($ENV{MODE} eq "packed") {
				rawdeflate(\$raw => \my $small);
				($as, $packed) = ($small, length $small);
			}
			$list .= pack "QQQCC/a", $at, length $raw, $packed,
				$name =~ /dll/ ? 1 : 3, $name;
			$body .= $as;
			$at += length $as;
		}
		substr $host, 1000, 8, pack "Q", $at;
		open my $out, ">", "app/app" or die;
		binmode $out;
		print $out $host, $body, pack("LLLC/ax40", 6, 0, 3, "Hs1xQ5kVb2Qy"), $list;
	'
}

# methods IMAGE - where crossgen2 says that methods are: 40 RVAs, as many as there are.
methods() { sed 1,5d "$TOP/fixtures/r2r/x64/$1.ni.r2rmap" | head -40 | cut -d' ' -f1; }

# What stands between "Type::" and the arguments, and behind that.
method_only() { sed 's/+0x[0-9a-f]* (.*//; s/.*:://; s/(.*//'; }

# text IMAGE - size, RVA and file offset of its code, and what the file has of it.
text()
{
	perl -e '
	local $/; open F, "<", $ARGV[0]; binmode F; $_ = <F>; my $pe = unpack "L", substr $_, 60;
	my ($n, $opt) = unpack "x6Sx12S", substr $_, $pe;
	for my $i (0 .. $n - 1) {
		my ($name, $size, $rva, $raw, $off) = unpack "Z8L4", substr $_, $pe + 24 + $opt + 40 * $i;
		print "$size $rva $off $raw\n" if $name eq ".text";
	}' "$1"
}

# mapped START LENGTH OFFSET PROTECTION PATH
mapped()
{
	printf 'app 7/7 1.0: PERF_RECORD_MMAP2 7/7: [0x%x(0x%x) @ 0x%x 00:00 1 1]: %s %s\n' "$@"
}

# profile MODE SKEW - the text of a run: the code of both images, and a sample in each of
# those methods.  Text has offsets of files, and addresses of anonymous memory.
profile()
{
	local base=$((0x7f0000000000)) at=$((4096 + $2)) image size rva off raw first last from
	local module=/srv/app/app
	[ "$1" = stored ] || module=/tmp/perf-7.map
	for image in calc10 oddnames; do
		read -r size rva off raw < <(text $image.dll)
		if [ "$1" = stored ]; then
			first=$(((at + off) / 4096 * 4096))
			last=$(((at + off + raw + 4095) / 4096 * 4096))
			from=$((at + off - rva))
			mapped $base $((last - first)) $first r-xp $module
		else
			first=$((rva / 4096 * 4096))
			last=$(((rva + size + 4095) / 4096 * 4096))
			from=$((base - first))
			mapped $base $((last - first)) $base rwxp //anon
		fi
		for method in $(methods $image); do
			printf 'app 7/7 2.0: 1 cycles: \n\t%16x [unknown] (%s)\n\n' \
				$((from + 16#$method)) $module
		done
		at=$((at + $(stat -c %s $image.dll)))
		base=$((base + 0x1000000))
	done
}
for i in calc10 oddnames; do
	for m in $(methods $i); do
		grep "^$m " "$TOP/fixtures/r2r/x64/$i.ni.r2rmap"
	done
done | method_only >want

# all_named NAME MODE SKEW
all_named()
{
	program "$2" "$3"
	printf 'app 7/7 0.5: PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 00:00 1 1]: r-xp /srv/app/app\n' >text
	profile "$2" "$3" >>text
	"$BIN/psym" --no-host -m app text >named 2>said
	grep '^	.*app/app)\|^	.*perf-7.map)' named | method_only >have
	same "$1: every method under its name" want have
}
all_named "stored, at a page" stored 0
all_named "stored, in the middle of a page" stored 1664
check "that its own code is stripped is said" grep -q 'app: the symbols of its own code are stripped' said
printf 'app 7/7 3.0: 1 cycles: \n\t%16x [unknown] (/srv/app/app)\n\n' $((4096 + 1664 + 0x210)) >>text
"$BIN/psym" --no-host -m app text >other 2>said
check "a frame between methods says nothing of the program" sh -c '! grep -q "app: not used" said'
program stored 12288
"$BIN/psym" --no-host -m app text >other 2>said
! grep -q '^	.*::.*app/app)' other
report $? "another build of the program names nothing"
check "and that is said" grep -q 'app: not used: ' said

# A text of perf 6.1 that tells no mappings has return addresses as offsets in the program.
echo '# perf version : 6.1.187' >text
at=$((4096 + 1664))
for image in calc10 oddnames; do
	while read -r off method; do
		printf 'app 7 2.0: 1 cycles: \n\t%16x f+0x1 (/usr/lib/other.so)\n' $((16#1000)) >&3
		printf '\t%16x [unknown] (/srv/app/app)\n\n' $((at + off)) >&3
		echo "$method"
	done < <(calls $image.dll "$TOP/fixtures/r2r/x64/$image.ni.r2rmap")
	at=$((at + $(stat -c %s $image.dll)))
done 3>>text >want.chains
program stored 1664
"$BIN/psym" --no-host -m app text >named 2>said
grep '^	.*app/app)' named | method_only >have
same "stored, a text of offsets: every return address in its method" want.chains have
check "and nothing is refused" sh -c '! grep -q "not used" said'
# Built again, with one image that is another one, of the same size.
first=$(wc -l <want.chains) calls=$(calls calc10.dll "$TOP/fixtures/r2r/x64/calc10.ni.r2rmap" | wc -l)
head -n $((1 + 4 * (calls + 1))) text >most
perl -0777 -pi -e 's/\xff\x15/\x90\x90/g' oddnames.dll
program stored 1664
"$BIN/psym" --no-host -m app most >named 2>said
[ "$first" -gt "$calls" ] && [ "$(grep -c '^	.*::.*app/app)' named)" = "$calls" ] &&
	[ "$(grep -c '\[unknown\] (.*app/app)' named)" = 1 ]
report $? "what is in an image of another build has no name, the others' $calls addresses have"
cp "$TOP/fixtures/r2r/x64/oddnames.dll" .
program stored 1600
"$BIN/psym" --no-host -m app text >other 2>said
! grep -q '^	.*::.*app/app)' other
report $? "another build names nothing of that text"
check "and that is said" grep -q 'app: not used: its load address was not recorded' said
all_named "compressed" packed 0
check "how many were found is said" grep -q 'of 2 compressed images in .*, 2 were found' said

# Extracted before the run, as before .NET 5, they are mapped like any other.
program packed 0
{
	mapped 0x7f0000000000 0x4000 0 r-xp /var/tmp/.net/app/x1/calc10.dll
	for method in $(methods calc10); do
		printf 'app 7/7 2.0: 1 cycles: \n\t%16x [unknown] (/var/tmp/.net/app/x1/calc10.dll)\n\n' \
			$((16#$method - 0x10000))
	done
} >extracted
"$BIN/psym" -q --no-host -m app extracted >named
grep '^	.*calc10.dll)' named | method_only >have
head -27 want >want.calc10
same "extracted: every method" want.calc10 have

# Without its text, or of another build, nothing is named.
perl -0777 -pi -e 's/(r-xp \/srv)/$1/; s/0x7f0000000000\(0x/0x7f0000000000(0x1/' text
"$BIN/psym" --no-host -m app text >other 2>said
grep '^	.*perf-7.map)' other | head -27 | grep -vc '\[unknown\]' >count
[ "$(cat count)" = 0 ]
report $? "compressed: a mapping of another length stays without names"
check "and that is said" grep -q 'of 2 compressed images in .*, 1 were found' said
program stored 0
"$BIN/pmerge" --relative -q -o maps/ app/app
report $? "pmerge --relative takes the program itself"
same "its images, by name" "$TOP/fixtures/r2r/x64/calc10.ni.r2rmap" maps/app/app/calc10.ni.r2rmap
program packed 0
"$BIN/pmerge" --relative -q -o maps2/ app/app
same "and packed ones" "$TOP/fixtures/r2r/x64/oddnames.ni.r2rmap" maps2/app/app/oddnames.ni.r2rmap
finish
