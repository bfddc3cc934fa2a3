#!/bin/bash
# An input may use only so much processor time and memory (--max-time, --max-memory).  At the
# limit the output so far is written, and real recordings stay far below it.
. "$TOP/tests/check.sh"
needs perl xz tar
cd "$TMPDIR" || exit 1

# A fifth of the default budget is enough for every fixture.
many=0
for f in "$TOP"/fixtures/*.tar.gz "$TOP"/fixtures/*.zip "$TOP"/fixtures/*.tar.xz; do
	for tool in psym pfold; do
		"$BIN/$tool" -q --no-host --no-cache --max-time 12 --max-memory 102M "$f" >out 2>err
		if grep 'stopped after' err; then
			report 1 "$tool $f"
		else
			many=$((many + 1))
		fi
	done
done
check "a fifth of the budget is enough for $many runs" [ $many -ge 20 ]

# Small when packed, and each of its stacks is another one.
perl -e 'for $i (1 .. 200000) {
	printf "app 1 [000] %d.%06d: 1 cycles:\n\t%x name%x+0x1 (/srv/app)\n\t%x other%x+0x1 (/srv/app)\n\n",
		$i / 1000, $i % 1000, $i * 16 + 0x400000, $i, $i * 16 + 0x400000, $i % 7;
}' | xz -1 >many.txt.xz
"$BIN/pfold" -q many.txt.xz >whole
check "the default is enough for 200,000 stacks" [ "$(grep -vc '^#' whole)" = 200000 ]
case $BIN in
*san)	;; # sanitizers need memory of their own
*)	status "16 MiB of memory are too little" 1 "$BIN/pfold" -q --max-memory 16M -o part many.txt.xz 2>err
	check "the limit is reported" grep -qx \
		'pfold: stopped after 16 MiB of memory; --max-memory allows more' err
	check "the stacks so far are written" [ "$(grep -vc '^#' part)" -gt 1000 ]
	check "they are part of the whole" sh -c 'grep -v "^#" part | sort >a; grep -v "^#" whole | sort |
		comm -13 - a | { ! grep -q .; }'
	status "0 is no limit" 0 "$BIN/pfold" -q --max-memory 0 --max-time 0 -o part many.txt.xz
	same "with the whole output" whole part
	# Each input has a budget of its own, in one process or in several.
	cp many.txt.xz again.txt.xz
	for jobs in 1 2; do
		status "two inputs, $jobs workers" 0 "$BIN/pfold" -q -j $jobs --max-memory 256M -o both/ many.txt.xz again.txt.xz
		same "worker or not: the whole output" whole both/again.txt.xz.folded
	done ;;
esac

# LTTng: a million empty structs for each byte, in packets that are tried one by one.
mkdir spin
cat >spin/metadata <<'END'
/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := u;
typealias integer { size = 32; align = 8; signed = false; } := v;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { v magic; v stream_id; }; };
stream { id = 0; packet.context := struct { v packet_size; v content_size; }; event.header := struct { u id; }; };
event { name = "a"; id = 0; stream_id = 0; fields := struct { struct { struct {} b[1000]; } a[800]; }; };
END
perl -e 'print pack("V4", 0xC1FC1FC1, 0, 1728, 1728) . "\0" x 200 for 1 .. 40' >spin/stream
tar czf spin.tar.gz spin
check "the bomb is small" [ "$(stat -c %s spin.tar.gz)" -lt 1000 ]
# Processor time of the programs that ended so far, in whole seconds.
spent() { times | tail -n 1 | perl -ne '$s += $1 * 60 + $2 while /(\d+)m([\d.]+)s/g; printf "%d", $s'; }
began=$(spent)
"$BIN/psym" --list-events --max-time 4 spin.tar.gz >out 2>err
check "without an event its status is 2" [ $? = 2 ]
check "the limit is reported" grep -q 'stopped after 2 s of processor time of the first pass' err
used=$(($(spent) - began))
check "it used $used s of processor time" [ $used -le 8 ]
status "--max-time of no number" 2 "$BIN/psym" --max-time soon spin.tar.gz
status "--max-memory of no size" 2 "$BIN/psym" --max-memory much spin.tar.gz
finish
