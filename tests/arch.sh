#!/bin/bash
# arch.sh ARCH - runs unit and golden tests for another processor, arm64 or s390x.  They are compiled
# here, using the libraries of a bare Debian of that processor, and run there with qemu-user-static.
# They use the same golden files, even on s390x, which has the other byte order.  Run it as root.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
arch=$1 suite=${SUITE:-bookworm}
export ROOTS=${ROOTS:-/var/tmp/offbox-roots}
root=$ROOTS/$suite-$arch
case $arch in
arm64)	cpu=aarch64 ;;
s390x)	cpu=s390x ;;
*)	echo 'usage: arch.sh arm64|s390x' >&2
	exit 2 ;;
esac
command -v $cpu-linux-gnu-gcc >/dev/null || { echo "arch.sh: gcc-$cpu-linux-gnu is not installed" >&2; exit 2; }

"$top/tests/chroot.sh" "$suite" "$arch" '
	tests/deps.sh build
	apt-get -qq install -y --no-install-recommends libcmocka-dev zlib1g-dev libprotobuf-c-dev >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }'
# Programs that run during the build use the libraries below QEMU_LD_PREFIX.
libs=usr/lib/$cpu-linux-gnu
env QEMU_LD_PREFIX="$root" PKG_CONFIG_SYSROOT_DIR="$root" \
	PKG_CONFIG_LIBDIR="$root/$libs/pkgconfig:$root/usr/share/pkgconfig" \
	make -C "$root/root/offbox" -j"$(nproc)" CC=$cpu-linux-gnu-gcc B=build/release \
	CFLAGS="-g --sysroot=$root" LDFLAGS="-Wl,-rpath-link=$root/lib/$cpu-linux-gnu" \
	CTF_PLUGIN=/$libs/babeltrace2/plugins/babeltrace-plugin-ctf.so all units
KEEP=1 "$top/tests/chroot.sh" "$suite" "$arch" "SLOWER=10 tests/run.sh build/release unit golden"
