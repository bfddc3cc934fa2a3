#!/bin/sh
# pack.sh NAME FILE... - adds inputs to the corpus of a fuzz target, each under the name of its file.
# A corpus is a tar of sorted members without times and owners: git stores its changes as deltas.
set -eu
corpus=$(dirname "$0")/corpus/$1.tar
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ ! -e "$corpus" ] || tar -xf "$corpus" -C "$work"
[ $# = 0 ] || cp -- "$@" "$work"
(cd "$work" && find . -type f -printf '%f\0') | LC_ALL=C sort -z |
	tar -cf "$corpus.new" -C "$work" --format=ustar --mode=644 --mtime=@0 --owner=root:0 --group=root:0 \
		--null --verbatim-files-from -T -
mv "$corpus.new" "$corpus"
