#!/bin/bash
# The right file, wherever and under whatever name it lies; and never a wrong one.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
export HOME=$PWD # where perf keeps files by build-id
mkdir all
tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C all
app=all/srv/app/native
data=all/lld.perf.data
id() { readelf -n "$1" | sed -n 's/ *Build ID: //p'; }
tally=$(id $app/tally)
tree=.build-id/${tally:0:2}

# tally_frames FILE - with their names, of the program that lld linked.
tally_frames() { grep '/tally)$' "$1" | grep -v ' \[unknown\] '; }
"$BIN/psym" -q --no-host -m $app/tally -m $app/tally.debug $data >named
tally_frames named >want
check "files given by hand" [ "$(wc -l <want)" -gt 100000 ]

# found NAME SOURCE
found()
{
	"$BIN/psym" -q --no-host -m "$2" $data >named
	tally_frames named >got
	same "$1" want got
}
mkdir -p tree/$tree && cp $app/tally "tree/$tree/${tally:2}"
cp $app/tally.debug "tree/$tree/${tally:2}.debug"
found "a build-id tree" tree
mkdir -p "debuginfod/$tally" && cp $app/tally "debuginfod/$tally/executable"
cp $app/tally.debug "debuginfod/$tally/debuginfo"
found "a debuginfod cache" debuginfod
mkdir -p "cache/srv/x/$tally" && cp $app/tally "cache/srv/x/$tally/elf"
cp $app/tally.debug "cache/srv/x/$tally/debug"
found "perf's cache" cache
tar -cf cache.tar -C cache .
found "a tarball of perf archive" cache.tar
mkdir -p store/tally/elf-buildid-$tally store/_.debug/elf-buildid-sym-$tally
cp $app/tally store/tally/elf-buildid-$tally/tally
cp $app/tally.debug store/_.debug/elf-buildid-sym-$tally/_.debug
found "a symbol store" store
mkdir -p root/srv/app/native root/usr/lib/debug/srv/app/native
cp $app/tally root/srv/app/native
cp $app/tally.debug root/usr/lib/debug/srv/app/native/tally.debug
found "a root file system and /usr/lib/debug in it" root
mv root/usr/lib/debug/srv/app/native/tally.debug root/srv/app/native/tally.dbg
found "NAME.dbg beside it" root
mkdir root/srv/app/native/.debug
mv root/srv/app/native/tally.dbg root/srv/app/native/.debug/tally
found ".debug/NAME" root
mkdir -p overlay/diff overlay/debug
cp $app/tally overlay/diff/tally
cp $app/tally.debug overlay/debug/tally.debug
found "in other places, by the last part of its path" overlay

mkdir unrelated
cp $app/tally unrelated
cp $app/tally.debug unrelated/kept-for-later
found "the debug file under a name of its own" unrelated
mkdir -p "links/usr/bin" "links/usr/lib/debug/$tree"
cp $app/tally links/usr/bin/renamed
cp $app/tally.debug links/usr/lib/debug/some
ln -s ../../../../bin/renamed "links/usr/lib/debug/$tree/${tally:2}"
ln -s ../../some "links/usr/lib/debug/$tree/${tally:2}.debug"
found "a build-id tree of symbolic links" links
tar -czf links.tar.gz -C links .
found "the same in an archive" links.tar.gz

# Debuginfod remembers what a server did not have: an empty file that none may read.
: >"debuginfod/$tally/debuginfo"
chmod 0 "debuginfod/$tally/debuginfo"
"$BIN/psym" --no-host -m debuginfod $data >named 2>said
check "a negative entry is passed over" grep -q 'samples, .* named' said

# The debug link's checksum stands in for a build-id.
objcopy --remove-section .note.gnu.build-id $app/tally.debug plain.debug
objcopy --remove-section .note.gnu.build-id --remove-section .gnu_debuglink $app/tally plain
mkdir linked broken
cp plain.debug linked/tally.debug
(cd linked && objcopy --add-gnu-debuglink=tally.debug ../plain tally)
cp linked/tally broken/tally
cp plain.debug broken/tally.debug
printf x >>broken/tally.debug
cat >tally.txt <<'END'
work 100  1.000000:  1 cycles: 
END
awk '/^	.*\/tally\)$/ && !seen[$1]++ { print "\t" $1 " [unknown] (/srv/app/native/tally)" }' named |
	head -200 >>tally.txt
read -r va off size <<<"$(readelf -lW plain | awk '$1 == "LOAD" && /R E/ { print $3, $2, $5 }')"
printf '%x-%x r-xp %08x 08:01 5 /srv/app/native/tally\n' $((0x550000000000 + (va & ~4095))) \
	$((0x550000000000 + ((va + size + 4095) & ~4095))) $((off & ~4095)) >maps-100.txt
"$BIN/psym" --no-host -m maps-100.txt -m linked tally.txt >named 2>said
check "a debug link whose checksum agrees" [ "$(tally_frames named | wc -l)" -gt 100 ]
"$BIN/psym" --no-host -m maps-100.txt -m broken tally.txt >named 2>said
check "a debug link whose checksum does not: no name" [ "$(tally_frames named | wc -l)" = 0 ]
check "and that is said" grep -q 'tally.debug: not used: its checksum differs' said
# covered NAME PATTERN INPUT SOURCE ... - the report's lines of the program.
covered()
{
	local name=$1 pattern=$2 input=$3
	shift 3
	"$BIN/psym" -q --no-host --coverage "${@/#/-m}" "$input" 2>&1 >/dev/null |
		sed -n '/native\/tally/,/^ *[0-9]* of/p' >report
	grep -q "$pattern" report || cat report
	grep -q "$pattern" report
	report $? "$name"
}
covered "in the report, too" 'not used: .*tally.debug: its checksum differs' tally.txt maps-100.txt broken

