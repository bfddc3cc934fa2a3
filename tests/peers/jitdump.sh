#!/bin/bash
# Jitdumps that runtimes write here and now: V8's, LLVM's and .NET's, against what perf
# makes of them with perf inject, and against the images of the framework.
. "$TOP/tests/check.sh"
needs_perf 6.1
needs node perl
cd "$TMPDIR" || exit 1
perf record -q -o try.data true 2>/dev/null || { echo "perf may not record"; exit 77; }

# lines FILE MODULE - its frames there.  names FILE - all of them, without addresses.
lines() { grep -a "^	.*($2" "$1" | sed 's/^[	 ]*//'; }
names() { grep -a '^	' "$1" | sed -E 's/^[	 ]*[0-9a-f]+ //; s/ \([^()]*\)$//'; }

# Garbage collection moves on, and addresses are used again.
cat >work.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
const end = Date.now() + 700
for (let k = 0, s = 0; Date.now() < end; k++) {
	s += fib(18)
	s += new Function('x', 'let t = 0; for (let i = 0; i < 2000; i++) t += i ^ x; return t')(k)
}
END
mkdir node jitted
cd node || exit 1
perf record -q -k mono -F 999 -g -o perf.data node --perf-prof --no-flush-bytecode \
	--interpreted-frames-native-stack ../work.js >log 2>&1
perf inject -j -i perf.data -o ../injected.data >>log 2>&1
find . -name 'jitted-*.so' -exec mv -t ../jitted {} +
cd .. || exit 1
"$BIN/psym" --no-host node >direct 2>said
# V8 makes a few stubs before it writes its dump: perf has no names for them either.
perf script -i injected.data 2>/dev/null | sed -n 's/^[\t ]*\([0-9a-f]*\) \[unknown\] (\[unknown\])$/\1/p' | sort -u >nameless
sed -n 's/^[\t ]*\([0-9a-f]*\) \[unknown\] (\/tmp\/perf-.*/\1/p' direct | sort -u >unnamed
check "node: all JIT code named that is in the dump" cmp -s unnamed <(join unnamed nameless)
check "node: its jitdump belongs" awk -v unnamed="$(wc -l <unnamed)" '
	/dump names [0-9]+ of [0-9]+ distinct/ { for (i = 1; i < NF; i++) if ($i == "names") ok = $(i + 3) - $(i + 1) == unnamed && $(i + 1) > 20 }
	END { exit !ok }' said
"$BIN/psym" -q --no-host -m node/jit-*.dump injected.data >by-dump
"$BIN/psym" -q --no-host -m jitted injected.data >by-elf
find jitted -name 'jitted-*.so' -exec cp -t node {} +
perf script -i injected.data 2>/dev/null >by-perf
lines by-perf '[^()]*jitted-' >want
lines by-dump '[^()]*jitted-' >got
same "node: files of perf inject, by the dump, as perf names them" want got
lines by-elf '[^()]*jitted-' >got
same "node: and by themselves" want got
perf --buildid-dir none script --header --symfs none -i injected.data >text 2>/dev/null
lines text '[^()]*jitted-' | grep -c '\[unknown\]' >unnamed
[ "$(cat unnamed)" = "$(wc -l <want)" ]
report $? "node: a text made elsewhere names none of $(wc -l <want)"
for source in node/jit-*.dump jitted; do
	"$BIN/psym" -q --no-host -m $source text >by-text
	lines by-text '[^()]*jitted-' >got
	same "node: it is named by $(basename $source)" want got
done
names direct | grep ':' >a
names by-dump | grep ':' >b
# A sample may be a little older than the record of its code: perf inject has it unnamed.
diff a b >differ
[ "$(grep -c '^>' differ)" = 0 ] && [ "$(($(grep -c '^<' differ) * 100))" -le "$(wc -l <a)" ]
alike=$?
[ $alike = 0 ] || head -n 20 differ
report $alike "node: the time of each sample chooses what perf inject put there"
rm -rf node jitted

# same_lines TITLE SHIFT DIR FILE - lines of FILE's frames in jitted-*.so are those that
# perf inject put there.  V8 and LLVM count on an ELF header of SHIFT bytes in front of
# the code, which perf adds as well; the last entry of a table holds to the code's end.
cat >lines.pl <<'END'
my ($shift, $dir, $file) = (oct $ARGV[0], @ARGV[1, 2]);
my (%table, %damaged, $frame, $before, $alike, $differ);

sub rows
{
	my (@rows, $last);
	open my $t, '-|', "readelf --debug-dump=decodedline '$dir/$_[0]' 2>/dev/null" or die;
	while (<$t>) {
		next unless /^(\S.*?) +(\d+) +0x([0-9a-f]+)/;
		my ($name, $number, $at) = ($1, $2, $3);
		# Node 18 writes names that were overwritten, with a NUL inside: what follows
		# is no entry.
		$damaged{$_[0]} = 1 if length $at > 8;
		# In a dump "\xff" is the name before it, and perf copies that.
		$last = $name =~ s{.*/}{}r unless $name eq "\xff";
		push @rows, [hex $at, $last, $number];
	}
	return \@rows;
}

