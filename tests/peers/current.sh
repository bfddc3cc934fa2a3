#!/bin/bash
# psym --perf-compat=7 prints the bytes of a perf 7: of every fixture, and of the profiles that
# this perf records on this machine.  Needs PEERS=DIR with a program perf7 in DIR, or PEERS and
# PERF7=PROGRAM.
. "$TOP/tests/check.sh"
PERF7=${PERF7:-$(find -L "${PEERS:-/nonexistent}" -maxdepth 2 -name perf7 -type f -perm -u+x 2>/dev/null | head -n 1)}
[ -n "$PERF7" ] || { echo "no perf7 below ${PEERS:-PEERS}"; exit 77; }
needs gcc python3
cd "$TMPDIR" || exit 1
mkdir bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$PERF7" >bin/perf
chmod +x bin/perf
export PATH=$PWD/bin:$PATH COMPAT
COMPAT=$(perf --version | sed -nE 's/^perf version (7[.][0-9]+).*/\1/p')
[ -n "$COMPAT" ] || { echo "$PERF7 is no perf 7: $(perf --version)"; exit 77; }

psym() { "$BIN/psym" -q --no-host --perf-compat="$COMPAT" "$@"; }
# alike NAME DATA ROOT OPTION ... - with the files below ROOT
alike()
{
	local name=$1 data=$2 root=$3
	shift 3
	perf script --symfs "$root" "$@" -i "$data" >want 2>/dev/null </dev/null
	psym -m "$root" "$@" "$data" >got
	same "$name $*" want got
}

# With files.  In these programs perf finds all inlined functions that there are.
mkdir native
tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C native
rm native/*.out
for name in fp lld; do
	alike $name native/$name.perf.data "$PWD/native"
	alike $name native/$name.perf.data "$PWD/native" --no-inline
done
alike dwarf native/dwarf.perf.data "$PWD/native" --no-inline
for name in zstd latency deferred dwarf; do
	perf script --symfs "$TOP/fixtures/perf7/root" --no-inline -i "$TOP/fixtures/perf7/$name.data" \
		>want 2>/dev/null </dev/null
	same "the expected output of $name is that of $(perf --version)" want \
		"$TOP/tests/golden/perf7/$name.psym"
done
perf script --symfs "$TOP/fixtures/perf7/root" --no-inline --show-bpf-events --header -I \
	-i "$TOP/fixtures/perf7/domains.data" 2>/dev/null </dev/null | grep -v '^# captured on' >want
same "the expected notes and domains are those of $(perf --version)" want \
	"$TOP/tests/golden/perf7/domains.psym"
perf script --symfs bin -i "$TOP/fixtures/perf7/offcpu.data" 2>/dev/null </dev/null |
	sed 's/^             app       7 \(.* 600000000 offcpu-time\)/          worker       9 \1/' >want
same "off-cpu samples, but for the thread of one" want "$TOP/tests/golden/perf7/offcpu.psym"

# Frames that arrive later are those of the recording that they were taken from.
g++ -std=c++17 -O2 -nostdlib -static -fno-omit-frame-pointer -fno-optimize-sibling-calls \
	-fno-exceptions -fno-stack-protector -o steps "$TOP/fixtures/perf7/steps.cc" || exit 1
if perf record -q -F 1999 -g -o plain.data ./steps 2>why; then
	python3 "$TOP/tests/peers/deferred.py" plain.data deferred.data
	mkdir -p "root$PWD" && cp steps "root$PWD"
	alike plain plain.data "$PWD/root" --no-inline
	alike deferred deferred.data "$PWD/root" --no-inline
	psym -m root plain.data >want
	psym -m root deferred.data >got
	same "deferred or not" want got
else
	echo "ok deferred # SKIP not recorded here: $(grep -m 1 . why)"
fi

for script in perf_script record; do
	mkdir $script
	TMPDIR=$PWD/$script "$TOP/tests/peers/$script.sh"
	report $? "$script.sh"
done
finish
