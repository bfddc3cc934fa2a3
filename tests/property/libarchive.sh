#!/bin/bash
# libarchive is loaded for an archive and for nothing else, and missed aloud.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
archive=$TOP/fixtures/sarif8.prof.tar.gz
mkdir d
tar -xzf "$archive" -C d
"$BIN/psym" -q --no-host d/perf_script.out >named && "$BIN/pfold" -q named >folded
gzip -k folded

# loads COMMAND ... - it works, and the library is mapped when it ends.
loads()
{
	rm -f ld.*
	LD_DEBUG=files LD_DEBUG_OUTPUT=ld "$@" >out || return 2
	grep -q 'libarchive[.]so' ld.*
}
status 'psym of text from a pipe starts without it' 1 loads "$BIN/psym" -q < <(cat named)
status 'pfold of text starts without it' 1 loads "$BIN/pfold" -q named
status 'pflame starts without it' 1 loads "$BIN/pflame" -q folded
status 'psym of a directory starts without it' 1 loads "$BIN/psym" -q --no-host d
status 'pmerge starts without it' 1 loads "$BIN/pmerge" -q --no-host d
status 'psym of an archive loads it' 0 loads "$BIN/psym" -q --no-host "$archive"
status 'pflame of a compressed file loads it' 0 loads "$BIN/pflame" -q folded.gz

# In its place lies something that cannot be loaded, or is another library.
mkdir empty other
: >empty/libarchive.so.13
echo 'int archive_read_new(void) { return 0; }' >other.c
gcc -shared -fPIC -o other/libarchive.so.13 other.c

# without DIR STATUS COMMAND ... - one line says that the library of DIR is of no use.
without()
{
	local dir=$1 want=$2 got
	shift 2
	LD_LIBRARY_PATH=$dir "$@" >out 2>err
	got=$?
	[ $got = "$want" ] && [ "$(wc -l <err)" = 1 ] &&
		grep -q ": cannot be unpacked: $dir/libarchive.so.13: " err && return
	echo "exit status $got, not $want:"
	cat err
	return 1
}
for dir in empty other; do
	for tool in psym pfold pmerge pflame; do
		check "$tool, $dir" without $dir 2 "$BIN/$tool" "$archive"
		[ ! -s out ]
		report $? "$tool, $dir: no output"
	done
	check "from a pipe, $dir" without $dir 2 "$BIN/pflame" < <(cat folded.gz)
	check "as a source, $dir" without $dir 2 "$BIN/psym" -q -m "$archive" named
	check "one of two inputs, $dir" without $dir 1 "$BIN/psym" -q "$archive" named
	same "the other of two inputs, $dir" named out
done
finish
