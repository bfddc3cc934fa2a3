#!/bin/bash
# Twenty programs of this machine, recorded plainly, and nothing given to psym but perf.data:
# it names what perf script names.  A name that differs is perf's choice: --perf-compat, which
# looks callers up at the return address and unwinds as perf does, makes the same.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs perf gcc perl g++ xz
case $(perf --version) in
"perf version 6.1."*) ;;
*) cannot "perf is not 6.1: $(perf --version)" ;;
esac
cd "$TMPDIR" || exit 1
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
perf_cache # recorded plainly
cp "$TOP"/tests/peers/unwind/* .
perf record -q -o try.data true 2>/dev/null || cannot 'perf may not record'

# Samples of perf script, psym and psym --perf-compat, side by side.
cat >compare.pl <<'END'
sub samples
{
	open my $in, '<', $_[0] or die;
	local $/ = "";
	return map { chomp; [ map { /^\s+([0-9a-f]+) (.*?) \((\/.*|\[.*|inlined)\)$/ ? [ $1, $2, $3 ] : [ '', $_, '' ] } split /\n/ ] } <$in>;
}
# Unwinding may end in data.  perf names it by a variable, and psym by none.
sub variables
{
	my ($file) = @_;
	my ($debug) = map { m{Build ID: (..)(\w+)} ? "/usr/lib/debug/.build-id/$1/$2.debug" : () } qx(readelf -nW '$file' 2>/dev/null);
	return { map { (split)[3] eq 'OBJECT' ? ((split)[7] // '', 1) : () } grep { /^ *\d+: / }
		map { qx(readelf -sW '$_' 2>/dev/null) } $file, $debug // () };
}
my %variables;
sub is_variable
{
	my ($name, $file) = ($_[0][1] =~ s/\+0x[0-9a-f]+$//r, $_[0][2]);
	return 0 unless $file =~ m{^/};
	$variables{$file} //= variables($file);
	return $variables{$file}{$name};
}
my ($perf, $psym, $compat) = map { [ samples($_) ] } @ARGV;
my ($frames, $named, $differ, $bad) = (0, 0, 0, 0);
sub complain { printf "%s | %s | %s\n", map { $_ ? "@$_" : '' } @_ if $bad++ < 5 }
$bad = 1 if @$perf != @$psym || @$perf != @$compat;
for my $i (0 .. $#$perf) {
	my ($want, $got, $as) = ($$perf[$i], $$psym[$i], $$compat[$i]);
	my $other = @$want != @$got;
	for my $k (1 .. $#$want) {
		my ($w, $g) = ($$want[$k], $$got[$k]);
		$frames++;
		# perf counts relocations to name stubs, whatever slot they are of (stubs.sh asks
		# objdump), and stretches _init, which has no size, over the stubs behind it.
		next if $$w[1] =~ /^(\[unknown\]$|_init\+)/;
		next if $$w[1] =~ /\@plt\+/ && $g && $$g[1] =~ /\@plt\+/;
		next if $$as[$k] && $$as[$k][1] eq '[unknown]' && is_variable($w);
		$named++;
		# Stacks that are unwound may part: perf misses the last word of a dump.
		$other ||= !$g || $$g[0] ne $$w[0];
		complain($w, $g) if !$other && $$g[1] eq '[unknown]';
		next if $g && "@$g[0, 1]" eq "@$w[0, 1]";
		$differ++;
		complain($w, $g, $$as[$k]) if !$$as[$k] || "@{$$as[$k]}[0, 1]" ne "@$w[0, 1]";
	}
}
print "$named of $frames frames are named by perf, $differ otherwise\n";
exit !($frames > 30 && !$bad);
END

# Maps of the runtimes lie in /tmp.
leave() { sed -nE 's|^ *([0-9]+) *$|/tmp/perf-\1.map /tmp/jit-\1.dump|p' pids | xargs rm -f; }
trap leave EXIT

# record OPTION... -- COMMAND... - perf.data, and what the three make of it.
record()
{
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	perf record -q -F 999 "${options[@]}" -o perf.data -- "$@" >record.log 2>&1 </dev/null
	perf script -F pid -i perf.data 2>/dev/null </dev/null | sort -u >>pids
	perf script --no-inline -i perf.data >want 2>/dev/null </dev/null
	"$BIN/psym" --no-inline perf.data >got 2>said </dev/null
	"$BIN/psym" -q --no-inline --perf-compat perf.data >compat </dev/null
}

# program NAME OPTION... -- COMMAND... - recorded and compared.  Tests beside this one link
# files that it uses to their own caches, which changes ctimes: then it is recorded again.
program()
{
	local name=$1 try
	shift
	for try in 1 2 3; do
		record "$@"
		grep -q 'changed after the recording began' said || break
	done
	perl compare.pl want got compat >compared
	report $? "$name: $(tail -n 1 compared)${try#1}"
	grep -v ' frames are named ' compared
	[ -n "${KEEP:-}" ] && mkdir -p "kept/$name" && mv want got compat said perf.data "kept/$name"
}
fp=-g dwarf="--call-graph dwarf,8192"


flags=(-O2 -g -lpthread)
gcc -fno-omit-frame-pointer -o c-fp shapes.c "${flags[@]}" && program "C" $fp -- ./c-fp
gcc -o c-dwarf shapes.c "${flags[@]}" && program "C, dwarf" $dwarf -- ./c-dwarf
gcc -static-pie -s -fno-omit-frame-pointer -o c-static shapes.c "${flags[@]}" &&
	program "C, static-pie, stripped" $fp -- ./c-static
g++ -fno-omit-frame-pointer -o cxx-fp shapes.cc "${flags[@]}" && program "C++" $fp -- ./cxx-fp
g++ -o cxx-dwarf shapes.cc "${flags[@]}" && program "C++, dwarf" $dwarf -- ./cxx-dwarf
program "shell, find and gzip" $fp -- sh -c 'find /usr/lib -name "*.x"; gzip -1 </usr/bin/perf | wc -c'
program "gcc" $fp -- gcc -O2 -c -o /dev/null shapes.c
program "perl, dwarf" $dwarf -- perl -e 'for (1 .. 150000) { $h{$_ % 999} .= sprintf "%x", $_; } print length join "", sort values %h'
if git -c safe.directory="*" -C "$TOP" rev-parse HEAD >/dev/null 2>&1; then
	program "git" $fp -- git --no-pager -c safe.directory="*" -C "$TOP" log --stat -n 30 --format=%s
else
	echo "ok git # SKIP no git, or no clone"
fi
program "xz, dwarf" $dwarf -- sh -c 'head -c 600000 /usr/bin/perf | exec env xz -1 -c'

rustc -O -C force-frame-pointers=yes -o rust-fp shapes.rs 2>/dev/null && program "Rust" $fp -- ./rust-fp
rustc -O -o rust-dwarf shapes.rs 2>/dev/null && program "Rust, dwarf" $dwarf -- ./rust-dwarf

cat >go.go <<'END'
package main

import ("fmt"; "sort"; "strings")

type shape interface{ area() int }
type square struct{ side int }

func (s square) area() int { return s.side * s.side }
func worker(n int, out chan int) {
	words := []string{}
	for i := 0; i < n; i++ { words = append(words, fmt.Sprint(i*7919%n)) }
	sort.Strings(words)
	var s shape = square{len(strings.Join(words, " "))}
	out <- s.area()
}
func main() {
	out := make(chan int)
	for k := 0; k < 4; k++ { go worker(60000, out) }
	for k := 0; k < 4; k++ { <-out }
}
END
if GOCACHE=$PWD/go-cache GOFLAGS=-mod=mod go build -o go-fp go.go 2>go.log; then
	program "Go" $fp -- ./go-fp
	program "Go, dwarf" $dwarf -- ./go-fp
else
	echo "Go: not asked"
fi

for minor in 11 12 13; do
	for python in "$(command -v python3.$minor)" /root/.pyenv/versions/3.$minor.*/bin/python3; do
		"$python" -c '' 2>/dev/null || continue
		option=
		[ $minor = 11 ] || option='-X perf'
		program "Python 3.$minor" $fp -- "$python" $option work.py
		program "Python 3.$minor behind two programs, dwarf" $dwarf -- sh -c "exec env $python $option work.py"
		break
	done
