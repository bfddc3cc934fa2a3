#!/bin/bash
# One profile on several processors: psym, pfold and pannotate write and say the same for every -j,
# also of damaged files.  A worker that is killed costs nothing, and an interrupt or a full disk leaves
# neither file nor process.  CORES=1 compares every fixture and 500 damaged files.
. "$TOP/tests/check.sh"
needs pgrep python3
cd "$TMPDIR" || exit 1
export XDG_CACHE_HOME=$TMPDIR/cache
all=${CORES:-}

# run J TOOL OPTIONS... - its output to out.J and what it says to said.J, with its exit status.
run()
{
	local j=$1 tool=$2
	shift 2
	"$BIN/$tool" -j "$j" "$@" >"out.$j" 2>"said.$j"
	echo "exit status $?" >>"said.$j"
}

# agrees NAME TOOL OPTIONS... - with 1 and with other numbers of workers.
agrees()
{
	local name=$1 j bad=0
	shift
	run 1 "$@"
	for j in ${jobs:-2 3 7}; do
		run "$j" "$@"
		cmp "out.1" "out.$j" && diff "said.1" "said.$j" || bad=1
	done
	report $bad "$name"
}

for name in java web31 native; do
	mkdir $name
	tar xzf "$TOP/fixtures/$name.prof.tar.gz" -C $name
done
"$BIN/peers/gen-perfdata" 30000 short >short.data
agrees "psym of an archive" psym java
agrees "psym of a perf.data without sources" psym --no-host web31/perf.data
agrees "psym with inlined functions and lines" psym --no-host -F+srcline -m native native/lld.perf.data
agrees "psym of unwound stacks" psym --no-host -m native native/dwarf.perf.data
agrees "psym of many processes" psym --no-host short.data
agrees "psym as perf prints" psym --no-host --perf-compat --show-task-events short.data
agrees "psym as a table of modules" psym --coverage=json java
agrees "psym of missing files" psym --missing --no-host java
agrees "psym of short stacks" psym --max-stack=2 java
agrees "psym of tracepoints" psym --no-host "$TOP/fixtures/perf7/offcpu.data"
agrees "psym of several inputs" psym --no-host java/perf.data short.data
agrees "psym of times between samples" psym --no-host --deltatime short.data
agrees "psym of a text" psym web31/perf_script.out
agrees "psym -q of a text" psym -q web31/perf_script.out
agrees "pfold of a text" pfold web31/perf_script.out
{
	head -n 2000 web31/perf_script.out
	printf '\nweb 7679/7679 [000] 1.000000: PERF_RECORD_COMM: other:7679/7679\n\n'
	tail -n 2000 web31/perf_script.out
} >records.script
agrees "pfold of a text with records" pfold --root=process records.script
agrees "pfold of an archive" pfold java
agrees "pfold of many processes" pfold --no-host --root=process short.data
agrees "pfold with rules" pfold --rules=java java
agrees "pfold of several inputs" pfold --no-host java/perf.data web31/perf.data
agrees "pfold of unwound stacks" pfold --no-host -m native native/dwarf.perf.data
agrees "pfold of slices" pfold --no-host --every=1 java/perf.data

agrees "pannotate of an archive" pannotate --all java
agrees "pannotate of unwound stacks" pannotate --all --no-host -m native native/dwarf.perf.data
agrees "pannotate without inlined functions" pannotate --all --no-inline -m native native/lld.perf.data
agrees "pannotate of many processes" pannotate --all --no-host short.data
agrees "pannotate of a text" pannotate --all --no-host web31/perf_script.out
agrees "pannotate of several inputs" pannotate --all --no-host java/perf.data short.data
agrees "pannotate of one function" pannotate --no-host -m native hot native/fp.perf.data
agrees "pannotate of the hottest functions" pannotate --no-host -m native native/lld.perf.data
for form in csv json html; do
	agrees "pannotate --to $form" pannotate --all --to $form --no-host -m native native/lld.perf.data
	mkdir -p $form.1 $form.3
	for j in 1 3; do
		"$BIN/pannotate" -q -j $j --all --to $form -o $form.$j/ --no-host -m native native/lld.perf.data
	done
	diff -r $form.1 $form.3
	report $? "pannotate --to $form -o DIR/"
	check "which has many files" [ "$(find $form.3 -type f | wc -l)" -gt 40 ]
