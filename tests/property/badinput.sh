#!/bin/bash
# Bad input: each filter says in one clear line what is wrong and where, reads what can
# be read, and leaves with 1 (some of it) or 2 (nothing), never by a signal.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1

every='psym pfold pmerge pflame'
archive=$TOP/fixtures/sarif8.prof.tar.gz
mkdir d empty
tar -xzf "$archive" -C d
"$BIN/psym" -q --no-host d/perf.data >named && "$BIN/pfold" -q named >folded
yes 'lorem ipsum dolor sit amet' | head -n 1000 >prose
perl -e 'srand(1); print map { chr int rand 256 } 1 .. 50000' >noise
: >nothing

# try COMMAND... - leaves its output in out and err, its status in got.
try()
{
	bounded 10 "$@" >out 2>err
	got=$?
}

# Lines of the filter itself and nothing else: no crash, no raw control byte.
clean()
{
	[ "$got" -le 2 ] && ! grep -avqE '^(psym|pfold|pmerge|pflame): ' err &&
		! LC_ALL=C grep -aqP '[\x00-\x09\x0b-\x1f\x7f]' err
}

# expect NAME STATUS PATTERN COMMAND... - and something is written unless STATUS is 2.
expect()
{
	local name=$1 want=$2 pattern=$3 bad=0
	shift 3
	try "$@"
	if [ "$got" != "$want" ] || ! clean || ! grep -aqE -- "$pattern" err; then
		bad=1
	elif [ "$want" = 2 ] && [ -s out ]; then
		bad=1
	elif [ "$want" != 2 ] && ! [ -s out ]; then
		bad=1
	fi
	[ $bad = 0 ] || {
		echo "exit status $got, not $want; $(wc -c <out) bytes; want '$pattern' of:"
		head -n 5 err | cut -c 1-300
	}
	report $bad "$name"
}

samples() { grep -c '^[^	#]' "$1"; }

# Sources, lists and manuals are no profiles, though words of theirs look like addresses,
# headers and counts.
mkdir words
cat >words/header.h <<'END'
/* Attributes. */
enum
  {
    DW_ATE_void = 0x0,
    DW_ATE_address = 0x1,
    2,
    3

    add
    9
  };
END
cat >words/comment.h <<'END'
/*
 *  \param heap       the functions that allocate memory, or NULL for the
 *                    C library functions (malloc and others)
 */
void make(const struct heap *heap);
END
cat >words/buffer.py <<'END'
            # Continue to buffer until one of
            # 3 cases:
            # 1) end of buffer matches terminator exactly:
            #    collect data, transition
    a bus name (either the unique name or a well-known name)
                A bus name (either the unique name or a well-known name)

    >>> len(names)
    2

    be added
END
cat >words/steps.txt <<'END'
We can split the process of interpreting configuration files into 2 steps:

   1. read it
	add a line (to it)
