#!/bin/bash
# One recording as perf.data and in other formats has the same stacks and weights.  The files in
# fixtures/pprof, fixtures/otlp and fixtures/firefox were written by tests/peers/encode.py.
. "$TOP/tests/check.sh"
needs perf
cd "$TMPDIR" || exit 1
shopt -s nullglob
mkdir all root
tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C all
mv all/srv all/usr root
fold() { "$BIN/pfold" -q --no-host -m root "$@" | grep -v '^#'; }

for name in fp lld; do
	fold "all/$name.perf.data" >"$name.want"
	check "$name.perf.data has many stacks" [ "$(wc -l <"$name.want")" -gt 40 ]
	for file in "$TOP"/fixtures/{pprof,otlp,firefox}/"$name"-*.gz; do
		fold "$file" >got
		same "$(basename "$file") has the stacks of $name.perf.data" "$name.want" got
		gunzip -c "$file" | "$BIN/pfold" -q --no-host -m root | grep -v '^#' >got
		same "$(basename "$file") through a pipe" "$name.want" got
	done
done

# The names of a perf script made of it lead to the same stacks.
"$BIN/psym" -q --no-host -m root "$TOP/fixtures/pprof/lld-va.pb.gz" | "$BIN/pfold" -q | grep -v '^#' >got
same 'psym | pfold' lld.want got

# The build-ids of files without names are listed.
"$BIN/psym" -q --no-host --missing "$TOP/fixtures/pprof/fp-ip.pb.gz" >got
for id in $(perf buildid-list -i all/fp.perf.data 2>/dev/null | awk '/libc.so.6|grind-fp/ { print $1 }'); do
	check "--missing lists $id" grep -q "$id" got
done

# Without build-ids, files are found by the hash of their ends, under any name.  Another file at the
# path of a mapping is not used.
hashed=$TOP/fixtures/otlp/lld-htlhash.otlp.gz
mkdir -p moved/srv/app/native
cp root/srv/app/native/tally moved/other
cp root/srv/app/native/tally.debug moved
cp root/srv/app/native/grind-fp moved/srv/app/native/tally
"$BIN/pfold" -q --no-host -m moved "$hashed" | grep -v '^#' >got
same 'a file is found by its hash' lld.want got
rm moved/other
"$BIN/pfold" -q --no-host -m moved "$hashed" >got
check 'another file at the path is not used' grep -q ';\[tally\]' got
"$BIN/psym" -q --no-host --missing "$hashed" >got
check '--missing lists the hash' grep -Eqx 'htlhash/[0-9a-f]{32}/executable' got

"$BIN/psym" -q --no-host -m root all/fp.perf.data >want
"$BIN/psym" -q --no-host -m root --to text all/fp.perf.data >got
same 'psym --to text is the default' want got
# psym --to pprof: of a recording, and of profiles without names, which do not change otherwise.
for name in fp lld dwarf; do
	fold "all/$name.perf.data" >want
	"$BIN/psym" -q --no-host -m root --to pprof "all/$name.perf.data" >new.pb.gz
	"$BIN/pfold" -q --no-host new.pb.gz | grep -v '^#' >got
	same "psym --to pprof $name.perf.data" want got
