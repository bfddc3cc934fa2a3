#!/bin/bash
# Damaged copies of real archives: every filter ends by itself with a status up to 2, says
# nothing but lines of its own, and leaves nothing behind in TMPDIR.  mutants.py does the
# damage; with sanitizers, what they report fails the test.
#
#	MUTANTS=2000 FIRST=0 SLOWER=5 tests/run.sh build/san property/mutants
. "$TOP/tests/check.sh"
needs python3
cd "$TMPDIR" || exit 1
first=${FIRST:-0} mutants=${MUTANTS:-24}
mkdir archive spool
export TMPDIR=$PWD/spool
failures=0

# run NAME COMMAND ... - the status and the messages of one filter.
run()
{
	local name=$1 status
	shift
	bounded 120 "$@" >out 2>err
	status=$?
	if [ $status -gt 2 ] || grep -avqE '^(psym|pfold|pmerge|pflame): |^ ' err; then
		echo "$name: exit status $status of ${*##*/}"
		grep -avE '^(psym|pfold|pmerge|pflame): |^ ' err | head -n 30
		failures=$((failures + 1))
	fi
}

# ask N SAID - every filter reads the damaged copy N, which was made as SAID.
ask()
{
	local n=$1 said=$2
	run "$said" "$BIN/psym" --no-host --no-cache "archive/$n"
	mv out named
	run "$said" "$BIN/pfold" named
	mv out folded
	[ ! -s folded ] || run "$said" "$BIN/pflame" folded
	case $((n % 4)) in
	0) run "$said" "$BIN/pmerge" --no-host "archive/$n" ;;
	1) run "$said" "$BIN/pfold" --no-host --no-cache "archive/$n" ;;
	2) run "$said" "$BIN/psym" --no-host --no-cache --coverage "archive/$n" ;;
	3) run "$said" "$BIN/psym" --no-host --no-cache --perf-compat --stat "archive/$n" ;;
	esac
	rm -f "archive/$n"
	if [ -n "$(ls -A spool)" ]; then
		echo "$said: left in TMPDIR: $(ls -A spool)"
		failures=$((failures + 1))
		rm -rf spool/*
	fi
}

mapfile -t originals < <(ls "$TOP"/fixtures/*.prof.tar.gz "$TOP"/fixtures/*.trace.zip)
n=$first end=$((first + mutants))
while [ "$n" -lt "$end" ]; do
	# Fifty at a time: reading the originals takes longer than damaging one.
	made=$((end - n < 50 ? end - n : 50))
	python3 "$TOP/tests/property/mutants.py" "$n" $((n + made)) archive "${originals[@]}" >made || exit 1
	while read -r said <&3; do
		ask "$n" "$said"
		n=$((n + 1))
	done 3<made
done
check "$mutants damaged archives: every filter ends by itself" test $failures = 0
finish
