#!/bin/bash
# offbox-collect requests the names of JIT code from services of .NET 10 and HotSpot.  The services are
# started without an environment variable that enables maps: on the host, as another user, in namespaces,
# and under load.  offbox-collect must disable each map that it enabled, even if a signal ends it at a
# random moment.  MOMENTS is the number of random moments for each signal, 1 by default.  SEED, 1 by
# default, is the seed of the random numbers.  asked.py is a process with a hostile socket.  askold.sh
# tests earlier versions of .NET.
. "$TOP/tests/check.sh"
. "$TOP/tests/service.sh"
needs perf unshare setpriv pgrep
[ "$(id -u)" = 0 ] || { echo "other users need root"; exit 77; }
unshare --pid --mount --fork --mount-proc true 2>/dev/null || { echo "namespaces cannot be made here"; exit 77; }
# Another user may run this python3.
python=/usr/bin/python3
[ -x $python ] || { echo "$python is not installed"; exit 77; }
unset TMPDIR DOTNET_PerfMapEnabled COMPlus_PerfMapEnabled
export DOTNET_CLI_TELEMETRY_OPTOUT=1
# Another user must reach the files, so they are not below TMPDIR.
place=$(mktemp -d /tmp/ask.XXXXXX) || exit 1
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
chmod 755 .
# Files larger than 1 MB are left out.  The files of the runtime are larger, and are not needed to name
# JIT code.
collect=$place/collect
printf '#!/bin/sh\nexec "%s" -s 1 "$@"\n' "$BIN/offbox-collect" >collect
chmod +x collect
user=(setpriv --reuid 1234 --regid 1234 --clear-groups)
outer=''
mkdir app
echo PERFILE2 >profile # offbox-collect packs the file unchanged

# 1. Hostile sockets.  offbox-collect must print one line for each, and must still write the archive.
# hostile MODE LINE [SOCKET] - starts asked.py MODE, and checks that the printed line contains LINE.
hostile()
{
	mkdir -m 1777 "$1"
	cd "$1" || exit
	begin . "${user[@]}" env TMPDIR="$PWD" $python "$TOP/tests/peers/asked.py" "$1" . ${3:+"$3"}
	status "$1: is collected" 1 sh -c '"$0" -i ../../profile -o hostile.tar.gz "$1" 2>printed' "$collect" $pid
	check "$1: $2" [ "$(grep -c "$pid: [A-Za-z0-9]*: $2.*; .*start it with" printed)" = 1 ]
	check "$1: one line" [ "$(grep -c 'start it with' printed)" = 1 ]
	check "$1: there is an archive" sh -c 'tar -tzf hostile.tar.gz | grep -qx "./proc/$0/maps"' $pid
	end $pid
}

magic() { hostile magic "its answer is not one of .NET"; }
length() { hostile length "its answer is not one of .NET"; }
flood() { hostile flood "its answer is longer than"; }
silence() { hostile silence "it did not answer within 5 s"; }
drip() { hostile drip "it did not answer within 5 s"; }
refuse() { hostile refuse "it refused with error 0x80070057"; }
unknown() { hostile unknown "this version of .NET does not know it"; }
endless() { hostile endless "it did not answer within 5 s"; }

dies()
{
	hostile dies "it closed the connection without an answer"
	check "dies: no file is left behind" [ ! -e "/tmp/perf-$pid.map" ]
}

