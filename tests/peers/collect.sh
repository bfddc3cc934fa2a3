#!/bin/bash
# offbox-collect: a service in a pid and mount namespace of its own, with a /tmp of its
# own, comes home in one archive that names it.
. "$TOP/tests/check.sh"
needs perf node unshare setpriv gcc pgrep
[ "$(id -u)" = 0 ] || { echo "namespaces need root"; exit 77; }
unshare --pid --mount --fork --mount-proc true 2>/dev/null || { echo "namespaces cannot be made here"; exit 77; }
cd "$TMPDIR" || exit 1

collect=$BIN/offbox-collect
mkdir own

# serve NAME COMMAND ... - runs it as pid 1 of its namespaces; sets pid to what it is here.
serve()
{
	local name=$1
	shift
	cat >$name.sh <<-'END'
		mount -t tmpfs none own && cp -r app/. own && mount --bind own /tmp &&
			cd /tmp && exec "$@"
	END
	unshare --pid --mount --fork --mount-proc --kill-child sh $name.sh "$@" >$name.log 2>&1 &
	unshared=$!
	for _ in {1..100}; do
		sleep 0.1
		pid=$(pgrep -P $unshared) && [ -s "/proc/$pid/root/tmp/perf-1.map" ] && break
	done
	sleep 0.5
}

stop()
{
	kill -KILL "$pid"
	wait "$unshared" 2>/dev/null
}

named()
{
	"$BIN/psym" -q --no-host "$1" >"$2" && [ -s "$2" ]
}

mkdir app
cat >app/service.js <<'END'
function spin(n) { let s = 0; for (let i = 0; i < n; i++) s += JSON.stringify({ a: i, b: [i] }).length; return s; }
function handleRequest() { return spin(20000); }
setInterval(handleRequest, 1);
END

serve node node --perf-basic-prof --interpreted-frames-native-stack service.js
# A link in the place of a map is not followed.
ln -s /etc/passwd "/proc/$pid/root/tmp/jit-1.dump"
status "node: is collected" 0 "$collect" -d 2 -F 499 -o node.tar.gz "$pid"
tar -xzOf node.tar.gz ./perf.data >node.data
# A sidecar may not read map_files, and has the files by their paths.
status "sidecar: is collected" 0 setpriv --bounding-set=-sys_admin,-checkpoint_restore --inh-caps=-all \
	"$collect" -i node.data -o sidecar.tar.gz "$pid"
stop
mkdir node
tar -xzf node.tar.gz -C node
for part in perf.data perf_script.out uname.txt proc/$pid/maps proc/$pid/status tmp-$pid/perf-1.map \
	root-$pid"$(readlink -f "$(command -v node)")"; do
	check "node: holds ${part//$pid/PID}" [ -s "node/$part" ]
done
check "node: a link out of the service is not followed" [ ! -e "node/tmp-$pid/jit-1.dump" ]
check "node: nothing is unpacked outside" sh -c '! tar -tzf node.tar.gz | grep -qE "^/|[.][.]"'
check "node: psym reads it" named node.tar.gz node.named
check "node: handleRequest has its name" grep -q 'handleRequest.*(/tmp/perf-' node.named
check "node: no JIT frame is left" sh -c '! grep -qE "\[unknown\] \((/tmp/perf-|//anon)" node.named'
# The profile alone, as another machine has it.
rm node/perf_script.out
check "node: without recorded text" named node node.bare
check "node: functions of the executable, from the copy" grep -q 'uv_run+0x.*/node)' node.bare
check "sidecar: psym reads it" named sidecar.tar.gz sidecar.named
same "sidecar: the same names" node.named sidecar.named

(cd node && mv perf.data .. && rm -r -- *)
sleep 60 &
sleeper=$!
status "an old perf.data, to standard output" 0 sh -c '"$0" -i perf.data -o - "$1" >given.tar.gz' \
	"$collect" $sleeper
tar -xzOf given.tar.gz ./perf.data >given.data
same "an old perf.data is in it as it was" perf.data given.data
status "a limit leaves out, and says so" 1 sh -c '"$0" -i perf.data -s 0 -o small.tar.gz "$1" 2>said' \
	"$collect" $sleeper
check "what was left out" grep -q 'root-.*libc.*: left out' said
kill $sleeper

# Maps lie elsewhere if the environment says so; .NET before 8 goes by TMPDIR.
mkdir elsewhere
ln -s elsewhere link
for folder in elsewhere link elsewhere/../elsewhere elsewhere/ "elsewhere/* /etc"; do
	TMPDIR=$PWD/$folder sleep 60 &
	sleeper=$!
	echo "1000 10 f" >elsewhere/perf-$sleeper.map
	"$collect" -i perf.data -o map.tar.gz $sleeper 2>said
	kill $sleeper
	case $folder in
	*\**)	check "a TMPDIR is one directory" sh -c '! tar -tzf map.tar.gz | grep -E "perf-.*[.]map|passwd"' ;;
	*..*)	check "no map in $folder" sh -c '! tar -tzf map.tar.gz | grep "perf-[0-9]*[.]map"' ;;
	*)	check "a map in TMPDIR, $folder" tar -xzOf map.tar.gz \
			"./tmp-$sleeper$PWD/${folder%/}/perf-$sleeper.map" ;;
	esac
