#!/bin/bash
# offbox-collect --lines records a service of .NET 10, and psym gives each frame its line of C#.  The
# service (fixtures/lines) calls Leaf.L12 in line 12 of its files, so lines.py knows the right lines: in
# code of all tiers, and in code that was compiled ahead of time alone (DOTNET_TieredCompilation=0).
. "$TOP/tests/check.sh"
. "$TOP/tests/service.sh"
needs perf python3 curl
command -v dotnet >/dev/null && dotnet --list-runtimes | grep -q '^Microsoft.NETCore.App 10[.]' ||
	{ echo "there is no .NET 10"; exit 77; }
unset TMPDIR DOTNET_PerfMapEnabled COMPlus_PerfMapEnabled
# The runtime then does not inline the methods that it expects behind a delegate or an interface.
export DOTNET_TieredPGO=0
place=$(mktemp -d /tmp/lines.XXXXXX) || exit 1
trap 'end "${pid:-}"; rm -rf "$place"' EXIT
cd "$place" || exit 1
mkdir app
cp "$TOP"/fixtures/lines/{shop,desk}.{dll,pdb} app
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' >app/shop.runtimeconfig.json
pid=

# Sources: offbox-fetch checks their hash, and uses a private server only if it is allowed.
sources()
{
	local hash port key
	mkdir srv
	cp "$TOP/fixtures/lines/desk/Work.cs" srv
	: >web
	hash=$(sha256sum <srv/Work.cs)
	python3 -u -m http.server -d srv -b 127.0.0.1 0 >web 2>&1 &
	pid=$!
	for _ in {1..300}; do
		port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' web)
		[ -z "$port" ] || break
		sleep 0.1
	done
	key="source/${hash%% *}/srv/app/Work.cs http://127.0.0.1:$port/Work.cs"
	status "sources: a private server is refused" 2 sh -c 'echo "$1" | PATH=$2:$PATH "$0" -q -o got 2>said' \
		"$TOP/cmd/offbox-fetch" "$key" "$BIN"
	check "sources: the refusal is reported" grep -q 'not https, or not public; see -a' said
	status "sources: -a allows it" 0 sh -c 'echo "$1" | PATH=$2:$PATH "$0" -q -a "$3" -o got' \
		"$TOP/cmd/offbox-fetch" "$key" "$BIN" "http://127.0.0.1:$port"
	same "sources: the file is kept" srv/Work.cs "got/source/${hash%% *}/srv/app/Work.cs"
	echo "$key
${key%/*}/./Work.cs" | PATH=$BIN:$PATH "$TOP/cmd/offbox-fetch" -a "http://127.0.0.1:$port" -o two 2>said
	check "sources: a key with two addresses is fetched once" grep -q '1 fetched, 1 present, 0 missing' said
	status "sources: a pattern in an address is not expanded" 2 sh -c 'echo "$1" | PATH=$2:$PATH "$0" -q -a "$3" -o none 2>said' \
		"$TOP/cmd/offbox-fetch" "${key%/*}/{Work,none}.cs" "$BIN" "http://127.0.0.1:$port"
	check "sources: the pattern was requested" grep -q 'GET /%7BWork,none%7D.cs\|GET /{Work,none}.cs' web
	hash=$(sha1sum <srv/Work.cs)
	status "sources: the hash may be SHA-1" 0 sh -c 'echo "$1" | PATH=$2:$PATH "$0" -q -a "$3" -o old' \
		"$TOP/cmd/offbox-fetch" "source/${hash%% *}/srv/app/Work.cs ${key#* }" "$BIN" "http://127.0.0.1:$port"
	echo >>srv/Work.cs
	rm -rf got
	status "sources: another file with a SHA-1 is refused" 2 sh -c 'echo "$1" | PATH=$2:$PATH "$0" -q -a "$3" -o got 2>said' \
		"$TOP/cmd/offbox-fetch" "source/${hash%% *}/srv/app/Work.cs ${key#* }" "$BIN" "http://127.0.0.1:$port"
	status "sources: another file is refused" 2 sh -c 'echo "$1" | PATH=$2:$PATH "$0" -q -a "$3" -o got 2>said' \
		"$TOP/cmd/offbox-fetch" "$key" "$BIN" "http://127.0.0.1:$port"
	end $pid
}

# recorded NAME SECONDS - the service pid is recorded.  Files of the runtime are large and have no PDBs.
recorded()
{
	"$BIN/offbox-collect" --lines -s 1 -d "$2" -F 499 -o "$1.tar.gz" $pid 2>printed
	check "$1: it is collected" [ $? = 1 ]
	tar -tzf "$1.tar.gz" >list
	check "$1: the PDBs are packed" [ "$(grep -cE "^./root-$pid$PWD/app/(shop|desk)[.]pdb$" list)" = 2 ]
	check "$1: the trace is packed" grep -qx "./tmp-$pid/$pid.nettrace" list
}

# lines NAME - each line is right.  The others may need the processors, so it is recorded again if there
# are too few samples.
lines()
{
	local seconds
	for seconds in 2 6 20; do
		recorded "$1" $seconds
		"$BIN/psym" -q --no-host -F +srcline "$1.tar.gz" >named
		python3 "$TOP/tests/peers/lines.py" check <named >judged && break
		! grep -q 'wrong line:' judged || break
	done
	cat judged
	check "$1: no line is wrong" sh -c 'grep -q ", 0 a wrong one" judged'
	check "$1: 95 % of the frames have a line" python3 "$TOP/tests/peers/lines.py" check <named
}

sources
begin /tmp dotnet exec app/shop.dll 100
lines tiers
mkdir without
tar -xzf tiers.tar.gz -C without
find without -name '*.pdb' -delete
"$BIN/psym" -q --no-host --missing without >missing
check "without PDBs: psym asks for them" [ "$(grep -cE '^(shop|desk).pdb/[0-9a-f]{32}ffffffff/(shop|desk).pdb$' missing)" = 2 ]
"$BIN/psym" -q --no-host -F +srcline without >named
check "without PDBs: no frame has a line" sh -c '! grep -q "[.]cs:" named'
"$BIN/psym" -q --no-host -m app -F +srcline without >named
check "-m: PDBs of a directory are used" python3 "$TOP/tests/peers/lines.py" check <named
cp app/desk.pdb without/shop.pdb
"$BIN/psym" -q --no-host -F +srcline without >named
check "another PDB is not used" sh -c '! grep -q "[.]cs:" named'
"$BIN/psym" -q --no-host --missing tiers.tar.gz >missing
check "psym asks for sources" grep -qE '^source/[0-9a-f]{64}/srv/app/shop/Work.cs https://example.org/shop/0123abcd/Work.cs$' missing
check "psym does not ask for embedded sources" sh -c '! grep -q desk/Work.cs missing'
end $pid
DOTNET_TieredCompilation=0 begin /tmp dotnet exec app/shop.dll 100
lines ahead
check "ahead: precompiled code has lines" grep -qE 'and [1-9][0-9]* in images' judged
end $pid
finish