done

# Profiles of pprof without the names in the map, whose samples are in several parts.
mkdir apart
"$BIN/psym" -q --no-host --to pprof java/perf.data >apart/java.pb
check "a pprof is made" test -s apart/java.pb
agrees "psym of a pprof" psym --no-host apart/java.pb
agrees "psym of a pprof with its mappings" psym --no-host --show-mmap-events apart/java.pb
agrees "pfold of a pprof" pfold --no-host apart/java.pb
agrees "pannotate of a pprof" pannotate --all --no-host apart/java.pb
cp java/*.map apart
agrees "psym of a pprof with a perf map" psym --no-host -m apart apart/java.pb
agrees "pfold of a pprof with a perf map" pfold --no-host -m apart apart/java.pb
for name in fp-ip lld-va heap; do
	agrees "psym of $name" psym --no-host -m native "$TOP/fixtures/pprof/$name.pb.gz"
	agrees "pfold of $name" pfold --no-host -m native "$TOP/fixtures/pprof/$name.pb.gz"
	agrees "pannotate of $name" pannotate --all --no-host -m native "$TOP/fixtures/pprof/$name.pb.gz"
done

# Samples whose chains are too long, in the middle: workers note the frames of the other samples.
cat >lengthen.py <<'P'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
end, samples = at + size, []
while at < end:
    kind, _, size = struct.unpack_from("<IHH", data, at)
    if kind == 9 and size > 80:
        samples.append((at, size))
    at += size
for at, size in samples[len(samples) // 2 :][:2]:
    data[at + 40 : at + size] = b"\xff" * (size - 40)
sys.stdout.buffer.write(data)
P
mkdir hurt && cp java/*.map hurt
python3 lengthen.py java/perf.data >hurt/perf.data
agrees "psym of an archive with damaged samples" psym hurt
check "which is said" grep -q 'contradicts itself' said.1
agrees "pfold of an archive with damaged samples" pfold hurt
cat >damage.py <<'P'
import random, sys
data = bytearray(open(sys.argv[1], "rb").read())
draw = random.Random(int(sys.argv[2]))
for _ in range(draw.choice([1, 3, 20])):
    at = draw.randrange(400, len(data))
    how = draw.randrange(4)
    if how == 0:
        data[at] = draw.randrange(256)
    elif how == 1:
        data[at:at + 16] = bytes(draw.randrange(256) for _ in range(16))
    elif how == 2:
        del data[at:at + draw.choice([1, 8, 4000])]
    else:
        data[at:at] = data[at // 2:at // 2 + 300]
if draw.randrange(8) == 0:
    del data[draw.randrange(1000, len(data)):]
sys.stdout.buffer.write(data)
P
bad=0
jobs=3
damages=10
[ -z "$all" ] || damages=500
for seed in $(seq $damages); do
	source=$(printf '%s\n' java/perf.data web31/perf.data native/dwarf.perf.data \
		web31/perf_script.out apart/java.pb | sed -n "$((seed % 5 + 1))p")
	python3 damage.py "$source" "$seed" >damaged.data
	for tool in psym pfold "pannotate --all"; do
		# shellcheck disable=SC2086 # a tool and its option
		agrees "$tool of damaged file $seed" $tool --no-host damaged.data | grep '^not ok\|^out\|^[<>]' && bad=1
	done
done
report $bad "damaged files"
unset jobs
if [ -n "$all" ]; then
	for archive in "$TOP"/fixtures/*.prof.tar.gz; do
		rm -rf each && mkdir each && tar xzf "$archive" -C each
		for file in "$archive" $(find each -name '*perf.data'); do
			agrees "psym of $(basename "$archive"), ${file##*/}" psym "$file"
			agrees "pfold of $(basename "$archive"), ${file##*/}" pfold "$file"
			agrees "pannotate of $(basename "$archive"), ${file##*/}" pannotate --all "$file"
		done
	done
fi

