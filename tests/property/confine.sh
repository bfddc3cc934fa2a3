#!/bin/bash
# A filter that an input has taken over writes nothing but its output, reads nothing else with
# --no-host, and starts no program, opens no socket, traces nothing: each is tried in the programs
# as they are, by a library that is loaded before them.
. "$TOP/tests/check.sh"
needs cc readelf
cd "$TMPDIR" || exit 1
means=$("$BIN/psym" --version | sed -n 's/^confined by: //p')
case $means in
*Landlock*seccomp*) ;;
*) echo "here filters are confined by $means"; exit 77 ;;
esac
cc -shared -fPIC -O1 -D_GNU_SOURCE -I"$TOP/lib" -o plant.so "$TOP/tests/property/confine.c" "$TOP/lib/base/keeper.c" -ldl || exit 1
mkdir tmp out cache elsewhere named
export TMPDIR=$PWD/tmp
echo secret >elsewhere/file
cat >named/text <<'END'
app 12/13 [001] 100.000002:     250000 cycles:
	    7f0000000010 [unknown] (/tmp/perf-12.map)
	          401136 main+0x6 (/usr/bin/app)

END
printf '7f0000000000 18 A::B\n' >named/perf-12.map
echo 'app;main;A::B 7' >named/folded

# planted WHAT FILE COMMAND... - leaves out, err and got.
planted()
{
	local what=$1 file=$2
	shift 2
	rm -rf out
	mkdir out
	PLANT=$what FILE=$file LD_PRELOAD=$PWD/plant.so "$@" >printed 2>err
	got=$?
}

# denied NAME WHAT FILE COMMAND... - it fails, and the rest of the run is right.
denied()
{
	local name=$1
	shift
	planted "$@"
	[ $got = 0 ] && grep -q "^planted $1: Permission denied" err && [ -s out/file ]
	report $? "$name: $1"
	[ "$(cat elsewhere/file)" = secret ] && [ "$(ls elsewhere)" = file ]
	report $? "$name: nothing is changed by it"
}

# refused NAME WHAT FILE COMMAND... - the call is not permitted, and the run is right.
refused()
{
	local name=$1
	shift
	planted "$@"
	[ $got = 0 ] && grep -q "^planted $1: Operation not permitted" err && [ -s out/file ]
	report $? "$name: $1"
	[ ! -e elsewhere/new ] && [ "$(cat elsewhere/file)" = secret ] && [ "$(ls elsewhere)" = file ]
	report $? "$name: nothing is changed by it"
}

here=$PWD
psym=("$BIN/psym" --no-host -m named/perf-12.map -o out/file named/text)
# shellcheck disable=SC2034 # called by its name
pfold=("$BIN/pfold" --no-host -m named -o out/file named/text)
# shellcheck disable=SC2034 # called by its name
pmerge=("$BIN/pmerge" --no-host -m named/perf-12.map -o out/file named/text)
# shellcheck disable=SC2034 # called by its name
pflame=("$BIN/pflame" -o out/file named/folded)
for tool in psym pfold pmerge pflame; do
	declare -n command=$tool
	planted none none "${command[@]}"
	check "$tool goes on by itself" [ $got = 0 -a -s out/file ]
	denied $tool read "$here/elsewhere/file" "${command[@]}"
	refused $tool write "$here/elsewhere/new" "${command[@]}"
	refused $tool write "$here/named/text" "${command[@]}"
	refused $tool remove "$here/elsewhere/file" "${command[@]}"
	denied $tool parent none "${command[@]}"
	for call in execve socket ptrace; do
		refused $tool $call "$here/elsewhere/new" "${command[@]}"
	done
	unset -n command
done

# If files of this machine may be read, they cannot be written either.
for tool in psym pfold pmerge; do
	host=("$BIN/$tool" -m named/perf-12.map -o out/file named/text)
	planted read "$here/elsewhere/file" "${host[@]}"
	check "$tool without --no-host reads" grep -q '^planted read: done' err
	refused "$tool without --no-host" write "$here/elsewhere/new" "${host[@]}"
	denied "$tool without --no-host" parent none "${host[@]}"
	planted read /dev/tty "${host[@]}"
	check "$tool reads no device" grep -q '^planted read: Permission denied' err
	refused "$tool without --no-host" socket none "${host[@]}"
