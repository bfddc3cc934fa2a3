#!/bin/bash
# A profile without samples gives complete outputs without stacks, and the picture says so; a byte
# order mark of UTF-8 is not part of a text.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
fold() { "$BIN/pfold" -q --no-host "$@"; }
draw() { "$BIN/pflame" -q "$@"; }
# gives NAME N COMMAND ... - it exits with N, and its output is in got and said.
gives()
{
	local name=$1 want=$2 status
	shift 2
	"$@" >got 2>said
	status=$?
	[ $status = "$want" ] || { echo "exit status $status, not $want: $*"; cat said; }
	[ $status = "$want" ]
	report $? "$name"
}

cp "$TOP/fixtures/empty.perf.data" empty.data
printf '# ========\n# captured on    : Sat Nov 21 02:56:14 2026\n# ========\n#\n' >empty.text
tar -czf empty.tar.gz empty.data
printf 'app 7/7 [000] 1.0: 100 cpu-clock:\n\t401000 main (/srv/app)\n\n' >full.text
echo '# pfold event=cpu-clock samples=0 unit=ns' >empty.want

# --- the filters, one by one and as a pipeline ---
gives 'psym' 0 "$BIN/psym" --no-host empty.data
check 'psym prints a comment' [ "$(cat got)" = '# psym: no samples' ]
check 'psym reports it' [ "$(cat said)" = 'psym: no samples' ]
gives 'psym --perf-compat' 0 "$BIN/psym" -q --no-host --perf-compat empty.data
check 'psym --perf-compat prints what perf prints' [ ! -s got ]
for option in --stat --missing --list-events --coverage --header; do
	gives "psym $option" 0 "$BIN/psym" -q --no-host $option empty.data
done
for input in empty.data empty.tar.gz; do
	gives "pfold $input" 0 "$BIN/pfold" --no-host $input
	same "pfold $input: a header" empty.want got
	check "pfold $input reports it" [ "$(cat said)" = "pfold: $input: no samples" ]
done
gives 'a text' 0 fold empty.text
check 'a text: a header' [ "$(cat got)" = '# pfold event=unknown samples=0 unit=samples' ]
gives 'pfold folds its own output' 0 fold empty.want
same 'to the same' empty.want got
"$BIN/psym" -q --no-host empty.data | "$BIN/pfold" -q | "$BIN/pflame" -q >pipeline.svg
check 'a pipeline succeeds' [ "${PIPESTATUS[*]}" = '0 0 0' ]
check 'its picture has the sentence' grep -q '>no samples</text>' pipeline.svg

# --- every output of pfold ---
for options in --top --by=module --callers=main '--top --callees=main'; do
	# shellcheck disable=SC2086 # words
	gives "pfold $options" 0 fold $options empty.data
	check "pfold $options: the sum and the columns alone" [ "$(wc -l <got)" = "$(($(wc -w <<<"$options") + 1))" ]
done
gives 'pfold --to=csv' 0 fold --to=csv empty.data
check 'pfold --to=csv: the fields alone' [ "$(cat got)" = function,module,kind,self,total ]
gives 'pfold --to=json' 0 fold --to=json empty.data
check 'pfold --to=json is JSON without rows' perl -MJSON::PP -0777 -ne 'exit !!@{decode_json($_)->{rows}}' got
gives 'pfold --to=pprof' 0 fold --to=pprof -o empty.pb.gz empty.data
check 'pfold --to=pprof is whole' gzip -t empty.pb.gz
gives 'pfold --to=speedscope' 0 fold --to=speedscope -o empty.json empty.data
check 'pfold --to=speedscope is JSON without stacks' perl -MJSON::PP -0777 -ne '
	$p = decode_json($_)->{profiles}[0];
	exit !($p->{endValue} == 0 && !@{$p->{samples}} && !@{$p->{weights}})' empty.json
for options in --by-second --every=1s --off-cpu --wall --weight-of=a..b --compat=inferno --rules=kernel --root=pid \
	--count=samples --event=cpu-clock --comms=true --time=1,2; do
	gives "pfold $options" 0 fold $options empty.data
	check "pfold $options: no stacks" [ -z "$(grep -v '^# pfold .* samples=0 ' got)" ]
done

# --- several inputs ---
fold full.text >full.folded
for order in 'empty.data full.text' 'full.text empty.data' 'empty.want full.folded' 'full.folded empty.want'; do
	# shellcheck disable=SC2086 # words
	fold $order >got
	same "the sum of $order is the full one" full.folded got
