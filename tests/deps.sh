#!/bin/sh
# deps.sh [build|all|deb|check] - installs missing packages of Debian, without questions.
# build: packages that the programs use.  all: packages of the tests, too.
# deb: packages that make packages.  check: lists missing packages of build, and how to install
# them.  It is silent, with status 0, if all are installed.

# A package, and a program or file that it contains.
build='
gcc gcc
libc6-dev /usr/include/stdlib.h
make make
pkg-config pkg-config
libarchive-dev /usr/include/archive.h
libzstd-dev /usr/include/zstd.h
libisal-dev /usr/include/isa-l.h
libtraceevent-dev /usr/include/traceevent/event-parse.h
liblzma-dev /usr/include/lzma.h
libelf-dev /usr/include/gelf.h
libdw-dev /usr/include/dwarf.h
libxxhash-dev /usr/include/xxhash.h
nettle-dev /usr/include/nettle/md5.h
libzydis-dev /usr/include/Zydis/Zydis.h
libcapstone-dev /usr/include/capstone/capstone.h
libpcre2-dev /usr/include/pcre2.h
libiberty-dev /usr/include/libiberty/demangle.h
libbabeltrace2-dev /usr/include/babeltrace2/babeltrace.h
libyajl-dev /usr/include/yajl/yajl_parse.h
'
tests='
libcmocka-dev /usr/include/cmocka.h
zlib1g-dev /usr/include/zlib.h
libprotobuf-c-dev /usr/include/protobuf-c/protobuf-c.h
protobuf-c-compiler protoc-gen-c
protobuf-compiler protoc
binutils objdump
clang clang
lld ld.lld
llvm llvm-symbolizer
dwz dwz
mold mold
gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
libc6-dev-arm64-cross /usr/aarch64-linux-gnu/include/stdlib.h
g++ g++
libclang-rt-dev /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
clang-tidy clang-tidy
clang-format clang-format
cppcheck cppcheck
shellcheck shellcheck
mandoc mandoc
valgrind valgrind
golang-go go
golang-go /usr/lib/go-1.*/pkg/tool/*/pprof
libc6-dbg /usr/lib/debug/.build-id
linux-perf perf
babeltrace2 babeltrace2
debuginfod debuginfod
gdb gdb
iproute2 ip
openssl openssl
curl curl
libxml2-utils xmllint
chromium chromium
firefox-esr firefox-esr
nodejs node
npm npm
perl /usr/share/perl/*/JSON/PP.pm
git git
python3 python3
procps pgrep
parallel parallel
zsh zsh
fish fish
bzip2 bzip2
xz-utils xz
zstd zstd
zip zip
unzip unzip
'

packages='
dpkg-dev dpkg-buildpackage
debhelper dh
lintian lintian
binutils readelf
'

present()
{
	case $1 in
	/*)	# shellcheck disable=SC2086 # a pattern
		set -- $1
		[ -e "$1" ] ;;
	*)	command -v "$1" >/dev/null ;;
	esac
}

missing()
{
	while read -r package shown; do
		[ -z "$package" ] || present "$shown" || printf ' %s' "$package"
	done
}

apt()
{
	$as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -o DPkg::Lock::Timeout=300 -qq "$@" </dev/null
}

install_all()
{
	# shellcheck disable=SC2086 # a list
	apt install -y --no-install-recommends $need >"$log" 2>&1
}

# For users without the right to install.
advise()
{
	echo "$1  Please run:"
	echo "	sudo apt-get install --no-install-recommends$need"
} >&2

case ${1:-all} in
build | check) need=$(echo "$build" | missing) ;;
deb)	need=$(echo "$build$packages" | missing) ;;
all)	need=$(echo "$build$tests" | missing) ;;
*)	echo 'usage: deps.sh [build|all|deb|check]' >&2
	exit 2 ;;
esac
[ -n "$need" ] || exit 0

if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
	# Elsewhere the same files may have other names: the compiler knows better.
	[ "${1:-all}" != check ] || exit 0
	echo 'This is no Debian; please install what these packages hold:' >&2
	echo "$need" >&2
	exit 1
fi
if [ "${1:-all}" = check ]; then
	advise "Packages that the build needs are missing; 'make deps' installs them."
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root='sudo -n'
	if ! $as_root true 2>/dev/null; then
		advise 'Packages are missing, and only root may install them.'
		[ -z "$(echo "$build" | missing)" ] || exit 1
		echo 'Tests that need them are skipped.' >&2
		exit 0
	fi
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Installing from Debian:$need"
set -- /var/lib/apt/lists/*_Packages*
fresh=
if [ ! -e "$1" ]; then
	apt update >"$log" 2>&1 && fresh=1
fi
# Old package lists name files that no longer exist.
if ! install_all && { [ -n "$fresh" ] || ! apt update >"$log" 2>&1 || ! install_all; }; then
	cat "$log" >&2
	echo "Could not install:$need" >&2
	exit 1
fi