sub line_of
{
	my ($so, $addr) = @_;
	my ($found) = grep { $_->[0] <= $addr } reverse @{$table{$so} //= rows($so)};
	# Node 20 has names in it that were overwritten.
	return $found && $found->[2] && $found->[1] =~ /^[\x20-\x7e]+$/ ? "$found->[1]:$found->[2]" : '';
}

sub settle
{
	my $said = shift;
	return unless $frame;
	my ($so, $addr) = @$frame;
	my $want = line_of($so, $addr + $shift);
	$frame = undef;
	return if $damaged{$so} || ($want eq '' && $said eq '');
	$want eq $said ? $alike++ : $differ++ < 10 && printf "%s %x: %s, not %s\n", $so, $addr, $said, $want;
}

open my $in, '<', $file or die;
while (<$in>) {
	if (/^\t *([0-9a-f]+) .*\(([^()]*)\)$/) {
		my ($addr, $module) = ($1, $2);
		settle('');
		$frame = [$module =~ s{.*/}{}r, hex($addr) - ($before ? 1 : 0)] if $module =~ /jitted-/;
		$before = $addr !~ /^f{4}/;
	} elsif (/^  (\S.*)/) {
		settle($1);
	} else {
		settle('');
		$before = 0;
	}
}
printf "%d alike\n", $alike // 0;
exit !($alike && !$differ);
END
same_lines()
{
	perl lines.pl "$2" "$3" "$4" >compared
	report $? "$1 ($(tail -n 1 compared))"
	head -n -1 compared
}

cat >lines.js <<'END'
const source = `
function twice(x) {
  let t = 0
  for (let i = 0; i < 1000; i++)
    t += i ^ x
  return t
}
function outer(k) {
  let s = 0
  for (let j = 0; j < 50; j++) {
    s += twice(k + j)
    s += Math.sqrt(j)
  }
  return s
}
outer`
const outer = require('vm').runInThisContext(source, { filename: 'made.js' })
const end = Date.now() + 500
for (let k = 0, s = 0; Date.now() < end; k++)
	s += outer(k)
END
mkdir lines
cd lines || exit 1
perf record -q -k mono -F 999 -g -o perf.data node --perf-prof --no-flush-bytecode ../lines.js >log 2>&1
perf inject -j -i perf.data -o injected.data >>log 2>&1
"$BIN/psym" -q --no-host -F +srcline -m jit-*.dump injected.data >../got
cd ..
same_lines "node: lines are those of the dump" 0x40 lines got
grep -q '^  made.js:5$' got
report $? "node: the loop of a script among them"
rm -rf lines

if command -v lli >/dev/null && command -v clang >/dev/null; then
	cat >f.c <<-'END'
		int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * i % 7; return s; }
		int main(void) { int t = 0; for (int i = 0; i < 20000; i++) t ^= work(10000 + i % 5); return t == 1; }
	END
	clang -O1 -g -fno-inline -fno-omit-frame-pointer -S -emit-llvm -o f.ll f.c
	JITDUMPDIR=$PWD perf record -q -k mono -F 999 -g -o llvm.data \
		lli --frame-pointer=all --jit-kind=mcjit f.ll 2>log
	"$BIN/psym" --no-host -m .debug llvm.data >named 2>said
	if [ -d .debug ]; then
		[ "$(grep -c ' work+0x' named)" -gt 50 ]
		report $? "LLVM: its jitdump names the program"
		perf inject -j -i llvm.data -o injected.data >>log 2>&1
		"$BIN/psym" -q --no-host -F +srcline -m .debug injected.data >got
		same_lines "LLVM: lines are those of the dump" 0x40 "$(dirname "$(find .debug -name '*.dump')")" got
	else
		echo "ok LLVM # SKIP lli was built without perf's support"
	fi
fi

