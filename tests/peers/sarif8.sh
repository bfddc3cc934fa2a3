#!/bin/bash
# A real single-file program of .NET 8, looked for as PEERS/sarif8: the unpacked npm
# package @microsoft/sarif-multitool-linux 5.7.0.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
program=${PEERS:-}/sarif8
[ -d "$program" ] || { echo "no $program"; exit 77; }
tar -xzf "$TOP/fixtures/sarif8.prof.tar.gz" ./perf.data ./perf-6762.map

"$BIN/psym" --no-host -m "$program" -m perf-6762.map perf.data >named 2>said
[ "$(grep -c '^	.*doublemapper (deleted))$' named)" = 1808 ] &&
	! grep -q '\[unknown\] (/memfd:doublemapper' named
report $? "all 1,808 frames of JIT code by the map"
# What the program carries stands behind its own 10,974,928 bytes.
frames() { grep '^	.*/Sarif.Multitool)$' named | sed 's/^[	 ]*//' | perl -ne 'print if hex((split)[0]) >= 10974928'; }
[ "$(frames | wc -l)" = 653 ] && ! frames | grep -q '\[unknown\]'
report $? "all frames of the images that it carries"
check "its own code is said to be stripped, with its build-id" \
	grep -q 'Sarif.Multitool: the symbols of its own code are stripped, build-id [0-9a-f]\{40\};' said
finish
