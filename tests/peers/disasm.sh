#!/bin/bash
# The instructions of libc, of a Rust program and of cc1, and of arm64: the same bounds and
# mnemonics as objdump prints.  Compares a part of their functions, or with DISASM=all each
# function.  DISASM_ARM64 is a directory with files of arm64, like a root of Debian.  Set RUST
# to another Rust program.
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
if command -v rustc >/dev/null; then
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
	rustc -O -o work.rust work.rs && judged 4 "${RUST:-work.rust}"
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
finish
