#!/bin/bash
# Each manual page agrees with its program: the synopsis is the usage line, the
# options are those of --help, and mandoc has nothing to say.
. "$TOP/tests/check.sh"
needs mandoc

# -o, --quiet ... in the option list of --help: lines that begin with one.
options_of_help()
{
	sed -nE 's/^ {2,6}(-.*)$/\1/p' | sed -E 's/ {2,}.*//' |
		grep -oE '(^|[ ,])--?[A-Za-z0-9][A-Za-z0-9-]*' | tr -d ' ,' | sort -u
}

# The flags of ".It Fl q , Fl -quiet".
options_of_page()
{
	sed -nE 's/^\.It (Fl .*)$/\1/p' "$1" | grep -oE 'Fl [^ ]+' | sed 's/^Fl /-/' | sort -u
}

synopsis_of()
{
	mandoc -T ascii -O width=300 "$1" | sed 's/.\x08//g' |
		sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | sed '1d;$d' | tr -s ' \n' ' ' | sed 's/^ //;s/ $//'
}

for tool in pmerge psym pfold pflame; do
	page=$TOP/share/man/man1/$tool.1
	if [ ! -e "$page" ]; then
		report 1 "$tool.1 exists"
		continue
	fi
	mandoc -T lint -W warning "$page"
	report $? "$tool.1 has no warnings"
	"$BIN/$tool" --help >"$TMPDIR/help"
	report $? "$tool --help succeeds"
	awk 'length > 80 { bad = 1 } END { exit bad || NR > 60 }' "$TMPDIR/help"
	report $? "$tool --help fits a page"
	usage=$(sed -n '1s/^usage: //p' "$TMPDIR/help")
	[ "$usage" = "$(synopsis_of "$page")" ]
	report $? "$tool.1 SYNOPSIS is '$usage' (is '$(synopsis_of "$page")')"
	options_of_help <"$TMPDIR/help" >"$TMPDIR/in-help"
	options_of_page "$page" >"$TMPDIR/in-page"
	[ -s "$TMPDIR/in-help" ] && diff "$TMPDIR/in-help" "$TMPDIR/in-page"
	report $? "$tool.1 and $tool --help have the same options"
done
# The scripts have short options alone, and print them with -h.
for script in offbox-collect offbox-fetch; do
	page=$TOP/share/man/man1/$script.1
	mandoc -T lint -W warning "$page"
	report $? "$script.1 has no warnings"
	"$TOP/cmd/$script" -h >"$TMPDIR/help"
	report $? "$script -h succeeds"
	usage=$(sed -n '1s/^usage: //p' "$TMPDIR/help")
	[ "$usage" = "$(synopsis_of "$page")" ]
	report $? "$script.1 SYNOPSIS is '$usage' (is '$(synopsis_of "$page")')"
	options_of_help <"$TMPDIR/help" >"$TMPDIR/in-help"
	options_of_page "$page" >"$TMPDIR/in-page"
	[ -s "$TMPDIR/in-help" ] && diff "$TMPDIR/in-help" "$TMPDIR/in-page"
	report $? "$script.1 and $script -h have the same options"
done
for page in "$TOP"/share/man/man[2-9]/*.[2-9]; do
	[ -e "$page" ] || continue
	mandoc -T lint -W warning "$page"
	report $? "$(basename "$page") has no warnings"
done
finish
