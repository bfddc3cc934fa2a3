#!/bin/bash
# Each name of fixtures/names.tsv is shown as it is written there.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 2

awk -F '\t' -v out=want '
BEGIN { file["jit"] = "/tmp/perf-1.map"; file["dll"] = "/srv/app.dll"; file["native"] = "/srv/app" }
/^#/ { next }
{
	n++
	printf "n%d 1 [000] %d.0: 1 cpu-clock:\n\t%x %s+0x1 (%s)\n\n", n, n, 4096 + n, $2, file[$1]
	printf "n%d;%s 1\n", n, $3 >out
}' "$TOP/fixtures/names.tsv" >text
report $? 'the list is read'
[ "$(wc -l <want)" -ge 150 ]
report $? "it has $(wc -l <want) names"
"$BIN/pfold" -q --no-host --no-marks text | sed '/^#/d' >got
LC_ALL=C sort want | diff - got
report $? 'each is shown as it is written'
"$BIN/pfold" -q --no-host --tidy=none --no-marks text | sed '/^#/d;s/^[^;]*;//;s/ 1$//' | LC_ALL=C sort >raw
grep -v '^#' "$TOP/fixtures/names.tsv" | cut -f 2 | tr ';' ':' | LC_ALL=C sort | diff - raw
report $? '--tidy=none leaves them whole'
! "$BIN/pfold" -q --no-host --tidy=short text | grep -E 'lambda [0-9]|`[0-9]'
report $? '--tidy=short has no numbers of lambdas'
printf 'a 1 [0] 1.0: 1 c:\n\t1 %s+0x1 (/srv/app)\n\t2 %s+0x1 (/srv/app)\n\n' '<core::option::Option<&mut <T as a::Trait>::Item> as b::C<D>>::next' \
	'a::b<&mut <T as X<i, j>>::Y, Z>::c' | "$BIN/pfold" -q --no-host --no-marks --tidy=short | sed '/^#/d' >got
printf 'a;a::b<…>::c;<core::option::Option<…> as b::C<…>>::next 1\n' >want
same '--tidy=short keeps brackets in pairs' want got
"$BIN/pfold" -q --no-host --tidy=long text 2>err
[ $? = 2 ] && grep -q 'expected full, short or none' err
report $? 'another level is refused'
finish
