#!/bin/bash
# The framework of .NET Core 3.1.2 names its precompiled code; it is looked for as
# PEERS/dotnet31, a directory that holds shared/Microsoft.NETCore.App/3.1.2.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
framework=${PEERS:-}/dotnet31
[ -d "$framework" ] || { echo "no $framework"; exit 77; }

# all_named NAME COUNT - in images, of what the archive NAME says of them.
all_named()
{
	local n bare
	"$BIN/psym" -q --no-host -m "$framework" "$TOP/fixtures/$1.prof.tar.gz" >named
	n=$(grep -c '^	.*[.]dll)$' named)
	bare=$(grep '^	.*[.]dll)$' named | grep -c '\[unknown\]')
	[ "$n" = "$2" ] && [ "$bare" = 0 ] || echo "$n frames, $bare without a name"
	[ "$n" = "$2" ] && [ "$bare" = 0 ]
	report $? "$1 with its framework: all $2 named"
}
all_named calc31 8180
all_named web31 126
finish
