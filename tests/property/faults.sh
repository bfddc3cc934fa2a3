#!/bin/bash
# What cannot be read is said, by its name and with the reason, and the status is 1 when it
# was named or lies in the archive; a file of this machine is a note, the cache nothing.
# losses.sh lets any call fail.
. "$TOP/tests/check.sh"
needs cc xz
cd "$TMPDIR" || exit 1
cc -shared -fPIC -O1 -D_GNU_SOURCE -o faults.so "$TOP/tests/property/faults.c" -ldl || exit 1
fixtures=$TOP/fixtures
mkdir calc native
tar -xzf "$fixtures/calc10.prof.tar.gz" -C calc
tar -xzf "$fixtures/native.prof.tar.gz" -C native
xz -dc "$fixtures/nettrace/calc10-v4.nettrace.xz" >calc/calc10.nettrace
mv calc/perf.data perf.data
mv native/lld.perf.data native.data
rm native/*.data native/*.out
tar -cf calc.tar -C calc .

# faulty CALL:N:ERROR PART COMMAND... - leaves out, err and got; log is there if it failed.
faulty()
{
	local fault=$1 part=$2
	shift 2
	rm -f log
	bounded 20 env FAULT="$fault" ${part:+FAULT_FILE="$part"} FAULT_LOG=log \
		LD_PRELOAD="$PWD/faults.so" "$@" >out 2>err
	got=$?
	[ -s log ] || rm -f log
}

# --- a source that was named ---
# An open is of the path as the program has it: of a directory's file, its name there.
for file in perf-8292.map jit-8292.dump calc10.dll calc10.ni.r2rmap perf_script.out calc10.nettrace; do
	for fault in open:1:EACCES open:1:EMFILE open:2:EMFILE read:1:EIO mmap:1:ENOMEM; do
		faulty $fault $file "$BIN/psym" --no-host -m "$PWD/calc" perf.data
		[ -e log ] || continue
		case $fault in
		*EACCES) why='Permission denied' ;;
		*EMFILE) why='Too many open files' ;;
		*EIO)	why='Input/output error' ;;
		*)	why='Cannot allocate memory' ;;
		esac
		[ $got = 1 ] && [ -s out ] && grep -q "^psym: .*$file.*: $why" err
		report $? "$file: $fault"
	done
done
for fault in open:1:EMFILE mmap:1:ENOMEM; do
	faulty $fault tally "$BIN/psym" --no-host -m native native.data
	[ $got = 1 ] && grep -q '^psym: native/srv/app/native/tally' err
	report $? "an ELF file: $fault"
done
# --- what other captures left in a folder is not opened beyond its first lines ---
mkdir many
cp -r calc many/own
mkdir many/other
tar -xzf "$fixtures/web10.prof.tar.gz" -C many/other
for file in jit-1.dump perf-1.map; do
	mv many/other/$file "many/other/${file/-1./-99991.}"
done
mv many/other/perf_script.out many/other/other_script.out
"$BIN/psym" -q --no-host -m calc perf.data >want
for file in other_script.out perf-99991.map jit-99991.dump; do
	faulty mmap:1:ENOMEM $file "$BIN/psym" --no-host -m many perf.data
	[ ! -e log ] && [ $got = 0 ] && cmp -s out want
	report $? "$file of another capture is not mapped"
	# Its kind is told by its first bytes; those of a text are looked at for times, too.
	n=2
	[ $file != other_script.out ] || n=3
	faulty open:$n:EACCES $file "$BIN/psym" --no-host -m many perf.data
	[ ! -e log ] && [ $got = 0 ] && cmp -s out want
	report $? "$file of another capture is opened less than $n times"
done
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv "--bounding-set=-dac_override,-dac_read_search")
chmod 0 calc/perf-8292.map native/srv/app/native/tally
if "${as_user[@]}" cat calc/perf-8292.map >/dev/null 2>&1; then
	echo "not ok a file of mode 0 # SKIP this user may read it"
else
	for tool in psym pfold pmerge; do
		"${as_user[@]}" "$BIN/$tool" --no-host -m calc perf.data >out 2>err
		[ $? = 1 ] && grep -q "^$tool: calc/perf-8292.map: Permission denied" err
		report $? "$tool: a perf map of mode 0"
	done
	"${as_user[@]}" "$BIN/psym" --no-host -m native native.data >out 2>err
	[ $? = 1 ] && grep -q '^psym: native/srv/app/native/tally: Permission denied' err
	report $? "an ELF file of mode 0"
	mkdir batch
	"${as_user[@]}" "$BIN/psym" --no-host -o batch/ -m calc perf.data native.data 2>err
	[ $? = 1 ] && [ "$(grep -c 'perf-8292.map: Permission denied' err)" = 1 ]
	report $? "of several inputs, once"
	mkdir calc/private && chmod 0 calc/private
	"${as_user[@]}" "$BIN/psym" --no-host -m calc perf.data >out 2>err
	[ $? = 1 ] && grep -q '^psym: calc/private: Permission denied' err
	report $? "a directory of mode 0"
	# An index of the directory must not make the second run silent.
	"${as_user[@]}" "$BIN/psym" --cache cache1 --no-host -m calc perf.data >/dev/null 2>&1
	"${as_user[@]}" "$BIN/psym" --cache cache1 --no-host -m calc perf.data >/dev/null 2>err
	[ $? = 1 ] && grep -q 'perf-8292.map: Permission denied' err
	report $? "again with a cache"
fi
chmod 644 calc/perf-8292.map native/srv/app/native/tally
[ ! -d calc/private ] || rmdir calc/private

# --- a file of this machine ---
id=$(readelf -n native/srv/app/native/tally | sed -n 's/.*Build ID: //p')
mkdir -p home/.debug/.build-id/"${id:0:2}/${id:2}"
cp native/srv/app/native/tally home/.debug/.build-id/"${id:0:2}/${id:2}/elf"
cp native/srv/app/native/tally.debug home/.debug/.build-id/"${id:0:2}/${id:2}/debug"
HOME=$PWD/home "$BIN/psym" native.data >want 2>err
grep -q '+0x[0-9a-f]* (/srv/app/native/tally)$' want
report $? "perf's cache names a program"
HOME=$PWD/home faulty open:1:EACCES ".build-id/${id:0:2}/${id:2}/debug" "$BIN/psym" native.data
[ $got = 0 ] && grep -q "^psym: .*${id:2}/debug: a file of this machine, cannot be read: Permission denied" err
report $? "one of this machine that may not be read is a note"

# --- the cache ---
"$BIN/psym" --cache cache2 --no-host -m calc perf.data >want 2>err
for call in open:EMFILE read:EIO mmap:ENOMEM; do
	bad=0
	for n in 1 2 3 4 5 6; do
		faulty ${call%:*}:$n:${call#*:} cache2/ "$BIN/psym" --cache cache2 --no-host -m calc perf.data
		[ $got = 0 ] && cmp -s out want || bad=1
	done
	report $bad "the cache: $call changes nothing"
done

finish
