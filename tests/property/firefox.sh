#!/bin/bash
# psym --to firefox: the output has the required fields of the format, and the samples, times and
# functions that psym prints as text, and is read again.
. "$TOP/tests/check.sh"
needs python3
cd "$TMPDIR" || exit 1
mkdir all root none
tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C all
mv all/srv all/usr root

printed() # FILE OPTION...: its samples as text
{
	local file=$1
	shift
	"$BIN/psym" -q --no-host --ns -F comm,tid,time,ip,sym,dso "$@" "$file" | python3 "$TOP/tests/property/firefox.py" -t
}
written() # FILE OPTION...
{
	local file=$1
	shift
	"$BIN/psym" -q --no-host --to firefox "$@" "$file" >out.json && python3 "$TOP/tests/property/firefox.py" out.json
}
for name in fp lld dwarf; do
	printed "all/$name.perf.data" -m root >want
	written "all/$name.perf.data" -m root >got
	same "the samples of $name" want got
done
check 'inlined functions have a depth' python3 - out.json <<'END'
import json, sys
frames = json.load(open(sys.argv[1]))['shared']['frameTable']
places = set(zip(frames['lib'], frames['address'], frames['inlineDepth']))
assert any((lib, at, depth - 1) in places for lib, at, depth in places if depth)
END
written "all/fp.perf.data" >got
check 'unnamed frames are addresses in their library' [ "$(grep -c '\[unknown\]' got)" -gt 2000 ]
written "$TOP/fixtures/calc10.prof.tar.gz" >got
check 'each category of calc10 is used' python3 - out.json <<'END'
import json, sys
p = json.load(open(sys.argv[1]))
used = {p['meta']['categories'][c]['name'] for c in p['shared']['frameTable']['category']}
assert used >= {'Native', 'Kernel', 'JIT', 'Runtime'}, used
END
# A text, and a profile without times.
for file in fields.script pprof/cpu.pb.gz; do
	written "$TOP/fixtures/$file" >got
	check "$file has samples" [ -s got ]
done
# Profiles of other versions are refused.
refuses() { "$BIN/psym" "$1" 2>&1 | grep -q "$2"; }
echo '{"meta":{"version":29,"processType":0},"libs":[],"threads":[]}' >gecko.json
check 'a Gecko profile is refused' refuses gecko.json ': a Gecko profile without preprocessing cannot be read; open it'
echo '{"meta":{"processType":0,"preprocessedProfileVersion":55}}' >old.json
check 'an old version is refused' refuses old.json ': version 55 of the processed profile is not supported, only 56 to 75$'
sed 's/:55}/:76}/' old.json >new.json
check 'a new version is refused' refuses new.json ': version 76 of the processed profile is not supported, only 56 to 75$'
# The first version that is read has the tables of version 57.
gunzip -c "$TOP/fixtures/firefox/fp-57.json.gz" >57.json
sed 's/"preprocessedProfileVersion": 57/"preprocessedProfileVersion": 56/' 57.json >56.json
check 'a profile of version 56' grep -q '"preprocessedProfileVersion": 56' 56.json
for version in 57 56; do
	"$BIN/pfold" -q --no-host -m root $version.json | grep -v '^#' >$version.stacks
done
same 'version 56' 57.stacks 56.stacks
# Times of day are kept, through OpenTelemetry as well.
meta() { python3 -c 'import json, sys; print(json.load(sys.stdin)["meta"][sys.argv[1]])' "$1"; }
gunzip -c "$TOP/fixtures/firefox/lld-66.json.gz" | sed 's/"startTime": 1000/"startTime": 1795230868836.25/' >day.json
echo 1795230868836.25 >want
"$BIN/psym" -q --no-host --to firefox day.json | meta startTime >got
same 'the time of day' want got
"$BIN/psym" -q --no-host --to otlp day.json >day.otlp
"$BIN/psym" -q --no-host --to firefox day.otlp | meta startTime >got
same 'the time of day in OTLP' want got
# The interval is that of all samples, in any order.
printf '{"meta":{"processType":0,"preprocessedProfileVersion":70},"shared":{"stringArray":["f"],
"stackTable":{"frame":[0],"prefixOffset":[0]},"frameTable":{"func":[0]},"funcTable":{"name":[0]}},
"threads":[{"samples":{"stack":[0,0,0,0],"time":[40,20,10,30]}}]}' >unordered.json
echo 10 >want
"$BIN/psym" -q --no-host --to firefox unordered.json | meta interval >got
same 'the interval of samples that are not sorted' want got
# The names of a profile are kept, and the others are found by its libraries.
for name in fp lld; do
	"$BIN/pfold" -q --no-host -m root "all/$name.perf.data" | grep -v '^#' >want
	for m in root none; do
		"$BIN/psym" -q --no-host -m "$m" --to firefox "all/$name.perf.data" >new.json
		gzip -f new.json
		"$BIN/pfold" -q --no-host -m root new.json.gz | grep -v '^#' >got
		same "the stacks of $name, written with -m $m" want got
	done
done
mv all/fp.perf.data all/lld.perf.data .
"$BIN/psym" -q --no-host --to firefox -o out/ fp.perf.data lld.perf.data
check '--to firefox -o DIR/' [ -s out/fp.perf.data.firefox.json ]
status '--to firefox of two inputs' 2 "$BIN/psym" -q --to firefox fp.perf.data lld.perf.data
finish
