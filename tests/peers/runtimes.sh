#!/bin/bash
# The code that PHP 8.4, Erlang 27 and Python 3.13 make at run time has names.  Each runs a program
# of runtimes/ in a container of Debian 13, offbox-collect records it, and psym names its code: at
# least 95 of 100 frames, and pfold shows none as an address.
#
# Needs root, and PEERS/debian13, a Debian 13 with php8.4-cli, php8.4-opcache, erlang-base and python3.
# KEEP=DIR copies the archives to DIR.
. "$TOP/tests/check.sh"
ROOT13=${PEERS:-}/debian13
[ -x "$ROOT13/usr/bin/python3.13" ] || cannot "no Debian 13 in $ROOT13"
[ "$(id -u)" = 0 ] || cannot "not root"
needs perf unshare pgrep
cd "$TMPDIR" || exit 1
mkdir app
cp "$TOP"/tests/peers/runtimes/* app

# shellcheck disable=SC2016 # the shell in the container expands these
inside='mount --make-rprivate / && mount --bind "$0" "$0" && mount -t tmpfs tmpfs "$0/tmp" &&
mkdir -p "$0/tmp/old" "$0/tmp/app" && cp "$1"/* "$0/tmp/app" && cd "$0" && pivot_root . tmp/old &&
mount -t proc proc /proc && umount -l /tmp/old && cd /tmp/app && shift && exec "$@"'

# named NAME OPTION ... -- COMMAND ... - records COMMAND, and counts the frames of its JIT code
named()
{
	local name=$1 options=() box pid
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	unshare --mount --pid --fork sh -c "$inside" "$ROOT13" "$PWD/app" "$@" >log 2>&1 &
	box=$!
	for ((i = 0; i < 100; i++)); do
		pid=$(pgrep -P $box) && grep -q "${1##*/}\|beam" "/proc/$pid/comm" && break
		sleep 0.1
	done
	sleep 3
	"$BIN/offbox-collect" -q -d 3 "${options[@]}" -o "$name.tar.gz" "$pid"
	kill -KILL "$pid"
	wait $box 2>/dev/null
	"$BIN/psym" -q --no-host "$name.tar.gz" >text
	grep -E "\(/tmp/perf-[0-9]+\.map\)|\(//anon\)" text >frames
	awk -v name="$name" '/\[unknown\]/ { bare++ } END { printf "%s: %d of %d frames are named\n", name, NR - bare, NR
		exit !(NR >= 20 && (NR - bare) / NR >= 0.95) }' frames
	report $? "$name: its JIT code is named"
	"$BIN/pfold" -q --no-host --rules "${name%%-*}" "$name.tar.gz" | grep -v '^#' >folded
	[ -s folded ] && ! grep -E '(^|;)(0x)?[0-9a-f]{6,}(_\[[a-z]\])?(;| )' folded
	report $? "$name: no frame is an address"
	[ -z "${KEEP:-}" ] || cp "$name.tar.gz" "$KEEP"
}

# The program was just copied: opcache would leave it to the interpreter.
php=(php -d opcache.enable_cli=1 -d opcache.jit_buffer_size=32M -d opcache.file_update_protection=0)
named php-trace -F 499 -- "${php[@]}" -d opcache.jit=tracing -d opcache.jit_debug=16 words.php 60
named php-function -F 499 -- "${php[@]}" -d opcache.jit=function -d opcache.jit_debug=32 words.php 60
unshare --mount sh -c "$inside" "$ROOT13" "$PWD/app" sh -c 'erlc work.erl && cat work.beam' >work.beam 2>log
mv work.beam app
named erlang-map -F 499 -- erl +JPperf map +S 1 -noshell -run work main 60
named erlang-dump -F 499 -- erl +JPperf dump +S 1 -noshell -run work main 60
named python-jit -F 99 -g dwarf,16384 -- python3 -X perf_jit work.py 60
finish
