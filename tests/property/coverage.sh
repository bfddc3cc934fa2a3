#!/bin/bash
# What named the frames is said, and its numbers are those of what was printed; what is
# missing is said in forms that tools take.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
psym() { "$BIN/psym" --no-host "$@"; }

for name in web10 calc31 native; do
	archive=$TOP/fixtures/$name.prof.tar.gz
	member=perf.data
	[ $name != native ] || member=fp.perf.data
	psym -q --member $member --coverage=json "$archive" >$name.named 2>said
	grep '^{' said >$name.json
	# Frames by module, once from the text and once from the report.
	perl -ne 'next unless /^\t *[0-9a-f]+ (.*) \(([^()]*(?:\([^()]*\))?[^()]*)\)$/ && $2 ne "inlined";
		$all{$2}++; $named{$2}++ if $1 ne "[unknown]";
		END { print "$_\t$all{$_}\t", $named{$_} || 0, "\n" for sort keys %all }' \
		$name.named >want
	perl -MJSON::PP -0777 -ne '$r = decode_json $_;
		%m = map { (length $_->{module} ? $_->{module} : "[unknown]") => $_ } @{$r->{modules}};
		print "$_\t$m{$_}{frames}\t$m{$_}{named}\n" for sort keys %m' $name.json >got
	same "$name: frames and names of each module" want got
	perl -MJSON::PP -0777 -ne '$r = decode_json $_;
		for $m (@{$r->{modules}}) { $s = 0; $s += $_->{frames} for @{$m->{by}}; $bad++ if $s != $m->{named} }
		exit !!$bad' $name.json
	report $? "$name: each name has one source"
	psym -q --member $member --missing "$archive" >want
	perl -MJSON::PP -0777 -ne '$r = decode_json $_;
		print "$_\n" for map { @{$_->{fetch} || []} } @{$r->{modules}}' $name.json >got
	same "$name: what to fetch is what --missing prints" want got
done

psym --coverage "$TOP/fixtures/web10.prof.tar.gz" >/dev/null 2>said
check "a perf map, and why" grep -q '22090 by perf-1.map (covers the sampled addresses)' said
check "recorded text" grep -q '18491 by recorded text of the same capture' said
check "what is missing" grep -A1 'System.Private.CoreLib.dll$' said
psym -q --missing "$TOP/fixtures/calc10.prof.tar.gz" >keys 2>said
check "14 stubs that no map lists" \
	grep -q '^# 14 of 8744 frames in /memfd:doublemapper .*: no map or jitdump of the process contains these addresses' keys