done
# A process that ends while it is recorded leaves its files and its map where they are.
cat >short.c <<'END'
#include <unistd.h>
__attribute__((noinline)) static unsigned burn(unsigned n) { unsigned s = n; while (n--) s = s * 17 + n; return s; }
int main(void) { unsigned s = 0; while (access("over", F_OK)) s += burn(100000); return s == 42; }
END
gcc -O1 -fno-omit-frame-pointer -Wl,--build-id -o short short.c
TMPDIR=$PWD/elsewhere ./short &
short=$!
echo "1000 10 f" >elsewhere/perf-$short.map
# It ends a second after perf has begun to write.
cat >perf1 <<'END'
#!/bin/bash
all=$* out=${all#* -o } out=${out%% *}
[ "$1" != record ] || { until [ -s "$out" ]; do sleep 0.1; done; sleep 1; touch over; } &
exec perf "$@"
END
chmod +x perf1
status "a process that ends" 1 sh -c 'PERF=./perf1 "$0" -d 20 -F 499 -o short.tar.gz "$1" 2>said' "$collect" $short
cat said
check "that it ended is said" grep -q "process $short has ended" said
check "no advice about what it was" sh -c '! grep -q "start it with" said'
check "what the archive holds is said" grep -qE "$short: [1-9][0-9]* of [1-9][0-9]* mapped files .* 1 lines" said
check "its map is there" tar -tzf short.tar.gz "./tmp-$short$PWD/elsewhere/perf-$short.map"
check "its program is there" tar -tzf short.tar.gz "./root-$short$PWD/short"
check "its frames are named" sh -c '"$0" -q --no-host short.tar.gz | grep -q " burn+0x"' "$BIN/psym"
check "its build-id is recorded, and of files that only chains have" \
	sh -c 'tar -xzOf short.tar.gz ./perf.data >short.data && perf buildid-list -i short.data | grep -q "/libc[.]so"'

# A program that was replaced by a deployment, of another user.
cp short gone
chmod 755 . gone
rm -f over
setpriv --reuid 1234 --regid 1234 --clear-groups ./gone &
gone=$!
sleep 0.5
rm gone
cp /bin/sleep gone
status "a deleted file of another user" 0 "$collect" -d 2 -F 499 -o gone.tar.gz $gone
kill $gone
tar -xzOf gone.tar.gz "./root-$gone$PWD/gone" >gone.copy
same "it is the file that ran" short gone.copy

# perf that fails, though it wrote something.
printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho PERFILE2 >"$2"\necho failed at once\nexit 3\n' >perf3
chmod +x perf3
status "perf that fails" 2 sh -c 'PERF=./perf3 "$0" -d 1 -o failed.tar.gz "$1" 2>said' "$collect" $$
check "its words are shown" grep -q '^offbox-collect: perf: failed at once' said
check "no archive of it" [ ! -e failed.tar.gz ]

# What was set is told only of an environment that was read.
cp /bin/sleep libcoreclr.so && chmod +x libcoreclr.so
for set in A=1 DOTNET_PerfMapEnabled=1; do
	env "$set" ./libcoreclr.so 60 &
	sleeper=$!
	sleep 0.2
	status "$set: no map" 1 sh -c '"$0" -i perf.data -o nomap.tar.gz "$1" 2>said' "$collect" $sleeper
	kill $sleeper
	case $set in
	A=1)	check "$set: how to get one" grep -q 'start it with DOTNET_PerfMapEnabled=1' said ;;
	*)	check "$set: it was set" grep -q 'with perf maps enabled, but its map was not found' said ;;
	esac
done
status "no such process" 2 "$collect" 99999999
status "not a pid" 2 "$collect" 12x
status "no pid" 2 "$collect"
status "no perf" 2 env PERF=no-such-perf "$collect" -o none.tar.gz $$
check "no archive after that" [ ! -e none.tar.gz ]
status "a busy name" 2 "$collect" -i perf.data -o no/such/dir.tar.gz $$
mkfifo fifo
status "an output that is no file" 2 "$collect" -i perf.data -o fifo $$
ln -s fifo to-fifo
check "an output that is a link is replaced" sh -c '"$0" -q -i perf.data -o to-fifo "$1"; test -f to-fifo -a ! -h to-fifo' \
	"$collect" $$
check "nothing is left behind" sh -c '! ls -d offbox-collect.* 2>/dev/null'

if ! calc10 app; then
	echo "ok dotnet: a service of .NET 10 # SKIP there is no .NET 10"
	finish
fi
export DOTNET_PerfMapEnabled=1
serve dotnet dotnet exec --runtimeconfig calc10.runtimeconfig.json calc10.dll 100
status "dotnet: is collected" 0 "$collect" -d 2 -F 499 -o dotnet.tar.gz "$pid"
stop
tar -tzf dotnet.tar.gz >members
for part in tmp-$pid/perf-1.map System.Private.CoreLib.dll libcoreclr.so calc10.dll; do
	check "dotnet: holds ${part//$pid/PID}" grep -q "/$part\$" members
done
check "dotnet: psym reads it" named dotnet.tar.gz dotnet.named
# A slice between two methods is no code; a frame there is a broken chain.  And the
# runtime writes no line of some stubs, which are few where it ran for long.
left=$(grep -cE '\[unknown\] \(.*(\.dll|doublemapper[^)]*)\)' dotnet.named)
all=$(grep -cE '\((.*\.dll|.*doublemapper.*)\)$' dotnet.named)
echo "dotnet: $left of $all managed frames unnamed"
check "dotnet: its managed frames are named" [ "$all" -gt 500 -a "$((left * 1000))" -le "$((all + 3000))" ]
finish