END
cat >words/profile.conf <<'END'
  # Send open FDs before execve.  This is temporary until it learns to close them.
  #include <abstractions/base>
  /** r,

    deadbeef facade
    12
END
for file in words/*; do
	expect "${file#words/} is no profile" 2 '(this is (source code|text of an unknown kind); |no perf.data or perf script text in it)' \
		"$BIN/psym" --no-host "$file"
done
expect "a directory of such files" 2 'no perf.data or perf script text in it' \
	"$BIN/psym" --no-host words
for place in /usr/include /usr/lib/python3 /etc; do
	[ ! -d $place ] || expect "$place is no profile" 2 "^psym: $place: no perf.data or perf script" \
		"$BIN/psym" --no-host $place
done

# Under sanitizers, fewer places.
step=997 san=
case $BIN in
*san)	step=4985 san=yes ;;
esac

# As root, permissions bind only without these capabilities.
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv "--bounding-set=-dac_override,-dac_read_search")

# --- what cannot be opened, or holds nothing ---
cp folded locked
mkdir locked-dir
chmod 0 locked locked-dir
for tool in $every; do
	f=$BIN/$tool
	expect "$tool: missing file" 2 'nofile: No such file or directory$' "$f" nofile
	expect "$tool: directory without profile" 2 'empty: contains no files; ' "$f" empty
	expect "$tool: empty file" 2 'nothing: empty$' "$f" nothing
	expect "$tool: empty device" 2 '/dev/null: empty$' "$f" /dev/null
	expect "$tool: empty standard input" 2 'standard input: empty$' "$f" </dev/null
	expect "$tool: prose" 2 'prose: this is text of an unknown kind; ' "$f" prose
	expect "$tool: noise" 2 'noise: no .* in it$' "$f" noise
	expect "$tool: prose through a pipe" 2 'standard input: this is text of an unknown kind; ' "$f" < <(cat prose)
	expect "$tool: noise through a pipe" 2 'standard input: no .* in it$' "$f" < <(cat noise)
	if ! "${as_user[@]}" cat locked >out 2>err; then
		expect "$tool: unreadable file" 2 'locked: Permission denied$' \
			"${as_user[@]}" "$f" locked
		expect "$tool: unreadable directory" 2 'locked-dir: Permission denied$' \
			"${as_user[@]}" "$f" locked-dir
	fi
done
for tool in psym pmerge; do
	expect "$tool: folded stacks" 2 'folded: these are folded stacks' "$BIN/$tool" folded
	expect "$tool: folded stacks through a pipe" 2 'standard input: these are folded' \
		"$BIN/$tool" < <(cat folded)
done
expect "pflame: perf.data" 2 'd/perf.data: this is perf.data; .*psym' "$BIN/pflame" d/perf.data
expect "pflame: text" 2 'named: this is perf script text; .*psym' "$BIN/pflame" named
expect "pflame: perf.data through a pipe" 2 'standard input: this is perf.data' \
	"$BIN/pflame" < <(cat d/perf.data)

# --- several candidates ---
mkdir -p three/{a,b,c} folds
for i in a b c; do
	cp d/perf.data three/$i/$i.data
	cp folded folds/$i
done
tar -cf three.tar three
for tool in psym pfold pmerge; do
	for from in three three.tar; do
		expect "$tool: three profiles in $from" 2 'contains 3 profiles.*--member:$' \
			"$BIN/$tool" $from
		check "$tool: all are listed" [ "$(grep -cE -- '--member .*[abc]/[abc][.]data$' err)" = 3 ]
	done
	expect "$tool: --member of nothing" 2 'no .* called x.data in it' \
		"$BIN/$tool" --member x.data three.tar
	[ $tool = pmerge ] && continue
	for name in b.data three/b/b.data ./three/b/b.data /three/b/b.data; do
		expect "$tool: --member $name" 0 'profile is three/b/b.data$' \
			"$BIN/$tool" --member $name three.tar
	done
	expect "$tool: --member in a directory" 0 'profile is b/b.data$' \
		"$BIN/$tool" --member b/b.data three
done
expect "pflame: three profiles" 2 'contains 3 profiles' "$BIN/pflame" folds
expect "pflame: --member" 0 'profile is b$' "$BIN/pflame" --member b folds

# --- archives that end early ---
size=$(stat -c %s "$archive")
gzip -c named >named.gz
for at in 10 100 9999 $((size / 4)) $((size / 2)) $((size * 3 / 4)) $((size - 10000)); do
	head -c $at "$archive" >cut.tgz
	for tool in psym pfold; do
		try "$BIN/$tool" cut.tgz
		clean && [ "$got" != 0 ] && grep -q '^[a-z]*: cut.tgz: .*truncated gzip' err
		report $? "$tool: tar.gz cut at $at"
		[ "$got" != 1 ] || [ -s out ] || report 1 "$tool: writes what it says it read"
	done
	try "$BIN/psym" < <(cat cut.tgz)
	clean && [ "$got" != 0 ] && grep -q '^psym: standard input: .*truncated gzip' err
	report $? "psym: tar.gz cut at $at, through a pipe"
done
head -c $(($(stat -c %s named.gz) / 2)) named.gz >half.gz
gzip -dcq half.gz >half 2>err
expect "psym: half a text.gz" 1 'half.gz: .*truncated gzip' "$BIN/psym" --no-host half.gz
check "psym: as much as gzip gives" [ "$(samples out)" -ge $(($(samples half) - 1)) ]
# Of a source this is a warning.
head -c $((size * 3 / 4)) "$archive" >cut.tgz
for tool in psym pfold pmerge; do
	expect "$tool: -m of a damaged archive" 0 'warning: cut.tgz: .*truncated gzip' \
		"$BIN/$tool" -m cut.tgz d/perf.data
done

# --- members that would reach elsewhere ---
mkdir -p tar/in tar/outside work
cp named tar/outside/secret.txt
cp d/perf.data named tar/in
ln -s ../outside/secret.txt tar/in/relative.txt
ln -s "$PWD/tar/outside/secret.txt" tar/in/absolute.txt
ln -s .. tar/in/up
ln tar/in/named tar/in/twin
tar -P --transform 's,^perf.data$,../../escaped/perf.data,' \
	--transform "s,^named\$,$PWD/escaped.txt,h" --transform 's,^named$,/escaped.txt,R' \
	-cf evil.tar -C tar/in perf.data named twin relative.txt absolute.txt up
tar -cf links.tar -C tar/in relative.txt absolute.txt up
mkdir tar/links
cp -P tar/in/*.txt tar/in/up tar/links
find . /escaped* >before 2>/dev/null
: >>after
cd work || exit 1
expect "psym: tar with ../ and absolute members" 0 'profile is [.]{2}/[.]{2}/escaped/perf.data$' \
	"$BIN/psym" --no-host ../evil.tar
check "psym: reads them all the same" [ "$(samples out)" = "$(samples ../named)" ]
try "$BIN/psym" --no-host -m ../evil.tar ../d/perf.data
check "psym: and as a source" [ "$got" = 0 ]
expect "psym: a tar of links" 2 'links.tar: no .* in it$' "$BIN/psym" ../links.tar
expect "psym: a directory of links that lead out" 2 'links: contains no files; ' "$BIN/psym" ../tar/links
rm out err
cd .. || exit 1
find . /escaped* 2>/dev/null | grep -vx ./after >after
touch before
# before was listed while it was being made, as after is.
check "nothing is written" diff <(sort before) <(sort after)

# --- perf.data cut anywhere: as many samples as stand whole before the cut ---
cat >records.pl <<'END'
# Offsets of the ends of the SAMPLE records, or of all records with their type.
local $/;
open F, '<:raw', shift;
my $d = <F>;
my ($p, $size) = unpack 'x40 Q< Q<', $d;
for (my $end = $p + $size; $p < $end;) {
	my ($type, $misc, $n) = unpack "x$p L< S< S<", $d;
	print "$type $p $n\n";
	$p += $n;
}
END
perl records.pl d/perf.data >records
end_of_data=$(awk 'END { print $2 + $3 }' records)
wrong=0 cuts=0
size=$(stat -c %s d/perf.data)
for ((at = 0; at < size; at += step)); do
	head -c $at d/perf.data >cut.data
	try "$BIN/psym" --no-host cut.data
	want=$(awk -v at=$at '$1 == 9 && $2 + $3 <= at' records | wc -l)
	status=1
	[ $at -gt 300 ] || status=2
	cuts=$((cuts + 1))
	if ! clean || [ $got != $status ] || [ "$(samples out)" != "$want" ] ||
		{ [ $at -gt 300 ] && ! grep -qE '^psym: cut.data:[0-9]+: ' err; }; then
		wrong=1
		echo "cut at $at: status $got, $(samples out) samples, not $want: $(head -n 1 err)"
	fi
done
check "perf.data is cut in $cuts places" [ $cuts -ge $((100000 / step)) ]
report $wrong "each cut keeps the samples before it and names its place"
for at in 1 7 8 15 16 71 72 103 104 200; do
	head -c $at d/perf.data >cut.data
	expect "perf.data of $at bytes" 2 '^psym: cut.data: ' "$BIN/psym" --no-host cut.data
done
head -c 70000 d/perf.data >cut.data
want=$(awk '$1 == 9 && $2 + $3 <= 70000' records | wc -l)
expect "psym: cut, through a pipe" 1 'standard input:[0-9]+: ' "$BIN/psym" < <(cat cut.data)
check "psym: has them all" [ "$(samples out)" = "$want" ]
expect "pfold: cut" 1 'cut.data:[0-9]+: ' "$BIN/pfold" cut.data
check "pfold: has them all" grep -q "^pfold: $want samples" err
expect "pmerge: cut" 1 'cut.data:[0-9]+: ' "$BIN/pmerge" -p 6762=d/perf-6762.map cut.data
expect "psym -q is not silent about damage" 1 'cut.data:[0-9]+: ' "$BIN/psym" -q cut.data
check "psym -q says nothing else" [ "$(wc -l <err)" = 1 ]
expect "psym: damage in -m is a warning" 0 '^psym: warning: cut.data:[0-9]+: ' \
	"$BIN/psym" -m cut.data named

# --- the same as perf writes it into a pipe ---
perl -e '
	local $/;
	open F, "<:raw", $ARGV[0];
	my $d = <F>;
	my ($each, $at, $n, $data, $len) = unpack "x16 Q< Q< Q< Q< Q<", $d;
	print "PERFILE2", pack "Q<", 16;
	for (my $p = $at; $p < $at + $n; $p += $each) {
		my ($ids, $bytes) = unpack "x" . ($p + $each - 16) . " Q< Q<", $d;
		my $body = substr($d, $p, $each - 16) . substr $d, $ids, $bytes;
		print pack("L< S< S<", 64, 0, 8 + length $body), $body;
	}
	print substr $d, $data, $len;' d/perf.data >piped
"$BIN/psym" -q --no-host piped >got
check "pipe mode has the same samples" [ "$(samples got)" = "$(samples named)" ]
moved=$(($(stat -c %s piped) - end_of_data))
wrong=0
for ((at = 5000; at < $(stat -c %s piped); at += 19997)); do
	head -c $at piped >cut.data
	try "$BIN/psym" --no-host < <(cat cut.data)
	want=$(awk -v at=$((at - moved)) '$1 == 9 && $2 + $3 <= at' records | wc -l)
	if ! clean || [ "$(samples out)" != "$want" ] || [ $got != 1 ]; then
		wrong=1
		echo "cut at $at: status $got, $(samples out) samples, not $want: $(head -n 1 err)"
	fi
done
report $wrong "pipe mode: each cut keeps the samples before it"

# --- perf.data with wrong bytes in it ---
# patch NAME OFFSET BYTES - writes NAME.
patch() { perl -0777 -pe 'BEGIN { ($at, $with) = splice @ARGV, 0, 2 } substr($_, $at, length eval $with) = eval $with' "$2" "$3" d/perf.data >"$1"; }
middle=$(awk '$1 == 9 && $2 > 60000 { print $2; exit }' records)
# touched BYTES - samples that these bytes from the middle on are part of.
touched() { awk -v at="$middle" -v n="$1" '$1 == 9 && $2 < at + n && $2 + $3 > at' records | wc -l; }
all=$(samples named)
while read -r name what; do
	patch "$name" $((middle + 6)) "$what"
	expect "a record of $name" 1 "^psym: $name:[0-9]+: " "$BIN/psym" --no-host "$name"
	check "and all other samples are read" [ "$(samples out)" -ge $((all - 1)) ]
	expect "pfold of it" 1 "^pfold: $name:[0-9]+: " "$BIN/pfold" "$name"
done <<'END'
60KB pack("S<",61440)
4-bytes pack("S<",4)
no-bytes pack("S<",0)
13-bytes pack("S<",13)
16-bytes pack("S<",16)
END
patch zeros "$middle" '"\0"x5000'
expect "zeroed bytes" 1 "^psym: zeros:$middle: " "$BIN/psym" --no-host zeros
check "and all other samples are read" [ "$(samples out)" -ge $((all - $(touched 5000))) ]

mkdir flipped
perl -e '
	srand 3;
	local $/;
	open F, "<:raw", "d/perf.data";
	my $d = <F>;
	my @at = map { (split)[1] } split /\n/, `cat records`;
	for my $i (1 .. 200) {
		my $e = $d;
		for (1 .. 1 + rand 20) {
			my $p = $i % 2 ? $at[rand @at] + int rand 24 : int rand($i % 4 ? length $e : 1000);
			substr($e, $p, 1) = chr int rand 256;
		}
		open O, ">:raw", "flipped/$i";
		print O $e;
	}'
wrong=0
for ((i = 1; i <= 200; i++)); do
	tool=psym
	[ $((i % 8)) != 0 ] || tool=pfold
	try "$BIN/$tool" --no-host flipped/$i
	if ! clean || ! [ -s err ]; then
		wrong=1
		echo "flipped/$i: status $got: $(head -n 3 err)"
	fi
done
check "200 files have random bytes" [ "$(find flipped -type f | wc -l)" = 200 ]
report $wrong "random bytes end no filter by a signal, nor late"

# --- sources and maps ---
for tool in psym pfold pmerge; do
	f=$BIN/$tool
	expect "$tool: -m of a missing file" 2 'nofile: No such file' "$f" -m nofile d/perf.data
	for file in prose noise nothing; do
		expect "$tool: -m $file" 2 "$file: contains no file that names code" \
			"$f" -m $file d/perf.data
	done
	expect "$tool: -p garbage" 2 '-p garbage: not a process id' "$f" -p garbage d/perf.data
	expect "$tool: -p -5" 2 '-p -5: not a process id' "$f" -p -5 d/perf.data
	expect "$tool: -p 0" 2 '-p 0: not a process id' "$f" -p 0 d/perf.data
	expect "$tool: -p 1=" 2 "the map after '=' is missing" "$f" -p 1= d/perf.data
	expect "$tool: -p of no map" 2 'nosuchmap: No such file' "$f" -p 6762=nosuchmap d/perf.data
	expect "$tool: -p of prose" 2 'prose: ' "$f" -p 6762=prose d/perf.data
	expect "$tool: -p of a text" 2 'named: expected a perf map' "$f" -p 6762=named d/perf.data
	expect "$tool: --max-spool" 2 'bytes' "$f" --max-spool 10K "$archive"
	expect "$tool: --max-spool, pipe" 2 'standard input: exceeds the limit of 10240 bytes' \
		"$f" --max-spool 10K < <(cat d/perf.data)
done
expect "pmerge: two profiles" 2 'expected one profile' "$BIN/pmerge" d/perf.data named
expect "pmerge: no map" 2 'no map or image names code of ' "$BIN/pmerge" d/perf.data

# --- long lines ---
perl -e 'printf "%x 100 %s\n", 0x7f0000000000 + $_ * 256, "y" x 1000000 for 1 .. 8' |
	cat - d/perf-6762.map >long.map
"$BIN/psym" -q --no-host -p 6762=d/perf-6762.map d/perf.data >want
"$BIN/psym" -q --no-host -p 6762=long.map d/perf.data >got
same "a map with lines of 1 MB names the same" want got
if [ -z "$san" ]; then
	# 200 MB in one line, in the middle of a text: cat, in less than 100 MB.
	long() { head -n 2000 named; perl -e 'print "x" x 1000000 for 1 .. 200; print "\n"'; tail -n +2001 named; }
	long | (ulimit -v 100000 && "$BIN/psym" -q --no-host 2>err) | cmp - <(long)
	[ "${PIPESTATUS[*]}" = '0 1 0' ]
	report $? "a line of 200 MB passes through 100 MB of memory"
	check "it is said that the stack ends there" grep -q ': a stack of more than 4 MiB: ' err
fi
# Damage behind the samples that are read beforehand, to learn what their addresses are.
perl -e 'printf "a 1 [000] %.6f: 1 cycles:\n\t%x f+0x1 (/srv/app)\n\n", $_ / 1000, 0x401000 + $_ for 1 .. 6000;
	print "a 1 [000] 9.000000: 1 cycles:\n", "\t401136 g+0x6 (/srv/app)\n" x 200000, "\n"' >late.txt
mkdir -p sources && cp /bin/true sources/app
expect "a stack over 4 MiB behind 6,000 samples" 1 'late.txt:[0-9]*: a stack of more than 4 MiB: ' \
	"$BIN/psym" --no-host -m sources late.txt
# A text that was cut off, as by a full disk.
printf '\t          401136 main+0x6 (/srv/app)\n\t    7f5d278c3a91 [unknown] (/srv/li' |
	cat <(echo 'a 1 [000] 9.000000: 1 cycles:') - >cut.txt
expect "a text that ends inside a frame" 1 'cut.txt:0: the text ends inside a frame' \
	"$BIN/psym" --no-host cut.txt
printf '%s)' "$(cat cut.txt)" >whole.txt
status "one without its last newline is whole" 0 "$BIN/psym" -q --no-host whole.txt >/dev/null

# --- names that would drive a terminal ---
odd=$'x\e[31m\a\rz'
mkdir -p "odd/$odd"
cp named "odd/$odd/$odd"
cp d/perf.data "odd/$odd/$odd.data"
cp d/perf-6762.map "odd/$odd/perf-6762$odd.map"
tar -cf "odd.tar" -C odd "$odd"
cp prose "prose$odd"
head -c 70000 d/perf.data >"cut$odd"
perl -0777 -pe 's/Sarif\.Multitool/Sar\e[31ml\atool/g; s/cpu-clock/cpu\e]0;m/g' d/perf.data >odd.data
perl -pe 's/Sarif\.Multitool/Sar\e[31ml\atool/g; s/cpu-clock/cpu\e]0;m/g' named >odd.txt
wrong=0
for tool in $every; do
	[ -z "$san" ] || [ "$tool" = pfold ] || continue
	for file in odd "odd/$odd/$odd" odd.tar "prose$odd" "cut$odd" "no$odd" odd.data odd.txt folded; do
		for option in "" "--member=$odd" "-p1=$odd" "-m$odd" "-o$odd/x" "--event=$odd" \
			"--max-spool=$odd" "--colors=$odd" "--$odd" $'-\e'; do
			try "$BIN/$tool" ${option:+"$option"} "$file"
			clean && continue
			wrong=1
			echo "$tool $option $file: status $got: $(head -n 3 err)" | cat -v
		done
	done
done
report $wrong "no name reaches the terminal raw"
finish
