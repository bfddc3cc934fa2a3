# shellcheck shell=bash
# image.sh - functions for test scripts that make profiles of ReadyToRun images.
#
#	calls IMAGE.dll MAP     prints each return address, as a decimal offset in the file, and
#	                        its method according to the r2rmap MAP
calls()
{
	perl -e '
	local $/;
	my ($image, $map) = map { open my $f, "<", $_ or die; binmode $f; <$f> } @ARGV;
	my $pe = unpack "L", substr $image, 60;
	my ($n, $opt) = unpack "x6Sx12S", substr $image, $pe;
	my ($rva, $off) = map { (unpack "Z8L4", $_)[2, 4] } grep { /^[.]text/ }
		map { substr $image, $pe + 24 + $opt + 40 * $_, 40 } 0 .. $n - 1;
	for (split /\n/, $map) {
		my ($start, $size, $name) = /^(\S+) (\S+) (.*)/ or next;
		my $from = hex($start) - $rva + $off;
		next if !hex $size || hex $start >= 0xfffffff0;
		my $code = substr $image, $from, hex $size;
		$name =~ s/\(.*//; $name =~ s/.*:://;
		# call [rip+disp32], and the next instruction is of the same method
		print $from + pos $code, " $name\n" while $code =~ /\xff\x15....(?=.)/gs;
	}' "$1" "$2"
}
