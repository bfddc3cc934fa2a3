# shellcheck shell=bash
# check.sh - functions for test scripts, which use them with ".".  Each check prints a line.
#
#	check NAME COMMAND ...     passes when the command exits with 0
#	same NAME FILE FILE        passes when the files are equal and not empty
#	status NAME N COMMAND ...  passes when the command exits with N
#	bounded N COMMAND ...      ends the command when it has had N seconds of processor time, however
#	                           much else the machine does, or when it has taken WAIT seconds (300)
#	needs PROGRAM ...          skips the script where one is not installed
#	needs_perf VERSION         skips it where perf is another, which prints otherwise
#	perf_cache                 gives perf a cache of files by build-id, in a home of this script
#	timeless                   prints folded stacks without the time and the processors of the first line
#	same_stacks NAME FILE FILE passes when two folds agree, apart from the lines that describe names
#	calc10 DIR                 puts a program of .NET 10 into DIR, if that runtime is installed
#	finish                     ends the script: 0 when all passed
#
# FIRST=1 ends the script at the first failure.
set -u
failed=0 checked=0

report()
{
	checked=$((checked + 1))
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		failed=1
		[ -z "${FIRST:-}" ] || exit 1
	fi
}

timeless()
{
	sed -E '1s/ duration=[0-9.]+//; 1s/ cpus=[0-9]+//' "$@"
}

check()
{
	local name=$1
	shift
	"$@"
	report $? "$name"
}

same()
{
	if [ -s "$2" ] && cmp "$2" "$3"; then
		report 0 "$1"
	else
		diff "$2" "$3" | head -n 8
		report 1 "$1"
	fi
}

same_stacks()
{
	sed '/^# pfold frame/d' "$2" >"$2.stacks" && sed '/^# pfold frame/d' "$3" >"$3.stacks"
	same "$1" "$2.stacks" "$3.stacks"
}

calc10()
{
	command -v dotnet >/dev/null && dotnet --list-runtimes | grep -q '^Microsoft.NETCore.App 10[.]' || return
	tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C "$1" calc10.dll ./calc10.dll 2>/dev/null
	echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
		>"$1/calc10.runtimeconfig.json"
}

status()
{
	local name=$1 want=$2 got
	shift 2
	"$@"
	got=$?
	[ $got = "$want" ] || echo "exit status $got, not $want: $*"
	[ $got = "$want" ]
	report $? "$name"
}

bounded()
{
	local seconds=$1
	shift
	(ulimit -t "$seconds" && exec timeout "${WAIT:-300}" "$@")
}

needs()
{
	local tool
	for tool; do
		command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
		# Debian's essential perl-base has few modules.
		[ "$tool" != perl ] || perl -MJSON::PP -MIO::Compress::RawDeflate -e '' 2>/dev/null ||
			{ echo "perl has no modules: only perl-base is installed"; exit 77; }
	done
}

needs_perf()
{
	needs perf
	case $(perf --version) in
	"perf version $1."*) ;;
	*) echo "perf is not $1: $(perf --version)"; exit 77 ;;
	esac
}

perf_cache()
{
	local dir
	dir=$(mktemp -d -p "$APART")
	export HOME=$PWD PERF_CONFIG=$PWD/perfconfig
	printf '[buildid]\n\tdir = %s\n' "$dir" >perfconfig
	ln -s "$dir" .debug # where psym looks
}

finish()
{
	[ $checked -gt 0 ] && exit $failed
	echo "nothing was checked"
	exit 1
}
