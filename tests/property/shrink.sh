#!/bin/bash
# A profile, source or text that shrinks while it is read is damage, said with the file and the
# place.  What was read before is printed, and no filter dies of SIGBUS.  SHRINK=N: N cuts of each.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
mkdir kept && tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C kept || exit 1
app=srv/app/native cuts=${SHRINK:-4}
mkfifo pipe

# shrink FILE K COMMAND... - the reader of the command's output stops in the middle, then FILE
# is cut to K parts of cuts+1.  Sets status; output is in printed, messages are in said.
shrink()
{
	local file=$1 bytes job
	bytes=$(($(stat -c %s "kept/${1#lib/}") * $2 / (cuts + 1)))
	shift 2
	cp "kept/${file#lib/}" "$file"
	"$@" >pipe 2>said &
	job=$!
	{
		head -c 65536
		truncate -s "$bytes" "$file"
		cat
	} <pipe >printed
	wait $job
	status=$?
}

samples() { grep -c '^[a-z]' "$1"; }

psym=("$BIN/psym" --no-host --no-cache --no-inline)
cp -r kept lib
"${psym[@]}" -q -m kept/usr -m kept/srv kept/fp.perf.data >whole
died=0 silent=0 other=0
for i in $(seq "$cuts"); do
	shrink lib/fp.perf.data "$i" "${psym[@]}" -m lib/usr -m lib/srv lib/fp.perf.data
	[ $status = 1 ] || [ "$status$(samples printed)" = "0$(samples whole)" ] || died=1
	# The last page of a file reads as zeros to its end, which is damage of the records there.
	[ "$(samples printed)" = "$(samples whole)" ] ||
		grep -q 'lib/fp.perf.data:[0-9]*: ' said || silent=1
	cmp -s <(head -n 1000 printed) <(head -n 1000 whole) || other=1
done
report $died "perf.data: the status is 1"
report $silent "perf.data: the file and the place are said"
report $other "perf.data: what came before is printed as it was"
cp kept/fp.perf.data lib

died=0 silent=0
for i in $(seq "$cuts"); do
	shrink lib/lld.perf_script.out "$i" "${psym[@]}" lib/lld.perf_script.out
	[ $status = 1 ] || died=$status
	[ "$(samples printed)" -gt 10 ] && grep -q 'lib/lld.perf_script.out:[0-9]*: the file shrank' said || silent=1
done
report $died "a text: the status is 1"
report $silent "a text: what came before is printed, the file is said"

# Small images have been read by then; unit/shrunk.c reads behind the end of a mapping.
died=0
for file in $app/grind-fp $app/libworkfp.so; do
	for i in $(seq 0 "$cuts"); do
		shrink lib/$file "$i" "$BIN/psym" --no-host --no-cache -m lib/srv lib/fp.perf.data
		[ $status -lt 2 ] && [ "$(samples printed)" = "$(samples whole)" ] || died=1
	done
	cp kept/$file lib/$file
done
report $died "an image: every sample is printed"
finish
