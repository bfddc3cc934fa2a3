#!/bin/bash
# Many inputs, several at a time, with a cache: the same bytes as one by one without.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
psym() { "$BIN/psym" -q --no-host "$@"; }
export XDG_CACHE_HOME=$TMPDIR/xdg

mkdir in
for name in web10 calc31 java node; do
	cp "$TOP/fixtures/$name.prof.tar.gz" in/
done
tar -xzf "$TOP/fixtures/native.prof.tar.gz" ./srv/app/native
tar -czf libs.tar.gz srv
for f in in/*; do
	mkdir -p want/in
	psym -m libs.tar.gz "$f" >"want/$f.txt"
done
sleep 0.2 # what is younger is not kept

# agrees NAME OPTIONS... - of one run over all.
agrees()
{
	local name=$1
	shift
	rm -rf got
	psym "$@" -o got/ -m libs.tar.gz in/* 2>said
	[ $? = 0 ] && diff -r want got
	report $? "$name"
}
agrees "all in one run"
agrees "three at a time" -j 3
agrees "an empty cache" --cache=cache
check "which keeps every archive" [ "$(find cache -name 'u-*' | wc -l)" = 5 ]
agrees "a warm cache" --cache=cache
agrees "a cache of sources alone" --cache=sources --cache-sources
check "which keeps no profiles" [ "$(find sources -name 'u-*' | wc -l)" = 1 ]
agrees "a warm cache, three at a time" --cache=cache -j 3
for entry in cache/[um]-*; do
	size=$(stat -c %s "$entry")
	printf 'damage damage damage' | dd of="$entry" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
done
agrees "damaged entries" --cache=cache
for entry in cache/[um]-*; do truncate -s -1000 "$entry"; done
agrees "entries that are cut" --cache=cache
for entry in cache/[um]-*; do printf 'offboxK9' | dd of="$entry" conv=notrunc 2>/dev/null; done
agrees "entries of another version" --cache=cache
sum() { find cache -name '[um]-*' -exec md5sum {} + | sort; }
sum >before
agrees "they were made anew" --cache=cache
sum >after
same "and stay as they are" before after

# Several programs at once, from nothing.
rm -rf cache
for i in 1 2 3 4; do
	psym --cache=cache -o "at$i/" -m libs.tar.gz in/* &
done
wait
for i in 1 2 3 4; do
	diff -r want "at$i"
	report $? "program $i of four at once"
done
agrees "afterwards" --cache=cache
check "nothing is left half written" [ "$(find cache -name 'part-*' | wc -l)" = 0 ]

# An archive that was changed is another one.
cp in/java.prof.tar.gz changing.tar.gz
sleep 0.2
psym --cache=cache changing.tar.gz >/dev/null
cat in/node.prof.tar.gz >changing.tar.gz
sleep 0.2
psym --cache=cache changing.tar.gz >got.txt
psym in/node.prof.tar.gz >want.txt
same "an archive that was changed" want.txt got.txt

# Bounded, and nothing of others is touched.
echo mine >cache/u-mine
echo mine >cache/0123456789abcdef
agrees "a cache that is too small" --cache=cache --cache-size=3M
check "stays small" [ "$(find cache -name '?-????????????????' -printf '%b\n' | awk '{ n += $1 } END { print n * 512 }')" -le 3145728 ]
check "files of others stay" [ "$(cat cache/u-mine cache/0123456789abcdef)" = "mine
mine" ]
psym --cache= in/java.prof.tar.gz >/dev/null
check "below XDG_CACHE_HOME" [ "$(find xdg/offbox -name 'u-*' | wc -l)" = 1 ]
: >file
psym --cache=file/x in/java.prof.tar.gz 2>said | cmp - want/in/java.prof.tar.gz.txt
report $? "a directory that cannot be made is no reason to stop"

# Damage is said of each input, and does not stop the others.
head -c 300000 in/web10.prof.tar.gz >cut.tar.gz
for j in 1 2; do
	"$BIN/psym" --no-host -j $j -o out$j/ cut.tar.gz nothing in/java.prof.tar.gz 2>said$j
	echo $? >>said$j
done
same "the same is said with any number of workers" said1 said2
check "exit status 1" [ "$(tail -n 1 said1)" = 1 ]
cmp want/in/java.prof.tar.gz.txt out2/in/java.prof.tar.gz.txt
report $? "what is whole is named"
status "no number of workers" 2 psym -j 0 in/java.prof.tar.gz 2>/dev/null
finish
