#!/bin/bash
# Each manual page agrees with its program: the synopsis is the usage line, the
# options and their arguments are those of the table that --help prints, and mandoc has nothing
# to say.
. "$TOP/tests/check.sh"
needs mandoc python3

# "-F LIST" and "--fields LIST": each spelling of the options in a table of --help=table.
spellings_of_table()
{
	awk -F '\t' '{
		gap = $3 == "" || $3 ~ /^\[/ ? "" : " "
		if ($1 != "")
			print "-" $1 ($3 ~ /^\[/ ? "" : gap $3)
		if ($2 != "")
			print "--" $2 gap $3
	}' "$1" | sort
}

# The same of the items of a page, as a reader sees them: "-F, --fields LIST".
spellings_of_page()
{
	{
		printf '%s\n' '.Dd January 1, 2026' '.Dt X 1' .Os '.Sh NAME' '.Nm x' '.Nd x' '.Sh DESCRIPTION'
		echo '.Bl -tag -width Ds'
		sed -n 's/^[.]It Fl .*/&\nx/p' "$1"
		echo .El
	} | mandoc -T ascii -O width=300 | sed 's/.\x08//g' | sed -nE 's/ {2,}x$//; s/^ {5}(-.*)$/\1/p' | awk '{
		n = split($0, spelled, ", ")
		arg = spelled[n]
		if (!sub(/^-[^ [=]*/, "", arg))
			arg = ""
		for (i = 1; i <= n; i++)
			print spelled[i] (spelled[i] ~ /[ [=]/ || (arg ~ /^\[/ && spelled[i] !~ /^--/) ? "" : arg)
	}' | sort
}

synopsis_of()
{
	mandoc -T ascii -O width=300 "$1" | sed 's/.\x08//g' |
		sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | sed '1d;$d' | tr -s ' \n' ' ' | sed 's/^ //;s/ $//'
}

# agree TOOL - its page and the table of its options, of which completions and --help are made.
agree()
{
	spellings_of_table "$BIN/completions/$1.table" >"$TMPDIR/in-table"
	spellings_of_page "$TOP/share/man/man1/$1.1" >"$TMPDIR/in-page"
	[ -s "$TMPDIR/in-table" ] && diff "$TMPDIR/in-table" "$TMPDIR/in-page"
	report $? "$1.1 has the options of $1 and their arguments"
	mandoc -T ascii -O width=300 "$TOP/share/man/man1/$1.1" | sed 's/.\x08//g' >"$TMPDIR/page"
	"$TOP/tests/property/defaults.py" "$BIN/completions/$1.table" "$TMPDIR/page"
	report $? "$1.1 has the defaults and units of $1 --help"
}

for tool in pmerge psym pfold pflame pdiff pannotate offbox-collect; do
	page=$TOP/share/man/man1/$tool.1
	if [ ! -e "$page" ]; then
		report 1 "$tool.1 exists"
		continue
	fi
	mandoc -T lint -W warning "$page"
	report $? "$tool.1 has no warnings"
	"$BIN/$tool" --help >"$TMPDIR/help"
	report $? "$tool --help succeeds"
	awk 'length > 80 { bad = 1 } END { exit bad || NR > 24 }' "$TMPDIR/help"
	report $? "$tool --help fits a screen"
	usage=$(sed -n '1s/^usage: //p' "$TMPDIR/help")
	[ "$usage" = "$(synopsis_of "$page")" ]
	report $? "$tool.1 SYNOPSIS is '$usage' (is '$(synopsis_of "$page")')"
	agree "$tool"
done
# The scripts have short options alone, and print them with -h.
for script in offbox-fetch resymbolize; do
	page=$TOP/share/man/man1/$script.1
	mandoc -T lint -W warning "$page"
	report $? "$script.1 has no warnings"
	"$TOP/cmd/$script" -h >"$TMPDIR/help"
	report $? "$script -h succeeds"
	usage=$(sed -n '1s/^usage: //p' "$TMPDIR/help")
	[ "$usage" = "$(synopsis_of "$page")" ]
	report $? "$script.1 SYNOPSIS is '$usage' (is '$(synopsis_of "$page")')"
	agree "$script"
done
for page in "$TOP"/share/man/man[2-9]/*.[2-9]; do
	[ -e "$page" ] || continue
	mandoc -T lint -W warning "$page"
	report $? "$(basename "$page") has no warnings"
done
finish
