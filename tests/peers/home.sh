#!/bin/bash
# A profile that was recorded on this machine, plainly: perf saves no build-id of files that
# only call chains meet.  They name their frames while they are the files that were mapped.
. "$TOP/tests/check.sh"
needs perf gcc python3 perl
cd "$TMPDIR" || exit 1
perf_cache

cat >library.c <<'END'
void library_call(void (*f)(void)) { for (int i = 0; i < 200; i++) f(); __asm__ volatile("nop"); }
END
cat >main.c <<'END'
void library_call(void (*f)(void));
static volatile unsigned s;
__attribute__((noinline)) static void step(int i) { s = s * 17 + i; }
static void burn(void) { for (int i = 0; i < 300000; i++) step(i); }
int main(void) { library_call(burn); return 0; }
END
build()
{
	gcc -O1 -fno-omit-frame-pointer "$@" -fPIC -shared -o new.so library.c &&
		mv new.so liblibrary.so
}
build -DFIRST &&
	gcc -O1 -fno-omit-frame-pointer -o program main.c -L. -llibrary -Wl,-rpath,"$PWD" || exit 1
# The library was built just now.  If the file system does not record when perf.data was made, the
# begin of the recording is only as exact as the clocks, which may differ by 1/20000 of the uptime.
settle()
{
	[ "$(stat -c %W liblibrary.so)" != 0 ] ||
		sleep "$(awk '{ s = $1 / 20000 + 0.1; print s < 10 ? s : 10 }' /proc/uptime)"
}
export -f settle

# record HZ - the program, with no sample in the library itself: perf saves the build-id of a
# file that has one, and it is named by that whatever became of its path since.
record()
{
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		perf record -q -g -F "$1" -o perf.data ./program >record.log 2>&1 || return
		perf buildid-list -i perf.data >ids
		grep -q liblibrary ids || return 0
	done
}
export -f record

settle
if ! record 499; then
	cat record.log
	echo "perf cannot record here"
	exit 77
fi
check "perf saved no build-id of the library" sh -c '! grep -q liblibrary ids'

names() { "$BIN/psym" "$@" perf.data 2>said >named; }
has() { grep -q ' library_call+0x.*/liblibrary.so)' named; }
lacks() { ! has; }

names
case $(stat -f -c %T .) in
overlayfs | btrfs)
	echo "ok at home # SKIP this file system's numbers are not what perf records"
	finish ;;
esac
check "a library that only chains meet" has
"$BIN/psym" --coverage perf.data >covered 2>&1
check "the coverage says by what" grep -q 'liblibrary.so.*the mapped file' covered
names --no-host
check "--no-host reads none" lacks

# Another machine.
host=$(uname -n) perl -0777 -pe 's/\Q$ENV{host}\E(?=\0)/"x" x length $ENV{host}/ge' perf.data >other.data
"$BIN/psym" other.data >named 2>said
check "another machine's" lacks
check "the test that failed is reported" \
	grep -q 'not used.*: the profile was recorded on a machine with another name' said

# kernel_frames - of the profile, that are unnamed although perf names the same.
kernel_frames()
{
	perf script --no-inline -i "$1" 2>/dev/null </dev/null |
		grep -c ' \(\[kernel.kallsyms\]\)$' >perf.kernel
	"$BIN/psym" --no-inline -q "$1" | grep -c ' \[unknown\] (\[kernel' >own.kernel
}

