#!/bin/bash
# Maps of JIT code on the machine that recorded: /tmp/perf-PID.map, /tmp/jit-PID.dump, the
# jitdump that was mapped, and the same in a container that lives.
. "$TOP/tests/check.sh"
needs perf gcc perl pgrep
cd "$TMPDIR" || exit 1
export HOME=$PWD

# jit map|dump DIR N - runs code in anonymous memory N times; a file in DIR names it.
cat >jit.c <<'END'
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { CODE = 512 };

__attribute__((noinline, optimize("no-stack-protector"))) static unsigned spin(unsigned n)
{
	volatile unsigned s = 0;
	for (unsigned i = 0; i < n; i++)
		s += i;
	return s;
}

static void dump(FILE *f, const char *code)
{
	static const char name[] = "made_by_dump";
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	uint64_t now = t.tv_sec * 1000000000ull + t.tv_nsec, at = (uintptr_t)code;
	uint32_t head[] = { 0x4A695444, 1, 40, 62, 0, getpid() };
	uint32_t load[] = { 0, 56 + sizeof(name) + CODE };
	uint32_t ids[] = { getpid(), getpid() };
	uint64_t rest[] = { at, at, CODE, 1 }, flags = 0;
	fwrite(head, sizeof(head), 1, f), fwrite(&now, 8, 1, f), fwrite(&flags, 8, 1, f);
	fwrite(load, sizeof(load), 1, f), fwrite(&now, 8, 1, f), fwrite(ids, 8, 1, f);
	fwrite(rest, sizeof(rest), 1, f), fwrite(name, sizeof(name), 1, f);
	fwrite(code, CODE, 1, f), fflush(f);
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0);
}

int main(int argc, char **argv)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int is_dump = argc > 3 && argv[1][0] == 'd', n = argc > 3 ? atoi(argv[3]) : 0;
	char path[4096];
	snprintf(path, sizeof(path), is_dump ? "%s/jit-%d.dump" : "%s/perf-%d.map", argv[2],
	         getpid());
	FILE *f = fopen(path, "w+");
	memcpy(code, (void *)spin, CODE);
	if (is_dump)
		dump(f, code);
	else
		fprintf(f, "%lx %x made_by_map\n", (unsigned long)code, CODE), fflush(f);
	for (int i = 0; i < n; i++)
		((unsigned (*)(unsigned))(void *)code)(1000000);
	return 0;
}
END
gcc -O1 -o jit jit.c || exit 1
mkdir shut || exit 1

record()
{
	if ! perf record -q -F 999 -o perf.data "$@" >record.log 2>&1; then
		cat record.log
		echo "perf cannot record here"
		exit 77
	fi
	pid=$(perf script -i perf.data -F pid 2>/dev/null | sort | uniq -c | sort -n |
		awk 'END { print $2 }')
}
names() { "$BIN/psym" "$@" perf.data 2>said >named; }
has() { grep -q " $1+0x" named; }
lacks() { ! has "$1"; }

record ./jit map /tmp 100
map=/tmp/perf-$pid.map
trap 'rm -f "$map" "/tmp/jit-$pid.dump"' EXIT
names
check "the map in /tmp" has made_by_map
[ "$(grep -c '\[unknown\] (/tmp/perf' named)" = 0 ]
report $? "names all its code"
names --no-host
check "--no-host reads none" lacks made_by_map
touch -d '1 hour ago' perf.data
names
check "whatever the time of the profile's file" has made_by_map
cp perf.data kept.data
host=$(uname -n) perl -0777 -pi -e 's/\Q$ENV{host}\E(?=\0)/"x" x length $ENV{host}/ge' perf.data
names
check "of another machine: none" lacks made_by_map
check "and that is reported" grep -q "$map: not used: the profile was recorded on a machine" said
mv kept.data perf.data

# A file of that name that is of another process, is none, or anyone's.
mv "$map" kept.map
sed 's/^[0-9a-f]*/1000/' kept.map >"$map"
names
check "a stale map names nothing" lacks made_by_map
check "and that is said" grep -q "its own $map names only 0 of" said
rm "$map"
mkfifo "$map"
status "a FIFO in its place is not opened" 0 bounded 10 "$BIN/psym" -q -o named perf.data
check "and names nothing" lacks made_by_map
rm "$map"
ln -s "$PWD/kept.map" "$map"
names
check "a link in its place is not followed" lacks made_by_map
rm "$map"
# made_later - makes the map as another user, after the clocks cannot show that it was made during the
# recording.  They may drift apart by one part in 20,000 since boot.
drift=$(awk '{ print int($1 / 20000) + 1 }' /proc/uptime)
made_later()
{
	sleep "$drift"
	cp kept.map "$map" && chown 54321 "$map"
}
if [ "$drift" -gt 200 ]; then
	echo "ok files of other users # SKIP this machine has run for more than 46 days"
elif [ "$(id -u)" = 0 ]; then
	made_later
	names
	check "a stranger's file is not used" lacks made_by_map
	check "and that is said" grep -q "$map: not used: it belongs neither to you" said
	chown 0 "$map"
	names
	check "root's is" has made_by_map
	# The process has ended: only the file that was made during the recording can be its own.
	rm "$map"
	record setpriv --reuid 54321 --clear-groups ./jit map /tmp 100
	map=/tmp/perf-$pid.map
	names
	check "the file of its user, made while it ran" has made_by_map
	SUDO_UID=54321 "$BIN/psym" perf.data >named 2>said
	check "with sudo, too" has made_by_map
	cp "$map" kept.map && rm "$map"
	made_later
	names
	check "not one made later" lacks made_by_map
	SUDO_UID=54321 "$BIN/psym" perf.data >named 2>said
	check "but the caller's own with sudo" has made_by_map
fi
rm -f "$map"

record ./jit dump /tmp 100
names
check "the jitdump in /tmp" has made_by_dump
rm "/tmp/jit-$pid.dump"
record ./jit dump "$PWD/shut" 100
names
case $(stat -f -c %T .) in
overlayfs | btrfs) echo "ok the jitdump that was mapped # SKIP no numbers of files" ;;
*) check "the jitdump that was mapped" has made_by_dump ;;
esac
cp -p shut/jit-*.dump other && mv other shut/jit-*.dump
names
check "another file under its path" lacks made_by_dump

# A process whose /tmp and pid are its own.
if [ "$(id -u)" = 0 ] && unshare -mpf true 2>/dev/null; then
	unshare -mpf sh -c 'mount -t tmpfs tmpfs /tmp && ./jit map /tmp 100000; true' >/dev/null 2>&1 &
	shell=$!
	for _ in $(seq 50); do
		lives=$(pgrep -x jit -P "$(pgrep -P $shell)")
		[ -n "$lives" ] && break
		sleep 0.1
	done
	record -p "$lives" -- sleep 0.3
	kill -STOP "$lives"
	names
	check "a container's map, while it lives" has made_by_map
	kill -KILL "$lives" "$(pgrep -P $shell)"
	wait $shell 2>/dev/null
	names
	check "and not when it has ended" lacks made_by_map
else
	echo "ok a container's map # SKIP no namespaces here"
fi
finish