done

cat >work.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
const end = Date.now() + 300
for (let k = 0, s = 0; Date.now() < end; k++)
	s += fib(18) + JSON.stringify([...Array(99).keys()].map(x => ({ x, y: String(x) })).sort()).length
END
if command -v node >/dev/null; then
	program "Node" $fp -- node work.js
	program "Node with its map" $fp -- node --perf-basic-prof --interpreted-frames-native-stack work.js
	program "Node, dwarf" $dwarf -- sh -c 'node work.js; exit'
else
	echo "Node: not asked"
fi

cat >Work.java <<'END'
import java.util.*;

public class Work {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	public static void main(String[] args) {
		Map<String, Integer> seen = new TreeMap<>();
		for (int i = 0; i < 60000; i++) seen.merge(Integer.toHexString(i * 7919 % 9973), 1, Integer::sum);
		System.out.println(seen.size() + fib(30));
	}
}
END
if javac -d . Work.java 2>/dev/null; then
	program "Java with its map" $fp -- java -XX:+PreserveFramePointer \
		-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -cp . Work
	program "Java, dwarf" $dwarf -- java -cp . Work
else
	echo "Java: not asked"
fi

cat >work.cs <<'END'
using System;
using System.Collections.Generic;
using System.Linq;

static class Work
{
    static int Fib(int n) => n < 2 ? n : Fib(n - 1) + Fib(n - 2);
    static void Main()
    {
        var seen = new SortedDictionary<string, int>();
        for (int i = 0; i < 60000; i++)
            seen[(i * 7919 % 9973).ToString("x")] = i;
        Console.WriteLine(seen.Keys.OrderBy(s => s.Length).Count() + Fib(30));
    }
}
END
runtime=$(find "$(dirname "$(readlink -f "$(command -v dotnet)")")/shared/Microsoft.NETCore.App" \
	-maxdepth 1 -name '10.*' 2>/dev/null | sort -V | tail -n 1)
if [ -n "$runtime" ] && compile work.dll "$runtime" -- work.cs; then
	echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
		>work.runtimeconfig.json
	program ".NET 10 with its map" $fp -- env DOTNET_PerfMapEnabled=1 dotnet exec work.dll
	program ".NET 10, dwarf" $dwarf -- dotnet exec work.dll
else
	echo ".NET 10: not asked"
fi
finish