done
gives 'two empty ones' 0 fold empty.data empty.tar.gz
same 'their sum' empty.want got
gives 'a batch' 0 "$BIN/pfold" -q --no-host -j 2 -o folds/ empty.data full.text empty.tar.gz
same 'a batch: the empty one' empty.want folds/empty.data.folded
same 'a batch: the full one' full.folded folds/full.text.folded
gives 'a batch of pictures' 0 "$BIN/pflame" -q -j 2 -o pictures/ folds/*
check 'a batch of pictures: the empty one' grep -q '>no samples</text>' pictures/folds/empty.data.folded.svg
gives 'one that cannot be read beside it' 1 fold empty.data nothing
same 'is left out' empty.want got

# --- pictures ---
well_formed() { if command -v xmllint >/dev/null; then xmllint --noout "$1"; else grep -q '</svg>' "$1"; fi; }
# picture NAME OPERAND ... - is drawn whole.
picture()
{
	local name=$1
	shift
	gives "$name" 0 draw "$@"
	mv got "$name.svg"
	[[ $name = *html ]] || check "$name is well formed" well_formed "$name.svg"
}
picture empty empty.want
check 'empty: the sentence' grep -q '>no samples</text>' empty.svg
check 'empty: no script that would look for stacks' [ "$(grep -c '<script' empty.svg)" = 0 ]
picture empty-html --html --title 'a & b' empty.want
check 'empty-html: title and sentence' [ "$(grep -cE '>a &amp; b</text>|>no samples</text>' empty-html.svg)" = 2 ]
fold --by-second empty.data >seconds
picture seconds seconds
picture new --diff empty.want full.folded
picture gone --diff full.folded empty.want
for name in new gone; do
	check "$name: the stack is drawn" grep -q '<title>main' $name.svg
	check "$name: no number that is none" [ -z "$(grep -oE '[":, ](nan|inf|NaN)[",: ]' $name.svg)" ]
done
picture both --diff empty.want empty.want
check 'both: the sentence' grep -q '>no samples</text>' both.svg
picture tabs one=full.folded two=empty.want
check 'tabs: the first has boxes' grep -q '<title>main' tabs.svg
check 'tabs: the unit is that of the full one' grep -q '"unit":"ns"' tabs.svg
picture tabs-empty-first one=empty.want two=full.folded
check 'tabs-empty-first: the sentence' grep -q '>no samples</text>' tabs-empty-first.svg
picture tabs-empty one=empty.want two=empty.want
check 'tabs-empty: the sentence' grep -q '>no samples</text>' tabs-empty.svg

# --- other inputs without samples stay unusable ---
: >nothing
echo 'a few words' >words
head -c 300 empty.data >cut.data
echo 'a;b 0' >zero
for input in nothing words cut.data; do
	for tool in psym pfold; do
		[ $tool$input = psymcut.data ] && want=1 || want=2 # what is left of it is read
		gives "$tool $input" $want "$BIN/$tool" -q --no-host $input
		check "$tool $input: no output" [ ! -s got ]
	done
done
for input in nothing words zero; do
	gives "pflame $input" 2 draw $input
done
gives 'an event that the samples are not of' 2 fold --event=none full.text
gives 'rules that keep no sample' 2 fold --keep=none full.text

# --- a byte order mark ---
# marked NAME - the file with a mark.
marked() { { printf '\xef\xbb\xbf'; cat "$1"; } >"marked.$1"; }
printf 'app;main 3\n' >stacks
cp "$TOP/fixtures/bpf/offcputime.txt" bpf
gzip -k full.text && gzip -dc full.text.gz >text
for input in full.text stacks bpf empty.text empty.want; do
	marked $input
	fold $input >want
	fold marked.$input >got
	same "a mark in $input" want got
	fold <marked.$input >got
	same "a mark in $input, through a pipe" want <(fold <marked.$input)
	gzip -f marked.$input
	fold marked.$input.gz >got
	same "a mark in $input, packed" want got
done
marked full.text
"$BIN/psym" -q marked.full.text >got
same 'psym copies the text without the mark' full.text got
mkdir plain with
tar -xzf "$TOP/fixtures/web31.prof.tar.gz" -C plain
cp -R plain/. with
maps=$(cd plain && find . -name 'perf*.map' -o -name 'perfinfo*' -o -name 'maps-*')
check 'there are maps of two kinds and mappings' [ "$(wc -w <<<"$maps")" -ge 3 ]
for f in $maps; do
	{ printf '\xef\xbb\xbf'; cat "plain/$f"; } >"with/$f"
done
fold plain >want
fold with >got
same 'marks in maps' want got
printf 'drop main\n' >rules
marked rules
gives 'a mark in a file of rules' 2 fold --rules marked.rules full.text
check 'the first rule is read' grep -q 'no samples that the rules keep' said
finish