# Tests a symbolic link and a hard link to the socket of another process.
links()
{
	local listener socket
	mkdir -m 1777 other
	"${user[@]}" $python "$TOP/tests/peers/asked.py" listen other >heard 2>&1 &
	listener=$!
	for _ in {1..300}; do
		grep -q ready heard && break
		sleep 0.1
	done
	socket=$(echo "$PWD"/other/*-socket)
	(hostile link "in place of its socket there is another file" "$socket"; exit $failed) || failed=1
	(hostile hard "its socket belongs to another process" "$socket"; exit $failed) || failed=1
	check "no request reaches another process" [ "$(cat heard)" = ready ]
	end $listener
}

# 2. HotSpot.  keytool is a Java program that computes for a long time if it must find large primes.
prime=(keytool -J-XX:+PreserveFramePointer -genkeypair -keyalg RSA -keysize 16384 -alias a -dname CN=a
	-storepass password -keystore)

# java NAME OWN - records the JVM $pid, and checks that its frames get names.  OWN is the pid of the JVM in
# its namespace.
java()
{
	warm 200
	collected "$1" '/tmp/perf-|//anon'
	check "$1: the request is printed" grep -q "$pid: Compiler.perfmap: done" printed
	check "$1: no file is left behind" [ ! -e "/proc/$pid/root/tmp/perf-$2.map" -a \
		! -e "/proc/$pid/root/tmp/.attach_pid$2" ]
}

java_host()
{
	"${prime[@]}" keys >said 2>&1 &
	pid=$!
	java java-host $pid
	status "java-host: again" 1 sh -c '"$0" -i ../profile -o again.tar.gz "$1" 2>printed' "$collect" $pid
	check "java-host: the second request is printed" grep -q "$pid: Compiler.perfmap: done" printed
	end $pid
	keytool -J-XX:+DisableAttachMechanism "${prime[@]:1}" keys2 >said 2>&1 &
	pid=$!
	warm 20
	"$collect" -i ../profile -o no.tar.gz $pid 2>printed
	check "DisableAttachMechanism: is the reason" grep -q "perfmap: -XX:+DisableAttachMechanism is set" printed
	check "DisableAttachMechanism: no signal was sent" sh -c '! grep "thread dump" said'
	end $pid
}

java_user()
{
	mkdir -m 1777 keys
	"${user[@]}" "${prime[@]}" "$PWD/keys/keys" >said 2>&1 &
	pid=$!
	java java-user $pid
	end $pid
}

java_namespace()
{
	begin_own "hsperfdata*" "${prime[@]}" keys
	java java-namespace 1
	end "$pid" "$outer"
}

# 3. .NET.
# asked NAME OWN - records the service $pid, and checks that its frames get names.  OWN is the pid of the
# service in its namespace.  Soon after the start of a service, many frames are in stubs that are missing
# in perf maps, so the recording begins later.
asked()
{
	local name=$1
	warm 200
	collected "$name" '/memfd:doublemapper'
	check "$name: each request is printed" [ "$(grep -cE "$pid: (Enable|Disable)PerfMap: done" printed)" = 2 ]
	off "$name" "$2"
	check "$name: the map is in the archive" \
		sh -c 'tar -tzf "$0.tar.gz" | grep -qx "./tmp-$1/perf-$2.map"' "$name" "$pid" "$2"
}

# load COMMAND ... - runs the command while three other processes use the processors.
load()
{
	local busy=()
	for _ in 1 2 3; do
		(while :; do :; done) &
		busy+=("$!")
	done
	"$@"
	end "${busy[@]}"
}

dotnet_host()
{
	begin /tmp "${service[@]}"
	asked host $pid
	load asked load $pid
	status "--no-ask" 1 sh -c '"$0" --no-ask -i ../profile -o no.tar.gz "$1" 2>printed' "$collect" $pid
	check "--no-ask: nothing is sent" sh -c '! grep -E "(En|Dis)ablePerfMap: " printed && grep -q "start it with" printed'
	echo "1000 10 before" >"/tmp/perf-$pid.map"
	status "a map that was there" 1 sh -c '"$0" -i ../profile -o before.tar.gz "$1" 2>printed' "$collect" $pid
	check "a map that was there: stays" [ -s "/tmp/perf-$pid.map" ]
	rm -f "/tmp/perf-$pid.map"
	collected lines '/memfd:doublemapper' --lines
	check "--lines: the request is printed" grep -qE "$pid: CollectTracing2: done, [1-9][0-9]* KB" printed
	mkdir lines
	tar -xzf lines.tar.gz -C lines
	rm -f "lines/tmp-$pid/perf-$pid.map" lines/perf_script.out
	check "--lines: psym reads the trace" sh -c '"$0" -q --no-host --list-events lines/tmp-*/*.nettrace | grep -q MethodDCEndILToNativeMap' \
		"$BIN/psym"
	"$BIN/psym" -q --no-host lines >named
	named "--lines alone" '/memfd:doublemapper'
	end $pid
}

# Tests a service that writes its map without a request, and a service without diagnostics.
dotnet_variables()
{
	begin /tmp env DOTNET_PerfMapEnabled=3 "${service[@]}"
	for _ in {1..100}; do
		[ -s "/tmp/perf-$pid.map" ] && break
		sleep 0.1
	done
	status "PerfMapEnabled=3" 1 sh -c '"$0" -i ../profile -o no.tar.gz "$1" 2>printed' "$collect" $pid
	check "PerfMapEnabled=3: is not asked" sh -c '! grep -E "(En|Dis)ablePerfMap: " printed'
	check "PerfMapEnabled=3: its map stays" [ -s "/tmp/perf-$pid.map" ]
	end $pid
	rm -f "/tmp/perf-$pid.map"
	DOTNET_EnableDiagnostics=0 "${service[@]}" >said 2>&1 &
	pid=$!
	for _ in {1..300}; do
		grep -q libcoreclr "/proc/$pid/maps" && break
		sleep 0.1
	done
	status "EnableDiagnostics=0" 1 sh -c '"$0" -i ../profile -o no.tar.gz "$1" 2>printed' "$collect" $pid
	check "EnableDiagnostics=0: is the reason" grep -q "EnablePerfMap: DOTNET_EnableDiagnostics=0 is set" printed
	end $pid
}

dotnet_user()
{
	mkdir -m 1777 tmp
	begin tmp "${user[@]}" env TMPDIR="$PWD/tmp" HOME="$PWD/tmp" "${service[@]}"
	asked user $pid
	end $pid
}

dotnet_namespace()
{
	begin_own "dotnet-diagnostic-1-*" dotnet exec --runtimeconfig calc10.runtimeconfig.json calc10.dll 1000000
	asked namespace 1
	end "$pid" "$outer"
}

# 4. At a random moment of a request, a signal ends offbox-collect, the disk is full, or the service dies.
# moment WHAT - runs offbox-collect once.  WHAT is a signal for offbox-collect, "full" for a full disk, or
# KILL to kill the service.
moment()
{
	local what=$1 running old=$pid got name n=$((RANDOM % 31)) size=$((RANDOM % 3000 + 4))
	name="$what after $((n / 10)).$((n % 10)) s"
	mkdir out
	if [ "$what" = full ]; then
		name="$what after $size KB"
		n=0
		mount -t tmpfs -o size=${size}k none out
		[ $((size % 2)) = 0 ] || export TMPDIR=$PWD/out
	fi
	env --default-signal=INT "$collect" -d 1 -o out/moment.tar.gz "$pid" 2>printed &
	running=$!
	unset TMPDIR
	sleep "$(awk -v n=$n 'BEGIN { print n / 10 }')"
	case $what in
	KILL) end "$pid" ;;
	full) ;;
	*) kill -"$what" $running 2>/dev/null ;;
	esac
	wait $running
	got=$?
	case $what:$got in
	KILL:[0-2] | full:[0-2]) ;;
	*:[01]) ;; # offbox-collect ended before the signal
	*:$((128 + $(kill -l "$what" 2>/dev/null || echo 0)))) ;;
	*) echo "status $got"; false ;;
	esac
	report $? "$name: ends with its status"
	check "$name: an archive is whole" \
		sh -c '[ -z "$(ls -A out)" ] || { [ "$(ls -A out)" = moment.tar.gz ] && tar -tzf out/moment.tar.gz >list; }'
	if [ "$what" = KILL ]; then
		check "$name: no file is left behind" sh -c '! ls /tmp/perf*-"$0".map 2>list | grep .' "$old"
		begin /tmp "${service[@]}"
	else
		off "$name" $pid
	fi
	[ "$failed" = 0 ] || tail -n 20 printed
	umount out 2>/dev/null
	rm -rf out
}

