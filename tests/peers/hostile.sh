#!/bin/bash
# Root runs offbox-collect on hostile processes (hostile.c) of another user, and of root in a container.
# An archive must not contain a byte of a file that the recorded process could not read.  Except for the
# archive, no file may be created or changed.  RACES is the number of races for each test, 50 by default.
. "$TOP/tests/check.sh"
needs unshare setpriv gcc pgrep chroot python3
[ "$(id -u)" = 0 ] || { echo "other users need root"; exit 77; }
unshare --pid --mount --fork --mount-proc true 2>/dev/null || { echo "namespaces cannot be made here"; exit 77; }
# Other users must reach the files, so they are not below TMPDIR.
place=$(mktemp -d /tmp/hostile.XXXXXX) || exit 1
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
collect=$BIN/offbox-collect races=${RACES:-50} top=$PWD
# For a thousand processes, a busy machine needs minutes.
export WAIT=$((300 + races))
# The program also runs in a container without libraries, so it is linked statically.
gcc -static -O1 -D_GNU_SOURCE -o hostile "$TOP/tests/peers/hostile.c" || { echo "there is no static C library"; exit 77; }
ulimit -n 16384
chmod 755 .

secret=SECRET-$$-$RANDOM
mkdir -m 711 secret
mkdir -m 777 evil
mkdir -m 1777 sticky
cp "$TOP/fixtures/README.md" profile # offbox-collect packs the file unchanged
for name in shadow shadow.debug shadow.dbg code code.debug .debug; do
	echo "$secret" >secret/$name
done
echo untouched >secret/victim
chmod 600 secret/* secret/.debug

user=(setpriv --reuid 1234 --regid 1234 --clear-groups)

# begin COMMAND ... - starts the command, waits until it prints "ready", and sets pid.
begin()
{
	: >ready
	"$@" >ready 2>&1 &
	pid=$!
	for _ in {1..200}; do
		grep -q ready ready && return
		sleep 0.05
	done
	echo "not ready: $*"
	cat ready
}

end()
{
	local of
	for of in "${@:-$pid}"; do
		kill -KILL "$of" 2>/dev/null
		wait "$of" 2>/dev/null
	done
}

# collected NAME PID ... - collects the processes, sets took to the seconds, and checks the rules for every
# archive: no byte of a secret, no escape on the terminal, and no file left in TMPDIR.
collected()
{
	local name=$1 got began=$SECONDS
	shift
	TMPDIR=$top/sticky bounded 600 "$collect" -s 8 -i profile -o "$top/$name.tar.gz" "$@" >/dev/null 2>said
	got=$?
	took=$((SECONDS - began))
	[ $got -le 1 ]
	report $? "$name: ends with 0 or 1 (is $got, $took s)"
	mkdir "got-$name"
	tar -xzf "$name.tar.gz" -C "got-$name"
	check "$name: the archive has mappings and files" [ -s "got-$name/proc/$1/maps" -a -d "got-$name/root-$1" ]
	check "$name: no byte of a secret" sh -c '! grep -rlF "$0" "$1"' "$secret" "got-$name"
	check "$name: no escape reaches the terminal" sh -c '! grep -q "$(printf "\033")" said'
	check "$name: no file is left in TMPDIR" [ -z "$(ls sticky)" ]
	rm -f "$name.tar.gz"
}

holds()
{
	find "got-$1" -path "$2" | grep -q .
}

# 1. TMPDIR is the name of one directory, even if it contains blanks, "*" and paths.
mkdir -p "evil/a $top/secret"
begin "${user[@]}" env TMPDIR="$top/evil/a $top/secret/* $top/secret/shadow b" ./hostile map hostile
collected tmpdir $pid
end

# 2. A file next to a mapped file is a link to a secret, or a mount of a secret in a user namespace.
"${user[@]}" mkdir evil/app
"${user[@]}" cp hostile evil/app/shadow
"${user[@]}" ln -s "$top/secret" evil/app/.debug
"${user[@]}" ln -s "$top/secret/shadow" evil/app/shadow.debug
begin "${user[@]}" ./hostile map evil/app/shadow
check "the links lead there, for root" grep -q "$secret" evil/app/.debug/shadow evil/app/shadow.debug
collected link $pid
check "link: the file itself is there" holds link '*/evil/app/shadow'
end
rm evil/app/.debug
"${user[@]}" mkdir evil/app/.debug
if "${user[@]}" unshare --user --map-root-user --mount true 2>/dev/null; then
	begin "${user[@]}" unshare --user --map-root-user --mount sh -c '
		mount --bind secret evil/app/.debug && mount --bind secret/shadow evil/app/hostile.dbg
		exec ./hostile map evil/app/shadow'
	collected bind $pid
	check "bind: the mount was there" grep -q "$top/evil/app/.debug" "/proc/$pid/mountinfo"
	end
