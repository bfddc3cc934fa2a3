#!/bin/bash
# chroot.sh SUITE ARCH COMMAND... - runs a shell command in a clone of this checkout, in a bare
# Debian that debootstrap made.  Run it as root.
#
#	tests/chroot.sh trixie amd64 'make demo && make check'
#	tests/chroot.sh bookworm arm64 'make -j4 all units && tests/run.sh build/release unit golden'
#
# The clone contains HEAD without uncommitted changes.  The root is made below ROOTS, or reused if it
# exists.  FRESH=1 makes it again.  FILES are copied to /root.  KEEP=1 uses the last clone.
# AS_USER=1 runs the command as an ordinary user without sudo.  A foreign ARCH uses
# qemu-user-static.  Mounts last as long as the command.
set -eu
unset TMPDIR # it need not exist in the root
{ # All is read before it runs, as the file may change meanwhile.
top=$(cd "$(dirname "$0")/.." && pwd)
roots=${ROOTS:-/var/tmp/offbox-roots} mirror=${MIRROR:-http://deb.debian.org/debian}

if [ "${1:-}" = --inside ]; then
	root=$2 user=$3 home=$4 command=$5
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys"
	mount --bind /dev "$root/dev"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
	mount -t tmpfs tmpfs "$root/tmp"
	mount -t tmpfs tmpfs "$root/dev/shm"
	exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$home" LC_ALL=C.UTF-8 \
		chroot --userspec="$user:$user" "$root" sh -ec "cd ~/offbox; $command"
fi

[ $# = 3 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2; }
suite=$1 arch=$2 command=$3
root=$roots/$suite-$arch
[ "$(id -u)" = 0 ] || { echo 'chroot.sh: only root can do that' >&2; exit 2; }
command -v debootstrap >/dev/null || { echo 'chroot.sh: debootstrap is not installed' >&2; exit 2; }

# For programs of another processor, the kernel uses the registered interpreter.  Flag F opens it
# now, so the root need not contain it.
register()
{
	local cpu=$1 rules=/proc/sys/fs/binfmt_misc
	[ -e $rules/register ] || mount -t binfmt_misc binfmt_misc $rules
	[ -e "$rules/qemu-$cpu" ] || cat "/usr/lib/binfmt.d/qemu-$cpu.conf" >$rules/register ||
		{ echo 'chroot.sh: qemu-user-static is not installed' >&2; exit 2; }
}
case $arch in
"$(dpkg --print-architecture)") ;;
arm64)	register aarch64 ;;
*)	register "$arch" ;;
esac

[ -z "${FRESH:-}" ] || rm -rf "$root"
if [ ! -e "$root/complete" ]; then
	rm -rf "$root"
	mkdir -p "$roots"
	debootstrap --variant=minbase --arch="$arch" "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
		{ tail -n 20 "$root.log" >&2; exit 1; }
	# The network is reached as from here.
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	apt-config dump Acquire | grep -v '""' >"$root/etc/apt/apt.conf.d/99machine"
	{
		echo "deb $mirror $suite main"
		if [ "$suite" != sid ]; then # which has neither
			echo "deb $mirror $suite-updates main"
			echo "deb ${mirror%/debian}/debian-security $suite-security main"
		fi
	} >"$root/etc/apt/sources.list"
	chroot "$root" env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get -qq update &&
		apt-get -qq install -y --no-install-recommends git make ca-certificates' >"$root.log" 2>&1 ||
		{ tail -n 20 "$root.log" >&2; exit 1; }
	if [ -d /usr/local/share/ca-certificates ]; then
		cp -R /usr/local/share/ca-certificates "$root/usr/local/share/"
		chroot "$root" update-ca-certificates >"$root.log" 2>&1
	fi
	: >"$root/complete"
fi
for f in ${FILES:-}; do
	cp "$f" "$root/root/"
done
user=root home=/root
if [ -n "${AS_USER:-}" ]; then
	user=tester home=/home/tester
	[ -d "$root$home" ] || chroot "$root" useradd --create-home --shell /bin/bash $user
fi
if [ -z "${KEEP:-}" ]; then
	rm -rf "$root$home/offbox"
	git -C "$top" bundle create -q "$root$home/offbox.bundle" HEAD
	chroot --userspec=$user:$user "$root" env HOME=$home git -c advice.detachedHead=false \
		clone -q $home/offbox.bundle $home/offbox
fi
exec unshare --mount --propagation private "$0" --inside "$root" $user $home "$command"
}
