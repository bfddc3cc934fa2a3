#!/bin/bash
# Stubs of the PLT as compilers and linkers of this machine make them, x86-64 and arm64:
# each is called as objdump calls it, an ifunc's after the ifunc, and the header .plt.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
mkdir bin

cat >calls.c <<'END2'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned long (*volatile taken)(const char *, char **, int) = strtoul;
static size_t plain(const char *s)
{
	return s[0] != 0;
}
static void *pick(void)
{
	return plain;
}
size_t picked(const char *) __attribute__((ifunc("pick")));
int main(int argc, char **argv)
{
	char b[64];
	memset(b, argc, sizeof(b));
	return (int)(strtoul("1", NULL, 10) + (size_t)abs(rand()) + picked(argv[0]) +
	             strlen(argv[0]) + (unsigned long)getppid + taken("1", NULL, 10));
}
END2
options="-O1 -fno-builtin"

# stubs FILE OBJDUMP - "va name" of each stub that objdump knows.
stubs()
{
	local id va name
	"$2" -d "$1" | sed -n 's/^0*\([0-9a-f]*\) <\(.*\)@plt>:$/\1 \2/p
		s/^0*\([0-9a-f]*\) <\(\.plt\|.*@plt-0x[0-9a-f]*\)>:$/\1 .plt/p' | sort -u |
		while read -r va name; do
			case $name in
			.plt) # the header of the section
				echo "$va $name"
				continue ;;
			# The address of what picks one.
			'*ABS*+0x'*)
				id=${name#'*ABS*+0x'}
				nm "$1" | awk -v at="$id" '{ sub(/^0*/, "", $1) } $1 == at && $2 == "i" { print $3 }' |
					sort >picked.names
				[ "$(wc -l <picked.names)" = 1 ] || continue
				name=$(cat picked.names) ;;
			esac
			echo "$va $name@plt"
		done
}
# slots FILE OBJDUMP - the same of a static program, where nothing but the slot tells.
slots()
{
	local va slot id
	"$2" -d -j .plt "$1" | sed -n 's/^ *\([0-9a-f]*\):.*jmp .*# \([0-9a-f]*\).*/\1 \2/p' |
		while read -r va slot; do
			id=$(readelf -rW "$1" | awk -v at="$slot" '{ sub(/^0*/, "", $1) } $1 == at && /IRELATIVE/ { print $NF }')
			nm "$1" | awk -v at="$id" '{ sub(/^0*/, "", $1) } $1 == at && $2 == "i" { print $3 }' >picked.names
			[ "$(wc -l <picked.names)" = 1 ] && echo "$va $(cat picked.names)@plt"
		done
}
# mappings FILE - as a process would have its code, at 7f0000000000 and the page of its va.
mappings()
{
	readelf -lW "$1" | awk '$1 == "LOAD" && / R E / { print $2, $3, $5 }' | while read -r off va size; do
		printf '%x-%x r-xp %08x 08:01 5 /srv/app/%s\n' $((0x7f0000000000 + (va & ~4095))) \
			$((0x7f0000000000 + ((va + size + 4095) & ~4095))) $((off & ~4095)) "${1##*/}"
	done
}
# named FILE - the same of psym, for the addresses on standard input.
named()
{
	local va
	mappings "$1" >maps-1.txt
	while read -r va _; do
		printf 'app 1 1.0: 1 x:\n\t%x [unknown] (/srv/app/%s)\n\n' $((0x7f0000000000 + 0x$va)) "${1##*/}"
	done >text
	"$BIN/psym" -q --no-host -m maps-1.txt -m "$1" text |
		sed -n 's/^\t *7f0*\([0-9a-f]*\) \(.*\)+0x0 (.*/\1 \2/p'
}
# linked NAME JUDGE FEWEST OBJDUMP COMMAND ...
linked()
{
	local all
	if ! command -v "$4" >/dev/null || ! command -v "$5" >/dev/null ||
	   ! "${@:5}" calls.c -o "bin/$1" >compile.log 2>&1; then
		echo "ok $1 # SKIP cannot be built: ${*:5}"
		return
	fi
	"$2" "bin/$1" "$4" >wanted
	named "bin/$1" <wanted >given
	all=$(wc -l <wanted)
	[ "$all" -ge "$3" ] || echo "objdump names $all stubs"
	[ "$all" -ge "$3" ]
	report $? "$1: has stubs"
	same "$1: they are called so" wanted given
}
# shellcheck disable=SC2086 # a list
{
	linked ld stubs 7 objdump gcc $options
	linked now stubs 7 objdump gcc $options -Wl,-z,now
	linked ibt stubs 7 objdump gcc $options -fcf-protection -Wl,-z,ibtplt
	linked static slots 2 objdump gcc $options -static
	linked static-pie slots 2 objdump gcc $options -static-pie
	linked gold stubs 6 objdump gcc $options -fuse-ld=gold
	linked lld stubs 5 objdump clang $options -fuse-ld=lld
	linked lld-ibt stubs 5 objdump clang $options -fuse-ld=lld -fcf-protection -Wl,-z,force-ibt
	linked arm64 stubs 9 aarch64-linux-gnu-objdump aarch64-linux-gnu-gcc $options
	linked arm64-lld stubs 7 aarch64-linux-gnu-objdump clang --target=aarch64-linux-gnu $options -fuse-ld=lld
}
finish
