#!/bin/bash
# Prints the files of lib/, cmd/, and those of share/ that contain code, with the first sentence of their comments (make
# files).  A header also stands for the .c file of its name.  If a file does not begin with a comment, prints only its
# name.
cd "${TOP:-$(dirname "$0")/..}" || exit 2
{
	find lib cmd share/flame share/annotate -name '*.[chj]' -o -name '*.js' ! -path '*/min/*'
	find share/rules -type f
} | LC_ALL=C sort | while read -r file; do
	[[ $file = *.c && -f ${file%c}h ]] || echo "$file"
done | xargs awk '
	FNR == 1 {
		text = ""
		begun = 0
		done = !/^(\/[*\/]|# )/
		if (done)
			print FILENAME ": "
	}
	done { next }
	{
		last = /\*\//
		gsub(/^ *\/?[*] ?| *[*]\/.*|^# ?|^\/\/ ?/, "")
		last = last || (begun && $0 == "")
		text = text (begun ? " " : "") $0
		begun = text != ""
	}
	begun && (last || text ~ /[.]  |[.:]$/) {
		sub(/[.]  .*/, ".", text)
		sub(/^[a-z0-9_-]+ - /, "", text)
		print FILENAME ": " text
		done = 1
	}'
