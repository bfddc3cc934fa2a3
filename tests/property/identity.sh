#!/bin/bash
# One capture gives one answer, however it arrives: archive, directory, zip, standard
# input, sources named by hand, or as text with the archive as the source.
. "$TOP/tests/check.sh"
needs zip perl
cd "$TMPDIR" || exit 1

psym() { "$BIN/psym" -q --no-host "$@"; }
fold() { "$BIN/pfold" -q --no-host "$@"; }

for name in web31 web10; do
	archive=$TOP/fixtures/$name.prof.tar.gz
	mkdir $name
	tar -xzf "$archive" -C $name
	(cd $name && zip -q ../$name.zip ./*)
	tar -cf $name.tar -C $name .

	psym "$archive" >$name.named
	fold $name.named >want
	check "$name: names its stacks" grep -q '::' want
	fold "$archive" >got
	same "$name: pfold ARCHIVE = psym ARCHIVE | pfold" want got
	psym $name | fold >got
	same "$name: directory" want got
	psym -m $name $name/perf.data | fold >got
	same "$name: -m DIR perf.data" want got
	psym $name.zip | fold >got
	same "$name: zip" want got
	psym $name.tar | fold >got
	same "$name: tar" want got
	psym <"$archive" | fold >got
	same "$name: standard input" want got
	cat - <"$archive" | psym | fold >got
	same "$name: pipe" want got
	cat $name.zip | psym - | fold >got
	same "$name: zip through a pipe" want got
	psym -m "$archive" $name/perf_script.out | fold >got
	same "$name: text and -m" want got
	cat $name/perf_script.out | psym -m "$archive" | fold >got
	same "$name: text through a pipe and -m" want got
	cat $name/perf_script.out | fold -m "$archive" >got
	same "$name: pfold names text as psym does" want got
	psym --member perf_script.out "$archive" | fold >got
	same "$name: --member" want got
done

psym -p 7679=perf-1.map web31 | fold >got
fold web31.named >want
same "web31: -p PID=MAP, a member" want got
psym -m web31/perf_script.out -p 7679=web31/perf-1.map web31/perf.data | fold >got
same "web31: -p PID=MAP, a path" want got

# Samples in another order are the same stacks.
perl -00 -e 'srand(7); print map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [rand, $_] } <>' \
	web31.named >shuffled
! cmp -s shuffled web31.named
report $? "web31: shuffled"
fold shuffled >got
same "web31: a permutation of the samples" want got

# The weights are the periods, added up by other means.
perl -ne '$sum += $1 if /^\S.*: +(\d+) \S+: *$/; END { printf "%d\n", $sum }' web31.named >want
fold web31.named | perl -ne '/(\d+)$/; $sum += $1; END { printf "%d\n", $sum }' >got
same "web31: sum of weights = sum of periods" want got

# Naming what is named changes nothing.
psym -m web31 web31.named >got
same "web31: psym of what psym printed" web31.named got
finish
