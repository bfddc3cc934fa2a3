#!/bin/bash
# Each program is PIE and has full RELRO, stack protectors and the checked functions of FORTIFY.
. "$TOP/tests/check.sh"
needs readelf objdump

# has PROGRAM PATTERN - if readelf prints such a line about PROGRAM.
has() { readelf -hldW --dyn-syms "$BIN/$1" | grep -qE "$2"; }
for tool in psym pfold pflame pmerge; do
	check "$tool has no fixed address" has $tool 'FLAGS_1.* PIE'
	check "$tool has a part that is read-only after relocation" has $tool GNU_RELRO
	check "$tool is bound when it starts" has $tool 'BIND_NOW|FLAGS_1.* NOW'
	# libiberty.a brings 100 of its own, and functions that it does not call are ours.
	check "$tool has stack protectors" [ "$(objdump -d "$BIN/$tool" | grep -c '<__stack_chk_fail@')" -gt 300 ]
	check "$tool has checked functions" has $tool '__vsnprintf_chk@'
done
finish