else
	echo "ok a mount in a user namespace # SKIP users cannot make one here"
fi

# In a container, links lead to secrets of the host.  Root in the container has the user and group ids of
# the host's root.
mkdir -p box/app box/tmp box/x/app box/proc
cp hostile box/app/code
cp hostile box/hostile
cp box/app/code box/x/app/code
ln -s "$top/secret" box/app/.debug
ln -s "../../../../../../../../..$top/secret/code" box/app/code.debug
ln -s "$top/secret" box/link
begin unshare --pid --mount --fork --kill-child env TMPDIR=/link chroot box /hostile map /app/code
unshared=$pid
pid=$(pgrep -P "$unshared")
echo "$secret" >secret/perf-1.map
check "the link leads there, for the host" grep -q "$secret" box/app/.debug/code box/link/perf-1.map
collected box "$pid"
check "box: the file itself is there" holds box '*/app/code'
end "$pid" "$unshared"

# The process may execute a file, but may not read it.
cp hostile unreadable
chmod 711 unreadable
begin "${user[@]}" ./unreadable map hostile
collected unreadable $pid
check "unreadable: it is left out, and reported" grep -q 'unreadable: left out: the process may not read it' said
check "unreadable: it is not there" sh -c '! find got-unreadable -name unreadable | grep .'
end
# A user runs a set-user-ID program of root.  A file may be packed only if root and the user can read it.
cp hostile evil/raised
chmod 4755 evil/raised
ln secret/shadow evil/perf-1.map
mkdir -m 777 evil/tmp
begin "${user[@]}" env TMPDIR="$top/evil/tmp" evil/raised map hostile
ln secret/shadow "evil/tmp/perf-$pid.map"
collected raised $pid
end
rm -r evil/perf-1.map evil/tmp

# 3. The name of the archive is a link to a secret.  No name may be created in TMPDIR.
ln -s "$top/secret/victim" planted.tar.gz
./hostile watch 600 sticky >made &
watching=$!
until [ -s made ]; do sleep 0.1; done
begin "${user[@]}" ./hostile map evil/app/shadow
collected planted $pid
end
end $watching
check "planted: no name was made in TMPDIR" [ "$(cat made)" = watching ]
check "planted: the file behind the link is as it was" grep -qx untouched secret/victim

# 4. Names of files contain escape sequences of a terminal, or a newline.
odd=$'evil/\033[2Jodd'
"${user[@]}" cp hostile "$odd"
"${user[@]}" cp hostile $'evil/new\nline'
begin "${user[@]}" ./hostile map "$odd" $'evil/new\nline'
rm "$odd"
collected escapes $pid
check "escapes: the name with a newline is reported" grep -q 'new.*line: left out' said
end

# 5. Reads of a file block, a file is too large, or the archive reaches its limit.
"${user[@]}" mkdir evil/slow
"${user[@]}" cp hostile evil/slow/code
"${user[@]}" mkfifo evil/slow/code.debug "evil/slow/pipe"
begin "${user[@]}" env TMPDIR="$top/evil/slow" ./hostile map evil/slow/code
"${user[@]}" mkfifo "evil/slow/perf-$pid.map"
collected fifo $pid
check "fifo: it is not waited for" [ $took -le 60 ]
end
rm evil/slow/perf-*
begin "${user[@]}" env TMPDIR="$top/evil/slow" ./hostile map evil/slow/code
yes | head -c 2000000 >"evil/slow/perf-$pid.map"
TMPDIR=$top/sticky "$collect" -q -s 1 -i profile -o large.tar.gz $pid 2>said
check "large: it is left out, and reported" grep -q "perf-$pid.map: left out: 1 MB" said
yes | head -c 900000 >"evil/slow/perf-$pid.map"
TMPDIR=$top/sticky "$collect" -q -S 1 -i profile -o full.tar.gz $pid 2>said
check "full: the archive has a limit" grep -q 'the archive has reached its limit' said
check "full: it holds to it" [ "$(tar -xzOf full.tar.gz | wc -c)" -le $((1048576 + $(wc -c <profile))) ]
end
rm evil/slow/perf-*
if [ -c /dev/fuse ] && grep -qw fuse /proc/filesystems; then
	"${user[@]}" mkdir evil/slow/.debug
	unshare --mount --propagation private sh -c './hostile fuse evil/slow/.debug >waits & sleep 1
		exec setpriv --reuid 1234 --regid 1234 --clear-groups ./hostile map evil/slow/code' >ready 2>&1 &
	pid=$!
	sleep 2
	collected fuse $pid
	check "fuse: a read waited" grep -q 'a read waits' waits
	check "fuse: it is reported" grep -q 'could not be read in time' said
	check "fuse: a file without an end is cut" grep -q '/code: cut at 8 MB' said
	check "fuse: it is not waited for" [ $took -le 120 ]
	pkill -KILL -P $pid 2>/dev/null
	end
