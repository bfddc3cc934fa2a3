#!/bin/bash
# Records in the order of the file are named as those of a recording that has its times in
# that order: what is learned of the mappings is of the same order as what is printed.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
mkdir calc10 && tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C calc10 || exit 1
rm calc10/perf_script.out # its frames have names by their times

# Each time that is not 0 becomes the number of its record.  Samples have it behind ip, pid and
# tid, other events of the kernel at their end: sample_type is IP, TID, TIME, CALLCHAIN, PERIOD.
perl -0777 -ne '
	my ($attrs, $data, $size) = unpack "x24 Q x8 QQ", $_;
	die "sample_type" if unpack("x24 Q", substr $_, $attrs) != 0x127;
	for (my ($at, $n) = ($data, 1); $at < $data + $size; $n++) {
		my ($type, $len) = unpack "L x2 S", substr $_, $at;
		my $time = $type == 9 ? $at + 24 : $at + $len - 8;
		substr $_, $time, 8, pack "Q", 1000 * $n
			if $type < 64 && unpack "Q", substr $_, $time;
		$at += $len;
	}
	print' calc10/perf.data >ordered.data || exit 1

psym() { "$BIN/psym" -q --no-host --no-cache -m calc10 -F ip,sym,dso "$@"; }
psym ordered.data >want
psym --show-round-events calc10/perf.data | grep -v FINISHED_ROUND >got
psym calc10/perf.data >sorted
same "named in the order of the file: $(grep -c Calc got) frames" want got
check "which is not that of the times" sh -c '! cmp -s sorted got'
finish
