#!/bin/bash
# A file that -m names is meant: without a build-id to compare it is taken for the only module
# that its segments and calls fit, whatever it is called; if it is not used, it is said why.
. "$TOP/tests/check.sh"
needs_perf 6.1
needs gcc
cd "$TMPDIR" || exit 1

cat >work.c <<'END_C'
static volatile unsigned long sink;
__attribute__((noinline)) static void leaf(unsigned n) { while (n--) sink += n % 7; }
__attribute__((noinline)) static void middle(unsigned n) { for (int i = 0; i < 10; i++) leaf(n); sink++; }
__attribute__((noinline)) static void outer(unsigned n) { leaf(n); middle(n); sink++; }
#ifdef OTHER
__attribute__((noinline)) static void more(unsigned n) { middle(n); outer(n); sink--; }
#else
#define more outer
#endif
int main(void) { for (int i = 0; i < 1500; i++) { middle(2000); more(3000); } return sink == 1; }
END_C
cat >work.go <<'END_GO'
package main

import "fmt"

//go:noinline
func leaf(n int) int { s := 0; for i := 0; i < n; i++ { s += i * i % 7 }; return s }

//go:noinline
func middle(n int) int { return leaf(n) + leaf(n+1) }

//go:noinline
func outer(n int) int { return middle(n) ^ leaf(n) + middle(n+2) }

func main() { t := 0; for i := 0; i < 60000; i++ { t += outer(1000) + middle(900) }; fmt.Println(t) }
END_GO
flags='-O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls'
# shellcheck disable=SC2086 # a list
gcc $flags -Wl,--build-id=none -o none work.c && gcc $flags -DOTHER -Wl,--build-id -o id work.c &&
	gcc -O0 -Wl,--build-id=none -o other work.c || exit 1
programs='none id'
if command -v go >/dev/null && HOME=$PWD GOCACHE=$PWD/cache go build -o go work.go 2>go.log; then
	programs="$programs go"
else
	echo "ok a program of Go # SKIP there is no Go"
fi
mkdir run kept
for name in $programs; do
	cp "$name" "run/ran-$name"
	mv "$name" "kept/$name-1.2"
	perf record -q -F 999 -g -o "$name.data" "run/ran-$name" >record.log 2>&1
	[ -s "$name.data" ] || { cat record.log; echo "perf cannot record here"; exit 77; }
	perf script --no-inline -i "$name.data" 2>/dev/null | grep "/run/ran-$name)\$" |
		sed 's/+0x[0-9a-f]* (/ (/' >"$name.want"
done
rm -r run
# named NAME OPTION... - frames of its program, as psym names them.
named()
{
	local name=$1
	shift
	"$BIN/psym" --no-host --coverage --no-inline "$@" "$name.data" 2>said | grep "/run/ran-$name)\$" |
		sed 's/+0x[0-9a-f]* (/ (/' >got
}

for name in $programs; do
	named "$name" -m "kept/$name-1.2"
	same "$name: under another name" "$name.want" got
	[ "$name" = id ] && continue
	check "$name: that is said" grep -q "$name-1.2: taken for /.*/run/ran-$name, the only module" said
	check "$name: unverified in the coverage" grep -q "by kept/$name-1.2 (segments and calls, unverified)" said
	named "$name" -m kept
	check "$name: a directory names no file on purpose" sh -c '! grep -qv "\[unknown\]" got'
done

named none -m other
check "another program's file names nothing" sh -c '! grep -qv "\[unknown\]" got'
check "and why is said" grep -qE 'other: not used: its segments fit ' said
named none -m kept/id-1.2
check "nor another build" sh -c '! grep -qv "\[unknown\]" got'
check "and why is said" grep -qE 'id-1.2: not used: ' said
named id -m kept/none-1.2
check "nor one without a build-id where what ran had one" sh -c '! grep -qv "\[unknown\]" got || grep -q "taken for" said'
mkdir run && cp other run/ran-id
named id -m run/ran-id
check "a file of its name without a build-id" grep -q 'ran-id: not used: it has no build-id, unlike the recorded file' said
printf '\177ELF\2\1\1' >torn
"$BIN/psym" --no-host -m torn none.data >named 2>said
check "a damaged file is said to be" grep -q 'torn' said
finish
