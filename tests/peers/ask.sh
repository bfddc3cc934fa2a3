#!/bin/bash
# offbox-collect asks services that were started without any variable for the names of their JIT
# code: .NET 10 and HotSpot, on the host, as another user, and in namespaces.  What it changes it takes
# back.
# asked.py is a process with a hostile socket.
. "$TOP/tests/check.sh"
needs perf unshare setpriv pgrep
[ "$(id -u)" = 0 ] || { echo "other users need root"; exit 77; }
unshare --pid --mount --fork --mount-proc true 2>/dev/null || { echo "namespaces cannot be made here"; exit 77; }
# One that another user may run.
python=/usr/bin/python3
[ -x $python ] || { echo "$python is not installed"; exit 77; }
unset TMPDIR DOTNET_PerfMapEnabled COMPlus_PerfMapEnabled
export DOTNET_CLI_TELEMETRY_OPTOUT=1
# Another user must reach the files, so they are not below TMPDIR.
place=$(mktemp -d /tmp/ask.XXXXXX) || exit 1
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
chmod 755 .
# Files of the runtime are left out, because they are large and perf maps name JIT code alone.
collect=$place/collect
printf '#!/bin/sh\nexec "%s" -s 1 "$@"\n' "$BIN/offbox-collect" >collect
chmod +x collect
user=(setpriv --reuid 1234 --regid 1234 --clear-groups)
mkdir -m 1777 evil
mkdir app
echo PERFILE2 >profile # packed as it is

# named NAME PATTERN - at least 95 % of the frames in files that match are named.
named()
{
	local left all
	"$BIN/psym" -q --no-host "$1.tar.gz" >named
	left=$(grep -cE "\[unknown\] \(($2)" named)
	all=$(grep -cE "\(($2)" named)
	[ $((left * 20)) -le "$all" ] || grep -E "\[unknown\] \(($2)" named
	check "$1: 95 % of the JIT frames are named ($left of $all unnamed)" \
		[ "$all" -gt 100 -a $((left * 20)) -le "$all" ]
	rm -f "$1.tar.gz"
}

# begin FOLDER COMMAND ... - sets pid when its socket is in the folder.
begin()
{
	local folder=$1
	shift
	"$@" >said 2>&1 &
	pid=$!
	for _ in {1..200}; do
		[ -z "$(find "$folder" -maxdepth 1 -name "dotnet-diagnostic-$pid-*")" ] || return
		sleep 0.05
	done
	echo "no socket: $*"
	cat said
}

end()
{
	kill -KILL "$@" 2>/dev/null
	wait "$@" 2>/dev/null
}

