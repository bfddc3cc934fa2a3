# shellcheck shell=bash
# dotnet.sh - functions for test scripts that publish or record .NET programs.
#
#	cannot WHY                        ends the script as skipped
#	need_sdk                          cannot, unless the SDK of .NET 10 is installed
#	project DIR SDK VERSION NAME=VALUE...
#	                                  writes DIR/app.csproj, a program of .NET VERSION
#	publish DIR OUT OPTION...         cannot, unless it is published
#	compile OUT.dll FRAMEWORK... -- SOURCE...
#	                                  compiled against the .dll of these directories
#	spellings MAP...                  names of these perf maps, without tiers
#	image_names MODULES               of frames there (a pattern), from standard input
unset DOTNET_ROOT
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1

cannot()
{
	echo "$1"
	exit 77
}

need_sdk()
{
	command -v dotnet >/dev/null || cannot 'no dotnet'
	case $(dotnet --version) in
	10.*) ;;
	*) cannot 'no SDK of .NET 10' ;;
	esac
}

project()
{
	local dir=$1 sdk=$2 version=$3 property
	shift 3
	mkdir -p "$dir"
	{
		echo "<Project Sdk=\"$sdk\"><PropertyGroup>"
		for property in OutputType=Exe TargetFramework="net$version" "$@"; do
			echo "<${property%%=*}>${property#*=}</${property%%=*}>"
		done
		echo '</PropertyGroup></Project>'
	} >"$dir/app.csproj"
}

publish()
{
	local dir=$1 out=$2
	shift 2
	dotnet publish "$dir" -r linux-x64 -o "$out" "$@" >said 2>&1 ||
		cannot "dotnet publish: $(grep -m 1 error said)"
}

# SDKs before .NET 5 do not run here, so the compiler of .NET 10 is used.
compile()
{
	local out=$1 sdk refs=() dll
	shift
	while [ "$1" != -- ]; do
		for dll in "$1"/*.dll; do
			case $dll in
			*Native*) ;;
			*)	refs+=("-r:$dll") ;;
			esac
		done
		shift
	done
	shift
	sdk=$(dirname "$(readlink -f "$(command -v dotnet)")")/sdk/$(dotnet --version)
	dotnet exec "$sdk/Roslyn/bincore/csc.dll" -nologo -langversion:7.3 -optimize+ -debug- \
		-nowarn:1701,1702 -out:"$out" "${refs[@]}" "$@"
}

spellings()
{
	sed -E 's/^[^ ]+ [^ ]+ //; s/\[(Optimized|QuickJitted|MinOptJitted|Unknown|Instrumented)[A-Za-z0-9]*\]$//' \
		"$@" | sort -u
}

image_names()
{
	sed -nE "s/^	 *[0-9a-f]+ (.*)\\+0x[0-9a-f]+ \\($1\\)\$/\\1/p" | sort -u
}
