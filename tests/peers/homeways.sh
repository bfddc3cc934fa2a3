#!/bin/bash
# Profiles that are read on the machine that recorded them: in each of the ways to record below,
# psym names at least as many frames of each program as perf script.  A name that both print is
# equal, or in one of the classes of compare.pl.  Both read the same bytes, so the load of the
# machine does not matter.
#
#	homeways.sh             one recording for each way, with all programs in it
#	EVERY=1 homeways.sh     one recording for each way and program (takes ten minutes)
#	WAYS='B z' PROGRAMS=go homeways.sh      only these
#	PERF7=PROGRAM           a perf 7 records and prints for the way perf7
#	KEEP=DIR                copies the recordings and both texts of failed cells to DIR
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs perf g++ perl pgrep
case $(perf --version) in
"perf version 6.1."*) ;;
*) cannot "perf is not 6.1: $(perf --version)" ;;
esac
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
ways=${WAYS:-default B z Bz buildid-all buildid-mmap pipe cp a no-timestamp sudo reader container perf7}
wanted=${PROGRAMS:-cpp no-id stripped rust go node java dotnet python}
programs=

# The other user must reach the programs, so they are not below TMPDIR.
place=$(mktemp -d /tmp/homeways.XXXXXX) || exit 1
container=
leave()
{
	sed -nE 's|^[^ ]* ([0-9]+)$|/tmp/perf-\1.map /tmp/jit-\1.dump|p' "$place/every" | xargs -r rm -f
	[ -z "$container" ] || kill -KILL "$container"
	rm -rf "$place"
}
trap leave EXIT
cd "$place" || exit 1
chmod 755 .
: >every
pythons=$(ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9].*/bin/python3 2>/dev/null)
perf_cache # as people record
perf record -q -o try.data true 2>/dev/null || cannot 'perf may not record'

cat >work.cc <<'END'
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace plain {
struct shape {
	virtual ~shape() {}
	virtual unsigned area(unsigned n) const = 0;
};
template <typename T> struct square : shape {
	__attribute__((noinline)) unsigned area(unsigned n) const override
	{
		std::vector<T> v;
		for (unsigned i = 0; i < n; i++)
			v.push_back(i * 7919 % 9973);
		std::sort(v.begin(), v.end(), [](T a, T b) { return a % 101 < b % 101; });
		return v[n / 2];
	}
};
__attribute__((noinline)) unsigned count(unsigned n)
{
	std::map<std::string, unsigned> seen;
	for (unsigned i = 0; i < n; i++)
		seen[std::to_string(i * SEED)]++;
	return seen.size();
}
}

int main(int argc, char **argv)
{
	using namespace std::chrono;
	auto end = steady_clock::now() + milliseconds(argc > 1 ? atoi(argv[1]) : 100);
	plain::shape *s = new plain::square<unsigned>;
	volatile unsigned sum = 0;
	while (steady_clock::now() < end)
		sum = sum + s->area(2000) + plain::count(500);
	delete s;
	return 0;
}
END
cxx() { g++ -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -DSEED="$1" "${@:2}" work.cc; }
make_cpp() { cxx 3 -o cpp; }
make_no-id() { cxx 5 -Wl,--build-id=none -o no-id; }
make_stripped() { cxx 7 -o stripped && perf buildid-cache -a "$PWD/stripped" && strip stripped; }

cat >work.rs <<'END'
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

trait Shape { fn area(&self, n: u32) -> usize; }
struct Square;
impl Shape for Square {
    #[inline(never)]
    fn area(&self, n: u32) -> usize {
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        for i in 0..n { *seen.entry((i * 7919 % 997).to_string()).or_default() += 1; }
        seen.len()
    }
}
fn main() {
    let ms = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(100);
    let end = Instant::now() + Duration::from_millis(ms);
    let shape: Box<dyn Shape> = Box::new(Square);
    let mut sum = 0;
    while Instant::now() < end { sum += shape.area(1000); }
    std::process::exit((sum == 1) as i32);
}
END
make_rust() { rustc -O -g -C force-frame-pointers=yes -o rust work.rs; }

cat >work.go <<'END'
package main

import ("os"; "sort"; "strconv"; "time")

type shape interface{ area(n int) int }
type square struct{ side int }

//go:noinline
func (s square) area(n int) int {
	words := []string{}
	for i := 0; i < n; i++ { words = append(words, strconv.Itoa(i*7919%n)) }
	sort.Strings(words)
	return len(words[n/2]) * s.side
}
func main() {
	ms, _ := strconv.Atoi(os.Args[1])
	end := time.Now().Add(time.Duration(ms) * time.Millisecond)
	var s shape = square{len(os.Args)}
	sum := 0
	for time.Now().Before(end) { sum += s.area(1000) }
	if sum == 1 { os.Exit(1) }
}
END
make_go() { GOCACHE=$PWD/go-cache GOFLAGS=-mod=mod go build -o go work.go; }

