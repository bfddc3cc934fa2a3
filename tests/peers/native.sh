#!/bin/bash
# Programs recorded here, of gcc, clang and rustc: names are those of perf script, of
# frame pointer chains byte for byte, and inlined functions where perf unwinds.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
needs_perf 6.1
needs perl

mkdir bin

cat >work.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile unsigned long sink;
static inline unsigned long twice(unsigned long x)
{
	return x * 2 + sink % 3;
}
static inline unsigned long thrice(unsigned long x)
{
	return twice(x) + x;
}
static int compare(const void *a, const void *b)
{
	return (int)thrice(*(const unsigned *)a) - (int)thrice(*(const unsigned *)b);
}
__attribute__((noinline, section("other_text"))) static void sorting(unsigned *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (unsigned)rand();
	qsort(p, n, sizeof(*p), compare);
}
__attribute__((noinline, weak)) void weak_name(char *to, size_t n)
{
	memset(to, 'x', n);
	sink += strlen(to) + strtoul("123456", NULL, 10);
}
void strong_name(char *, size_t) __attribute__((alias("weak_name")));
int main(void)
{
	static unsigned p[20000];
	static char text[100000];
	for (int i = 0; i < 60; i++) {
		sorting(p, sizeof(p) / sizeof(*p));
		for (int k = 0; k < 300; k++)
			strong_name(text, sizeof(text) - 1);
	}
	printf("%lu\n", sink);
	return 0;
}
END
cat >work.cc <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
namespace shop {
struct item {
	std::string name;
	unsigned long price;
};
static unsigned long total(const std::map<std::string, item> &all)
{
	unsigned long sum = 0;
	for (const auto &[name, it] : all)
		sum += it.price * name.size();
	return sum;
}
template <class T> __attribute__((noinline)) void order(std::vector<T> &v)
{
	std::sort(v.begin(), v.end(),
	          [](const T &a, const T &b) { return a.name < b.name; });
}
}
int main()
{
	unsigned long sum = 0;
	for (int i = 0; i < 60; i++) {
		std::map<std::string, shop::item> all;
		std::vector<shop::item> v;
		for (unsigned long k = 0; k < 3000; k++) {
			std::string name = "item " + std::to_string(k * 7919 % 3001);
			v.push_back({ name, k });
			all[name] = v.back();
		}
		shop::order(v);
		sum += shop::total(all);
	}
	return sum == 1;
}
END
cat >work.rs <<'END'
use std::collections::BTreeMap;
fn words(n: u64) -> BTreeMap<String, Vec<u64>> {
    let mut all: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for i in 0..n {
        all.entry(format!("w{}", i * 7919 % 1009)).or_default().push(i);
    }
    all
}
fn main() {
    let mut sum = 0;
    for _ in 0..60 {
        let all = words(5000);
        let mut v: Vec<_> = all.iter().map(|(k, v)| (v.iter().sum::<u64>(), k)).collect();
        v.sort();
        sum += v[0].0;
    }
    std::process::exit((sum == 1) as i32);
}
END

# compile OUTPUT COMMAND ... - false, and said, when there is no such compiler.
compile()
{
	command -v "$2" >/dev/null && "${@:2}" -o "bin/$1" >compile.log 2>&1 && return
	echo "ok $1 # SKIP no $2"
	false
}
user() { grep -v 'kernel\.kallsyms\|\[vdso\]\|^$' "$1"; }

# _init has no size; perf lets it reach into the PLT, and an ifunc's stub has no name (offbox-perf.7).
without_stubs()
{
	{
		grep -nE '[[:blank:]](_init|@plt)\+' perf.user
		# Of other linkers perf has no stubs at all.
		case $1 in lld* | mold) grep -n '[@.]plt+' psym.user ;; esac
	} | sed 's/:.*/d/' >stubs.sed
	[ "$(wc -l <perf.user)" != "$(wc -l <psym.user)" ] || sed -i -f stubs.sed perf.user psym.user
}

# record FILE OPTION ... COMMAND - perf 6.1 sometimes ends with "stack smashing detected".
record()
{
	for _ in 1 2 3; do
		perf record -q -o "$@" >record.log 2>&1 || [ $? != 134 ] || continue
		[ -s "$1" ]
		return
	done
	false
}

