#!/bin/bash
# A filter that an input has taken over writes nothing but its output, reads nothing else with
# --no-host, and starts no program, opens no socket, traces nothing: each is tried in the programs
# as they are, by a library that is loaded before them.
. "$TOP/tests/check.sh"
needs cc
cd "$TMPDIR" || exit 1
means=$("$BIN/psym" --version | sed -n 's/^confined by: //p')
case $means in
*Landlock*seccomp*) ;;
*) echo "here filters are confined by $means"; exit 77 ;;
esac
cc -shared -fPIC -O1 -D_GNU_SOURCE -o plant.so "$TOP/tests/property/confine.c" -ldl || exit 1
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

# ended NAME CALL COMMAND... - it ends the process, which says so, and leaves no output.
ended()
{
	local name=$1 call=$2
	shift 2
	planted "$call" "$PWD/elsewhere/new" "$@"
	[ $got = 159 ] && grep -q ": ended: it called $call, " err && ! grep -q '^planted' err
	report $? "$name: $call"
	[ -z "$(find out tmp -type f)" ] && [ ! -e elsewhere/new ]
	report $? "$name: $call leaves nothing"
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
	denied $tool write "$here/elsewhere/new" "${command[@]}"
	denied $tool write "$here/named/text" "${command[@]}"
	denied $tool remove "$here/elsewhere/file" "${command[@]}"
	denied $tool parent none "${command[@]}"
	for call in execve socket ptrace; do
		ended $tool $call "${command[@]}"
	done
	unset -n command
done

# Where files of this machine may be read, nothing is written there either.
for tool in psym pfold pmerge; do
	host=("$BIN/$tool" -m named/perf-12.map -o out/file named/text)
	planted read "$here/elsewhere/file" "${host[@]}"
	check "$tool without --no-host reads" grep -q '^planted read: done' err
	denied "$tool without --no-host" write "$here/elsewhere/new" "${host[@]}"
	denied "$tool without --no-host" parent none "${host[@]}"
	planted read /dev/tty "${host[@]}"
	check "$tool reads no device" grep -q '^planted read: Permission denied' err
	ended "$tool without --no-host" socket "${host[@]}"
done

# What was given may be written, and no more.
cp named/text named/other
planted write "$here/cache/x" "$BIN/psym" --no-host --cache cache -o out/file named/text
check "in the cache" grep -q '^planted write: done' err
planted write "$here/tmp/x" "${psym[@]}"
check "in TMPDIR" grep -q '^planted write: done' err
rm tmp/x
planted write "$here/out/x" "${psym[@]}"
check "not beside the output" grep -q '^planted write: Permission denied' err
planted write "$here/out/x" "$BIN/psym" --no-host -o out/ named/text named/other
check "in the directory of outputs" grep -q '^planted write: done' err

# Workers are no freer.
export WORKERS=1
planted socket none "$BIN/psym" --no-host -j 2 -o out/ named/text named/other
check "workers: a call ends them" [ $got = 2 ]
[ "$(grep -c ': ended: it called socket, ' err)" = 2 ] && [ -z "$(find out -type f)" ]
report $? "workers: each says so"
planted write "$here/elsewhere/new" "$BIN/psym" --no-host -j 2 -o out/ named/text named/other
[ $got = 0 ] && [ "$(grep -c '^planted write: Permission denied' err)" = 2 ]
report $? "workers: nothing is written elsewhere"

unset WORKERS

# --cp writes palette.map where it stands.
mkdir colors
(cd colors && "$BIN/pflame" --cp -o ../out/file ../named/folded) 2>err
check "palette.map" [ -s colors/palette.map ]
(cd colors && "$BIN/pflame" --cp ../named/folded) 2>err >out/second
same "and read again" out/file out/second

# What is named below the directory of another process is read all the same.
sleep 20 &
"$BIN/psym" --no-host -m "/proc/$!/root$PWD/named/perf-12.map" named/text >printed 2>err
check "a root directory of another process" grep -q A::B printed
"$BIN/psym" --no-host -m "/proc/$!/maps" named/text >printed 2>err
check "its mappings" [ $? = 0 ]
kill $!
finish
