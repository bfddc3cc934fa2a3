#!/bin/bash
# One run of .NET 10 under perf with a perf map and a nettrace: as a source of names the
# trace says what the map says, and its own samples are of the same methods.
. "$TOP/tests/check.sh"
needs perf
if ! command -v dotnet >/dev/null || ! dotnet --list-runtimes | grep -q '^Microsoft.NETCore.App 10[.]'; then
	echo "there is no .NET 10"
	exit 77
fi
cd "$TMPDIR" || exit 1

tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" calc10.dll ./calc10.dll 2>/dev/null
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
	>calc10.runtimeconfig.json
DOTNET_PerfMapEnabled=1 DOTNET_PerfMapJitDumpPath=$PWD DOTNET_EnableEventPipe=1 \
	DOTNET_EventPipeOutputPath=$PWD/run.nettrace \
	DOTNET_EventPipeConfig=Microsoft-DotNETCore-SampleProfiler:0:5,Microsoft-Windows-DotNETRuntime:0x10:5 \
	perf record -q -F 499 -g -k 1 -o perf.data \
	dotnet exec --runtimeconfig calc10.runtimeconfig.json calc10.dll 4 >out 2>&1
check "the program was recorded" [ -s perf.data -a -s run.nettrace ]
map=$(find . /tmp -maxdepth 1 -name 'perf-*.map' -newer calc10.runtimeconfig.json | head -n 1)
check "it wrote its map" [ -s "$map" ]
pid=${map##*perf-} pid=${pid%.map}

# Parameters and tiers apart: pfold leaves both out.
fold() { "$BIN/pfold" -q --no-host "$@"; }
managed() { grep -oE '(System|Calc|Microsoft|Interop|Internal)[.A-Za-z0-9_+`]*(\[[^];]*\])?::[^; ]*' | sort | uniq -c; }
fold -m "$map" perf.data | managed >want
fold -m run.nettrace -p "$pid=run.nettrace/perf-$pid.map" perf.data | managed >all
fold -m run.nettrace perf.data | managed >got
same "the trace binds itself" all got
# The trace has ReadyToRun code, too; what the map names, it names alike.
check "the map names methods" [ "$(wc -l <want)" -gt 20 ]
awk 'NR == FNR { name = $0; sub(/^ *[0-9]+ /, "", name); has[name] = 1; next }
	{ name = $0; sub(/^ *[0-9]+ /, "", name); if (!has[name]) { print name; bad = 1 } }
	END { exit bad }' got want
report $? "every method that the map names, the trace names alike"
fold --event all run.nettrace >trace.folded
check "the trace's own samples are of the program" grep -q 'Calc.Program::Main' trace.folded
check "none of its frames is unnamed" sh -c '! grep -qF "[unknown]" trace.folded'
rm -f "/tmp/perf-$pid.map" "/tmp/perfinfo-$pid.map"
finish