moments()
{
	local i what
	RANDOM=${SEED:-1}
	begin /tmp "${service[@]}"
	for ((i = 0; i < ${MOMENTS:-1}; i++)); do
		for what in INT TERM HUP full KILL; do
			moment $what
		done
	done
	end $pid
}

# A signal ends offbox-collect in the middle of a recording, the directory of the archive or TMPDIR is too
# small, or the service dies.
ended()
{
	local signal running got delay
	begin /tmp "${service[@]}"
	for signal in INT TERM HUP; do
		env --default-signal=INT "$collect" -d 60 -o signal.tar.gz "$pid" 2>printed &
		running=$!
		for _ in {1..300}; do
			grep -q recording printed && [ -n "$(maps $pid)" ] && break
			sleep 0.1
		done
		[ -n "$(maps $pid)" ] || cat printed
		check "$signal: the map was on" [ -n "$(maps $pid)" ]
		kill -$signal $running
		wait $running
		got=$?
		check "$signal: ends the program" [ $got = $((128 + $(kill -l $signal))) ]
		off "$signal" $pid
		check "$signal: no archive" [ ! -e signal.tar.gz ]
	done
	mkdir full
	# The list of mappings fits into 8 KB more than its size.  After the service has run for a while, its
	# perf map does not fit.
	warm 200
	mount -t tmpfs -o size=$(($(wc -c <"/proc/$pid/maps") / 1024 + 8))k none full
	status "disk full: there is no archive" 2 sh -c '"$0" -i ../profile -o full/full.tar.gz "$1" 2>printed' "$collect" $pid
	off "disk full" $pid
	TMPDIR=$PWD/full "$collect" -i ../profile -o full.tar.gz "$pid" 2>printed
	check "TMPDIR full: is reported" grep -q "perf-$pid.map: left out: no space in TMPDIR" printed
	[ "$failed" = 0 ] || head -n 5 printed
	off "TMPDIR full" $pid
	umount full
	# perf1 kills the service DELAY seconds after perf has begun to write.  If perf has not begun to
	# record by then, perf fails.
	cat >perf1 <<-'PERF'
		#!/bin/bash
		all=$* out=${all#* -o } out=${out%% *}
		[ "$1" != record ] || {
			until [ -s "$out" ]; do sleep 0.1; done
			sleep "$DELAY"
			kill -KILL "$SERVICE"
		} &
		exec perf "$@"
	PERF
	chmod +x perf1
	for delay in 1 5 20; do
		SERVICE=$pid DELAY=$delay PERF=./perf1 "$collect" -d 60 -F 499 -o dead.tar.gz "$pid" 2>printed
		[ ! -e dead.tar.gz ] || break
		begin /tmp "${service[@]}"
	done
	check "a service that dies: is reported" grep -q "$pid: DisablePerfMap: it has ended" printed
	check "a service that dies: no file is left behind" [ ! -e "/tmp/perf-$pid.map" ]
	check "a service that dies: its map is in the archive" \
		sh -c 'tar -tzf dead.tar.gz | grep -qx "./tmp-$0/perf-$0.map"' "$pid"
	end $pid
}

# Sections that mostly wait run at the same time as sections that compute.
for mode in magic length flood silence drip refuse unknown endless dies links; do
	section s-$mode $mode
done
if [ -n "$(command -v keytool)" ] && [ "$(LC_ALL=C keytool -J-version 2>&1 | sed -nE 's/.* version "([0-9]+).*/\1/p')" -ge 17 ]; then
	section java_host java_host
	section java_user java_user
	section java_namespace java_namespace
else
	echo "ok java: services of HotSpot # SKIP there is no Java 17 or later"
fi
sections
if ! calc10 app; then
	echo "ok dotnet: services of .NET 10 # SKIP there is no .NET 10"
	finish
fi
service=(dotnet exec --runtimeconfig "$place/app/calc10.runtimeconfig.json" "$place/app/calc10.dll" 1000000)
section dotnet_host dotnet_host
section dotnet_user dotnet_user
section dotnet_namespace dotnet_namespace
section ended ended
# The services of the remaining sections need little processor time.
service=(nice -n 19 "${service[@]}")
section dotnet_variables dotnet_variables
section moments moments
sections
finish