cat >work.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
const end = Date.now() + Number(process.argv[2])
for (let s = 0; Date.now() < end;)
	s += fib(18) + JSON.stringify([...Array(99).keys()].map(x => ({ x, y: String(x) })).sort()).length
END
make_node() { node --perf-basic-prof -e 0; }

cat >Work.java <<'END'
import java.util.*;

public class Work {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	static int count(int n)
	{
		Map<String, Integer> seen = new TreeMap<>();
		for (int i = 0; i < n; i++) seen.merge(Integer.toHexString(i * 7919 % 9973), 1, Integer::sum);
		return seen.size();
	}
	public static void main(String[] args) {
		long end = System.currentTimeMillis() + Long.parseLong(args[0]);
		int sum = 0;
		while (System.currentTimeMillis() < end) sum += fib(16) + count(1000);
		System.exit(sum == 1 ? 1 : 0);
	}
}
END
make_java() { javac -d . Work.java; }

cat >work.cs <<'END'
using System;
using System.Collections.Generic;
using System.Linq;

static class Work
{
    static int Fib(int n) => n < 2 ? n : Fib(n - 1) + Fib(n - 2);
    static int Count(int n)
    {
        var seen = new SortedDictionary<string, int>();
        for (int i = 0; i < n; i++)
            seen[(i * 7919 % 9973).ToString("x")] = i;
        return seen.Keys.OrderBy(s => s.Length).Count();
    }
    static int Main(string[] args)
    {
        long end = Environment.TickCount64 + long.Parse(args[0]);
        int sum = 0;
        while (Environment.TickCount64 < end)
            sum += Fib(16) + Count(1000);
        return sum == 1 ? 1 : 0;
    }
}
END
make_dotnet()
{
	local runtime
	runtime=$(find "$(dirname "$(readlink -f "$(command -v dotnet)")")/shared/Microsoft.NETCore.App" \
		-maxdepth 1 -name '10.*' 2>/dev/null | sort -V | tail -n 1)
	echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
		>work.runtimeconfig.json
	[ -n "$runtime" ] && compile work.dll "$runtime" -- work.cs
}

cat >work.py <<'END'
import json, sys, time
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def count(n): return len(json.dumps({str(i): [i] for i in range(n)}))
end = time.time() + int(sys.argv[1]) / 1000
while time.time() < end: fib(12), count(100)
END
python=$(type -P python3) python_options=
for path in /usr/bin/python3 "$(type -P python3.13)" "$(type -P python3.12)" $pythons; do
	[ -n "$path" ] && "$path" -X perf -c 'import sys; sys.exit(not hasattr(sys, "activate_stack_trampoline"))' 2>/dev/null &&
		python=$path python_options='-X perf' && break
done
# shellcheck disable=SC2086 # a list of options
make_python() { "$python" $python_options -c 0; }

for name in $wanted; do
	if make_"$name" >made 2>&1; then
		programs="$programs $name"
	else
		echo "$name: not asked: $(grep -m 1 . made)"
	fi
done
# Where the file system keeps no finer time, a file that was just made may be of the recording.
sleep 1

# start NAME MS - becomes that program, for so many milliseconds.
cat >start <<END
#!/bin/sh
case \$1 in
node) exec node --perf-basic-prof --interpreted-frames-native-stack work.js "\$2" ;;
java) exec java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \\
	-XX:TieredStopAtLevel=4 -cp . Work "\$2" ;;
dotnet) DOTNET_PerfMapEnabled=1 exec dotnet exec work.dll "\$2" ;;
python)
	[ -x "$python" ] && exec "$python" $python_options work.py "\$2"
	exec /usr/bin/python3 work.py "\$2"
	;;
*) exec "\$PWD/\$1" "\$2" ;;
esac
END
# all PREFIX - runs $programs one after the other for $ms, each as a process that "pids" lists.
cat >all <<'END'
#!/bin/bash
for name in $programs; do
	$1 ./start "$name" "$ms" >/dev/null 2>&1 &
	echo "$name $!" >>pids
	wait $!
done
END
# inside - runs them all at the same time, in a place where their paths and /tmp are their own.
cat >inside <<'END'
#!/bin/bash
mkdir -p own && mount --make-rprivate / && mount --bind . /srv && mount --bind own /tmp &&
	mount -t proc proc /proc && cd /srv || exit
for name in $programs; do
	./start "$name" 100000 >/dev/null 2>&1 &
	echo "$name $!" >>within
done
: >started
wait
END
chmod +x start all inside