# begin COMMAND... - starts the program, waits for its workers, and does not read more than one part.
begin()
{
	rm -f fifo && mkfifo fifo
	{ head -c 1500000; read -r _ <go; cat; } <fifo >got &
	reader=$!
	env --default-signal=INT "$@" >fifo 2>said &
	program=$!
	for _ in $(seq 1000); do
		workers=$(pgrep -P "$(pgrep -P $program)" 2>/dev/null)
		[ "$(echo "$workers" | wc -w)" = 3 ] && return 0
		sleep 0.02
	done
	return 1
}
mkfifo go
"$BIN/psym" -q --no-host -j 1 short.data >want
tries=${all:+100} lost=0
for try in $(seq "${tries:-10}"); do
	begin "$BIN/psym" -q --no-host -j 3 short.data
	report $? "try $try: three workers"
	# shellcheck disable=SC2086 # a list
	kill -9 "$(shuf -n 1 -e $workers)"
	echo >go
	wait $program
	check "exit status 0" [ $? = 0 ]
	wait $reader
	same "a worker is killed" want got
	lost=$((lost + $(grep -c 'worker process ended unexpectedly' said)))
	[ -n "$all" ] || [ $lost = 0 ] || break
done

# Workers write to a file themselves, one after the other.
"$BIN/peers/gen-perfdata" 300000 short >long.data
"$BIN/psym" -q --no-host -j 1 long.data >want
killed=0
for try in $(seq "${tries:-10}"); do
	"$BIN/psym" -q --no-host -j 3 long.data >got 2>said &
	program=$!
	for _ in $(seq 1000); do
		workers=$(pgrep -P "$(pgrep -P $program)" 2>/dev/null)
		[ "$(echo "$workers" | wc -w)" = 3 ] && break
	done
	sleep 0.0$((try % 10))
	# shellcheck disable=SC2086 # a list
	kill -9 "$(shuf -n 1 -e $workers)" 2>/dev/null && killed=$((killed + 1))
	wait $program
	check "a file, try $try: exit status 0" [ $? = 0 ]
	same "a file, try $try: a worker is killed" want got
done
check "a worker was killed" [ $killed != 0 ]

# Workers of pannotate write listings, after other workers have read the profile.
calc=$TOP/fixtures/calc10.prof.tar.gz
"$BIN/pannotate" -q --no-host -j 1 --all --to html "$calc" >want
check "listings are long" [ "$(wc -c <want)" -gt 2000000 ]
killed=0
for try in $(seq "${tries:-10}"); do
	begin "$BIN/pannotate" -q --no-host -j 3 --all --to html "$calc"
	report $? "listings, try $try: three workers"
	for _ in $(seq 1000); do
		[ "$(wc -c <got)" -lt 1500000 ] || break
		sleep 0.02
	done
	# shellcheck disable=SC2046 # a list
	kill -9 "$(shuf -n 1 -e $(pgrep -P "$(pgrep -P $program)"))"
	echo >go
	wait $program
	check "exit status 0" [ $? = 0 ]
	wait $reader
	same "a worker is killed" want got
	killed=$((killed + $(grep -c 'its listings are written again' said)))
	[ -n "$all" ] || [ $killed = 0 ] || break
done
check "a killed worker was reported" [ $killed != 0 ]

for signal in INT TERM; do
	begin "$BIN/psym" --no-host -j 3 short.data
	children="$(pgrep -P $program) $workers"
	kill -$signal $program
	echo >go
	wait $program
	check "SIG$signal ends the program" [ $? -gt 128 ]
	wait $reader
	for _ in $(seq 1000); do
		# shellcheck disable=SC2086 # a list
		kill -0 $children 2>/dev/null || break
		sleep 0.05
	done
	# shellcheck disable=SC2086 # a list
	! kill -0 $children 2>/dev/null
	report $? "and leaves no process"
done
status "a full disk" 2 "$BIN/psym" --no-host -j 3 -o /dev/full short.data 2>said
check "which is said" grep -q 'No space left' said
status "a full disk for listings" 2 "$BIN/pannotate" --no-host -j 3 --all -o /dev/full "$calc" 2>said
check "which is said once" [ "$(grep -c 'No space left' said)" = 1 ]
finish
