#!/bin/bash
# local.sh ARCHIVES WANT - resymbolize on this machine with several workers on one cache: some of
# them killed, then parallel, then the script; results and cache on disks that are full.  The rest
# is done, a further run does only what is missing, and the results are those that WANT lists.
. "$TOP/tests/check.sh"
needs parallel
if [ "$(id -u)" = 0 ] && [ -z "${FLEET_INSIDE:-}" ]; then
	FLEET_INSIDE=1 exec unshare --mount "$0" "$@"
fi
archives=$1 want=$2
export PATH=$BIN:$PATH HOME=$TMPDIR
script=$TOP/cmd/resymbolize
cd "$TMPDIR" || exit 1
done_of() { find "$1/each" -name '*.status' 2>/dev/null | wc -l; }
# of_night DIR PROGRAM - its processes.
of_night() { pgrep -f "^[^ ]*$2 .*$PWD/$1[/ ]"; }

# begins DIR - three workers, until some archives are done.
begins()
{
	rm -rf "${1:?}"
	"$script" -o "$1" -c cache -j 3 "$archives" >"$1.said" 2>&1 &
	pid=$!
	for _ in $(seq 600); do
		[ "$(done_of "$1")" -gt 2 ] && break
		sleep 0.1
	done
}
# goes_on NAME DIR - a further run does what is missing and no more.
goes_on()
{
	local name=$1 dir=$2 before missing
	before=$(cat "$dir/joblog" 2>/dev/null | wc -l)
	missing=$(($(wc -l <"$dir/list") - $(done_of "$dir")))
	"$script" -o "$dir" -c cache -j 3 >"$dir.again" 2>&1
	# What cannot be done at all is tried twice.
	check "$name: only what is missing is done" [ "$(($(wc -l <"$dir/joblog") - before))" = \
		$((missing + $(wc -l <"$dir/failed"))) ]
	"$TOP/tests/fleet/results.sh" "$dir" >got
	same "$name: the same results" "$want" got
	check "$name: nothing of workers is left" [ -z "$(find "$dir/work" -mindepth 1 2>/dev/null)" ]
}

begins workers
killed=0
for _ in 1 2 3 4 5 6; do
	for program in pfold pflame sh; do
		victim=$(of_night workers "$program" | head -n 1)
		[ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null && killed=$((killed + 1))
	done
	sleep 0.3
done
check "workers are killed" [ $killed -gt 3 ]
wait $pid
"$TOP/tests/fleet/results.sh" workers >got
cmp -s "$want" got || goes_on "workers are killed" workers
"$TOP/tests/fleet/results.sh" workers >got
same "workers are killed: the same results" "$want" got

begins parallel
pkill -KILL -P $pid -f parallel
wait $pid
goes_on "parallel is killed" parallel

begins script
kill -KILL $pid "$(pgrep -P $pid -f parallel | head -n 1)"
wait $pid 2>/dev/null
check "the script is killed: not all was done" [ "$(done_of script)" -lt "$(wc -l <script/list)" ]
for _ in $(seq 100); do of_night script sh >/dev/null || break; sleep 0.1; done
goes_on "the script is killed" script

# The entries that killed workers were writing are never taken for whole ones.
"$script" -o again -c cache -j 2 "$archives" >said 2>&1
"$TOP/tests/fleet/results.sh" again >got
same "the cache they have left: the same results" "$want" got

if [ "$(id -u)" != 0 ]; then
	echo "ok a full disk # SKIP only root can mount one"
	finish
fi
mkdir full small
mount -t tmpfs -o size=2m full full && mount -t tmpfs -o size=1m small small || exit 1
"$script" -o full/night -c cache -j 2 "$archives" >said 2>&1
check "a full disk: the status is not 0" [ $? != 0 ]
check "a full disk: that is said" grep -q 'No space left on device' said
check "a full disk: not all was done" [ "$(done_of full/night)" -lt "$(wc -l <full/night/list)" ]
check "a full disk: some is done" [ "$(done_of full/night)" -gt 0 ]
"$TOP/tests/fleet/results.sh" full/night | grep 'each/.*[.]status$' >got
check "a full disk: what is done is whole" [ "$(grep -Fxcf "$want" got)" = "$(wc -l <got)" ]
sed -n 's,^.*  [.]/each\(.*\)[.]status$,\1,p' got | while read -r archive; do
	grep -F "$archive." "$want"
done >whole
"$TOP/tests/fleet/results.sh" full/night | grep -Fxf whole | sort -k 2 >got
sort -k 2 whole | cmp - got
report $? "a full disk: all of it"
mount -o remount,size=400m full
goes_on "there is room again" full/night
umount full

"$script" -o nocache -c small -j 2 "$archives" >said 2>&1
"$TOP/tests/fleet/results.sh" nocache >got
same "a full cache: the same results" "$want" got
check "a full cache: nothing is said of it" [ "$(grep -c 'No space' said)" = 0 ]
finish
