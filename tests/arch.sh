#!/bin/bash
# arch.sh ARCH - unit and golden tests on another processor, arm64 or s390x, emulated by
# qemu-user-static in a bare Debian: the golden files are the same, and so are the bytes.
# Of s390x, whose byte order is the other one, the unit tests alone.  As root; takes an hour or more.
set -eu
arch=$1 suite=${SUITE:-bookworm}
groups='unit golden'
[ "$arch" != s390x ] || groups=unit
exec "$(dirname "$0")/chroot.sh" "$suite" "$arch" "
	tests/deps.sh build
	apt-get -qq install -y --no-install-recommends libcmocka-dev zlib1g-dev >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }
	make -j$(nproc) all units
	tests/run.sh build/release $groups"
