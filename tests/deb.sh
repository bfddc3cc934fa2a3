#!/bin/bash
# deb.sh - tests make dist and make deb.  The tarball is reproducible and builds without git.  The
# packages are reproducible in another directory, pass lintian and are hardened.  If they are
# installed in a bare Debian, README's examples work.  Run it as root.
set -u
TOP=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/check.sh
. "$TOP/tests/check.sh"
cd "$TOP" || exit 2
unset MAKEFLAGS MAKELEVEL
tests/deps.sh deb || exit
work=$(mktemp -d) && mkdir "$work/bin" || exit 2
trap 'rm -rf "$work"' EXIT

made=$(sed -n 's/^#define VERSION "\(.*\)"/build\/offbox-\1.tar.gz/p' cmd/options.c)
quietly() { "$@" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }; }
check 'make dist' quietly make dist
cp "$made" "$work/first.tar.gz"
sleep 1
check 'make dist again' quietly make dist
same 'the tarball is the same again' "$work/first.tar.gz" "$made"
case $(head -n 1 share/debian/changelog) in
"offbox ($(basename "${made#build/offbox-}" .tar.gz)-"*) report 0 'the changelog has the version' ;;
*) report 1 'the changelog has the version' ;;
esac

# Uses a git that fails, to prove that git is not needed.
printf '#!/bin/sh\necho git was called >&2\nexit 1\n' >"$work/bin/git"
chmod +x "$work/bin/git"
for n in one another; do
	mkdir "$work/$n"
	tar -xzf "$made" -C "$work/$n" --strip-components=1
	check "make deb of the tarball, in $n place" \
		quietly env PATH="$work/bin:$PATH" make -C "$work/$n" deb
done
for deb in "$work"/one/build/deb/*.deb; do
	same "$(basename "$deb") is the same again" "$deb" "$work/another/build/deb/$(basename "$deb")"
done
check 'lintian has no errors' lintian --allow-root --fail-on error "$work"/one/build/deb/*.changes

deb=$(echo "$work"/one/build/deb/offbox_*.deb)
dpkg-deb -x "$deb" "$work/root"
BIN=$work/root/usr/bin TOP=$TOP tests/property/hardened.sh
for tool in psym pfold pflame pdiff pannotate pmerge; do
	check "$tool names no directory of the build" \
		eval "! strings -a '$work/root/usr/bin/$tool' | grep -F '$work'"
done

# README's examples: an archive of another machine, and a local program if perf may record.
cat >"$work/examples.sh" <<'E2'
apt-get install -qq -y --no-install-recommends /root/offbox_*.deb >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }
rm -rf /root/offbox/cmd /root/offbox/lib /root/offbox/share
cd /tmp
psym /root/offbox/fixtures/web31.prof.tar.gz | pfold | pflame >service.svg
grep -c Forecaster service.svg
cksum <service.svg
if apt-get install -qq -y --no-install-recommends linux-perf >/tmp/log 2>&1 &&
	perf record -o perf.data -g sh -c 'md5sum /usr/bin/*' >/dev/null 2>&1; then
	psym perf.data | pfold | pflame >app.svg
	grep -q md5sum app.svg
	echo 'a program of this machine, too'
fi
psym --list-events /root/offbox/fixtures/lttng10.tar.xz | grep -c DotNETRuntime
dpkg --purge offbox >/tmp/log
[ ! -e /usr/bin/psym ]
E2
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
ROOTS=${ROOTS:-/var/tmp/offbox-roots}/bare FRESH=1 FILES="$deb $work/examples.sh" \
	tests/chroot.sh "$suite" "$(dpkg --print-architecture)" 'sh -ex /root/examples.sh' >"$work/out" 2>"$work/err"
report $? "README's examples in a bare $suite"
tail -n 40 "$work/out"
tail -n 20 "$work/err"
build=$("$work/root/usr/bin/psym" -q --no-host fixtures/web31.prof.tar.gz |
	"$work/root/usr/bin/pfold" -q | "$work/root/usr/bin/pflame" -q | cksum)
check 'the picture has the same bytes there' grep -qxF "$build" "$work/out"
finish