# as_perf PROGRAM - frame pointers: every byte.
as_perf()
{
	if ! record fp.data -F 999 -g "bin/$1" || ! perf script --no-inline -i fp.data >perf.text 2>/dev/null; then
		echo "ok $1: frame pointers # SKIP perf record does not work here: $(tail -n 1 record.log)"
		return
	fi
	# Only files that samples were taken in have a build-id, not all in their chains.
	"$BIN/psym" -q --perf-compat --no-inline --trust-host -m bin -m /proc/kallsyms fp.data >psym.text
	user perf.text >perf.user
	user psym.text >psym.user
	without_stubs "$1"
	[ "$(grep -c "/$1)\$" perf.user)" -gt 50 ]
	report $? "$1: its functions were met"
	same "$1: frame pointers, names as perf has them" perf.user psym.user
}
# unwound PROGRAM - inlined functions of unwound chains; a library that stands in chains
# alone has no build-id.
unwound()
{
	if ! record dwarf.data -F 499 --call-graph dwarf,4096 "bin/$1" || ! perf script -i dwarf.data >perf.text 2>/dev/null; then
		echo "ok $1: unwound # SKIP perf record does not work here: $(tail -n 1 record.log)"
		return
	fi
	"$BIN/psym" -q --perf-compat --trust-host -m bin -m /proc/kallsyms dwarf.data >psym.text
	user perf.text >perf.user
	user psym.text >psym.user
	without_stubs "$1"
	differ=$(diff perf.user psym.user | grep -c '^[<>]')
	all=$(wc -l <perf.user)
	[ "$((differ * 1000))" -le "$all" ] || diff perf.user psym.user | head -20
	[ "$((differ * 1000))" -le "$all" ] && grep -q '(inlined)$' psym.user
	report $? "$1: unwound, inlined functions as perf has them (of $all lines differ $differ)"
}

# bare PROGRAM - text without header and libraries, as somebody pastes it: offsets in a PIE.
bare()
{
	perf script --no-inline -i fp.data 2>/dev/null | grep -v '[.]so\(\.[0-9]*\)*)$' >perf.text
	perl -pe "s|^(\t *[0-9a-f]+) .* (\(\S*/bin/$1\))\$|\$1 [unknown] \$2|" perf.text >unnamed.text
	"$BIN/psym" -q --no-inline --no-host -m "bin/$1" unnamed.text >psym.text
	user perf.text >perf.user
	user psym.text >psym.user
	without_stubs "$1"
	# perf takes a return address that ends a function for the next one's first byte.
	paste -d'|' perf.user psym.user | grep -v '+0x0 .*|' >both
	cut -d'|' -f1 both >perf.user
	cut -d'|' -f2 both >psym.user
	same "$1: text with neither header nor mapping lines" perf.user psym.user
}

plain="-O2 -g -fno-omit-frame-pointer"
# shellcheck disable=SC2086 # a list
{
	compile c-gcc gcc $plain work.c && as_perf c-gcc && unwound c-gcc
	compile c-clang clang $plain work.c && as_perf c-clang
	compile cc-gcc g++ $plain -std=c++17 work.cc && as_perf cc-gcc && bare cc-gcc && unwound cc-gcc
	compile static-pie g++ $plain -std=c++17 -static-pie work.cc && as_perf static-pie && bare static-pie
	compile cc-clang clang++ $plain -std=c++17 work.cc && as_perf cc-clang
	compile fixed gcc $plain -static -no-pie work.c && as_perf fixed
	# What is mapped lies otherwise than in the file.
	compile lld-huge clang $plain -fuse-ld=lld -no-pie -Wl,-z,max-page-size=0x200000 work.c &&
		as_perf lld-huge && unwound lld-huge
	compile mold clang $plain -fuse-ld=mold work.c && as_perf mold
	compile one-segment gcc $plain -Wl,-z,noseparate-code,-z,max-page-size=0x200000 work.c &&
		as_perf one-segment
	compile two-segments gcc $plain -Wl,--section-start=other_text=0x800000 work.c &&
		as_perf two-segments
	check "two-segments: it has two with code" \
		[ "$(readelf -lW bin/two-segments | grep -c 'LOAD .* R E ')" = 2 ]
	compile rust rustc -O -g -C force-frame-pointers=yes work.rs && as_perf rust
	compile v0 rustc -O -g -C force-frame-pointers=yes -C symbol-mangling-version=v0 \
		-C link-arg=-fuse-ld=lld work.rs && as_perf v0
}

# V8 has labels without type and size inside of its builtins.
node=$(readlink -f "$(command -v node)")
if [ -z "$node" ] || ! nm "$node" 2>/dev/null | grep -q ' construct_stub_create_deopt_addr$'; then
	echo "ok labels in V8's builtins # SKIP there is no node with such symbols"
	finish
fi
cat >new.js <<'END'
const until = Date.now() + 1000;
let sum = 0;
while (Date.now() < until)
	for (let i = 0; i < 1000; i++)
		sum += new (Function('x', 'this.y = x'))(i).y;
console.log(sum);
END
perf record -q -F 999 -g -o node.data "$node" new.js >record.log 2>&1
"$BIN/psym" -q --trust-host node.data >node.text
check "V8's builtin is named" grep -q ' Builtins_JSConstructStubGeneric+0x' node.text
check "labels in it are not" sh -c '! grep -q " construct_stub_.*_addr+0x" node.text'
finish
