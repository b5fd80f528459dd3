# Perl: counts its turns and cares for no cards.
$| = 1;
my $n = 0;
while (<STDIN>) {
    chomp;
    if (/^STACK (\d+) (\d+) (\d+) (\d+)$/) {
        $n++;
        print $n % 7 == 0 ? "R" . int($4 / 2) : $n % 11 == 0 ? "F" : "C", "\n";
    } elsif (/^END/) { $n += 3 }
}
