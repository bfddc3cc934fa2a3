#!/bin/bash
# psym's filters choose what those of perf script choose, byte for byte, on the fixtures
# and on a capture made here of several events and all processes.
. "$TOP/tests/check.sh"
needs_perf 6.1
cd "$TMPDIR" || exit 1
mkdir empty

# perf names JIT code of processes that still run by their maps, wherever the profile came from.
without_maps() { sed -E 's|^(.* [0-9a-f]{6,} ).*( \(/tmp/perf-[0-9]+.map)|\1[unknown]\2|'; }

# Counts the samples without a frame.
no_frames() { awk '!NF && last ~ /^[^\t]/ { n++ } { last = $0 } END { print n + 0 }'; }

# Options of both, the same: on perf.data, and on the text of all of it.  perf refuses -C
# where cpus were not recorded.  Text has fewer digits of a time, and offsets in files;
# pids are in it only where they were asked for.
compare()
{
	local data=$1 where
	shift
	where="$(basename "$(dirname "$data")")/$(basename "$data") $*"
	perf script --symfs empty -i "$data" "$@" >raw 2>/dev/null </dev/null ||
		return
	without_maps <raw >want
	"$BIN/psym" -q --no-host --perf-compat "$@" "$data" 2>/dev/null | without_maps >got
	same "$where" want got
	case "$*" in
	*,[0-9]*.* | -G* | --ns* | --show* | --pid*) return ;;
	# perf prints no frame of a stack that has an invalid entry, even if this is the fourth.
	"--max-stack 3") [ "$(no_frames <raw)" = "$(no_frames <all)" ] || return ;;
	esac
	"$BIN/psym" -q --no-host --perf-compat "$@" all 2>/dev/null | without_maps >got
	same "$where (text)" want got
}

# What the profile has itself: its second thread, the middle of its time.
try_all()
{
	local data=$1 comm pid tid from to
	perf script --symfs empty -i "$data" >all 2>/dev/null </dev/null
	perf script --symfs empty -i "$data" -G -F tid,pid,time,comm 2>/dev/null </dev/null |
		sed -E 's/^ *(.*[^ ]) +(-?[0-9]+)\/(-?[0-9]+) +([0-9.]+):.*$/\1|\2|\3|\4/' >facts
	IFS='|' read -r comm pid tid _ < <(sort -t '|' -k 3,3n -u facts | sed -n '$p')
	from=$(sed -n "$(($(wc -l <facts) / 3 + 1))p" facts | cut -d '|' -f 4)
	to=$(sed -n "$(($(wc -l <facts) * 2 / 3 + 1))p" facts | cut -d '|' -f 4)
	compare "$data" --comms "$comm"
	compare "$data" --comm "no such,$comm"
	compare "$data" --pid "1,$pid"
	compare "$data" --tid "$tid"
	compare "$data" --time "$from,$to"
	compare "$data" --time "$from,"
	compare "$data" --time ",$to"
	compare "$data" --cpu 0
	compare "$data" -C 1-3
	compare "$data" --max-stack 3
	compare "$data" --max-stack 0
	compare "$data" -G
	compare "$data" --show-task-events
	compare "$data" --show-task-events -C 0 --ns --tid "$tid"
	compare "$data" --ns --comms "$comm"
	compare "$data" -G --tid "$tid" --pid "$pid" --comms "$comm"
}

for archive in "$TOP"/fixtures/*.prof.tar.gz; do
	name=$(basename "$archive" .prof.tar.gz)
	mkdir "$name"
	tar -xzf "$archive" -C "$name"
done
mkdir here
perf record -q -a -g --kernel-callchains -e cpu-clock:u,task-clock,page-faults -o here/perf.data -- \
	sh -c 'ls -R /usr/share/man; gzip -c /bin/bash' >/dev/null 2>&1
perf record -q -a -e cpu-clock -o here/lone.perf.data -- \
	sh -c 'ls -R /usr/share/man; gzip -c /bin/bash' >/dev/null 2>&1
for data in */perf.data native/fp.perf.data here/lone.perf.data; do
	[ ! -s "$data" ] || try_all "$data"
done
finish
