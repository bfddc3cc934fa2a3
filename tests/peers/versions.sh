#!/bin/bash
# Frameworks of another version name nothing: .NET 8 and 9, which NuGet has, beside
# profiles of 10 and 3.1.  Asked with PEERS set only, as it wants the .NET SDK and NuGet.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
unset PEERS

command -v dotnet >/dev/null || { echo 'no dotnet'; exit 77; }
for major in 8 9; do
	mkdir app$major
	cat >app$major/app.csproj <<END
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net$major.0</TargetFramework>
  </PropertyGroup>
</Project>
END
	echo 'System.Console.WriteLine();' >app$major/app.cs
	dotnet publish app$major -r linux-x64 --self-contained -o net$major >said 2>&1 ||
		{ echo "dotnet publish: $(grep -m 1 error said)"; exit 77; }
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
