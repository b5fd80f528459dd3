#!/usr/bin/perl
# Perl without modules: HTTP/1.0 by hand, patterns in place of JSON. Raises beyond all it has with an ace.
use strict; use warnings;
use IO::Socket::INET;

my ($host, $port) = split /:/, $ARGV[0];
my $body = '{"test_hand_count":3,"name":"Lasso \u0026 Co"}';
my $web = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Proto => 'tcp') or die "web: $!";
print $web "POST /register HTTP/1.0\r\nCONTENT-TYPE: application/json\r\nCONTENT-LENGTH: ", length($body), "\r\n\r\n$body";
my $reply = do { local $/; <$web> };
my ($number) = $reply =~ /"port_number":\s*(\d+)/ or die $reply;
my $s = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $number, Proto => 'tcp') or die "game: $!";
$s->autoflush(1);
while (my $line = <$s>) {
    next unless $line =~ /"command":\s*"request_action"/;
    my ($hand) = $line =~ /"hand":\s*\[(.*?)\]/;
    my ($high) = $line =~ /"highest_bid_value":\s*(\d+)/;
    my $action = $hand =~ /"value":\s*"A"/ ? 'raise' : $high > 500 ? 'fold' : 'call';
    print $s qq({"raise_amount":1000000,"action":"$action","command":"take_action"}\r\n);
}