# The ways to record that save no build-ids, no times in the header, or no header.
ways()
{
	local way
	for way in -B -z '-B -z' --buildid-all --buildid-mmap '-k mono' --no-timestamp; do
		# shellcheck disable=SC2086 # several options
		perf record -q -g -F 499 $way -o way.data ./program >record.log 2>&1 || {
			echo "ok perf record $way # SKIP $(head -n 1 record.log)"
			continue
		}
		"$BIN/psym" way.data >named 2>said
		check "perf record $way" has
		kernel_frames way.data
		check "its kernel" [ "$(cat own.kernel)" = 0 ]
	done
	perf record -q -g -F 499 -o - ./program >way.data 2>record.log
	"$BIN/psym" way.data >named 2>said
	check "pipe mode" has
	perf record -q -g -F 499 -o - ./program 2>record.log | "$BIN/psym" >named 2>said
	check "through a pipe" has
	record 499
	mv perf.data whole.data
	perl -0777 -pe 'substr($_, 48, 8) = substr($_, 72, 8) = "\0" x 8' whole.data >killed.data
	"$BIN/psym" killed.data >named 2>said
	# A recording of a user who may not see the kernel has no load address of it.
	if ! grep -q '\[kernel.kallsyms\]_text' killed.data; then
		check "perf was killed, and the kernel is hidden" lacks
		check "the reason" grep -q 'not used.*: the profile does not show that it was recorded on this machine' said
		return
	fi
	check "perf was killed: no header" has
	perl -0777 -pe 's/(.{8})(?=\[kernel\.kallsyms\]_text\0)/pack "Q", (unpack "Q", $1) + 0x200000/se' \
		killed.data >moved.data
	"$BIN/psym" moved.data >named 2>said
	check "of another boot" lacks
	check "which is reported" grep -q 'not used.*: the kernel had another load address' said
}

# A stripped program, whose full file perf keeps.
cp program full
strip -o stripped program
cp --remove-destination full program
rm -rf cache
perf --buildid-dir "$PWD/cache" buildid-cache -a "$PWD/program"
cp --remove-destination stripped program
mkdir home && ln -s "$PWD/cache" home/.debug
perf record -q -g -F 499 -o perf.data ./program >record.log 2>&1
HOME=$PWD/home "$BIN/psym" --no-inline perf.data >named 2>said
check "a stripped program, by the full file in ~/.debug" grep -q ' step+0x.*/program)' named
"$BIN/psym" --no-inline -m full perf.data >named 2>said
check "by the full file of a source" grep -q ' step+0x.*/program)' named
cp --remove-destination full program
record 499 >/dev/null
names
check "recorded anew" has

# Another build under that path: another inode, and one that was written over.
cp -p liblibrary.so kept.so
build -DSECOND -O0
names
check "another file" lacks
check "another file is reported" grep -q 'liblibrary.so.*another file was at its path' said
rm liblibrary.so
mkfifo liblibrary.so
status "a FIFO in its place is not opened" 0 bounded 10 "$BIN/psym" -q perf.data >named
check "a FIFO names nothing" lacks
rm liblibrary.so

build -DFIRST
settle
record 499
names
check "recorded again" has
rm .debug
perf --buildid-dir "$HOME/.debug" buildid-cache -a "$PWD/liblibrary.so"
check "perf links the library into its cache" [ "$(stat -c %h liblibrary.so)" = 2 ]
names
check "linked by perf since" has
mv .debug .moved
names
check "linked by somebody since" lacks
mv .moved .debug
cat kept.so >liblibrary.so
names
check "written over since" lacks
check "written over is said" grep -q 'liblibrary.so.*changed after the recording began' said

