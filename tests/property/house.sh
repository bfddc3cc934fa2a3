#!/bin/bash
# layers.sh, stems.sh and style.sh find what they are there for: each violation, planted in a
# copy of a part of the tree, is refused, and the copy without it is not.  A copy of all of lib/
# would take four times as long, and run.sh asks the three of the whole tree.
set -u
tree=$TMPDIR/tree
mkdir -p "$tree/share" "$tree/lib" "$tree/build/objects/lib"
cp -r "$TOP"/{GNUmakefile,cmd,tests} "$tree"
cp -r "$TOP"/lib/{base,source} "$tree/lib"
cp -r "$BIN"/lib/{base,source} "$tree/build/objects/lib"
failed=0

verdict()
{
	TOP=$tree BIN=$tree/build/objects "$tree/tests/$1.sh" >"$TMPDIR/said" 2>&1
}

say()
{
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		cat "$TMPDIR/said"
		failed=1
	fi
}

# refused CHECK FILE NAME PATTERN - plants standard input as FILE.
refused()
{
	local file=$tree/$2 object=$tree/build/objects/${2%.c}.o status=0
	[ ! -e "$file" ] || { echo "not ok $2 exists"; failed=1; return; }
	mkdir -p "$(dirname "$file")"
	cat >"$file"
	case $2 in
	lib/*.c)
		mkdir -p "$(dirname "$object")"
		if [ "$1" = style ]; then
			gcc -std=gnu17 -O1 -Wall -I"$tree/lib" -c -o "$object" "$file"
		fi ;;
	esac
	if verdict "$1" || ! grep -q "$4" "$TMPDIR/said"; then
		status=1
	fi
	say $status "$3"
	rm -f "$file" "$object"
}

body()
{
	yes '	n++;' | head -n "$1"
}

function_of()
{
	printf 'int planted(int n);\n\nint planted(int n)\n{\n'
	body $(($1 - 3))
	printf '\treturn n;\n}\n'
}

verdict layers
say $? 'layers.sh accepts the part'
verdict style
say $? 'style.sh accepts the part'

echo '#include "writer/writer.h"' |
	refused layers lib/reader/planted.c 'a module to the right' 'to the right'
echo '#include "reader/format.h"' |
	refused layers lib/stack/planted.c 'a private header' 'private'
echo '#include "reader/format.h"' |
	refused layers cmd/planted.c 'a private header in cmd/' 'private'
echo '#include "../base/str.h"' |
	refused layers lib/stack/planted.c 'a relative path' 'not a module'
echo '#include "cmd.h"' |
	refused layers lib/stack/planted.c 'the front, from lib/' 'path from lib'
echo '#include "base/str.h"' |
	refused layers lib/extra/planted.c 'a module that is none' 'not a module'
while read -r header file; do
	echo "#include <$header>" |
		refused layers "$file" "$header outside its landlord" 'landlord'
done <<'END'
archive.h lib/source/planted.c
archive_entry.h lib/image/planted.c
zstd.h lib/source/planted.c
zlib.h lib/image/planted.c
lzma.h cmd/planted.c
elfutils/libdw.h lib/symbol/planted.c
libelf.h lib/reader/planted.c
dwarf.h lib/symbol/planted.c
event-parse.h lib/writer/planted.c
traceevent/event-parse.h lib/reader/planted.c
pcre2.h lib/stack/planted.c
pthread.h lib/image/planted.c
dlfcn.h lib/source/planted.c
xxhash.h lib/cache/planted.c
nettle/md5.h lib/image/planted.c
Zydis/Zydis.h lib/writer/planted.c
capstone/capstone.h lib/symbol/planted.c
libiberty/demangle.h lib/image/planted.c
END

function_of 81 | refused style lib/base/planted.c 'a function of 81 lines' '81 lines'
{ function_of 70; yes '/* long */' | head -n 931; } |
	refused style lib/base/planted.c 'a file of 1001 lines' 'lines, 1000'
yes '/* long */' | head -n 151 |
	refused style lib/base/planted.h 'a header of 151 lines' '151 lines'
for i in $(seq 600); do
	function_of 41 | sed "s/planted/planted$i/"
done | refused style cmd/planted.c 'a p90 of 41' 'p90 is over'
echo 'int planted;' |
	refused style lib/base/planted.c 'a global variable' 'mutable variable planted'
echo 'int planted(void); int planted(void) { static int n = 3; return n++; }' |
	refused style lib/base/planted.c 'a static in a function' 'mutable variable n'
echo '_Thread_local int planted = 1;' |
	refused style lib/base/planted.c 'a variable of a thread' 'mutable variable planted'
echo 'const char *planted[] = { "a" };' |
	refused style lib/base/planted.c 'a table of constants that can change' 'mutable'
printf '#include <stdlib.h>\nvoid planted(void); void planted(void) { exit(1); }\n' |
	refused style lib/base/planted.c 'an exit in the library' 'calls exit'
printf '#include <stdio.h>\nvoid planted(int); void planted(int n) { printf("%%d", n); }\n' |
	refused style lib/base/planted.c 'a printf in the library' 'calls printf'
echo 'int x(void);' | refused style lib/base/util.h 'a file called util' 'says nothing'
echo 'int x(void);' | refused style lib/helpers/x.h 'a directory called helpers' 'says nothing'
rmdir "$tree/lib/helpers"
echo '/* TODO: later */' | refused style lib/base/planted.h 'a TODO' 'TODO'
printf '#ifndef BASE_PLANTED_H\n#define BASE_PLANTED_H\n\n#endif\n' |
	refused style lib/base/planted.h 'a header without its purpose' 'planted.h: $'
echo '# FIXME' | refused style tests/property/planted.sh 'a FIXME' 'FIXME'
echo 'head -c 9 file | xz -dc' | refused style tests/property/planted.sh 'a program that may be missing' 'lacks needs xz'
echo './spent.py file' |
	refused style tests/property/planted.sh 'a program in Python' 'lacks needs python3'
echo 'x' | refused style Makefile.am 'a stray file' 'not part'
echo 'x' | refused style tests/fuzz/corpus/planted 'an input outside its tar' 'not a tar'

# plain.py, over the whole tree; a planted file of comments that use a counted word is refused.
whole=$TMPDIR/whole
mkdir "$whole"
cp -r "$TOP"/{.ci,GNUmakefile,README.md,cmd,lib,share,tests} "$whole"
plain()
{
	TOP=$whole "$whole/tests/plain.py" >"$TMPDIR/said" 2>&1
}
if command -v python3 >/dev/null; then
	plain
	say $? 'plain.py accepts the tree'
	mkdir "$whole/lib/planted"
	for i in $(seq 40); do
		echo '/* What it says is what stands behind it. */'
	done >"$whole/lib/planted/planted.h"
	! plain && grep -q '^lib/planted: comments: 80 of "what" in 320 words, 1 in 1,000 are the most$' "$TMPDIR/said"
	say $? 'plain.py refuses a word that is too frequent'
	rm -r "$whole/lib/planted"
	seq 200 >>"$whole/README.md"
	! plain && grep -qE '^README.md: 3[0-9]{2} lines, 120 are the most$' "$TMPDIR/said"
	say $? 'plain.py refuses a long README'
else
	echo 'ok plain.py # SKIP python3 is not installed'
fi

"$TOP/tests/run.sh" "$BIN" property/nonesuch >"$TMPDIR/said" 2>&1
[ $? = 2 ] && grep -q 'no test is called property/nonesuch' "$TMPDIR/said"
say $? 'run.sh refuses a test that is not there'
VERBOSE='' "$TOP/tests/run.sh" "$BIN" layers >"$TMPDIR/said" 2>&1 && [ "$(cat "$TMPDIR/said")" = '1 passed, 0 failed' ]
say $? 'run.sh runs one test'

# misplaced NAME PATTERN - stems.sh refuses lib/base/one.c and two.c, planted with their headers
# as the variables one, two, one_h and two_h say.
misplaced()
{
	local base=$tree/lib/base objects=$tree/build/objects/lib/base file status=0
	printf '%s\n' "$one_h" >"$base/one.h"
	printf '%s\n' "$two_h" >"$base/two.h"
	printf '%s\n' "$one" >"$base/one.c"
	printf '%s\n' "$two" >"$base/two.c"
	for file in one two; do
		gcc -std=gnu17 -O0 -I"$tree/lib" -c -o "$objects/$file.o" "$base/$file.c"
	done
	if [ "$2" = accepted ]; then
		verdict stems || status=1
	elif verdict stems || ! grep -q "$2" "$TMPDIR/said"; then
		status=1
	fi
	say $status "$1"
	rm -f "$base"/{one,two}.[ch] "$objects"/{one,two}.o
}
verdict stems
say $? 'stems.sh accepts the part'
include='#include "base/one.h"
#include "base/two.h"'
one_h='int one_get(void);' two_h='int two_get(void);'
one="$include
int one_get(void) { return 1; }" two="$include
int two_get(void) { return one_get(); }"
misplaced 'a function in the file of its stem' accepted
one_h='int get_one(void);' one='int get_one(void) { return 1; }' two='int get_one(void);
int two_get(void) { return get_one(); }'
misplaced 'a function without its stem' 'get_one does not begin with one_'
one_h='' two_h='int one_get(void);' one='int one_get(void) { return 1; }' two="$include
int two_get(void) { return one_get(); }"
misplaced 'a function that another header declares' 'one_get is not declared in one.h'
one_h='int one_get(void);' two_h='int two_get(void);' one="$include
int one_get(void) { return two_get(); }" two="$include
int two_get(void) { return one_get(); }"
misplaced 'two files that need each other' 'cycle of files: .*base/one -> .*base/two'

# What may look like a violation and is none.
echo '/* Prints letters. */
static const char *const t[] = { "a", "b" }; const char *planted(int n);
const char *planted(int n) { return t[n & 1]; }' >"$tree/lib/base/planted.c"
gcc -O0 -c -o "$tree/build/objects/lib/base/planted.o" "$tree/lib/base/planted.c"
verdict style
say $? 'a constant table is accepted'
exit $failed