# What both print of the same samples.  Lines: the program, frames, those that perf names, those
# that psym names, managed frames, those that psym names, and how many names differ, with a reason
# and without one.
cat >compare.pl <<'END'
my ($pids, @texts) = @ARGV;
my (%of, %sum, %shown);
my $none = 0; # samples of which only perf prints no frame
open my $list, '<', $pids or die;
while (<$list>) { /^(\S+) (\d+)$/ and $of{$2} = $1 and $sum{$1} = [ (0) x 7 ] }
sub samples
{
	open my $in, '<', $_[0] or die;
	local $/ = "";
	return map { chomp; [ split /\n/ ] } <$in>;
}
sub frame { $_[0] =~ /^\s+([0-9a-f]+) (.*?) \((\/.*|\[.*|inlined)\)$/ ? ($1, $2, $3) : ('', $_[0], '') }
# Why perf and psym call an address differently.
sub reason
{
	my ($perf, $psym) = @_;
	return 'caller' if $perf =~ /\+0x0$/;          # it returns to where the next function begins
	return 'stub' if $perf =~ /\@plt\+/ && $psym =~ /\@plt\+/; # perf counts relocations
	return 'stub' if $perf =~ /^_init\+/;          # has no size, perf lets it reach into the PLT
	return '';
}
my ($perf, $psym) = map { [ samples($_) ] } @texts;
@$perf == @$psym or print "samples differ: ", scalar @$perf, " and ", scalar @$psym, "\n";
for my $i (0 .. $#$perf) {
	my ($want, $got) = ($$perf[$i], $$psym[$i]);
	my ($pid) = $$want[0] =~ m{\s(-?\d+)/-?\d+\s};
	my $name = defined $pid ? $of{$pid} : undef;
	my $s = defined $name ? $sum{$name} : next;
	@$want > 1 || @$got == 1 or $none++, next; # judge asks perf for the reason
	for my $k (1 .. (@$want > @$got ? $#$want : $#$got)) {
		my ($at, $w, $dso) = $k < @$want ? frame($$want[$k]) : ('', '', '');
		my ($mine, $g, $module) = $k < @$got ? frame($$got[$k]) : ('', '', '');
		my $known = $w ne '' && $w !~ /^\[unknown\]/;
		my $ours = $g ne '' && $g !~ /^\[unknown\]/;
		my $managed = $module =~ m{\.dll$|/perf-\d+\.map$|^/memfd:doublemapper|^//anon};
		$$s[0]++;
		$$s[1]++ if $known;
		$$s[2]++ if $ours;
		$$s[3]++ if $managed;
		$$s[4]++ if $managed && $ours;
		my $differs = $at ne $mine ? "another address" : $known && $ours && $w ne $g ? "another name"
			: $known && !$ours ? "lost" : '' or next;
		# Without times perf may meet a sample before the mapping that it is in.
		my $known_mapping = $dso eq '[unknown]' && $module ne $dso;
		if ($known_mapping || $differs eq 'another name' && reason($w, $g)) { $$s[5]++; next }
		$$s[6]++ if $differs ne 'lost';
		print "$name: $differs: $$want[$k] | $$got[$k]\n" if $shown{"$name $differs"}++ < 3;
	}
}
print "none $none\n" if $none;
print "sum $_ @{$sum{$_}}\n" for sort keys %sum;
END

# What perf script prints of perf.data.  False: perf record was ended before it was ready.
# shellcheck disable=SC2086 # $as is a list
print_by_perf() { $as $printer script --no-inline -F +pid -i perf.data "$@" >want 2>want.err </dev/null; }

# Is each program in at least 30 frames of what perf script prints?
has_frames() { perl compare.pl pids want want | awk '/^sum/ { n++ } /^sum/ && $3 < 30 { n = -99 } END { exit n < 1 }'; }

# judge WAY - beside what psym prints of perf.data, by the processes in "pids".
# shellcheck disable=SC2086 # $as is a list
judge()
{
	local way=$1 name frames perf psym managed theirs reasons others good bad=0 none
	cat pids >>every
	$as "$BIN/psym" --no-inline -F +pid ${version:+--perf-version "$version" --params} perf.data >got 2>said </dev/null
	perl compare.pl pids want got >compared
	while read -r _ name frames perf psym managed theirs reasons others; do
		[ "$frames" -ge 30 ] && [ "$psym" -ge "$perf" ] && [ "$others" = 0 ]
		good=$?
		[ "$name" != dotnet ] || [ $((theirs * 100)) -ge $((managed * 95)) ] || good=1
		report $good "$way, $name: $frames frames, perf names $perf, psym $psym; $reasons differ by a reason, $others without one${managed:+; managed $theirs of $managed}"
		[ $good = 0 ] && continue
		bad=1
		grep -e "^$name:" -e '^samples' compared
	done < <(grep '^sum' compared)
	# If a frame pointer leads to a value such as -72, the call chain has an unknown context
	# marker.  perf then discards the chain, psym prints the rest of it.
	none=$(sed -n 's/^none //p' compared)
	if [ -n "$none" ]; then
		print_by_perf -v
		[ "$(grep -ac '^invalid callchain context' want.err)" -ge "$none" ]
		good=$?
		report $good "$way: perf prints no frames of $none samples, and says that their call chains are invalid"
		[ $good = 0 ] || bad=1
	fi
	if [ $bad = 1 ]; then
		sed 's/^/    /' said
		[ -z "${KEEP:-}" ] || { mkdir -p "$KEEP/$way" && cp perf.data want got said pids "$KEEP/$way"; }
	fi
	grep -q '^sum' compared || { report 1 "$way: nothing was recorded: $(head -c 200 record.log)"; }
}

# The programs run as another user, or both readers do.
stranger='setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent'

# record WAY - $programs, with the variables of try.
record()
{
	case $1 in
	container) record_container || return ;;
	pipe) perf record -q -F 999 -g -o - -- ./all '' 2>record.log >perf.data </dev/null ;;
	*) $recorder record -q -F 999 -g "${options[@]}" -o perf.data -- "$PWD/all" "$user" \
		>record.log 2>&1 </dev/null ;;
	esac
	case $1 in
	cp) sleep 2 && cp perf.data copy && mv copy perf.data ;;
	reader) chmod 644 perf.data && as=$stranger ;;
	esac
	return 0
}

