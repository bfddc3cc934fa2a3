#!/bin/bash
# The instructions of libc, of a Rust program and of cc1, and of arm64: the same bounds and
# mnemonics as objdump prints.  Compares a part of their functions, or with DISASM=all each
# function.  DISASM_ARM64 is a directory with files of arm64, like a root of Debian.  Set RUST
# to another Rust program.  Then the sampled code of Node and .NET: the same as objdump prints
# for its bytes, and for .NET the same as the JIT lists.
. "$TOP/tests/check.sh"
needs objdump python3 gcc
cd "$TMPDIR" || exit 1

# judged PARTS FILE [OBJDUMP] - compares the middle one of PARTS parts.
judged()
{
	local parts=$1
	[ "${DISASM:-}" != all ] || parts=1
	python3 "$TOP/tests/peers/disasm.py" "$BIN/peers/disasm" "${3:-objdump}" "$2" $((parts / 2)) "$parts" >said 2>&1
	report $? "instructions of ${2##*/}"
	cat said
}

judged 8 "$(gcc -print-file-name=libc.so.6)"
judged 100 "$(gcc -print-prog-name=cc1)"
if [ -n "${RUST:-}" ]; then
	judged 4 "$RUST"
elif command -v rustc >/dev/null; then
	cat >work.rs <<'END'
use std::collections::HashMap;
fn main() {
    let mut counts: HashMap<String, f64> = HashMap::new();
    for word in std::env::args() {
        *counts.entry(word.to_uppercase()).or_insert(0.0) += word.len() as f64;
    }
    println!("{:?}", counts);
}
END
	rustc -O -o work.rust work.rs && judged 4 work.rust
fi
if command -v aarch64-linux-gnu-objdump >/dev/null; then
	printf '%s\n' 'int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] / 3; return s; }' \
		'int main(int c, char **v) { return f((int *)v, c) ? c << 20 | 0xaaaaaaaa : -c; }' >work.c
	if command -v aarch64-linux-gnu-gcc >/dev/null && aarch64-linux-gnu-gcc -O2 -o work.arm64 work.c; then
		judged 1 work.arm64 aarch64-linux-gnu-objdump
	fi
	for file in ${DISASM_ARM64:+"${DISASM_ARM64:-}"/bin/ls "${DISASM_ARM64:-}"/bin/bash}; do
		judged 1 "$file" aarch64-linux-gnu-objdump
	done
fi

# sampled NAME LEAST SOURCE... - compares the functions in NAME/perf.data that are in the sources.
sampled()
{
	local name=$1 least=$2 options=() source
	shift 2
	for source in "$@"; do
		case $source in *.dll | *.dump) options+=(-m "$source") ;; esac
	done
	"$BIN/pannotate" -q --no-host --all "${options[@]}" -o "$name/" "$name.data" 2>said
	python3 "$TOP/tests/peers/listings.py" "$name" "$least" "$@" >said 2>&1
	report $? "instructions of $name"
	cat said
}

if ! command -v perf >/dev/null || ! perf record -q -o try.data true 2>/dev/null; then
	echo "ok node and .NET # SKIP perf cannot record here"
	finish
fi
if command -v node >/dev/null; then
	cat >work.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
function mix(a, b) { a ^= Math.imul(b, 2654435761); return ((a << 13) | (a >>> 19)) * 5 + 1 }
function hash(s) { let h = 7; for (let i = 0; i < s.length; i++) h = mix(h, s.charCodeAt(i)); return h }
function pick(n) {
	switch (n % 9) {
	case 0: return n * 2.5; case 1: return n - 1; case 2: return n ^ 5; case 3: return n / 3
	case 4: return -n; case 5: return Math.sqrt(n); case 6: return n & 7; case 7: return n << 2
	}
	return n
}
function sum(v) { let s = 0; for (const x of v) s += pick(x) * 0.5; return s }
function table(n) { const m = new Map(); for (let i = 0; i < n; i++) m.set(i % 97, (m.get(i % 97) || 0) + i); return m.size }
function text(n) { let s = ''; for (let i = 0; i < n; i++) s += String.fromCharCode(65 + i % 26); return s }
const end = Date.now() + 2000
for (let k = 0, s = 0; Date.now() < end; k++)
	s += fib(16) + hash(text(2000)) + sum([...Array(3000).keys()]) + table(3000)
END
	perf record -q -k mono -F 999 -g -o node.data node --perf-prof work.js >log 2>&1
	sampled node 5 jit-*.dump
	rm -f jit-*.dump
else
	echo "ok node # SKIP node is not installed"
fi
if command -v dotnet >/dev/null && dotnet --list-runtimes | grep -q '^Microsoft.NETCore.App 10[.]'; then
	cp "$TOP"/fixtures/lines/{shop,desk}.dll .
	echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' >shop.runtimeconfig.json
	# Stubs would be the first record of the jitdump, which then is not valid.
	export DOTNET_PerfMapStubGranularity=2 DOTNET_TieredPGO=0 DOTNET_PerfMapJitDumpPath=$PWD
	DOTNET_PerfMapEnabled=1 DOTNET_JitStdOutFile=$PWD/jit.txt DOTNET_JitDisasm='*' DOTNET_JitDisasmWithCodeBytes=1 \
		perf record -q -k mono -F 999 -g -o jitted.data timeout 8 dotnet exec shop.dll 100 >log 2>&1
	sampled jitted 20 jit-*.dump jit.txt
	DOTNET_TieredCompilation=0 perf record -q -F 999 -g -o ahead.data timeout 5 dotnet exec shop.dll 100 >log 2>&1
	sampled ahead 20 ./*.dll "$(dotnet --list-runtimes | sed -n 's/^Microsoft.NETCore.App \(10[^ ]*\) \[\(.*\)\]$/\2\/\1/p' |
		tail -1)"/System.*.dll
else
	echo "ok .NET # SKIP there is no .NET 10"
fi
finish