# A debug file of another build beside the right program.
mkdir other
cp $app/tally other
perl -e 'local $/; $_ = <STDIN>; $id = pack "H*", shift; s/\Q$id\E/"X" x length $id/e; print' \
	"$tally" <$app/tally.debug >other/tally.debug
"$BIN/psym" --no-host -m other $data >named 2>said
tally_frames named | grep -v '@plt' >got
check "a debug file of another build: no name" [ ! -s got ]
check "and that is said" grep -q 'tally.debug: not used: its build-id differs' said
covered "in the report, too" 'not used: .*tally.debug: its build-id differs from that of its program' $data other
mkdir stripped
cp $app/tally stripped
covered "what is stripped is said to be" 'unnamed: it is stripped, and its debug file was not found' $data stripped

# A distribution states in a note of the program which package it is from.
# noted JSON - writes the line of --missing for a program with this note to line
noted()
{
	perl -e '$s = shift() . "\0"; print pack("V3a4a*x!4", 4, length $s, 0xcafe1a7e, "FDO", $s)' "$1" >note
	objcopy --add-section .note.package=note $app/tally stripped/tally
	"$BIN/psym" -q --no-host --missing -m stripped $data >missed
	grep ' package: ' missed >line
}
noted '{"type":"deb","os":"Debian","name":"util-linux","version":"2.42.4-1","architecture":"amd64",'\
'"debugInfoUrl":"https://debuginfod.debian.net"}'
echo '# deb package: util-linux 2.42.4-1 amd64 of Debian; its debuginfod: https://debuginfod.debian.net' >wanted
same "the package of Debian is named" wanted line
noted '{"type":"rpm","name":"bash","version":"5.2.26-3.fc40","architecture":"x86_64",'\
'"osCpe":"cpe:/o:fedoraproject:fedora:40","more":{"name":["x"]}}'
echo '# rpm package: bash 5.2.26-3.fc40 x86_64 of cpe:/o:fedoraproject:fedora:40' >wanted
same "and that of Fedora" wanted line
noted '{"type":"deb","name":"a\u000abuildid/00/executable"}'
[ "$(wc -l <line)" = 1 ]
report $? "a name cannot add a line"
for json in '{"type":"deb","name":"x"' '{"type":"deb"}' '{"type":1,"name":"x"}' '[]' ''; do
	noted "$json"
	[ -s missed ] && [ ! -s line ]
	report $? "no package is in '$json'"
done

# What dwz moved away is missed by name.
printf '/usr/lib/debug/.dwz/x/tally.debug\0%020d' 7 >altlink
mkdir alt
cp $app/tally alt
objcopy --add-section .gnu_debugaltlink=altlink $app/tally.debug alt/tally.debug
"$BIN/psym" --no-host -m alt $data >named 2>said
tally_frames named >got
same "without what dwz moved away" want got
check "which is said" grep -q 'gnu_debugaltlink .*tally.debug is not among' said
covered "in the report, too" 'missing: .*/tally.debug (.gnu_debugaltlink)' $data alt
"$BIN/psym" -q --no-host --missing -m alt $data >missing
key=$(printf '%020d' 7 | od -An -v -tx1 | tr -d ' \n')
[ "$(grep -c "^buildid/$key/debuginfo\$" missing)" = 1 ]
report $? "and asked for by its build-id"

# Of this machine only what has the build-id, and nothing with --no-host.
cat >busy.c <<'END'
static volatile unsigned long sink;
int main(void)
{
	for (unsigned long n = 300000000; n--;)
		sink += n % 7;
	return sink == 1;
}
END
${CC:-cc} -O1 -g -o busy busy.c
if perf record -N -q -F 499 -g -o here.data "$PWD/busy" >record.log 2>&1 && [ -s here.data ]; then
	"$BIN/psym" -q here.data | grep -c ' main+0x.*/busy)$' >got
	check "a file of this machine with the build-id" [ "$(cat got)" -gt 5 ]
	"$BIN/psym" -q --no-host here.data >named
	check "none with --no-host" [ "$(grep -c ' main+0x' named)" = 0 ]
	perf script -i here.data 2>/dev/null | sed 's/ [^ ]* (/ [unknown] (/' >here.txt
	"$BIN/psym" -q here.txt | grep -c ' main+0x.*/busy)$' >got
	check "none for text" [ "$(cat got)" = 0 ]
	${CC:-cc} -O0 -g -DX -o busy busy.c
	"$BIN/psym" here.data >named 2>said
	check "none of another build" [ "$(grep -c ' main+0x' named)" = 0 ]
	check "and that is said" grep -Eq 'busy: (not used: )?its build-id differs' said
	"$BIN/psym" --trust-host here.data >named 2>said
	check "nor with --trust-host" [ "$(grep -c ' main+0x' named)" = 0 ]
	${CC:-cc} -O1 -Wl,--build-id=none -o busy busy.c
	perf record -N -q -F 499 -g -o here.data "$PWD/busy" >record.log 2>&1
	chmod 700 busy # its ctime no longer shows that it is what ran
	"$BIN/psym" -q here.data >named
	check "nothing tells the build" [ "$(grep -c ' main+0x' named)" = 0 ]
	"$BIN/psym" --trust-host here.data >named 2>said
	check "then --trust-host takes it" [ "$(grep -c ' main+0x' named)" -gt 5 ]
	check "and says so" grep -q 'of this machine used by name only' said
else
	echo "ok a program recorded here # SKIP perf record does not work here"
fi
finish