# try WAY - records $programs in that way, and judges it.
try()
{
	local way=$1 options=() user='' recorder=perf
	local as='' printer=perf version=''
	case $way in
	default | cp | reader) ;;
	B) options=(-B) ;;
	z) options=(-z) ;;
	Bz) options=(-B -z) ;;
	a) options=(-a) ;;
	buildid-* | no-timestamp) options=(--"$way") ;;
	sudo) user=$stranger ;;
	perf7)
		recorder=${PERF7:-} printer=${PERF7:-}
		[ -n "$recorder" ] || { echo "$way: not asked without PERF7=PROGRAM"; return; }
		version=$($recorder --version | sed 's/perf version //')
		;;
	esac
	if [ "$way" = sudo ] || [ "$way" = reader ]; then
		$stranger sh -c "test -x '$BIN/psym' && test -x '$PWD/start'" 2>/dev/null ||
			{ echo "ok $way # SKIP another user does not reach the programs"; return; }
	fi
	if [ "$way" = a ] && ! perf record -q -a -o perf.data true >record.log 2>&1; then
		echo "ok a # SKIP perf record -a: $(grep -a -m 1 . record.log)"
		return
	fi
	# On a busy machine, a program may get little processor time.
	for ms in 300 1000 5000; do
		rm -f perf.data pids record.log
		record "$way" || return
		if ! print_by_perf; then
			echo "$way: recorded again: $(grep -a -m 1 . want.err)"
		elif ! has_frames; then
			echo "$way: recorded again, as a program has less than 30 frames in $ms ms"
		else
			break
		fi
	done
	judge "$way"
	[ -z "$container" ] || kill -KILL "$container"
	container=
}

# Records processes that live in namespaces of their own, and stops them.
record_container()
{
	local name pid outer list=
	if [ "$(id -u)" != 0 ] || ! unshare -mpf true 2>/dev/null; then
		echo "ok container # SKIP no namespaces here"
		return 1
	fi
	[ -z "$container" ] || kill -KILL "$container" 2>/dev/null
	rm -f started within
	unshare -mpf --kill-child ./inside 2>/dev/null &
	container=$!
	for _ in $(seq 100); do
		[ -e started ] && break
		sleep 0.1
	done
	sleep 2
	container=$(pgrep -P $!)
	while read -r name pid; do
		for outer in $(pgrep -P "$container"); do
			grep -q "^NSpid:.*[[:space:]]$pid\$" "/proc/$outer/status" 2>/dev/null || continue
			echo "$name $outer" >>pids
			list=$list${list:+,}$outer
			[ "$name" = java ] && nsenter -t "$outer" -m -p jcmd "$pid" Compiler.perfmap >/dev/null 2>&1
		done
	done <within
	perf record -q -F 999 -g -p "$list" -o perf.data -- sleep $((ms / 150)) >record.log 2>&1 </dev/null
	grep -q '^java' pids && nsenter -t "$(sed -n 's/^java //p' pids)" -m -p \
		jcmd "$(sed -n 's/^java //p' within)" Compiler.perfmap >/dev/null 2>&1
	xargs -d , kill -STOP <<<"$list" 2>/dev/null
	return 0
}

export programs ms
every=$programs
for way in $ways; do
	if [ -n "${EVERY:-}" ]; then
		for programs in $every; do try "$way"; done
	else
		programs=$every
		try "$way"
	fi
done
finish
