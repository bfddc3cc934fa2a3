# shellcheck shell=bash
# service.sh - functions for test scripts that let offbox-collect ask services for names.  They run as
# root, in a directory that other users can reach.
#
#	section NAME FUNCTION   runs the function in the directory NAME, beside the others
#	sections                waits for all, and prints their results
#	begin FOLDER COMMAND... starts .NET; sets pid when its socket is in the folder
#	begin_own FILE COMMAND...
#	                        starts it in namespaces of pids and mounts, in its own /tmp with
#	                        the files of app; sets pid and outer when FILE, a pattern, is there
#	end PID...              kills processes of this section
#	warm TICKS              waits until the service pid has had so much processor time
#	named NAME PATTERN      at least 95 % of the frames in files that match are named
#	collected NAME PATTERN STATUS OPTION...
#	                        records pid until there are enough frames, and names them
#	off NAME OWN            the perf map of pid, which is OWN in its namespace, is off
collect=offbox-collect

section()
{
	local at=$PWD/$1
	mkdir "$at"
	(cd "$at" && "$2" >"$at/log" 2>&1; echo "$failed $checked" >"$at/result") &
	running+=("$!")
	names+=("$1")
}

sections()
{
	local name bad count
	wait "${running[@]}"
	for name in "${names[@]}"; do
		cat "$name/log"
		read -r bad count <"$name/result" || bad=1 count=0
		failed=$((failed | bad)) checked=$((checked + count))
	done
	names=() running=()
}
names=() running=()

begin()
{
	local folder=$1
	shift
	"$@" >said 2>&1 &
	pid=$!
	for _ in {1..300}; do
		[ -z "$(find "$folder" -maxdepth 1 -name "dotnet-diagnostic-$pid-*")" ] || return
		sleep 0.1
	done
	echo "no socket: $*"
	cat said
}

# A child that has unshared its namespaces has the pid 1 in them.
begin_own()
{
	local file=$1
	shift
	mkdir own
	unshare --pid --mount --fork --mount-proc --kill-child sh -c \
		'mount -t tmpfs none own && cp -r ../app/* own; mount --bind own /tmp && cd /tmp && exec "$@"' \
		sh "$@" >said 2>&1 &
	outer=$!
	for _ in {1..300}; do
		sleep 0.1
		pid=$(pgrep -P $outer) && find "/proc/$pid/root/tmp" -maxdepth 1 -name "$file" 2>/dev/null |
			grep -q . && return
	done
	echo "it did not start: $*"
	cat said
}

end()
{
	kill -KILL "$@" 2>/dev/null
	wait "$@" 2>/dev/null
}

warm()
{
	for _ in {1..600}; do
		[ "$(awk '{ print $14 }' "/proc/$pid/stat")" -lt "$1" ] || return
		sleep 0.1
	done
}

named()
{
	local left all
	left=$(grep -cE "\[unknown\] \(($2)" named)
	all=$(grep -cE "\(($2)" named)
	[ $((left * 20)) -le "$all" ] || grep -E "\[unknown\] \(($2)" named
	check "$1: 95 % of the JIT frames are named ($left of $all unnamed)" \
		[ "$all" -gt 100 -a $((left * 20)) -le "$all" ]
}

# The others may need the processors, so the first recording can be too short.
collected()
{
	local name=$1 pattern=$2 seconds got
	shift 2
	for seconds in 2 6 20; do
		"$collect" -d $seconds -F 499 -o "$name.tar.gz" "$@" "$pid" 2>printed
		got=$?
		"$BIN/psym" -q --no-host "$name.tar.gz" >named
		[ "$(grep -cE "\(($pattern)" named)" -le 100 ] || break
	done
	grep -v 'left out' printed
	# Large files are left out.
	check "$name: is collected" [ $got = 1 ]
	named "$name" "$pattern"
}

# maps OWN - the perf map of the process, by its pid in its namespace, or an empty list.
maps()
{
	find "/proc/$pid/root/tmp/" -maxdepth 1 -name "perf*-$1.map" 2>/dev/null
}

off()
{
	sleep 0.3
	check "$1: no file is left behind" [ -z "$(maps "$2")" ]
	check "$1: the perf map is off" sh -c '! grep -q "/tmp/perf-" "/proc/$0/maps" && ! find "/proc/$0/fd" -lname "*/perf-*" | grep -q .' "$pid"
}