command -v dotnet >/dev/null || { echo "dotnet is not installed"; finish; }
mkdir app
tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C app ./calc10.dll
cat >app/rc.json <<'END'
{"runtimeOptions":{"tfm":"net10.0","framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}
END
framework=$(dirname "$(readlink -f "$(command -v dotnet)")")/shared

# record NAME PERF-OPTION... -- VARIABLE=VALUE ...
record()
{
	local name=$1 opts=()
	shift
	while [ "$1" != -- ]; do
		opts+=("$1")
		shift
	done
	mkdir "$name"
	env "${@:2}" DOTNET_PerfMapStubGranularity=2 DOTNET_PerfMapJitDumpPath="$PWD/$name" \
		perf record -q "${opts[@]}" -F 499 -g -o "$name/perf.data" \
		dotnet exec --runtimeconfig app/rc.json app/calc10.dll 1 >log 2>&1
}

# few NAME MODULE N - of its frames there at most one in N has no name, and there are some.
few()
{
	local all bare
	all=$(grep -c "^	.*($2" named)
	bare=$(grep -c "^	.*\[unknown\] ($2" named)
	[ "$all" -gt 0 ] && [ $((bare * $3)) -le "$all" ] || echo "$bare of $all"
	[ "$all" -gt 0 ] && [ $((bare * $3)) -le "$all" ]
	report $? "$1"
}

# Stubs are in no map: a tenth of them at most.
while read -r name module vars; do
	# shellcheck disable=SC2086 # several variables
	record "$name" -k mono -- $vars
	"$BIN/psym" --no-host "$name" >named 2>said
	few "dotnet $name: JIT code" "$module" 10
done <<'END'
both /memfd:doublemapper DOTNET_PerfMapEnabled=1
dump /memfd:doublemapper DOTNET_PerfMapEnabled=2
map /memfd:doublemapper DOTNET_PerfMapEnabled=3
nowx /tmp/perf- DOTNET_PerfMapEnabled=1 DOTNET_EnableWriteXorExecute=0
noready /memfd:doublemapper DOTNET_PerfMapEnabled=1 DOTNET_ReadyToRun=0
copied /tmp/perf- DOTNET_PerfMapEnabled=1 DOTNET_PELoader_DisableMapping=1
END
"$BIN/psym" -q --no-host dump >named
few "dotnet: precompiled code that was run, by the jitdump" '[^()]*[.]dll)' 50

# What the dump says of precompiled methods is what their images say.
"$BIN/psym" -q --no-host -m both/jit-*.dump both/perf.data >by-dump
"$BIN/psym" -q --no-host -m app -m "$framework" both/perf.data >by-image
lines by-dump '[^()]*[.]dll)' >dumped
lines by-image '[^()]*[.]dll)' >of-images
paste -d '\n' dumped of-images | perl -ne 'chomp; if ($. % 2) { $d = $_; next }
	next unless $d =~ s/\[PreJIT\]//; $n++; $bad++, print "$d\n$_\n" if $d ne $_;
	END { print "$n compared\n"; exit !($n && !$bad) }' >compared
report $? "dotnet: [PreJIT] names are those of the images ($(tail -n 1 compared))"

"$BIN/psym" --no-host -m copied/jit-*.dump -m app -m "$framework" copied/perf.data >by-image 2>said
check "dotnet copied: calc10.dll is found by its code" \
	grep -q 'calc10.dll was copied to anonymous memory at' said
"$BIN/psym" -q --no-host -m copied/jit-*.dump copied/perf.data | sed 's/\[PreJIT\]//' >by-dump
lines by-dump '/tmp/perf-' >a
lines by-image '/tmp/perf-' >b
# Thunks between the methods are in no dump: what it names, the image names alike.
paste -d '\n' a b | perl -ne 'if ($. % 2) { $d = $_; next }
	print "$d$_" if $d ne $_ && $d !~ / \[unknown\] /; $n++ if $d eq $_;
	END { print "$n alike\n" }' >differ
[ "$(wc -l <a)" = "$(wc -l <b)" ] && grep -qx '[1-9][0-9]* alike' differ &&
	[ "$(wc -l <differ)" = 1 ]
report $? "dotnet copied: and named as the jitdump does ($(tail -n 1 differ))"
"$BIN/pmerge" -q --no-host -m copied/jit-*.dump -m app -m "$framework" copied/perf.data >merged.map
"$BIN/psym" -q --no-host -m merged.map copied/perf.data >named
lines named '/tmp/perf-' >a
same "dotnet copied: and in one map with the rest" a b

# With another clock the last definition is taken, and all is named still.
record clock -- DOTNET_PerfMapEnabled=1
"$BIN/psym" --no-host clock >named 2>said
few "dotnet: without -k mono" /memfd:doublemapper 10

# Seen from outside its namespace: jit-1.dump and perf-1.map of process N.
if [ "$(id -u)" = 0 ] && command -v unshare >/dev/null; then
	mkdir inside
	DOTNET_PerfMapEnabled=1 DOTNET_PerfMapStubGranularity=2 \
		DOTNET_PerfMapJitDumpPath="$PWD/inside" perf record -q -k mono -F 499 -g -o ns.data \
		unshare --pid --fork --mount-proc --kill-child \
		dotnet exec --runtimeconfig app/rc.json app/calc10.dll 1 >log 2>&1
	[ -s inside/jit-1.dump ] && "$BIN/psym" --no-host -m inside ns.data >named 2>said
	check "namespace: jit-1.dump belongs" grep -q 'jit-1.dump names' said
	few "namespace: JIT code" /memfd:doublemapper 10
fi
finish
