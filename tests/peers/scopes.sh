#!/bin/bash
# Functions that were compiled into others and have no name of the linker: their scopes, by gdb and
# psym, at every address of the code that gcc, clang and rustc make of namespaces, templates, local
# classes, lambdas and modules; with split and moved out DWARF as well.  gdb leaves out the
# function around a local class and the class of a lambda: what psym prints there is listed below.
# llvm-symbolizer, the second judge, prints names without their scopes.
. "$TOP/tests/check.sh"
needs g++ clang++ gdb llvm-symbolizer objdump perl python3
cd "$TMPDIR" || exit 1
mkdir bin

cat >work.cc <<'END2'
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#define INLINED __attribute__((always_inline)) inline

namespace {
volatile uint64_t sink;
template <class T> struct Box {
	T v;
	struct Inner {
		T w;
		INLINED T spin(T n) { T s = w; for (T i = 0; i < n; i++) s = s * 31 + i; return s; }
	};
	INLINED T turn(T n) const { T s = v; for (T i = 0; i < n; i++) s = s * 17 + i; return s; }
	template <class U> INLINED static U twist(U n) { U s = 3; for (U i = 0; i < n; i++) s = s * 13 + i; return s; }
};
INLINED uint64_t hidden(uint64_t n) { uint64_t s = 1; for (uint64_t i = 0; i < n; i++) s = s * 7 + i; return s; }
}

namespace outer { inline namespace v1 { namespace inner {
struct Point {
	uint64_t x;
	INLINED uint64_t operator()(uint64_t n) const { uint64_t s = x; for (uint64_t i = 0; i < n; i++) s = s * 11 + i; return s; }
};
enum class Kind { A, B };
template <Kind K, int N> INLINED uint64_t pick(uint64_t n) { uint64_t s = N; for (uint64_t i = 0; i < n; i++) s = s * 19 + i + (int)K; return s; }
static inline uint64_t still(uint64_t n) { uint64_t s = 6; for (uint64_t i = 0; i < n; i++) s = s * 43 + i; return s; }
extern "C" INLINED uint64_t in_c(uint64_t n) { uint64_t s = 7; for (uint64_t i = 0; i < n; i++) s = s * 47 + i; return s; }
} } }

namespace app {
struct Job {
	uint64_t seed;
	__attribute__((noinline)) uint64_t run(uint64_t n);
};

uint64_t Job::run(uint64_t n)
{
	auto pass = [this](uint64_t k, const outer::inner::Point &p) __attribute__((always_inline)) {
		uint64_t s = seed;
		for (uint64_t i = 0; i < k; i++)
			s = s * 53 + p.x;
		return s;
	};
	return pass(n, outer::inner::Point{ n });
}
}

__attribute__((noinline)) uint64_t work(uint64_t n)
{
	struct Local {
		uint64_t q;
		INLINED uint64_t go(uint64_t n) { uint64_t s = q; for (uint64_t i = 0; i < n; i++) s = s * 23 + i; return s; }
	} local{ 4 };
	auto plain = [n](uint64_t k) __attribute__((always_inline)) { uint64_t s = n; for (uint64_t i = 0; i < k; i++) s = s * 29 + i; return s; };
	auto generic = [n](auto k) __attribute__((always_inline)) { auto s = n; for (decltype(k) i = 0; i < k; i++) s = s * 37 + i; return s; };
	auto pointed = [n](const char *const *a, uint64_t &out) __attribute__((always_inline)) {
		for (uint64_t i = 0; i < n; i++)
			out = out * 59 + (uint64_t)**a;
	};
	auto around = [&](uint64_t m) __attribute__((always_inline)) {
		auto within = [&](uint64_t z) __attribute__((always_inline)) { uint64_t s = z; for (uint64_t i = 0; i < m; i++) s = s * 41 + i; return s; };
		return within(m) + within(m + 1);
	};
	Box<uint64_t>::Inner in{ 9 };
	Box<uint32_t> b{ 3 };
	const char *text = "text";
	uint64_t total = 0, step = 1;

	sink = sink + local.go(n);
	sink = sink + plain(n);
	sink = sink + generic(n);
	sink = sink + generic((unsigned)n);
	sink = sink + around(n);
	pointed(&text, total);
	sink = sink + in.spin(n);
	sink = sink + b.turn((uint32_t)n);
	sink = sink + Box<uint8_t>::twist<uint64_t>(n);
	sink = sink + hidden(n);
	sink = sink + outer::inner::Point{ 5 }(n);
	sink = sink + outer::inner::pick<outer::inner::Kind::B, 4>(n);
	sink = sink + outer::inner::still(n);
	sink = sink + outer::inner::in_c(n);
	std::vector<uint64_t> v(n);
	std::generate_n(v.begin(), n, [&step]() { return step = step * 6364136223846793005ull + 1; });
	std::sort(v.begin(), v.end(), [](uint64_t a, uint64_t c) { return a > c; });
	return v[n / 2] + total;
}

