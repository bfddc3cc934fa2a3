#!/bin/sh
# minify.sh DIR - writes the scripts and the style of a picture into DIR, as short as terser makes
# them.  share/flame/min holds its results, so that a build needs neither npm nor a network.
# minify.sh --check fails if the sources have changed since.
#
# The scripts of a picture call each other, so the short forms of top-level names are chosen first,
# for all of them, and the names that are used most get the shortest forms.  Methods with a capital letter
# in their name are shortened, too, because a browser and the facts of a picture have no such names.
# The script's section of a picture ends at the first ]]>, which a blank divides.
set -eu
case $1 in
/* | --check) to=$1 ;;
*) to=$PWD/$1 ;;
esac
cd "$(dirname "$0")"
modules=../../build/browser
sum() { cat ./*.js flame.css minify.sh | cksum; }

if [ "$to" = --check ]; then
	sum | cmp -s - min/sources.sum || {
		echo "share/flame/min is older than share/flame: run 'make flame-min', which needs npm" >&2
		exit 1
	}
	exit
fi
mkdir -p "$to" "$modules"
if ! cmp -s ../../tests/browser/package-lock.json "$modules/installed"; then
	cp ../../tests/browser/package*.json "$modules"
	(cd "$modules" && npm ci --no-audit --no-fund --ignore-scripts) >&2
	cp "$modules/package-lock.json" "$modules/installed"
fi
! grep -n ']]>' ./*.js || exit 1

methods=$(grep -ohP '^\t\K[a-z]+[A-Z]\w*(?=\(.*\)$)' ./*.js | sort -u | paste -sd '|' -)
names=$(mktemp)
trap 'rm -f "$names"' EXIT
rm "$names"
shorten()
{
	"$modules/node_modules/.bin/terser" --compress passes=2 --mangle toplevel --mangle-props "regex=/^($methods)$/" \
		--name-cache "$names" --format ascii_only=true -- "$@"
}

# minify SCRIPT SOURCE...
minify()
{
	script=$1
	shift
	shorten "$@" >"$to/$script"
	sed -i 's/]]>/]] >/g' "$to/$script"
}

shorten number.js page.js [!np]*.js >/dev/null
minify model.js label.js number.js tables.js tree.js search.js color.js groups.js state.js page.js graph.js \
	table.js save.js
minify time.js time.js strip.js
minify change.js change.js
minify main.js head.js input.js main.js
# The first letters of the custom properties are distinct, apart from --line and --less.  A script
# uses --ground.
tr -s '\n\t' '  ' <flame.css |
	sed 's|/\*[^*]*\*/ *||g; s/ *\([{};,>]\) */\1/g; s/: /:/g; s/;}/}/g
		s/--\([sfpaihmbl]\)\(oft\|ield\|ress\|ccent\|nk\|it\|ore\|ar\|ine\)\>/--\1/g' >"$to/style.css"
sum >"$to/sources.sum"
