"""The events that end a hand: whose cards are shown, and how the pots are paid. Pure."""

from collections.abc import Collection
from itertools import repeat

from msgspec.structs import replace

from server.game.events import Event, HandEnded, HandShown, PotAwarded
from server.game.hand import Hand, circle, first_to_act
from server.game.pots import share_pot
from server.game.ranking import best_five, ranking_name, strength


def ending(hand: Hand) -> list[Event]:
    """Everything that follows the last bet of a hand: what is shown, each pot's awards, the stacks at the end."""
    live = hand.live
    strengths = {at: strength(hand.seats[at].cards + hand.board) if len(live) > 1 else 0 for at in live}
    order = _odd_chip_order(hand)
    awarded = [
        PotAwarded(number, pot.amount, share_pot(pot, strengths, order, hand.rules))
        for number, pot in enumerate(hand.pots)
    ]
    stacks = [seat.stack + behind for seat, behind in zip(hand.seats, hand.behind or repeat(0), strict=False)]
    for award in (award for pot in awarded for award in pot.awards):
        stacks[award.seat] += award.amount
    winners = {award.seat for pot in awarded for award in pot.awards}
    return [*_shown(hand, strengths, winners), *awarded, HandEnded(tuple(stacks), hand.deck.key)]


def _shown(hand: Hand, strengths: dict[int, int], winners: Collection[int]) -> list[HandShown]:
    """Live hands first, then, where "all bots cards will be revealed", the folded ones."""
    showdown = len(strengths) > 1
    shown = [
        _showing(hand, at, strengths[at]) if showdown else HandShown(at, hand.seats[at].cards)
        for at in hand.order
        if at in strengths and _is_shown(hand, at, winners, showdown=showdown)
    ]
    if hand.rules.show == "all":
        rest = [at for at in hand.order if hand.seats[at].dealt_in and not (showdown and at in strengths)]
        shown += [HandShown(at, hand.seats[at].cards) for at in rest]
    return shown


def _is_shown(hand: Hand, at: int, winners: Collection[int], *, showdown: bool) -> bool:
    """Whether the rules have a live seat show its cards."""
    match hand.rules.show:
        case "winners":
            return at in winners
        case "loser_if_aggressor":
            aggressor = hand.aggressor if hand.aggressor >= 0 else hand.order[-1]
            return showdown and (at in winners or at == aggressor)
        case _:
            return showdown


def _showing(hand: Hand, at: int, its_strength: int) -> HandShown:
    cards = hand.seats[at].cards
    return HandShown(at, cards, ranking_name(its_strength), best_five(cards + hand.board, its_strength))


def _odd_chip_order(hand: Hand) -> tuple[int, ...]:
    """Betting order of the later streets, which settles odd chips."""
    return circle(first_to_act(replace(hand, street="river")), len(hand.seats))
