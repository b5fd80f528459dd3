"""Computes the end of a hand: who can win each pot, whose cards are shown, and how much each seat wins.

All functions are pure.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat

from msgspec.structs import replace

from server.game.events import Award, Event, HandEnded, HandShown, Pot, PotAwarded
from server.game.hand import Hand, seats_clockwise
from server.game.ranking import best_five, ranking_name, strength
from server.game.rules import Rules


def split_pots(committed: Sequence[int], live: Iterable[int], dead_money: int = 0) -> tuple[Pot, ...]:
    """Returns the main pot, then the side pots. `committed` is how many chips each seat put into the hand. Only `live`
    seats can win.

    `dead_money` chips are nobody's bet, and go into the main pot. If a bot is all-in, chips above its total bet go into
    the next pot. The rules say: "In the showdown, you can only win an amount from each player equal to your total bet
    for the hand - all remaining chips will be distributed to the 2nd place hand".
    """
    contenders = sorted(live)
    pots: list[Pot] = []
    chips_counted = -dead_money
    for all_in_amount in sorted({committed[seat] for seat in contenders}):
        chips_up_to_amount = sum([chips if chips < all_in_amount else all_in_amount for chips in committed])
        if chips_up_to_amount > chips_counted:
            pots.append(
                Pot(
                    chips_up_to_amount - chips_counted,
                    tuple([seat for seat in contenders if committed[seat] >= all_in_amount]),
                )
            )
        chips_counted = chips_up_to_amount
    excess = sum(committed) - chips_counted
    if excess and pots:  # a folded seat put in more than any live seat
        pots[-1] = Pot(pots[-1].amount + excess, pots[-1].seats)
    return tuple(pots)


def share_pot(pot: Pot, strengths: Mapping[int, int], betting_order: Sequence[int], rules: Rules) -> tuple[Award, ...]:
    """Shares one pot among its winners. Returns the awards in betting order. The rules say who gets the odd chips."""
    best = max([strengths[seat] for seat in pot.seats])
    winners = [seat for seat in betting_order if seat in pot.seats and strengths[seat] == best]
    share, odd = divmod(pot.amount, len(winners))
    odd_chip_winner = winners[0] if rules.odd_chips == "first_in_order" else winners[-1]
    return tuple([Award(seat, share + (odd if seat == odd_chip_winner else 0)) for seat in winners])


def closing_events(hand: Hand) -> list[Event]:
    """Returns the events after a hand's last bet: the cards shown, each pot's awards, and the final stacks. The final
    stacks include the chips that a cap kept out of the hand.
    """
    live = hand.live
    strengths = {seat: strength(hand.seats[seat].cards + hand.board) if len(live) > 1 else 0 for seat in live}
    betting_order = seats_clockwise(replace(hand, street="river").action_starts_at(), len(hand.seats))
    pot_awards = [
        PotAwarded(number, pot.amount, share_pot(pot, strengths, betting_order, hand.rules))
        for number, pot in enumerate(hand.pots)
    ]
    stacks = [seat.stack + behind for seat, behind in zip(hand.seats, hand.chips_behind or repeat(0), strict=False)]
    for award in (award for pot in pot_awards for award in pot.awards):
        stacks[award.seat] += award.amount
    winners = {award.seat for pot in pot_awards for award in pot.awards}
    return [*_show_hands(hand, strengths, winners), *pot_awards, HandEnded(tuple(stacks), hand.deck.key)]


def _show_hands(hand: Hand, strengths: dict[int, int], winners: Collection[int]) -> list[HandShown]:
    """Returns the hands that are shown: first those of seats still in, then all others if the rules show all cards."""
    is_showdown = len(strengths) > 1
    hands_shown = [
        _show_hand(hand, seat, strengths[seat]) if is_showdown else HandShown(seat, hand.seats[seat].cards)
        for seat in hand.preflop_order
        if seat in strengths and _is_shown(hand, seat, winners, is_showdown=is_showdown)
    ]
    if hand.rules.show == "all":
        other_seats = [
            seat for seat in hand.preflop_order if hand.seats[seat].dealt_in and not (is_showdown and seat in strengths)
        ]
        hands_shown += [HandShown(seat, hand.seats[seat].cards) for seat in other_seats]
    return hands_shown


def _is_shown(hand: Hand, seat: int, winners: Collection[int], *, is_showdown: bool) -> bool:
    match hand.rules.show:
        case "winners":
            return seat in winners
        case "loser_if_aggressor":
            aggressor = hand.aggressor if hand.aggressor >= 0 else hand.preflop_order[-1]  # or else the big blind
            return is_showdown and (seat in winners or seat == aggressor)
        case _:
            return is_showdown


def _show_hand(hand: Hand, seat: int, hand_strength: int) -> HandShown:
    cards = hand.seats[seat].cards
    return HandShown(seat, cards, ranking_name(hand_strength), best_five(cards + hand.board, hand_strength))
