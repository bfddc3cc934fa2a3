#!/bin/bash
# psym --perf-compat prints what perf script prints, byte for byte, on captures away
# from home: --symfs of an empty directory gives perf no file to name anything with.
. "$TOP/tests/check.sh"
compat=${COMPAT:-6.1} # current.sh asks another perf
needs_perf "$compat"
needs unzip
cd "$TMPDIR" || exit 1
mkdir empty

# perf 7 calls the number of a tracepoint as the kernel that it runs on does; psym as the recording.
header() { grep -v '^# captured on' | if [ "$compat" = 6.1 ]; then cat; else
	sed -E 's/(\(PERF_TYPE_TRACEPOINT\), .*config = 0x[0-9a-f]+) \([^)]*\)/\1/'
fi; }

for archive in "$TOP"/fixtures/*.prof.tar.gz; do
	name=$(basename "$archive" .prof.tar.gz)
	mkdir "$name"
	tar -xzf "$archive" -C "$name"
done
mkdir trace
unzip -q "$TOP/fixtures/calc10.trace.zip" -d trace

for data in */perf.data trace/*/perf.data trace/*/perf-jit.data native/*.perf.data; do
	perf script --symfs empty -i "$data" >want 2>/dev/null </dev/null
	"$BIN/psym" -q --no-host --perf-compat="$compat" "$data" >got
	same "$data" want got
	perf script --header-only -I -i "$data" 2>/dev/null </dev/null | header >want
	"$BIN/psym" -q --no-host --perf-compat="$compat" --header-only -I "$data" | header >got
	same "$data --header-only -I" want got
done
finish