done

# Not even in the directories of the cache, of temporary files and of the output.
cp named/text named/other
for place in cache tmp out; do
	planted write "$here/$place/x" "$BIN/psym" --no-host --cache cache -o out/file named/text
	check "not in $place" grep -q '^planted write: Operation not permitted' err
done
planted read "$here/cache/key" "$BIN/psym" --no-host --cache cache -o out/file named/text
check "the key of the cache is not read" grep -q '^planted read: Permission denied' err
planted write "$here/out/x" "$BIN/psym" --no-host -o out/ named/text named/other
check "not in the directory of outputs" grep -q '^planted write: Operation not permitted' err

# The keeper makes only the output, and goes on whatever it is asked.
asked()
{
	local path=$1
	shift
	planted ask "$path" "$BIN/psym" -q --no-host "$@"
	[ $got = 0 ] && grep -q '^planted ask: Permission denied' err
	report $? "the keeper does not make $path"
	[ -z "$(find . -name 'x*' -newer printed)" ]
	report $? "$path is not there"
}
for path in "$here/elsewhere/x" out/x out/file.x out/../elsewhere/x elsewhere/x /dev/null ""; do
	asked "$path" -o out/file named/text
done
for path in out/x out/x.txt out/../elsewhere/x.txt out/named/text.x out/named/text/../x.txt \
	out/named/text.txt/../../x.txt out//named/text.txt ./out/named/text.txt out/named/text.dir/../x.svg; do
	asked "$path" -o out/ named/text named/other
done
asked out/x named/text
for kind in nonsense much; do
	planted $kind none timeout 60 "$BIN/psym" -q --no-host -o out/file named/text
	[ $got -lt 2 ] && grep -q "^planted $kind: [^d]" err && [ -s out/file ]
	report $? "the keeper refuses it: $kind"
done
check "no temporary file is left" [ -z "$(ls tmp)" ]

# It cannot replace an entry of the cache, nor name one.  It can only order entries, and whatever it
# has done, the entries are those of an honest run.  A library with functions is in a directory and in
# an archive, and an archive has a large member.
mkdir code
cp "$BIN/psym" code/
read -r off size < <(readelf -lW code/psym | awk '$1 == "LOAD" && /R E/ { print $2, $5 }')
printf '%x-%x r-xp %08x 08:01 5 /srv/x/psym\n' $((0x100000000000 + off)) \
	$((0x100000000000 + off + (size + 4095) / 4096 * 4096)) "$off" >code/maps-100.txt
for archive in code.tar.gz other.tar.gz; do
	tar -czf $archive code
done
for ((i = 0; i < 20; i++)); do
	printf 'work 100  %d.000000:  1 cycles: \n\t%16x [unknown] (/srv/x/psym)\n\n' $i $((off + size / 20 * i))
done >addresses
cp addresses others
sleep 0.3 # what is younger is not kept
entries() { (cd "$1" && find . -name '[a-z]-*' -exec md5sum {} + | sort); }
directory=("$BIN/psym" -q --no-host --cache cache -m code -o out/file addresses)
archive=("$BIN/psym" -q --no-host --cache cache -m code.tar.gz -o out/file addresses)
# honest NAME - the entries are those of honest runs.
honest()
{
	entries cache >after
	same "$1: the entries are honest" before after
}
# anew - an empty cache that has the same key.
anew()
{
	rm -rf cache && mkdir cache && cp -p key cache/key
}
"${directory[@]}" && cp out/file wanted
cp -p cache/key key
anew
for command in directory archive; do
	declare -n run=$command
	for i in 1 2 3; do
		"${run[@]}" && cmp -s wanted out/file
		report $? "$command: the same output with a cache, $i"
	done
	unset -n run
done
entries cache >before
for kind in i t d u m; do
	check "the cache has entries: $kind" grep -q "\./$kind-" before