mkdir bare && tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C bare && rm -f bare/*.map bare/perf_script.out
psym -q --missing bare/perf.data >keys
check "how to get a map, with and without a restart" \
	grep -A1 '^# .NET writes it with: DOTNET_PerfMapEnabled=1' keys
check "from a running process" grep -qx '# or, without a restart: offbox-collect --ask PID' keys
mkdir native && tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C native
app=native/srv/app/native
psym --coverage -m $app native/lld.perf.data >/dev/null 2>said
check "a program and its debug file, by build-id" \
	grep -q ' by tally and tally.debug (build-id)$' said
mkdir other && cp $app/tally.debug other/tally
printf x >>other/tally
objcopy --update-section .note.gnu.build-id=/dev/null $app/tally other/tally 2>/dev/null
psym --coverage -m other native/lld.perf.data >/dev/null 2>said
check "another build, and that it is not used" grep -q 'not used: tally: ' said
status "only json is known" 2 psym --coverage=xml native/lld.perf.data >/dev/null 2>&1

psym -q --missing "$TOP/fixtures/web10.prof.tar.gz" >keys
grep -v '^#' keys >got
id=79945f51fb2612f13b7667a10a8fd29122664791
check ".NET's runtime: the symbol server's keys" grep -qx "libcoreclr.so/elf-buildid-$id/libcoreclr.so" got
check "and of its symbols" grep -qx "_.debug/elf-buildid-sym-$id/_.debug" got
check "its version" grep -q '10.0.12 contains it' keys
! grep -q 'doublemapper' keys
report $? "not what is named"

# A perf map with several names for one address: its last name is a guess.
for at in 10 20 20 30; do
	printf 'app 7/7 1.0: 1 cycles:\n\t7f00000000%s [unknown] (//anon)\n\n' $at
done >text
printf '7f0000000000 18 A()\n7f0000000020 10 B()\n7f0000000020 8 C()\n7f0000000030 8 D()\n' >perf-7.map
psym --coverage -m perf-7.map text >named 2>said
check "the share of samples of which that is so" grep -q \
	'perf-7.map: 2 of 4 samples (50.0 %) are at addresses that had several names' said
check "the summary counts guesses" grep -q '4 named (100.0 %), 2 guessed' said
check "in the coverage" grep -q '2 of *4 samples (50.0 %) have an address with several names over time' said
check "and of which module" grep -q '2 at addresses that had several names over time' said
psym -q --coverage=json -m perf-7.map text 2>&1 >named | grep -q '"samples":4,"guessed_samples":2,.*"guessed":2'
report $? "and for programs"
"$BIN/pfold" -m perf-7.map text 2>said >named
check "pfold reports it as well" grep -q '2 of 4 samples' said
check "and counts guesses" grep -q '0.0 % of 4 frames unnamed, 2 guessed' said
psym -q -m perf-7.map -F +guess text >marked
[ "$(grep -c ' C()+0x0 (//anon) \[guess\]$' marked)" = 2 ] && [ "$(grep -c guess marked)" = 2 ]
report $? "-F +guess marks guesses alone"
psym -q -m perf-7.map text >named
sed 's/ \[guess\]$//' marked >plain
same "without the field the text is the same" named plain
"$BIN/pfold" -q named >want
"$BIN/pfold" -q marked >got
same "and a marked text folds as one without marks" want got
status "other fields of a text are refused" 2 psym -q -F comm,guess text >/dev/null 2>&1
psym --strict --coverage -m perf-7.map text 2>said >strict
[ "$(grep -c '\[unknown\] (//anon)$' strict)" = 2 ] && [ "$(grep -c '()+0x' strict)" = 2 ]
report $? "--strict prints no guess"
check "the summary counts them" grep -q '2 named (50.0 %), 2 guesses left unnamed' said
check "the coverage has the reason" grep -q '2 at addresses .* over time: unnamed because of --strict' said
! grep -q 'unnamed: no perf map' said
report $? "and no other"
! grep -q 'a fifth of the frames' said
report $? "files that would not help are not advised"
"$BIN/pfold" -q --strict -m perf-7.map text >got
"$BIN/pfold" -q strict | sed 's/_\[.\]//g' >want
sed -i 's/_\[.\]//g' got
same "pfold --strict folds the text of psym --strict" want got

# A perf map of .NET 10 of which lines were overwritten.
printf '7f0000000010 8 A()\n\1\2\0;f int64 Gr\303\266::L()[Quick0x7f0000000020 8 B()\n7f0000000080 8 C()\n' >perf-7.map
psym --coverage -m perf-7.map text >named 2>said
check "what is whole is read" grep -q ' B()+0x0' named
check "the damage is said, with its place" grep -q 'perf-7.map:2: 1 line is damaged, but 1 whole' said
check "and why frames have no name" grep -q 'unnamed: no undamaged line of its map contains these addresses' said

# Modules called alike are told apart, by as many parts of their paths as it takes.
for module in /srv/one/lib/x.so /srv/two/lib/x.so /y.so /lib/y.so /srv/z.so /srv/my-z.so; do
	printf 'app 7/7 1.0: 1 cycles:\n\t1000 [unknown] (%s)\n\n' $module
done >alike
unnamed() { "$BIN/psym" --no-host "$@" 2>&1 >named | grep -o 'unnamed: .*'; }
tail -n +7 alike | head -n 6 >two
check "in the root and below" [ "$(unnamed two)" = 'unnamed: 1 in lib/y.so, 1 in /y.so' ]
head -n 6 alike >two
check "by their folders" [ "$(unnamed two)" = 'unnamed: 1 in one/lib/x.so, 1 in two/lib/x.so' ]
tail -n 6 alike >two
check "and no others" [ "$(unnamed two)" = 'unnamed: 1 in my-z.so, 1 in z.so' ]
sed 's|/srv/one/lib|../lib|; s|/srv/two/lib|//|' alike | head -n 6 >two
check "in odd paths as well" [ "$(unnamed two)" = 'unnamed: 1 in lib/x.so, 1 in /x.so' ]

# Images that are there and cannot be used have their keys in their headers.
mkdir calc10 cut torn il && tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C calc10
dll=$(perl -0777 -e '$_ = <>; $o = unpack "x60 V", $_;
	printf "calc10.dll/%08X%x/calc10.dll", unpack("V", substr $_, $o + 8), unpack("V", substr $_, $o + 80)' \
	calc10/calc10.dll)
map=calc10.ni.r2rmap/r2rmap-v1-$(perl -0777 -ne 'print unpack "H32", $1 if /R2RM(.{16})/s' calc10/calc10.dll)/calc10.ni.r2rmap
keys_of() { psym -q --missing -m "$1" calc10/perf.data | grep -E '^calc10[.](dll|ni)' | tr '\n' ' '; }
head -c 12000 calc10/calc10.dll >cut/calc10.dll
[ "$(keys_of cut)" = "$dll $map " ]
report $? "of an image that is cut off: its own and that of its r2rmap"
check "why it was not used" grep -q 'calc10.dll: the image is cut off' <(psym -q --missing -m cut calc10/perf.data)
perl -0777 -pe 's/(RTR\0.{8}).{4}/$1\0\0\0\0/s' calc10/calc10.dll >torn/calc10.dll
[ "$(keys_of torn)" = "$dll $map " ]
report $? "of one whose tables lie"
cp "$TOP/fixtures/r2r/il/calc10.dll" il
[ -z "$(keys_of il)$(keys_of calc10)" ]
report $? "none of another file of that name, nor where all is named"

# Of images that are absent perfinfo knows the MVID.
mkdir web31 && tar -xzf "$TOP/fixtures/web31.prof.tar.gz" -C web31
psym -q --missing web31 >keys
check "crossgen's map, by MVID" grep -q 'System.Private.CoreLib.ni.{92b5e598-6d6c-4d94-8b37-43c9dcef6a74}.map$' keys
! grep -q r2rmap- keys
report $? "before .NET 6 no other"
perl -pi -e 's|App/3[.]1[.]2/|App/8.1.2/|g' web31/perf.data web31/perfinfo-1.map
psym -q --missing web31 >keys
sign=$(perl -MDigest::MD5=md5_hex -e 'print md5_hex(pack "VvvH16 VVV", 0x92b5e598, 0x6d6c, 0x4d94, "8b3743c9dcef6a74", 2, 3, 1)')
check "since .NET 6 crossgen2's, by signature" grep -qx \
	"system.private.corelib.ni.r2rmap/r2rmap-v1-$sign/system.private.corelib.ni.r2rmap" keys

psym -q --missing native/fp.perf.data | grep -v '^#' >got
check "debuginfod's paths" grep -qE '^buildid/[0-9a-f]{40}/debuginfo$' got
check "of programs as well" grep -qE '^buildid/[0-9a-f]{40}/executable$' got
! grep -vE '^(buildid/[0-9a-f]+/(debuginfo|executable)|[^/ ]+/elf-buildid-[^/]+/[^/ ]+)$' got
report $? "one key a line"
psym -q --missing -m "$app" native/lld.perf.data >keys
! grep -q '/tally:' keys
report $? "nothing where all is there"
finish
