# A bot for the Zole Arena in Perl 5, with core modules only.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # flush every line: a pipe would keep it back

my $json   = JSON::PP->new->utf8->canonical;
my @deck   = qw(QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D AC TC KC 9C AS TS KS 9S AH TH KH 9H);
my %points = (A => 11, T => 10, K => 4, Q => 3, J => 2, 9 => 0, 8 => 0, 7 => 0);

# The deck is sorted from strong to weak, so a place in it tells which of two cards is stronger.
my %place = map { $deck[$_] => $_ } 0 .. $#deck;

# How strong a hand must be for each bid: the first numbers to try others for.
my ($ORDINARY, $SOLO) = (15, 21);

# What we remember between requests.
my ($request, %seen, $declarer, $contract);

# ---- cards ----

sub points { return $points{ substr $_[0], 0, 1 } }
sub suit   { return $place{ $_[0] } < 14 ? 'trump' : substr $_[0], 1, 1 }
sub trumps { return grep { suit($_) eq 'trump' } @_ }
sub plain  { return grep { suit($_) ne 'trump' } @_ }

sub weakest { return (sort { $place{$b} <=> $place{$a} } @_)[0] }

# By points; of equal points we keep the stronger card for later.
sub richest { return (sort { points($b) <=> points($a) || $place{$b} <=> $place{$a} } @_)[0] }
sub poorest { return (sort { points($a) <=> points($b) || $place{$b} <=> $place{$a} } @_)[0] }

# Does $card win over $best, which leads the trick so far?
sub beats {
    my ($card, $best) = @_;
    return suit($card) eq suit($best) ? $place{$card} < $place{$best} : suit($card) eq 'trump';
}

# Can no card that may still be in another hand beat this one?
sub is_sure {
    my ($card) = @_;
    my %mine   = map  { $_ => 1 } @{ $request->{hand} };
    my @unseen = grep { !$seen{$_} && !$mine{$_} } @deck;
    return !grep { beats($_, $card) } @unseen;
}

# ---- before the play ----

# What a card helps a declarer: trumps count, high ones more, and so do plain aces.
sub worth {
    my ($card) = @_;
    return $card =~ /^A/ ? 2 : 0 if suit($card) ne 'trump';
    return $card =~ /^Q/ ? 4 : $card =~ /^J/ ? 3 : 2;
}

sub strength {
    my $sum = 0;
    $sum += worth($_) for @_;
    return $sum;
}

sub choose_bid {
    my ($hand, $legal) = @_;
    my $strength = strength(@$hand);
    my $wish     = $strength >= $SOLO ? 'solo' : $strength >= $ORDINARY ? 'ordinary' : 'pass';
    # Not every bid is legal under all rules, and the next best is to pass.
    return (grep { $_ eq $wish } @$legal) ? $wish : 'pass';
}

# The discard counts for us, so we save points in it, and a suit that it empties can be trumped.
sub choose_discard {
    my @hand = @_;
    my %count;
    $count{ suit($_) }++ for @hand;
    my %gain;
    for my $card (@hand) {
        $gain{$card} = points($card);
        $gain{$card} += { 1 => 6, 2 => 3 }->{ $count{ suit($card) } } // 0;
        $gain{$card} -= 12 if $card =~ /^A/;              # an ace takes a trick itself
        $gain{$card} -= 30 if suit($card) eq 'trump';     # trumps only if nothing else is there
    }
    return (sort { $gain{$b} <=> $gain{$a} || $place{$a} <=> $place{$b} } @hand)[0, 1];
}

# ---- the play ----

# The card that takes the trick as it stands, and the seat that laid it.
sub winning {
    my ($best, @rest) = @_;
    for my $laid (@rest) {
        $best = $laid if beats($laid->{card}, $best->{card});
    }
    return ($best->{card}, $best->{seat});
}

# Without a declarer, and in a small solo, nobody wants a trick.
sub play_low {
    my ($legal, @trick) = @_;
    return weakest(@$legal) if !@trick;
    my ($best) = winning(@trick);
    my @losing = grep { !beats($_, $best) } @$legal;
    return richest(@losing) if @losing;                   # get rid of dangerous cards
    return @trick >= 2 ? richest(@$legal) : weakest(@$legal);
}

