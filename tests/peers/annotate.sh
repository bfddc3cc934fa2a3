#!/bin/bash
# With --no-inline, pannotate counts the same samples at each address as perf annotate --stdio -n:
# functions of C, C++, Rust and Go, in PIE, other and static programs, and of their libraries.  PERF is
# another perf to compare with, PROGRAMS are those to compare, and FUNCTIONS is the number of functions
# of each program (4).  The source lines of all sampled addresses of these programs are those of
# llvm-symbolizer.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
needs perf objdump gcc g++
perf=${PERF:-perf}

cat >work.c <<'END'
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
static inline unsigned mix(unsigned a, unsigned b)
{
	a ^= b * 2654435761u;
	return ((a << 13) | (a >> 19)) * 5 + 1;
}
__attribute__((noinline)) static unsigned hash(const unsigned char *p, size_t n)
{
	unsigned h = 7;
	for (size_t i = 0; i < n; i++)
		h = mix(h, p[i]);
	return h;
}
__attribute__((noinline)) static unsigned fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static int compare(const void *a, const void *b)
{
	unsigned x = mix(1, *(const unsigned *)a), y = mix(1, *(const unsigned *)b);
	return x < y ? -1 : x > y;
}
int main(void)
{
	static unsigned char text[50000];
	static unsigned v[10000];
	unsigned sum = 0;
	for (int i = 0; i < 60; i++) {
		for (unsigned k = 0; k < 10000; k++)
			v[k] = mix(sum, k);
		memset(text, i, sizeof(text));
		sum += hash(text, sizeof(text)) + fib(18) + (unsigned)strlen((char *)text);
		qsort(v, 10000, sizeof(*v), compare);
	}
	printf("%u\n", sum);
	return 0;
}
END
cat >work.cc <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
#include <cstdio>
namespace shop {
struct item {
	std::string name;
	int price;
	bool operator<(const item &o) const { return price < o.price; }
};
template <typename T> __attribute__((noinline)) void order(std::vector<T> &v)
{
	std::sort(v.begin(), v.end());
}
__attribute__((noinline)) unsigned long count(const std::vector<item> &v)
{
	std::map<int, unsigned long> m;
	for (const item &i : v)
		m[i.price % 512] += i.name.size();
	return m.size();
}
}
int main()
{
	unsigned long sum = 0;
	for (int round = 0; round < 30; round++) {
		std::vector<shop::item> v;
		for (int i = 0; i < 4000; i++)
			v.push_back({ "item" + std::to_string(i), i * 7919 % 10007 });
		shop::order(v);
		sum += shop::count(v);
	}
	printf("%lu\n", sum);
}
END
cat >work.rs <<'END'
use std::collections::HashMap;
#[inline(never)]
fn words(n: u64) -> HashMap<u64, u64> {
    let mut m = HashMap::new();
    for i in 0..n {
        *m.entry(i * 2654435761 % 4096).or_insert(0) += i;
    }
    m
}
fn main() {
    let mut sum = 0u64;
    for _ in 0..20 {
        let mut v: Vec<u64> = words(20000).into_values().collect();
        v.sort_by(|a, b| (a % 1000).cmp(&(b % 1000)));
        sum = sum.wrapping_add(v[0]);
    }
    println!("{}", sum);
}
END

cat >work.go <<'END'
package main

import (
	"fmt"
	"sort"
	"strings"
)

type item struct {
	name  string
	price int
}

func mix(a, b uint32) uint32 {
	a ^= b * 2654435761
	return (a<<13|a>>19)*5 + 1
}

//go:noinline
func hash(s string) uint32 {
	h := uint32(7)
	for i := 0; i < len(s); i++ {
		h = mix(h, uint32(s[i]))
	}
	return h
}

//go:noinline
func count(items []item) map[int]int {
	m := make(map[int]int)
	for _, i := range items {
		m[i.price%512] += len(i.name)
	}
	return m
}

func main() {
	sum := uint32(0)
	text := strings.Repeat("offbox", 20000)
	for round := 0; round < 30; round++ {
		var v []item
		for i := 0; i < 4000; i++ {
			v = append(v, item{fmt.Sprint("item", i), i * 7919 % 10007})
		}
		sort.Slice(v, func(a, b int) bool { return v[a].price < v[b].price })
		sum += hash(text) + uint32(len(count(v)))
	}
	fmt.Println(sum)
}
END

# The samples at each address of a function, as perf counts them.  Fails if perf crashes.
by_perf()
{
	"$perf" annotate --objdump="$(command -v objdump)" --stdio -n -i "$1" -d "$2" -s "$3" >lines 2>/dev/null
	[ $? -lt 128 ] || return
	sed -nE 's/^ *([1-9][0-9]*) +: +([0-9a-f]+):.*/0x\2 \1/p' lines | sort
}

