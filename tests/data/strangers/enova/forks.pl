#!/usr/bin/perl
# Perl, a process for each connection, Content-Length in another case, a byte at a time.
use strict; use warnings;
use IO::Socket::INET;
$SIG{CHLD} = 'IGNORE';
my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $ARGV[0], Listen => 16, ReuseAddr => 1) or die $!;
while (my $c = $listen->accept) {
    my $pid = fork;
    if ($pid) { close $c; next }
    $c->autoflush(1);
    my $first = <$c>;
    my $length = 0;
    while (my $h = <$c>) { last if $h =~ /^\r?\n$/; $length = $1 if $h =~ /^content-length:\s*(\d+)/i }
    read $c, my $form, $length if $length;
    my %p;
    for (split /&/, $form // '') { my ($k, $v) = map { s/\+/ /gr =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger } split /=/, $_, 2; $p{$k} = $v }
    my $body = 'ok';
    if ($first =~ m{^POST /player/action}) {
        my $amount = $p{minimum_bet};
        my $action = $p{blind} eq 'true' ? 'blind' : $amount > $p{your_chips} / 2 && $p{'your_hand[0][value]'} ne 'A' ? 'fold' : 'bet';
        $body = qq({"action":"$action","amount":$amount});
    }
    my $answer = "HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh: " . length($body) . "\r\nconnection: close\r\n\r\n$body";
    print $c $_ for split //, $answer;
    close $c;
    exit 0;
}
