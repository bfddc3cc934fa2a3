#!/bin/bash
# psym --perf-compat=7 prints what a perf 7 prints, byte for byte: of every fixture, and of what
# this perf records on this machine.  Asked with PEERS=DIR, where DIR has a program perf7, or
# with PEERS set and PERF7=PROGRAM.
. "$TOP/tests/check.sh"
PERF7=${PERF7:-$(find -L "${PEERS:-/nonexistent}" -maxdepth 2 -name perf7 -type f -perm -u+x 2>/dev/null | head -n 1)}
[ -n "$PERF7" ] || { echo "no perf7 below ${PEERS:-PEERS}"; exit 77; }
cd "$TMPDIR" || exit 1
mkdir bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$PERF7" >bin/perf
chmod +x bin/perf
export PATH=$PWD/bin:$PATH COMPAT
COMPAT=$(perf --version | sed -nE 's/^perf version (7[.][0-9]+).*/\1/p')
[ -n "$COMPAT" ] || { echo "$PERF7 is no perf 7: $(perf --version)"; exit 77; }
for script in perf_script record; do
	mkdir $script
	TMPDIR=$PWD/$script "$TOP/tests/peers/$script.sh" || failed=1
	checked=1
done
finish