by_pannotate()
{
	local params=
	# As some versions of perf print names.
	case $3 in *')' | *') const' | *') [clone '*) params=--params ;; esac
	"$BIN/pannotate" -q --no-inline ${params:+"$params"} --count=samples --to json "$3" "$1" |
		grep -F "\"module\":\"$2\"," |
		sed -nE 's|.*"address":"(0x[0-9a-f]+)".*"samples":([1-9][0-9]*),.*|\1 \2|p' |
		sort
}

# The functions with most samples of an executable file: "MODULE NAME".
hottest()
{
	"$perf" script -i "$1" -F ip,sym,dso 2>/dev/null |
		sed -nE 's/^ *[0-9a-f]+ (.*) \((\/[^)]*)\)$/\2 \1/p' | grep -Ev ' \[unknown\]$|@plt$' |
		sort | uniq -c | sort -rn | sed -E 's/^ *[0-9]+ //' | head -n "${FUNCTIONS:-4}"
}

# The source line of each sampled address of a program.  llvm-symbolizer prints line 0, or a file of the
# symbol table, if the line is unknown.
lines()
{
	"$BIN/pannotate" -q --all --to json "$1.data" | grep -F "/$1\",\"address\"" |
		sed -nE 's|.*"address":"(0x[0-9a-f]+)"(,"file":"([^"]*/)?([^"/]*)","line":([0-9]+))?.*|\1 \4:\5|p' |
		sort -u >got
	cut -d' ' -f1 got | llvm-symbolizer --obj="$1" --no-inlines --functions=none --addresses |
		paste -d' ' - - - | sed -E 's|^(0x[0-9a-f]+) (.*/)?([^/]*):([0-9]+):[0-9]+ $|\1 \3:\4|; s| [^ ]*:0$| :|' >want
	check "$1: addresses with lines" grep -q ':[0-9]' got
	same "$1: lines of $(wc -l <got) addresses" want got
}

compare()
{
	local module name
	"$perf" record -q -e cpu-clock -F 4000 -o "$1.data" "./$1" >/dev/null 2>&1 || return
	hottest "$1.data" >functions
	check "$1: functions" test "$(wc -l <functions)" -ge 2
	while read -r module name; do
		if ! by_perf "$1.data" "$module" "$name" >want 2>&1; then # perf 6.12 in msort_with_tmp.part.0
			echo "ok $1: $name # SKIP perf annotate crashes"
			continue
		fi
		by_pannotate "$1.data" "$module" "$name" >got
		same "$1: $name" want got
	done <functions
	if command -v llvm-symbolizer >/dev/null; then
		lines "$1"
	else
		echo "ok $1: lines # SKIP llvm-symbolizer is not installed"
	fi
}

gcc -g -O2 -o pie work.c
gcc -g -O2 -no-pie -o fixed work.c
gcc -g -O2 -static -o static work.c
g++ -g -O2 -o cpp work.cc
command -v rustc >/dev/null && rustc -g -O -o rust work.rs 2>/dev/null
command -v go >/dev/null && GOCACHE=$PWD/cache go build -o go work.go
if ! "$perf" record -q -e cpu-clock -o try.data true >/dev/null 2>&1; then
	echo "perf cannot record here"
	exit 77
fi
for program in ${PROGRAMS:-pie fixed static cpp rust go}; do
	[ -x $program ] && compare $program
done

# A function that is inlined in two others, of which each recording has one.
cat >both.c <<'END'
static inline __attribute__((always_inline)) unsigned mix(unsigned a, unsigned b)
{
	a ^= b * 2654435761u;
	return ((a << 13) | (a >> 19)) * 5 + 1;
}
__attribute__((noinline)) static unsigned one(unsigned n)
{
	unsigned h = 7;
	while (n--)
		h = mix(h, n);
	return h;
}
__attribute__((noinline)) static unsigned two(unsigned n)
{
	unsigned h = 9;
	while (n--)
		h = mix(h, n) - 3;
	return h;
}
__attribute__((noinline, noclone)) static unsigned deep(unsigned n)
{
	return n < 2 ? n : deep(n - 1) + 3 * deep(n - 2);
}
int main(int argc, char **argv)
{
	(void)argv;
	return (int)(deep(36) + (argc > 1 ? one(100000000) : two(100000000)));
}
END
gcc -g -O2 -o both both.c
"$perf" record -q -e cpu-clock -F 1000 -o one.data ./both 1 >/dev/null 2>&1
"$perf" record -q -e cpu-clock -F 1000 -o two.data ./both >/dev/null 2>&1
"$BIN/pannotate" -q --to csv mix one.data two.data >printed
check "both recordings give instructions" sh -c 'grep -q "^mix" printed && ! grep -q ",$" printed'
"$BIN/pannotate" -q deep one.data >printed
check "a recursive call has a name" grep -q 'call .* <deep>$' printed
finish
