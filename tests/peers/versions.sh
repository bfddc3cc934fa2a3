#!/bin/bash
# Frameworks of another version name nothing: .NET 8 and 9, which NuGet has, beside
# profiles of 10 and 3.1.  Asked with PEERS set only, as it wants the .NET SDK and NuGet.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
cd "$TMPDIR" || exit 1

need_sdk
for major in 8 9; do
	project app$major Microsoft.NET.Sdk $major.0
	echo 'System.Console.WriteLine();' >app$major/app.cs
	publish app$major net$major --self-contained
	for name in web10 calc10 offcpu10 calc31; do
		"$BIN/psym" -q --no-host "$TOP/fixtures/$name.prof.tar.gz" >without
		"$BIN/psym" --no-host -m net$major "$TOP/fixtures/$name.prof.tar.gz" >with 2>said
		same "$name: the framework of .NET $major names nothing" without with
		check "$name: and that is said" grep -q 'images not used; .*another version' said
	done
	"$BIN/pmerge" --relative -o maps$major/ net$major 2>said
	report $? "but its own maps can be written"
	[ ! -s said ] && [ "$(find maps$major -name '*.r2rmap' | wc -l)" -gt 80 ]
	report $? "all of them, every name whole"
done
finish