# Where inodes cannot be compared, return addresses show it: enough of them, and all.
rm liblibrary.so
cat >library.c <<'END'
#define CALL(n) __attribute__((noinline)) static void call##n(void (*f)(void)) { f(); __asm__ volatile("nop"); }
CALL(0) CALL(1) CALL(2) CALL(3) CALL(4) CALL(5) CALL(6) CALL(7)
#ifdef SECOND
__attribute__((noinline)) void shifts_all(int *p) { *p = *p * 7 + 1; }
#endif
void library_call(void (*f)(void))
{
	for (int i = 0; i < 60; i++) {
		call0(f); call1(f); call2(f); call3(f); call4(f); call5(f); call6(f); call7(f);
		__asm__ volatile("nop");
	}
}
END
build -DFIRST -fno-optimize-sibling-calls
cp liblibrary.so kept.so
settle
record 999
# without_inodes - what perf.data says of the file of each mapping, device and inode, taken out.
without_inodes()
{
	perl -0777 -pi -e 's/.{24}(.{8}[^\0]*liblibrary[.]so\0)/"\0" x 24 . $1/gse' perf.data
}
names
check "with an inode" has
# A copy names the same.  Its mtime moves the assumed begin of the recording to earlier times only.
# Its birth is later, so the begin is only as exact as the clocks, and calls decide.
cp named want
cp perf.data copy.data
"$BIN/psym" copy.data >named 2>said
same "a copy" want named
touch -d 'tomorrow' copy.data
"$BIN/psym" copy.data >named 2>said
same "a copy with a later time" want named
touch -d '1 hour ago' copy.data
"$BIN/psym" copy.data >named 2>said
check "a recording that began before the library was built" lacks
check "and that is reported" grep -q 'liblibrary.so.*changed after the recording began' said
ways
record 999
cp -p liblibrary.so same.so && mv same.so liblibrary.so
names
check "an inode that differs is refused, whatever calls say" lacks
check "and is said" grep -q 'liblibrary.so.*another file was at its path' said
settle
record 999
cp perf.data whole.data
without_inodes
"$BIN/psym" --coverage perf.data 2>said >named
check "none recorded: by its calls" has
check "by what, is said" grep -q 'liblibrary.so.*(length and calls, of this machine)' said
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -DSECOND -fPIC -shared -o liblibrary.so library.c
touch -d '1 hour ago' liblibrary.so
settle
touch perf.data
names
check "another build is not" lacks
check "and is said" grep -q 'liblibrary.so' said

# An overlay has other numbers than perf records.
mkdir lower upper work merged
cat >inside.sh <<'END'
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged || exit 77
cp program kept.so merged/ && cd merged && mv kept.so liblibrary.so && settle
LD_LIBRARY_PATH=. record 999
"$BIN/psym" --coverage perf.data 2>../said >../named
touch liblibrary.so
"$BIN/psym" -q perf.data 2>/dev/null >../changed
END
if unshare -m bash inside.sh 2>mount.log; then
	check "on an overlay, by its calls" grep -q ' library_call+0x.*liblibrary.so)' named
	check "not when it was changed since" sh -c '! grep -q " library_call+0x" changed'
else
	echo "ok on an overlay # SKIP none can be mounted here"
fi
build -DFIRST

# What perf script names at home, psym names: programs of this machine.  Another perf that runs
# here may link a library into its cache, which changes the ctime: then it is recorded again.
compare()
{
	local name=$1
	shift
	for _ in 1 2 3; do
		perf record -q -g -F 999 -o perf.data -- "$@" >record.log 2>&1
		perf script --no-inline -i perf.data >perf.text 2>/dev/null
		"$BIN/psym" --perf-compat --no-inline perf.data >psym.text 2>said
		grep -q 'changed after the recording began' said || break
	done
	# Data that perf takes for functions (offbox-perf.7), and stubs that it names by neighbours.
	perl -e '
		open P, "<", "perf.text"; open O, "<", "psym.text";
		while (defined($perf = <P>) && defined($ours = <O>)) {
			chomp($perf, $ours);
			next unless $perf =~ /^\t/;
			$all++;
			next if $perf =~ /\[unknown\]|\@plt| (vtable|typeinfo|guard variable) /;
			next if $ours !~ / \[unknown\] /;
			print "$perf | $ours\n";
			$bad++;
		}
		print "$all frames\n";
		exit !($all && !$bad)' >compared
	report $? "$name: $(tail -n 1 compared)"
	grep -v frames compared | head -n 5
}
compare "shell, find and gzip" sh -c 'find /usr/lib -name "*.x"; gzip -1 </usr/bin/perf | wc -c'
compare "python" python3 -c 'import json; [json.dumps({"a": list(range(100))}) for _ in range(20000)]'
compare "gcc" sh -c 'for i in 1 2 3 4 5; do gcc -O2 -c -o /dev/null main.c; done'
finish