int main(int argc, char **)
{
	app::Job job{ (uint64_t)argc };
	printf("%lu\n", (unsigned long)(work(2000) + job.run(2000)));
}
END2
cat >work.rs <<'END2'
pub mod deep {
    #[no_mangle]
    #[inline(always)]
    pub extern "C" fn plain(n: u64) -> u64 {
        let mut s = 1u64;
        for i in 0..n { s = s.wrapping_mul(31).wrapping_add(i ^ s); }
        s
    }
}
#[inline(never)]
pub fn work(n: u64) -> u64 { deep::plain(n) }
fn main() { println!("{}", work(std::env::args().count() as u64 * 1000)); }
END2

# The functions in which gdb prints less than psym: those in functions.
cat >longer <<'END2'
Local::go	work::Local::go
operator()	work::<lambda(uint64_t)>::operator()
operator()	work::<lambda(uint64_t)>::operator()::<lambda(uint64_t)>::operator()
operator()	work::<lambda(const char* const*, uint64_t&)>::operator()
operator()	work::<lambda()>::operator()
operator()	work::<lambda(uint64_t, uint64_t)>::operator()
operator()	app::Job::run::<lambda(uint64_t, const outer::v1::inner::Point&)>::operator()
operator()<unsigned long>	work::<lambda(auto)>::operator()<unsigned long>
operator()<unsigned int>	work::<lambda(auto)>::operator()<unsigned int>
END2

# Run by gdb: the functions at each address, innermost first, without their parameters.
cat >blocks.py <<'END2'
import gdb
import re

def bare(name):
    name = re.sub(r"\) (const|volatile|&|&&)+$", ")", name)
    if not name.endswith(")") or name.endswith("operator()"):
        return name
    depth = 0
    for i in range(len(name) - 1, 0, -1):
        depth += (name[i] == ")") - (name[i] == "(")
        if not depth:
            return name[:i]
    return name

with open("addresses") as f:
    for line in f:
        block, names = gdb.block_for_pc(int(line, 16)), []
        while block:
            if block.function:
                names.append(bare(block.function.name))
            block = block.superblock
        print("\t".join(names[:-1]))
END2

# judge.py NAME - compares the inlined functions in ours, of psym, with theirs, of gdb.
cat >judge.py <<'END2'
import re
import sys

integers = [("long long unsigned int", "unsigned long long"), ("long unsigned int", "unsigned long"),
            ("short unsigned int", "unsigned short"), ("long long int", "long long"),
            ("long int", "long"), ("short int", "short")]

def respelled(name):
    for gcc, common in integers:
        name = re.sub(r"\b" + gcc + r"\b", common, name)
    return name

more = {}
for line in open("longer"):
    less, name = line.rstrip("\n").split("\t")
    more.setdefault(less, set()).add(name)
seen, differ, inlined, by_llvm = set(), set(), 0, 0
lines = [[l.rstrip("\n").split("\t") if l.strip() else [] for l in open(f)]
         for f in ("ours", "theirs", "llvms")]
for ours, theirs, llvms in zip(*lines):
    inlined += len(ours) > 0
    if len(ours) != len(theirs):
        differ.add((" <- ".join(ours), " <- ".join(theirs)))
        continue
    for a, b in zip(ours, map(respelled, theirs)):
        seen.add(a)
        if a != b and a not in more.get(b, ()):
            differ.add((a, b))
    for a, b in zip(ours, llvms if len(llvms) == len(ours) else []):
        by_llvm += 1
        if not (respelled(b) == a or a.endswith("::" + respelled(b)) or b.startswith("_") or b == "??"):
            differ.add((a, "llvm: " + b))
for a, b in sorted(differ)[:6]:
    print("psym: %s\ngdb:  %s" % (a, b))
counts = "%d of %d addresses are in inlined functions, of %d names" % (inlined, len(lines[0]), len(seen))
open("counts", "w").write(counts)
open("seen", "w").write("\n".join(sorted(seen)) + "\n")
sys.exit(bool(differ) or not by_llvm or len({len(x) for x in lines}) != 1)
END2

