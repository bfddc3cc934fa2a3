#!/bin/sh
# keep.sh NAME [DIR] - adds to the corpus of a target what a long run found in DIR (build/fuzz/NAME):
# inputs that reach an edge no other does, the smallest of each, as found-HASH.
set -eu
cd "$(dirname "$0")/../.."
corpus=tests/fuzz/corpus/$1 from=${2:-build/fuzz/$1} n=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$corpus" "$work/all"
"build/clang-fuzzer/fuzz/$1" -merge=1 -use_counters=0 "$work/all" "$from" >"$work/said" 2>&1 ||
	{ tail -n 30 "$work/said"; exit 1; }
for f in "$work"/all/*; do
	[ ! -e "$corpus/${f##*/}" ] || continue
	# libFuzzer calls a file by the SHA-1 of what is in it.
	cp "$f" "$corpus/found-$(basename "$f" | cut -c1-10)"
	n=$((n + 1))
done
echo "$1: $n more inputs, $(find "$corpus" -type f | wc -l) in all"
