#!/bin/bash
# psym --id prints the ids that readelf, llvm-pdbutil and the image itself print.
. "$TOP/tests/check.sh"
needs gcc objcopy readelf llvm-pdbutil python3
cd "$TMPDIR" || exit 1
id() { "$BIN/psym" -q --id "$@"; }

echo 'int main(void) { return 0; }' >main.c
gcc -g -Wl,--build-id=sha1 -o program main.c && objcopy --only-keep-debug program program.debug &&
	gcc -Wl,--build-id=none -o plain main.c && cp main.c 'odd
name.c' && mkdir libs && cp program program.debug plain main.c libs && tar czf libs.tar.gz libs || exit 1
build_id=$(readelf -n program | sed -n 's/.*Build ID: //p')
printf '%s\t%s\t%s\n' elf "$build_id" program elf-debug "$build_id" program.debug elf - plain \
	other - 'odd\x0aname.c' other - main.c >want
id program program.debug plain 'odd
name.c' main.c >got
same "ELF files" want got
printf '%s\t%s\t%s\n' elf "$build_id" libs/program elf-debug "$build_id" libs/program.debug >want
id libs >got
same "a directory: the files with an id" want got
sed 's|libs/|libs.tar.gz/libs/|' want >wanted
id libs.tar.gz >got
same "an archive" wanted got
id <program | cut -f 1,2 >got
printf 'elf\t%s\n' "$build_id" >want
same "standard input" want got
status "an absent file beside others" 1 "$BIN/psym" -q --id -o got program absent
check "the others are listed" grep -q "$build_id" got
status "no file that can be read" 2 "$BIN/psym" -q --id absent
status "with --stat" 2 "$BIN/psym" -q --id --stat program

# A PDB of Windows.
cat >windows.yaml <<'END'
---
PdbStream:
  Age: 3
  Guid: '{0123ABCD-4567-89AB-CDEF-0123456789AB}'
  Signature: 1550000000
  Version: VC70
...
END
llvm-pdbutil yaml2pdb -pdb=windows.pdb windows.yaml >made 2>&1 || { cat made; exit 1; }
llvm-pdbutil dump --summary windows.pdb | sed -n 's/.*GUID: {\(.*\)}/\1/p' | tr -d - | tr A-F a-f >want
id windows.pdb | cut -f 2 >got
same "a PDB of Windows" want got

for image in "$TOP"/fixtures/r2r/*/*.dll; do
	python3 - "$image" <<'END'
import struct, sys
data = open(sys.argv[1], 'rb').read()
pe = struct.unpack_from('<I', data, 0x3c)[0]
print('pe\t%08x%x\t%s' % (struct.unpack_from('<I', data, pe + 8)[0],
                          struct.unpack_from('<I', data, pe + 24 + 56)[0], sys.argv[1]))
END
done >want
id "$TOP"/fixtures/r2r/*/*.dll >got
same "images of .NET" want got

# A portable PDB: the compiler wrote its GUID into the image, too.
python3 - "$TOP/fixtures/pdb/small" >want <<'END'
import sys, uuid
data = open(sys.argv[1] + '.dll', 'rb').read()
at = data.index(b'RSDS')
print('pdb\t%s\t%s.pdb' % (uuid.UUID(bytes_le=data[at + 4:at + 20]).hex, sys.argv[1]))
END
id "$TOP/fixtures/pdb/small.pdb" >got
same "a portable PDB" want got
finish