# list FILE FUNCTION ARGUMENT ... - the names at each address of functions whose symbols match, by psym
# with these arguments in ours, by gdb in theirs.
list()
{
	local file=$1 function=$2 offset va size first end path=/srv/${1##*/}
	shift 2
	read -r offset va size < <(readelf -lW "$file" | awk '$1 == "LOAD" && /R E/ { print $2, $3, $5 }')
	first=$((offset & ~4095)) end=$(((offset + size + 4095) & ~4095))
	printf '7f%010x-7f%010x r-xp %08x 08:01 5 %s\n' $first $end $first "$path" >maps-7.txt
	objdump -d --section=.text "$file" | awk -v wanted="$function" '/>:$/ { take = $2 ~ wanted }
		/^ +[0-9a-f]+:\t/ && take { sub(":", "", $1); print $1 }' | sort -u >addresses
	while read -r at; do
		printf 'app 7/7 1.0: 1 cycles:\n\t%16x [unknown] (%s)\n\n' $((0x$at - va + offset)) "$path"
	done <addresses >text
	"$BIN/psym" --no-host --no-cache -m maps-7.txt "$@" text 2>said | awk '/ \(inlined\)$/ {
		sub(/^\t *[0-9a-f]+ /, ""); sub(/\+0x[0-9a-f]+ \(inlined\)$/, ""); all = all (all ? "\t" : "") $0 }
		/^$/ { print all; all = "" }' >ours
	gdb -batch -nx -iex 'set debuginfod enabled off' -x blocks.py "$file" >theirs 2>gdb.log
}

# judged NAME FILE ARGUMENT ... - lists all functions of FILE and compares, with llvm-symbolizer too.
judged()
{
	local name=$1 file=$2 status
	list "$file" . "${@:3}"
	sed 's/^/0x/' addresses | llvm-symbolizer --obj="$file" --inlines --no-demangle | perl -00 -ne '
		@line = split /\n/; @name = @line[grep { !($_ % 2) } 0 .. $#line]; pop @name; print join("\t", @name), "\n"' >llvms
	python3 judge.py >judged.log
	status=$?
	[ $status = 0 ] || head -n 30 judged.log
	report $status "$name: $(cat counts)"
}

# has NAME ... - the names are among those that were compared last.
# shellcheck disable=SC2317 # check calls it
has()
{
	local name
	for name; do
		grep -qxF "$name" seen || { echo "no $name"; return 1; }
	done
}
all=(work::Local::go 'work::<lambda(uint64_t)>::operator()' 'work::<lambda(auto)>::operator()<unsigned int>'
	'work::<lambda(const char* const*, uint64_t&)>::operator()'
	'app::Job::run::<lambda(uint64_t, const outer::v1::inner::Point&)>::operator()'
	'(anonymous namespace)::Box<unsigned long>::Inner::spin' '(anonymous namespace)::Box<unsigned char>::twist<unsigned long>'
	'(anonymous namespace)::hidden' outer::v1::inner::Point::operator\(\) outer::v1::inner::still outer::v1::inner::in_c)

for v in 3 4 5; do
	g++ -O2 -std=c++17 -gdwarf-$v work.cc -o bin/gcc-$v
	judged gcc-$v bin/gcc-$v -m bin/gcc-$v
	check "gcc-$v: each kind of scope is there" has "${all[@]}"
	clang++ -O2 -std=c++17 -gdwarf-$v work.cc -o bin/clang-$v
	judged clang-$v bin/clang-$v -m bin/clang-$v
done
mkdir split && cd split || exit 1
g++ -O2 -std=c++17 -g -gsplit-dwarf -c ../work.cc -o work.o && g++ work.o -o ../bin/split
cd .. || exit 1
judged split bin/split -m bin/split -m split
check "split: each kind of scope is there" has "${all[@]}"
g++ -O2 -std=c++17 -g -fdebug-types-section work.cc -o bin/types
judged types bin/types -m bin/types
g++ -O2 -std=c++17 -g -flto work.cc -o bin/lto
judged lto bin/lto -m bin/lto
if command -v dwz >/dev/null; then
	mkdir dwz
	cp bin/gcc-5 dwz/one
	g++ -O2 -std=c++17 -g -DOTHER work.cc -o dwz/two
	(cd dwz && dwz -m common.debug one two)
	judged dwz dwz/one -m dwz/one -m dwz/common.debug
	check "dwz: each kind of scope is there" has "${all[@]}"
	cp bin/gcc-4 bin/dwz-alone && dwz bin/dwz-alone
	judged dwz-alone bin/dwz-alone -m bin/dwz-alone
else
	echo 'ok dwz # SKIP no dwz'
fi
if rustc -O -g --crate-name app work.rs -o bin/rust 2>rust.log; then
	list bin/rust work -m bin/rust
	grep -no 'app::deep::plain$' theirs >want
	grep -no 'app::deep::plain$' ours >got
	same "rust: the scope of a function that C may call: $(grep -c . got) addresses" want got
else
	echo 'rust: not asked, without rustc'
fi
finish
