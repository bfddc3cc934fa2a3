# importers.pl flamescope|firefox FILE - the stacks of a text of perf script, as that program
# should show them; exits with 1 at a line that is none of perf script's.  What both read otherwise
# than perf means it is written down here:
#
#	flamescope	a command ends at its first digit, a name at its first '+' but one in front;
#			"a->b" are two frames; 'L' in front of a name is taken off in java
#	firefox		a name that begins with '(' is left out; a sample without frames, too
use strict;
use warnings;

my $tool = shift;
my (%count, @stack, $command, $tid);

sub flamescope_names {
	return map { $command eq 'java' ? s/^L//r : $_ }
		map { split /->/ } map { s/(?<=.)\+.*//r } @_;
}

sub end_sample {
	return unless defined $tid;
	my @names = reverse @stack;
	$command =~ s/ *\d.*//;
	@names = $tool eq 'firefox' ? ($tid, grep { !/^\(/ } @names) : ($command, flamescope_names(@names));
	$count{join ';', @names}++ if @names > 1 || $tool ne 'firefox';
	@stack = ();
	undef $tid;
}

while (<>) {
	chomp;
	next if /^#/;
	if (/^$/) {
		end_sample();
	} elsif (/^\s+[0-9a-f]+ (.*) \(([^()]*(?:\([^()]*\))?)\)$/) {
		my ($name, $file) = ($1, $2);
		$name =~ s/\+0x[0-9a-f]+$//;
		push @stack, $tool eq 'firefox' ? "$name (in $file)" : $name;
	} elsif (/^\s*(\S.*?)\s+(?:-?\d+\/)?(-?\d+)\s+(?:\[\d+\]\s+)?\d+\.\d+:/) {
		end_sample();
		($command, $tid) = ($1, $2);
	} else {
		die "$.: $_\n";
	}
}
end_sample();
print map { "$_ $count{$_}\n" } sort keys %count;