done
# What go tool pprof prints, without the functions and lines of locations and the flags of mappings.
bare()
{
	go tool pprof -symbolize=none -raw "$1" 2>/dev/null | sed -nE '
		/^Mappings/,$ { s/ ?\[(FN|FL|LN|IN)\]//g; s/ *$//; p }
		/^Locations/,/^Mappings/ { s/^( *[0-9]+: 0x[0-9a-f]+ M=[0-9]+).*/\1/p }
		1,/^Locations/p'
}
for file in "$TOP"/fixtures/pprof/*.pb.gz; do
	name=$(basename "$file" .pb.gz)
	"$BIN/psym" -q --no-host -m root --to pprof "$file" >new.pb.gz
	fold "$file" >want
	"$BIN/pfold" -q --no-host new.pb.gz | grep -v '^#' >got
	same "psym --to pprof $name: the names" want got
	if command -v go >/dev/null; then
		bare "$file" >want
		bare new.pb.gz >got
		same "psym --to pprof $name: all else" want got
	fi
done
# psym --to otlp: of a recording, of pprof, and of profiles without names, which do not change otherwise.
for file in all/{fp,lld,dwarf}.perf.data "$TOP"/fixtures/pprof/{fp-ip,heap}.pb.gz "$TOP"/fixtures/otlp/*.gz; do
	name=$(basename "$file")
	fold "$file" >want
	"$BIN/psym" -q --no-host -m root --to otlp "$file" >new.otlp
	"$BIN/pfold" -q --no-host new.otlp | grep -v '^#' >got
	same "psym --to otlp $name: the names" want got
done
for file in "$TOP"/fixtures/otlp/*.otlp.gz; do
	name=$(basename "$file" .otlp.gz)
	gunzip -c "$file" >old.otlp
	"$BIN/psym" -q --no-host -m root --to otlp old.otlp >new.otlp
	check "psym --to otlp $name: all else" python3 "$TOP/tests/property/otlp.py" old.otlp new.otlp
	check "psym --to otlp $name: new functions" [ "$(wc -c <new.otlp)" -gt "$(wc -c <old.otlp)" ]
	# Two messages, each after its length.
	n=$(wc -c <old.otlp)
	for i in 1 2; do
		printf "$(printf '\\x%02x' $((n >> 24)) $((n >> 16 & 255)) $((n >> 8 & 255)) $((n & 255)))"
		cat old.otlp
	done >twice.otlp
	"$BIN/psym" -q --no-host -m root --to otlp twice.otlp >new.otlp
	check "psym --to otlp of two messages" python3 "$TOP/tests/property/otlp.py" twice.otlp new.otlp
	fold "$file" | awk '{ n = 2 * $NF; sub(/[0-9]+$/, ""); printf "%s%.0f\n", $0, n }' >want
	"$BIN/pfold" -q --no-host new.otlp | grep -v '^#' >got
	same "psym --to otlp of two messages: the names" want got
done
# The types of values keep their names and units.
"$BIN/psym" -q --no-host -m root --to pprof "$TOP/fixtures/otlp/fp-1.9.otlp.gz" | gunzip -c >got
for word in cpu nanoseconds; do
	check "psym --to pprof of OTLP has the type $word" grep -aq "$word" got
done
# A number in place of a list, and a list inside a list, cost only this field of their sample.
gunzip -c "$TOP/fixtures/otlp/lld-1.11.json.gz" >whole.json
"$BIN/psym" -q --no-host whole.json | grep -c '^[^#[:space:]]' >want
for wrong in 5 '[[1, 2]]'; do
	sed "s/\"attributeIndices\": \[1, 2\]/\"attributeIndices\": $wrong/" whole.json >wrong.json
	status "attributeIndices $wrong" 1 "$BIN/psym" -q --no-host wrong.json
	"$BIN/psym" --no-host wrong.json 2>said | grep -c '^[^#[:space:]]' >got
	same "attributeIndices $wrong: the samples" want got
	check "attributeIndices $wrong is reported" grep -q 'a value has a type that its key does not allow' said
done
# The outputs of several inputs are files of their own.
cp all/fp.perf.data all/lld.perf.data .
status 'psym --to pprof of two inputs' 2 "$BIN/psym" -q --to pprof fp.perf.data lld.perf.data
"$BIN/psym" -q --no-host -m root --to pprof -o out/ fp.perf.data lld.perf.data
check 'psym --to pprof -o DIR/' [ -s out/fp.perf.data.pb.gz -a -s out/lld.perf.data.pb.gz ]
for option in missing stat id header show-mmap-events; do
	status "psym --to pprof --$option" 2 "$BIN/psym" -q --to pprof "--$option" fp.perf.data
done
# The default type of values is that of each input.  Its name may have commas, or be empty.
put_typed() # NAME: two types of that name, and a sample with the values 0 and 5
{
	printf '\x0a\x04\x08\x03\x10\x02\x0a\x04\x08\x01\x10\x02\x12\x07\x0a\x01\x01\x12\x02\x05\x00\x12\x07\x0a\x01\x01\x12\x02\x00\x05'
	printf '\x22\x04\x08\x01\x18\x10\x32\x00'
	printf "\\x32\\x0${#1}%s\\x32\\x05count\\x32\\x05other" "$1"
}
put_typed samples >plain.pb
put_typed 'a,b,c' >commas.pb
put_typed '' >empty.pb
"$BIN/psym" -q --no-host plain.pb commas.pb empty.pb | grep -c '^[^#[:space:]]' >got
echo 3 >want
same 'psym of three inputs' want got
# Functions of one name stay apart if their files differ.  The mapping of the third does not exist.
message() # FIELD BYTES: the bytes are written as \xNN
{
	local n=$((${#2} / 4)) length
	printf -v length '\\x%02x' "$n"
	((n < 128)) || printf -v length '\\x%02x\\x%02x' $((n & 127 | 128)) $((n >> 7))
	printf '\\x%02x%s%s' $(($1 << 3 | 2)) "$length" "$2"
}
number() # FIELD NUMBER
{
	local n=$2
	printf '\\x%02x' $(($1 << 3))
	for (( ; n > 127; n >>= 7)); do printf '\\x%02x' $((n & 127 | 128)); done
	printf '\\x%02x' "$n"
}
text() { message "${2:-5}" "$(printf %s "$1" | od -An -v -tx1 | tr -d '\n' | sed 's/ /\\x/g')"; }
# Of two types of one name, the default one is used: the last one, as by go tool pprof, or the first one
# if the name is that of the default type.
strings=$(for string in '' cpu count nanoseconds; do text "$string" 6; done)
entry=$(message 4 "$(number 1 1; number 3 16)")$(message 2 "$(message 1 '\x01'; message 2 '\x03\x05')")
types=$(for unit in 2 3; do message 1 "$(number 1 1; number 2 $unit)"; done)
printf "$types$entry$strings" >default-5.pb
printf "$types$entry$strings$(number 14 1)" >default-3.pb
for want in 5 3; do
	for option in -q --event=cpu; do
		check "pfold $option: of 3 and 5, one value is $want" \
			[ "$("$BIN/pfold" "$option" --no-host default-$want.pb 2>said | sed -n '$s/.* //p')" = $want ]
		check "psym $option: of 3 and 5, one value is $want" \
			[ "$("$BIN/psym" "$option" --no-host default-$want.pb 2>/dev/null | awk '/cpu/ { print $3 }')" = $want ]
	done
	check 'the other type is reported' grep -q 'left out 1 of 2 types of values, because another one has the name cpu' said
done
tables=
for table in 1 2 3 6 7; do # the first entry of each table means none
	tables+=$(message $table '')
done
tables+=$(message 1 "$(number 1 16; number 2 112; number 4 5)")
samples=
for i in 1 2 3; do
	tables+=$(message 2 "$(number 1 $((i == 3 ? (1 << 32) + 1 : 1)); number 2 $((i * 32)); message 3 "$(number 1 $i; number 2 7)")")
	tables+=$(message 3 "$(number 1 1; number 3 $((i + 1)))")
	tables+=$(message 7 "$(message 1 "\\x0$i")")
	samples+=$(message 2 "$(number 1 $i; message 4 '\x05')")
done
for string in '' parse first.c second.c third.c /srv/app/shop; do
	tables+=$(text "$string")
done
printf "$(message 1 "$(message 2 "$(message 2 "$samples")")"; message 2 "$tables")" >files.otlp
"$BIN/psym" -q --no-host files.otlp >got
check 'two of three locations have a mapping' [ "$(grep -c 'parse (/srv/app/shop)' got)" = 2 ]
"$BIN/psym" -q --no-host --to pprof files.otlp | gunzip -c >got
for word in first.c second.c; do
	check "psym --to pprof has the function of $word" grep -aq "$word" got
done

# A program of Go is found by its id, and asked for by it.
echo '__attribute__((noinline)) int second(int n) { return n * 3 + 1; } int _start(void) { return second(2); }
__asm__(".section .note.go.buildid,\"a\"\n.long 4, 11, 4\n.ascii \"Go\\0\\0aBc/def/ghi\"\n.balign 4\n.previous\n");' >go.c
mkdir -p named/deep
${CC:-cc} -O1 -nostdlib -static -no-pie -Wl,--build-id=none -o named/deep/other go.c
start=0x$(nm named/deep/other | awk '$3 == "second" { print $1 }')
tables=
for table in 1 2 6 7; do tables+=$(message $table ''); done
tables+=$(message 1 "$(number 1 $((0x400000)); number 2 $((0x500000)); number 4 1; message 5 '\x01')")
tables+=$(message 2 "$(number 1 1; number 2 $((start)))"; message 7 "$(message 1 '\x01')")
tables+=$(message 6 "$(number 1 2; message 2 "$(text aBc/def/ghi 1)")")
for string in '' /srv/app/gone process.executable.build_id.go; do tables+=$(text "$string"); done
printf "$(message 1 "$(message 2 "$(message 2 "$(message 2 "$(number 1 1; message 4 '\x05')")")")"; message 2 "$tables")" >go.otlp
"$BIN/psym" -q --no-host --missing go.otlp >got
check '--missing lists the id of Go' grep -Fqx '# take the file from the machine: build-id of Go aBc/def/ghi' got
"$BIN/psym" -q --no-host -m named go.otlp >got
check 'a file is found by its id of Go' grep -q 'second+0x0 (/srv/app/gone)' got

# The second segment of a program has its own place.
echo '__attribute__((section(".other"), noinline)) int second(int n) { return n * 3 + 1; }
int _start(void) { return second(2); }' >two.c
${CC:-cc} -O1 -nostdlib -static -no-pie -Wl,--build-id -Wl,--section-start=.other=0x800000 -o root/two two.c
offset=$(readelf -lW root/two | awk '$3 == "0x0000000000800000" { print $2 }')
id=$(readelf -nW root/two | awk '/Build ID/ { print $3 }')
map=$(number 1 1; number 2 0x800000; number 3 0x801000; number 4 "$offset"; number 5 3; number 6 4)
{
	printf "$(message 1 "$(number 1 1; number 2 2)"; message 2 "$(number 1 1; number 2 5)")"
	printf "$(message 3 "$map"; message 4 "$(number 1 1; number 2 1; number 3 0x800000)")"
	printf "$(for s in '' samples count /two "$id"; do text "$s" 6; done)"
} >two.pb
"$BIN/psym" -q --no-host -m root two.pb >got
check 'a function of the second segment' grep -q 'second+0x0 (/two)' got
# In a profile of Firefox Profiler, the address is relative to the first segment, at 0x400000.
sed 's/__attribute__((section(".other"), noinline))/__attribute__((noinline))/' two.c >far.c
${CC:-cc} -O1 -nostdlib -static -no-pie -Wl,--build-id -Wl,--section-start=.text=0x800000 -o root/far far.c
id=$(readelf -nW root/far | awk '/Build ID/ { print $NF }')
start=0x$(nm root/far | awk '$3 == "second" { print $1 }')
printf '{"meta":{"processType":0,"preprocessedProfileVersion":70},"libs":[{"path":"/far","codeId":"%s"}],
"shared":{"stringArray":["0x1"],"stackTable":{"frame":[0],"prefixOffset":[0]},"frameTable":{"address":[%d],
"lib":[0],"func":[0]},"funcTable":{"name":[0]}},"threads":[{"samples":{"stack":[0]}}]}' "$id" $((start - 0x400000)) >far.json
"$BIN/psym" -q --no-host -m root far.json >got
check 'an address relative to the first segment' grep -q 'second+0x0 (/far)' got
# The highest number of a function leaves room for new ones.
printf "$(message 5 '\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x01')" >>two.pb
"$BIN/psym" -q --no-host -m root --to pprof two.pb | "$BIN/pfold" -q --no-host >got
check 'psym --to pprof after the highest number' grep -q 'second 5$' got
status 'psym --to otlp of a text' 2 "$BIN/psym" -q --to otlp "$TOP/fixtures/fields.script"
status 'psym --to otlp with a selection' 2 "$BIN/psym" -q --to otlp --pid 1 old.otlp
status 'psym --to pprof of a text' 2 "$BIN/psym" -q --to pprof "$TOP/fixtures/fields.script"
status 'psym --to pprof with a selection' 2 "$BIN/psym" -q --to pprof --pid 1 "$file"
finish