# 1. Hostile sockets: one line, and the collection goes on.
# hostile MODE LINE [SOCKET] - the line that is printed for it.
hostile()
{
	begin evil "${user[@]}" env TMPDIR="$place/evil" $python "$TOP/tests/peers/asked.py" "$1" evil ${3:+"$3"}
	status "$1: is collected" 1 sh -c '"$0" -i profile -o hostile.tar.gz "$1" 2>printed' "$collect" $pid
	check "$1: $2" [ "$(grep -c "$pid: [A-Za-z0-9]*: $2.*; .*start it with" printed)" = 1 ]
	check "$1: one line" [ "$(grep -c 'start it with' printed)" = 1 ]
	check "$1: there is an archive" tar -tzf hostile.tar.gz ./proc/$pid/maps
	end $pid
	rm -f hostile.tar.gz evil/*-socket
}

hostile magic "its answer is not one of .NET"
hostile length "its answer is not one of .NET"
hostile flood "its answer is longer than"
hostile silence "it did not answer within 5 s"
hostile drip "it did not answer within 5 s"
hostile refuse "it refused with error 0x80070057"
hostile unknown "this version of .NET does not know it"
hostile endless "it did not answer within 5 s"
mkdir -m 1777 other
"${user[@]}" $python "$TOP/tests/peers/asked.py" listen other >heard 2>&1 &
listener=$!
for _ in {1..200}; do
	grep -q ready heard && break
	sleep 0.05
done
socket=$(echo "$place"/other/*-socket)
hostile link "in place of its socket there is another file" "$socket"
hostile hard "its socket belongs to another process" "$socket"
check "no request reaches another process" [ "$(cat heard)" = ready ]
end $listener

# 2. HotSpot: keytool looks for large primes.
# java NAME OWN COMMAND ... - a JVM that has the pid OWN in its namespace, or its own pid.
java()
{
	local name=$1 own=$2 outer
	shift 2
	"$@" -J-XX:+PreserveFramePointer -genkeypair -keyalg RSA -keysize 16384 -alias a -dname CN=a \
		-storepass password -keystore "$place/tmp/keys-$name" >said 2>&1 &
	outer=$!
	sleep 3
	pid=$outer
	[ "$own" = 0 ] || pid=$(pgrep -P $outer)
	[ "$own" != 0 ] || own=$pid
	for try in first second; do
		status "$name: is collected, the $try time" 1 "$collect" -d 2 -F 499 -o "$name.tar.gz" "$pid" 2>printed
		check "$name: the request is printed" grep -q "$pid: Compiler.perfmap: done" printed
		check "$name: no file is left behind" [ ! -e "/proc/$pid/root/tmp/perf-$own.map" -a \
			! -e "/proc/$pid/root/tmp/.attach_pid$own" ]
	done
	named "$name" '/tmp/perf-|//anon'
	end "$pid" $outer
}

mkdir own
own=(unshare --pid --mount --fork --mount-proc --kill-child sh -c
	'mount -t tmpfs none own && cp app/* own; mount --bind own /tmp && cd /tmp && exec "$@"' sh)
mkdir -m 1777 tmp
keytool=$(command -v keytool)
if [ -n "$keytool" ] && [ "$(LC_ALL=C $keytool -J-version 2>&1 | sed -nE 's/.* version "([0-9]+).*/\1/p')" -ge 17 ]; then
	java java-host 0 keytool
	java java-user 0 "${user[@]}" keytool
	java java-namespace 1 "${own[@]}" keytool
	keytool -J-XX:+DisableAttachMechanism -genkeypair -keyalg RSA -keysize 16384 -alias a -dname CN=a \
		-storepass password -keystore keys >said 2>&1 &
	pid=$!
	sleep 1
	"$collect" -i profile -o no.tar.gz $pid 2>printed
	check "DisableAttachMechanism: is the reason" grep -q "perfmap: -XX:+DisableAttachMechanism is set" printed
	check "DisableAttachMechanism: no signal was sent" [ ! -s said ]
	end $pid
else
	echo "ok java: services of HotSpot # SKIP there is no Java 17 or later"
fi

if ! command -v dotnet >/dev/null || ! dotnet --list-runtimes | grep -q '^Microsoft.NETCore.App 10[.]'; then
	echo "ok dotnet: services of .NET 10 # SKIP there is no .NET 10"
	finish
fi
tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C app calc10.dll ./calc10.dll 2>/dev/null
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
	>app/calc10.runtimeconfig.json
service=(dotnet exec --runtimeconfig "$place/app/calc10.runtimeconfig.json" "$place/app/calc10.dll" 100)

# 3. .NET.
# maps - the perf map of the process, by its pid in its namespace, or an empty list.
maps()
{
	find "/proc/$pid/root/tmp/" -maxdepth 1 -name "perf*-$1.map" 2>/dev/null
}

# off NAME OWN - the map is off: it does not come back while the service compiles on.
off()
{
	sleep 0.5
	check "$1: no file is left behind" [ -z "$(maps "$2")" ]
	check "$1: the perf map is off" sh -c '! grep -q "/tmp/perf-" "/proc/$0/maps" && ! find "/proc/$0/fd" -lname "*/perf-*" | grep -q .' $pid
}

# Soon after the start, many frames are in stubs that no perf map lists, so 2 s of work pass first.
warm()
{
	for _ in {1..600}; do
		[ "$(awk '{ print $14 }' "/proc/$pid/stat")" -lt 200 ] || return
		sleep 0.1
	done
}

# asked NAME OWN - the service with this pid in its namespace is recorded and named.
asked()
{
	local name=$1
	warm
	status "$name: is collected" 1 "$collect" -d 3 -F 499 -o "$name.tar.gz" "$pid" 2>printed
	cat printed
	check "$name: each request is printed" [ "$(grep -cE "$pid: (Enable|Disable)PerfMap: done" printed)" = 2 ]
	off "$name" "$2"
	check "$name: the map is in the archive" tar -tzf "$name.tar.gz" "./tmp-$pid/perf-$2.map"
	named "$name" '/memfd:doublemapper'
}

begin /tmp "${service[@]}"
asked host $pid
status "--no-ask" 1 sh -c '"$0" --no-ask -i profile -o no.tar.gz "$1" 2>printed' "$collect" $pid
check "--no-ask: nothing is sent" sh -c '! grep -E "(En|Dis)ablePerfMap: " printed && grep -q "start it with" printed'
echo "1000 10 before" >"/tmp/perf-$pid.map"
status "a map that was there" 1 sh -c '"$0" -i profile -o before.tar.gz "$1" 2>printed' "$collect" $pid
check "a map that was there: stays" [ -s "/tmp/perf-$pid.map" ]
rm -f "/tmp/perf-$pid.map"

status "--lines" 1 "$collect" --lines -d 2 -F 499 -o lines.tar.gz "$pid" 2>printed
check "--lines: the request is printed" grep -qE "$pid: CollectTracing2: done, [1-9][0-9]* KB" printed
mkdir lines
tar -xzf lines.tar.gz -C lines
rm -f "lines/tmp-$pid/perf-$pid.map" lines/perf_script.out
tar -C lines -czf lines.tar.gz .
check "--lines: psym reads the trace" sh -c '"$0" -q --no-host --list-events lines/tmp-*/*.nettrace | grep -q MethodDCEndILToNativeMap' \
	"$BIN/psym"
named lines '/memfd:doublemapper'

# A signal, a full disk, the death of the service.
for signal in INT TERM HUP; do
	env --default-signal=INT "$collect" -d 60 -o signal.tar.gz "$pid" 2>printed &
	running=$!
	for _ in {1..100}; do
		grep -q recording printed && [ -n "$(maps $pid)" ] && break
		sleep 0.1
	done
	check "$signal: the map was on" [ -n "$(maps $pid)" ]
	kill -$signal $running
	wait $running
	got=$?
	check "$signal: ends the program" [ $got = $((128 + $(kill -l $signal))) ]
	off "$signal" $pid
	check "$signal: no archive" [ ! -e signal.tar.gz ]
done
mkdir full
mount -t tmpfs -o size=64k none full
status "disk full: there is no archive" 2 sh -c '"$0" -i profile -o full/full.tar.gz "$1" 2>printed' "$collect" $pid
off "disk full" $pid
TMPDIR=$place/full "$collect" -i profile -o full.tar.gz "$pid" 2>printed
check "TMPDIR full: is reported" grep -q "perf-$pid.map: left out: no space in TMPDIR" printed
off "TMPDIR full" $pid
umount full
# It is killed a second after perf has begun to write.
cat >perf1 <<'END'
#!/bin/bash
all=$* out=${all#* -o } out=${out%% *}
[ "$1" != record ] || { until [ -s "$out" ]; do sleep 0.1; done; sleep 1; kill -KILL "$SERVICE"; } &
exec perf "$@"
END
chmod +x perf1
SERVICE=$pid PERF=./perf1 "$collect" -d 30 -F 499 -o dead.tar.gz "$pid" 2>printed
check "a service that dies: is reported" grep -q "$pid: DisablePerfMap: it has ended" printed
check "a service that dies: no file is left behind" [ ! -e "/tmp/perf-$pid.map" ]
check "a service that dies: its map is in the archive" tar -tzf dead.tar.gz "./tmp-$pid/perf-$pid.map"
wait

begin tmp "${user[@]}" env TMPDIR="$place/tmp" HOME="$place/tmp" "${service[@]}"
asked user $pid
end $pid
DOTNET_EnableDiagnostics=0 "${service[@]}" >said 2>&1 &
pid=$!
sleep 2
status "EnableDiagnostics=0" 1 sh -c '"$0" -i profile -o no.tar.gz "$1" 2>printed' "$collect" $pid
check "EnableDiagnostics=0: is the reason" grep -q "EnablePerfMap: DOTNET_EnableDiagnostics=0 is set" printed
end $pid
begin /tmp env DOTNET_PerfMapEnabled=3 "${service[@]}"
status "PerfMapEnabled=3" 1 sh -c '"$0" -i profile -o no.tar.gz "$1" 2>printed' "$collect" $pid
check "PerfMapEnabled=3: is not asked" sh -c '! grep -E "(En|Dis)ablePerfMap: " printed'
check "PerfMapEnabled=3: its map stays" [ -s "/tmp/perf-$pid.map" ]
end $pid
rm -f "/tmp/perf-$pid.map"

"${own[@]}" dotnet exec --runtimeconfig calc10.runtimeconfig.json calc10.dll 100 >said 2>&1 &
outer=$!
for _ in {1..200}; do
	sleep 0.1
	pid=$(pgrep -P $outer) && ls "/proc/$pid/root/tmp/dotnet-diagnostic-1-"* >said 2>&1 && break
done
asked namespace 1
end "$pid"
end "$outer"
finish