done
for entry in cache/[a-z]-*; do
	name=${entry#cache/}:$(od -A n -t x8 -j 24 -N 8 "$entry" | tr -d ' ')
	for command in directory archive; do
		declare -n run=$command
		planted replace "$name" "${run[@]}"
		check "$entry is loaded, and another one offered" grep -q '^planted replace: done' err
		honest "$entry, $command: replace"
		planted forget "$name" "${run[@]}"
		grep -q '^planted forget: done' err && "${directory[@]}" && "${archive[@]}"
		report $? "$entry is removed, and made again"
		honest "$entry, $command: forget"
		unset -n run
	done
done
for kind in i t d u m T D; do
	name=$kind-0123456789abcdef
	for command in directory archive; do
		declare -n run=$command
		# The makers do it, too.
		anew
		planted store $name:0123456789abcdef "${run[@]}"
		grep -q '^planted store: done' err && [ ! -e cache/$name ] && [ $got = 0 ] && cmp -s wanted out/file
		report $? "$command: no entry $name"
		check "$command: and the makers go on" [ -n "$(entries cache)" ]
		unset -n run
	done
done
# Makers give the same entries whoever orders them.
anew
"${directory[@]}"
entries cache >before
anew
planted order "$here/code/psym" "${directory[@]}"
check "functions of a file are ordered" grep -q '^planted order: done' err
honest "an order"
planted order "$here/elsewhere" "$BIN/psym" -q -m code -o out/file --cache cache addresses
check "a directory that is not a source is not read" grep -q '^planted order: Permission denied' err
[ "$(find cache -name 'i-*' | wc -l)" = "$(grep -c '\./i-' before)" ]
report $? "and has no entry"
# What a run says of members that it has unpacked is for runs with the same inputs and sources.
anew
own=T-0123456789abcdef:0123456789abcdef
planted store $own "${archive[@]}"
planted load $own "${archive[@]}"
check "own entries are read by the same run" grep -q '^planted load: done' err
for words in "code.tar.gz others" "other.tar.gz addresses" "code addresses"; do
	planted load $own "$BIN/psym" -q --no-host --cache cache -m "${words% *}" -o out/file "${words#* }"
	check "but not by another: $words" grep -q '^planted load: No such file' err
done
mv code.tar.gz moved && cp other.tar.gz code.tar.gz && sleep 0.3
planted load $own "${archive[@]}"
check "nor if a source has changed" grep -q '^planted load: No such file' err
rm code.tar.gz && mv moved code.tar.gz

# Workers are no freer.
export WORKERS=1
planted socket none "$BIN/psym" --no-host -j 2 -o out/ named/text named/other
[ $got = 0 ] && [ "$(grep -c '^planted socket: Operation not permitted' err)" = 2 ]
report $? "workers: a call is refused"
planted write "$here/elsewhere/new" "$BIN/psym" --no-host -j 2 -o out/ named/text named/other
[ $got = 0 ] && [ "$(grep -c '^planted write: Operation not permitted' err)" = 2 ]
report $? "workers: nothing is written elsewhere"

unset WORKERS

# --cp writes palette.map in the current directory.
mkdir colors
(cd colors && "$BIN/pflame" --cp -o ../out/file ../named/folded) 2>err
check "palette.map" [ -s colors/palette.map ]
(cd colors && "$BIN/pflame" --cp ../named/folded) 2>err >out/second
same "and read again" out/file out/second

# With --no-host other processes are not read, whatever their files hold.
sleep 20 &
other=$!
for file in cmdline stat status maps; do
	planted read "/proc/$other/$file" "${psym[@]}"
	check "$file of another process" grep -q '^planted read: Permission denied' err
done
# Its keeper has its user, too.
for pid in $other parent; do
	planted signal $pid "${psym[@]}"
	[ $got = 0 ] && grep -q '^planted signal: Operation not permitted' err && kill -0 $other
	report $? "no signal to $pid"
done
planted read /proc/self/status "${psym[@]}"
check "its own status" grep -q '^planted read: done' err
kill $other

# --confine=must needs each layer, and otherwise a missing one is reported.
"$BIN/psym" --no-host --confine=must -q named/text >printed 2>err
check "--confine=must" [ $? = 0 -a ! -s err ]
sleep 20 &
other=$!
"$BIN/psym" --no-host --confine=must -m "/proc/$other/maps" named/text >printed 2>err
[ $? = 2 ] && grep -q '^psym: --confine=must: not confined by Landlock' err
report $? "--confine=must: a part that is skipped"
"$BIN/psym" --no-host -q -m "/proc/$other/maps" named/text >printed 2>err
check "it is reported otherwise" grep -q 'not confined by Landlock: a file below /proc/PID was named' err
kill $other
planted socket none "$BIN/psym" --no-host --confine=off -o out/file named/text
check "--confine=off" grep -q '^planted socket: done' err

# Named files below the directory of another process are still read.
sleep 20 &
"$BIN/psym" --no-host -m "/proc/$!/root$PWD/named/perf-12.map" named/text >printed 2>err
check "a root directory of another process" grep -q A::B printed
"$BIN/psym" --no-host -m "/proc/$!/maps" named/text >printed 2>err
check "its mappings" [ $? = 0 ]
# However the path leads there: Landlock is left out, and that is reported.
ln -s "/proc/$!/maps" maps
ln -s "/proc/$!/root" root
for way in ". maps" "/proc/$! maps" "/proc/$! root$PWD/named/perf-12.map" ". root$PWD/named/perf-12.map"; do
	(cd "${way%% *}" && "$BIN/psym" --no-host -q -m "${way#* }" "$here/named/text") >printed 2>err
	[ $? = 0 ] && [ "$(cat err)" = 'psym: warning: not confined by Landlock: a file below /proc/PID was named' ]
	report $? "it is reported: ${way##* } in ${way%% *}"
	(cd "${way%% *}" && "$BIN/psym" --no-host -q --confine=must -m "${way#* }" "$here/named/text") >printed 2>err
	check "and refused by --confine=must" [ $? = 2 ]
done
kill $!
for own in /proc/self/maps /dev/stdin; do
	"$BIN/psym" --no-host -q --confine=must -m $own named/text <named/perf-12.map >printed 2>err
	check "files of the filter itself: $own" [ $? = 0 -a ! -s err ]
done

# Each system call is made, by this user and by one without rights.  Only those of the list pass.
case $(uname -m) in
x86_64) column=1 ;;
aarch64) column=2 ;;
*) column=0 ;;
esac
listed()
{
	sed -nE 's/^\t\{ "[a-z0-9_]+", \{ (-?[0-9]+), (-?[0-9]+), -?[0-9]+ \}, CALLS_.*/\1 \2/p' "$TOP/lib/base/calls.c" |
		cut -d' ' -f$column | sort
}
# only_listed NAME PSYM...
only_listed()
{
	local name=$1
	shift
	planted numbers 1023 "$@" --no-host -q named/text
	[ $got = 0 ] && grep -q '^planted numbers: done' err
	report $? "$name: each number is tried"
	sed -n 's/^passes \([0-9]*\) .*/\1/p' err | sort >passed
	check "$name: many of the list pass" [ "$(comm -12 passed listed | wc -l)" -ge 70 ]
	# Linux makes 335 and 336 of x86-64 without asking seccomp.  They are no use outside of a probe.
	comm -23 passed listed | grep -vxE '335|336' >others
	[ ! -s others ]
	report $? "$name: no other passes ($(tr '\n' ' ' <others))"
	check "$name: clone3 and openat2 are missing" [ "$(grep -cxE 'passes 43[57] 38' err)" = 2 ]
}
if [ $column != 0 ]; then
	listed >listed
	check "the list is read" [ "$(wc -l <listed)" -gt 100 ]
	only_listed "as this user" "$BIN/psym"
	if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
		# The other user must reach the files, so they are not below TMPDIR.
		place=$(mktemp -d /tmp/confine.XXXXXX) && trap 'rm -rf "$place"' EXIT
		cp -r named plant.so listed "$BIN/psym" "$place" && chmod -R a+rX "$place" && cd "$place" || exit 1
		only_listed "as another user" setpriv --reuid=65534 --regid=65534 --clear-groups ./psym
	fi
fi
finish
