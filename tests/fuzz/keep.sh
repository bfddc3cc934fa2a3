#!/bin/sh
# keep.sh NAME [DIR] - adds to the corpus of a target what a long run found in DIR (build/fuzz/NAME):
# inputs that reach an edge no other does, the smallest of each, as found-HASH.
set -eu
cd "$(dirname "$0")/../.."
corpus=tests/fuzz/corpus/$1 from=${2:-build/fuzz/$1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$corpus"/* "$work"
"build/clang-fuzzer/fuzz/$1" -merge=1 -use_counters=0 "$work" "$from" >"$work.log" 2>&1 ||
	{ tail -n 30 "$work.log"; rm -f "$work.log"; exit 1; }
rm -f "$work.log"
n=0
for f in "$work"/*; do
	[ -e "$corpus/${f##*/}" ] && continue
	name=found-$(sha1sum "$f" | cut -c1-10)
	cp "$f" "$corpus/$name"
	n=$((n + 1))
done
echo "$1: $n more inputs, $(find "$corpus" -type f | wc -l) in all"
