#!/bin/sh
# keep.sh NAME [DIR] - adds to the corpus of a target what a long run found in DIR (build/fuzz/NAME):
# inputs that reach an edge no other does, the smallest of each, as found-HASH.
set -eu
cd "$(dirname "$0")/../.."
corpus=tests/fuzz/corpus/$1.tar from=${2:-build/fuzz/$1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/all" "$work/new"
tar -xf "$corpus" -C "$work/all"
tar -tf "$corpus" >"$work/known"
"build/clang-fuzzer/fuzz/$1" -merge=1 -use_counters=0 "$work/all" "$from" >"$work/said" 2>&1 ||
	{ tail -n 30 "$work/said"; exit 1; }
for f in "$work"/all/*; do
	! grep -qxF "${f##*/}" "$work/known" || continue
	# libFuzzer calls a file by the SHA-1 of what is in it.
	cp "$f" "$work/new/found-$(basename "$f" | cut -c1-10)"
done
find "$work/new" -type f -exec tests/fuzz/pack.sh "$1" {} +
echo "$1: $(find "$work/new" -type f | wc -l) more inputs, $(tar -tf "$corpus" | wc -l) in all"
