#!/bin/bash
# README's pictures are those that the filters draw of fixtures/.  Script and style are not
# compared: a picture keeps those it was drawn with until REDRAW=1 draws both anew:
#
#	REDRAW=1 tests/run.sh build/release property/pictures
. "$TOP/tests/check.sh"
examples=$TOP/share/examples
cd "$TMPDIR" || exit 1

draw_service()
{
	"$BIN/psym" -q --no-host --no-cache "$TOP/fixtures/web31.prof.tar.gz" | "$BIN/pfold" -q --all |
		"$BIN/pflame" -q --title 'web31: ASP.NET Core 3.1 under load'
}

draw_change()
{
	"$BIN/pflame" -q --title 'orders 1.1 beside 1.0' --diff "$TOP/fixtures/orders/1.0.folded" \
		"$TOP/fixtures/orders/1.1.folded"
}

# data_of SVG - the picture and its data, without style and script.
data_of()
{
	sed -e '/<style>/,/<\/style>/d' -e '/<script>/,/<\/script>/d' "$1"
}

draw_service >web31.svg
draw_change >change.svg
for name in web31 change; do
	[ -z "${REDRAW:-}" ] || cp $name.svg "$examples/$name.svg"
	data_of "$examples/$name.svg" >kept
	data_of $name.svg >drawn
	check "$name.svg has its boxes" grep -q '<rect' drawn
	check "$name.svg is what is drawn of fixtures/" cmp kept drawn
done
finish