sub lead {
    my ($i_declare, @legal) = @_;
    if ($i_declare) {
        my @sure = grep { is_sure($_) } @legal;
        return richest(@sure) if @sure;
        return weakest(trumps(@legal)) if trumps(@legal) > 3;
    }
    my @aces = grep { /^A/ } plain(@legal);
    return $aces[0] if @aces;
    return poorest(plain(@legal)) if plain(@legal);
    return weakest(@legal);
}

sub follow {
    my ($me, $legal, @trick) = @_;
    my ($best, $by) = winning(@trick);
    my $last    = @trick == 2;
    my $partner = $by ne $me && $by ne $declarer && $me ne $declarer;
    my @winners = grep { beats($_, $best) } @$legal;

    if ($partner) {
        # Its trick: give it our points, if the declarer cannot take it away any more.
        return $last || is_sure($best) ? richest(@$legal) : poorest(@$legal);
    }
    if ($last && @winners) {
        my @rich = grep { points($_) >= 10 } @winners;    # safe now, and worth most
        return @rich ? richest(@rich) : weakest(@winners);
    }
    my @sure = grep { is_sure($_) } @winners;
    return weakest(@sure) if @sure;
    # Nobody knows: try it with a card that costs little, or let the trick go cheaply.
    my @cheap = grep { points($_) < 10 } @winners;
    return @cheap ? weakest(@cheap) : poorest(@$legal);
}

sub choose_card {
    my ($me, $legal, @trick) = @_;
    return play_low($legal, @trick) if !defined $declarer || $contract eq 'small_solo';
    return @trick ? follow($me, $legal, @trick) : lead($me == $declarer, @$legal);
}

# ---- talking to the arena ----

# Every request tells what happened since the last one.
sub remember {
    for my $event (@_) {
        my $kind = $event->{event};
        if ($kind eq 'deal')     { %seen = (); $declarer = undef }
        if ($kind eq 'contract') { ($declarer, $contract) = @$event{qw(declarer contract)} }
        if ($kind eq 'card')     { $seen{ $event->{card} } = 1 }
    }
    return;
}

sub boolean { return $_[0] ? JSON::PP::true : JSON::PP::false }

# What to answer to each type of request. A type without an entry gets no answer.
my %answers = (
    blind     => sub { return (blind => boolean(0)) },
    bid       => sub { return (bid => choose_bid(@$request{qw(hand legal)})) },
    talon     => sub { return (choice => strength(@{ $request->{hand} }) >= $SOLO ? 'give' : 'take') },
    surrender => sub { return (surrender => boolean(trumps(@{ $request->{hand} }) < 2)) },
    offer     => sub { return (accept => boolean(1)) },
    play      => sub { return (card => choose_card(@$request{qw(seat legal)}, @{ $request->{trick} })) },
    discard   => sub {
        my @cards = choose_discard(@{ $request->{hand} });
        $seen{$_} = 1 for @cards;    # nobody else has these
        return (cards => \@cards);
    },
);

# Our answer was refused: say the plainest thing instead.
sub correction {
    my $type = $request->{type};
    return (card => $request->{legal}[0]) if $type eq 'play';
    return (bid  => $request->{legal}[0]) if $type eq 'bid';
    return (cards => [@{ $request->{hand} }[0, 1]]) if $type eq 'discard';
    return $answers{$type}->();
}

sub say_line { return print $json->encode({@_}), "\n" }

# The loop ends, and the bot leaves, when the arena closes our input.
while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    my $type    = $message->{type};

    if ($type eq 'hello') {
        say_line(type => 'ready', protocol => 1, asks => ['surrender', 'offer']);
    }
    elsif ($type eq 'error') {
        say_line(type => $request->{type}, id => $message->{id}, correction());
    }
    elsif ($answers{$type}) {
        $request = $message;
        remember(@{ $request->{events} });
        say_line(type => $type, id => $message->{id}, $answers{$type}->());
    }
}