else
	echo "ok a FUSE file system # SKIP this kernel has none"
fi
# A user sends SIGSTOP to all processes of the user, but cannot stop the child of offbox-collect that has
# the user's ids.
begin "${user[@]}" ./hostile map evil/app/shadow
"${user[@]}" ./hostile stop 20 &
stopping=$!
collected stopped $pid
check "stopped: the file is there" holds stopped '*/evil/app/shadow'
end $stopping $pid

# A process has 100,000 mappings, or fewer if the kernel does not allow as many.
most=$(cat /proc/sys/vm/max_map_count)
n=100000
[ "$most" -gt $((n + 100)) ] || echo $((n + 1000)) >/proc/sys/vm/max_map_count 2>/dev/null ||
	n=$((most - 100))
begin "${user[@]}" ./hostile pages hostile $n
collected pages $pid
check "pages: all $n mappings are there" [ "$(wc -l <"got-pages/proc/$pid/maps")" -gt $n ]
echo "$most" >/proc/sys/vm/max_map_count
end
rm -r got-*

# 6. Races.  A process maps many files.  Next to each mapped file, another process repeatedly exchanges a
# file, or its directory, with a link to a secret.  In the last race, a process changes its root directory
# again and again while its files are collected.
"${user[@]}" mkdir evil/files evil/parents
names=() parents=()
for ((i = 0; i < races; i++)); do
	names+=("evil/files/f$i") parents+=("evil/parents/f$i")
done
head -c 4096 hostile >page
pairs=()
for name in "${names[@]}"; do
	ln page "$name"
	echo harmless >"$name.debug"
	ln -s "$top/secret/shadow" "$name.debug-link"
	pairs+=("$name.debug" "$name.debug-link")
done
for name in "${parents[@]}"; do
	ln page "$name"
	echo "$secret" >"secret/${name##*/}"
	chmod 600 "secret/${name##*/}"
done
mkdir evil/parents/.debug
for name in "${parents[@]}"; do
	echo harmless >"evil/parents/.debug/${name##*/}"
done
ln -s "$top/secret" evil/parents/link
chown -hR 1234:1234 evil

begin "${user[@]}" ./hostile map "${names[@]}"
"${user[@]}" ./hostile swap 600 "${pairs[@]}" &
swapping=$!
collected files $pid
end $swapping $pid
echo "files: $(find got-files -name 'f*.debug' | wc -l) of $races were taken, the others were links just then"
check "files: some were taken" holds files '*/f*.debug'

begin "${user[@]}" ./hostile map "${parents[@]}"
"${user[@]}" ./hostile swap 600 evil/parents/.debug evil/parents/link &
swapping=$!
collected parents $pid
end $swapping $pid
echo "parents: $(find got-parents -path '*/.debug/f*' | wc -l) of $races were taken, the others were links just then"
check "parents: some were taken" holds parents '*/.debug/f*'

unshare --pid --mount --fork --kill-child chroot box /hostile roots / /x /app/code &
unshared=$!
for _ in {1..100}; do
	sleep 0.05
	pid=$(pgrep -P $unshared) && grep -q /app/code "/proc/$pid/maps" 2>/dev/null && break
done
pids=()
for ((i = 0; i < races; i++)); do
	pids+=("$pid")
done
collected roots "${pids[@]}"
end "$pid" $unshared
check "nothing was written elsewhere" grep -qx untouched secret/victim
finish
