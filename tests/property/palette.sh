#!/bin/bash
# pflame --cp: palette.map keeps the colours of names from picture to picture.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 2

# colors FILE - "name #rrggbb" of the boxes of a picture, sorted.
colors()
{
	awk '/^<g fill="#/ { color = substr($0, 10, 7) }
		match($0, /<title>[^(]*/) {
			print substr($0, RSTART + 7, RLENGTH - 8), color
		}' "$1" | grep -v '^all ' | sort -u
}

printf 'main;parse 3\nmain;run 2\n' >one
printf 'main;run 2\nmain;stop 4\n' >two
"$BIN/pflame" -q --cp -o one.svg one
report $? 'the first picture'
[ "$(grep -c '^[a-z]*->rgb([0-9]*,[0-9]*,[0-9]*)$' palette.map)" = 3 ] &&
	[ "$(wc -l <palette.map)" = 3 ]
report $? 'its names are kept'

# A colour that no palette has, as someone who edits the file would write it.
sed -i 's/^run->.*/run->rgb(1,2,3)/' palette.map
grep '^main->' palette.map >main
"$BIN/pflame" -q --cp --colors purple -o two.svg two
report $? 'the second picture'
[ "$(colors two.svg | grep '^run ')" = 'run #010203' ]
report $? 'a name has its colour of the file'
[ "$(colors two.svg | grep '^main ')" = "$(colors one.svg | grep '^main ')" ]
report $? 'a name has its colour of the picture before'
grep -q '~010203' two.svg
report $? 'the script is told of it'
[ "$(grep -c '' palette.map)" = 4 ] && grep -q '^stop->' palette.map &&
	grep -q '^parse->' palette.map && grep -qxF -f main palette.map
report $? 'new names are added, none is lost'

cp palette.map before
"$BIN/pflame" -q -o plain.svg two && cmp palette.map before
report $? 'without --cp the file is left alone'
! colors plain.svg | grep -q '#010203'
report $? 'without --cp it is not read'

printf 'main->rgb(9,9,9)\nnonsense\nrun->rgb(999,0,0)\n' >palette.map
"$BIN/pflame" --cp -o three.svg two 2>err
[ "$(colors three.svg | grep '^main ')" = 'main #090909' ] && grep -q 'palette.map.* 2 ' err
report $? 'lines that are none are counted, the others hold'
finish
