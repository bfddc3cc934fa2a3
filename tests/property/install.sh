#!/bin/bash
# make install puts the programs and their pages below DESTDIR and PREFIX, where they
# work; make uninstall leaves nothing.
. "$TOP/tests/check.sh"
unset MAKEFLAGS MAKELEVEL
dest="$TMPDIR/a dir"

# What is built stays as it is: "all" is taken as done.
house()
{
	make -s -C "$TOP" -o all B="build/$(basename "$BIN")" PREFIX=/opt/x DESTDIR="$dest" "$@"
}

check 'make install' house install
for tool in pmerge psym pfold pflame pdiff pannotate offbox-collect; do
	check "$tool is installed" "$dest/opt/x/bin/$tool" --version
	check "$tool.1 is installed" test -s "$dest/opt/x/share/man/man1/$tool.1"
done
for script in offbox-fetch resymbolize; do
	status "$script is installed" 0 "$dest/opt/x/bin/$script" -h
	check "$script.1 is installed" test -s "$dest/opt/x/share/man/man1/$script.1"
done
check 'the files of rules are installed' diff -r "$TOP/share/rules" "$dest/opt/x/share/offbox/rules"
for rules in "$TOP"/share/rules/*; do
	echo 'a;b 1' >"$TMPDIR/stacks"
	check "pfold knows the rules called $(basename "$rules")" \
		"$dest/opt/x/bin/pfold" -q --rules "$(basename "$rules")" "$TMPDIR/stacks"
done
# linked TOOL - succeeds if the tool is linked with the libraries that read files of code.  It loads
# libarchive and libbabeltrace2 when it needs them, by the names that they have on this machine.
linked()
{
	local needs lib
	needs=$(readelf -dW "$dest/opt/x/bin/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
	for lib in libelf libzstd liblzma libisal libxxhash; do
		[[ $needs == *$lib.so* ]] || { echo "$lib is not among: $needs"; return 1; }
	done
	[[ $needs != *libarchive* && $needs != *libbabeltrace2* ]] || { echo "$needs"; return 1; }
	for lib in libarchive libbabeltrace2; do
		lib=$(grep -aoE "$lib\.so\.[0-9]+" "$dest/opt/x/bin/$1" | head -n 1)
		/sbin/ldconfig -p | grep -q "^[[:space:]]$lib " || { echo "$lib is not installed"; return 1; }
	done
}
for tool in pmerge psym pfold pflame pdiff pannotate; do
	check "$tool is linked with its libraries" linked $tool
done
for tool in pmerge psym pfold pflame pdiff pannotate offbox-collect offbox-fetch resymbolize; do
	for f in bash-completion/completions/$tool zsh/site-functions/_$tool fish/vendor_completions.d/$tool.fish; do
		check "$f is installed" test -s "$dest/opt/x/share/$f"
	done
done
check 'gate.sh is installed' test -x "$dest/opt/x/share/offbox/examples/gate.sh"
check 'resymbolize.sbatch is installed' test -x "$dest/opt/x/share/offbox/examples/resymbolize.sbatch"
check 'nothing else is installed' test "$(find "$dest" -type f | wc -l)" = \
	"$((9 + 3 * 9 + 2 + $(find "$TOP/share/rules" "$TOP/share/man" -type f | wc -l)))"
check 'make uninstall' house uninstall
check 'no file is left' test -z "$(find "$dest" -type f)"
check 'nor a directory of its own' test -z "$(find "$dest" -name offbox)"
check 'directories of others are left' test -d "$dest/opt/x/share/man/man1"

# A tarball builds another one without git; the two have the same bytes.
mkdir "$TMPDIR/tree" "$TMPDIR/no-git"
printf '#!/bin/sh\necho git was called >&2\nexit 1\n' >"$TMPDIR/no-git/git"
chmod +x "$TMPDIR/no-git/git"
check 'make dist' house dist DIST="$TMPDIR/one"
tar -xzf "$TMPDIR"/one/offbox-*.tar.gz -C "$TMPDIR/tree" --strip-components=1
check 'make dist in the tarball' env PATH="$TMPDIR/no-git:$PATH" make -s -C "$TMPDIR/tree" dist DIST=build/two
same 'the same tarball' "$TMPDIR"/one/offbox-*.tar.gz "$TMPDIR"/tree/build/two/offbox-*.tar.gz
check 'the directory of the tarball has the version' grep -qF "$("$BIN/psym" --version | sed -n '1s/.* //p')/" \
	<(tar -tzf "$TMPDIR"/one/offbox-*.tar.gz | head -n 1)
finish
