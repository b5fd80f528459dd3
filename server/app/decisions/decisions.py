"""Lists one bot's decisions in a contest: what the bot knew, its options, its answer, and what a wrong answer cost.

The bot's share of the pot is exact: it takes all dealt cards into account, even the folded cards, which no bot can
know. So a good decision may look bad, but all bots are judged alike.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain

from msgspec import Struct, to_builtins

from broadcast.commentary.contest_state import ContestState
from broadcast.odds.play_out import pots_if_called
from server.equity.luck import pot_shares
from server.game.cards import Card
from server.game.events import ActionTaken, Event, Fault, TurnStarted
from server.game.hand import Hand


class Decision(Struct, frozen=True):
    """One decision. Amounts are in chips, and times in milliseconds. Parts of the pot are numbers from 0 to 1.

    The bot could raise to any bet from `raise_from` to `raise_to`. Both are 0 if it could not raise. `needs` is the
    part of the pot that a call must win on average to break even, or None if there was nothing to call. `share` is the
    part of the pot that the bot's cards win on average if nobody bets any more. `call_worth` is how many chips a call
    would have won on average, minus the cost of the call. `call_worth` is None if there was nothing to call, or if bets
    could have followed. `gave_up` is how many chips a wrong call or fold cost on average, or 0 if the call or fold was
    right. `gave_up` is None after other actions, or if `call_worth` is None. If cards are unknown, `share`,
    `call_worth` and `gave_up` are None.
    """

    game: int
    hand: int
    street: str
    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    stack: int
    pot: int
    to_call: int
    raise_from: int
    raise_to: int
    act: str
    amount: int
    think_ms: int
    fault: Fault
    needs: Fraction | None
    share: Fraction | None
    call_worth: Fraction | None
    gave_up: Fraction | None


def decisions_of(events: Iterable[Event], bot: int, game: int = 0) -> Iterator[Decision]:
    """Yields the decisions of `bot` in a contest. If `game` is not 0, yields only the decisions in game number `game`.
    `events` are all events of the contest.

    Posting a blind is not a decision. Raises LookupError or ValueError if the events are inconsistent.
    """
    contest = ContestState()
    for event in events:
        if isinstance(event, ActionTaken) and (turn := _find_turn(contest, bot)) and game in (0, turn[1]):
            yield _make_decision(*turn, event)
        contest.apply(event)


def _find_turn(contest: ContestState, bot: int) -> tuple[Hand, int, TurnStarted] | None:
    """Returns the current hand, the number of its game, and the turn. Returns None if it is not the turn of `bot`."""
    hand, game = contest.hand, contest.tournament.game
    if hand is None or not game or hand.turn is None or hand.turn.blind or game.seats[hand.turn.seat] != bot:
        return None
    return hand, game.game, hand.turn


def round_share(fraction: Fraction) -> float:
    """Rounds a fraction to four decimals, for JSON."""
    return round(float(fraction), 4)


def decision_to_json(decision: Decision) -> dict[str, object]:
    """Returns a decision as a JSON object."""
    fields: dict[str, object] = to_builtins(decision, enc_hook=round_share)
    return fields


def _make_decision(hand: Hand, game: int, turn: TurnStarted, answer: ActionTaken) -> Decision:
    seat = hand.seats[turn.seat]
    call_worth = _call_worth(hand, turn)
    gave_up = None
    if call_worth is not None and answer.act in ("fold", "call"):
        gave_up = max(Fraction(), call_worth if answer.act == "fold" else -call_worth)
    return Decision(
        game,
        hand.number,
        hand.street,
        seat.cards,
        hand.board,
        seat.stack,
        sum(other.committed for other in hand.seats) + hand.dead_money,
        turn.to_call,
        turn.min_raise_to,
        turn.max_raise_to,
        answer.act,
        answer.amount,
        answer.think_ms,
        answer.fault,
        _required_share(hand, turn),
        _share_of_pot(hand, turn.seat, hand.live),
        call_worth,
        gave_up,
    )


def _required_share(hand: Hand, turn: TurnStarted) -> Fraction | None:
    """Returns the cost of a call, divided by the pot that the caller can win. Returns None if a call costs nothing."""
    if not turn.to_call:
        return None
    caller_total = hand.seats[turn.seat].committed + turn.to_call
    pot = sum(min(seat.committed, caller_total) for seat in hand.seats) + hand.dead_money + turn.to_call
    return Fraction(turn.to_call, pot)


def _call_worth(hand: Hand, turn: TurnStarted) -> Fraction | None:
    """Returns how many chips a call wins on average, minus its cost. Returns None if this is not known exactly."""
    pots = pots_if_called(hand) if turn.to_call else None
    if pots is None:
        return None
    shares = [(pot, _share_of_pot(hand, turn.seat, pot.seats)) for pot in pots if turn.seat in pot.seats]
    winnings = [pot.amount * share for pot, share in shares if share is not None]
    return sum(winnings, Fraction(-_call_cost(hand, turn))) if len(winnings) == len(shares) else None


def _call_cost(hand: Hand, turn: TurnStarted) -> int:
    """How many chips a call costs. Does not count chips that come back because no other bot has bet as much."""
    highest_other = max((other.committed for index, other in enumerate(hand.seats) if index != turn.seat), default=0)
    committed = hand.seats[turn.seat].committed
    return min(committed + turn.to_call, max(highest_other, committed)) - committed


def _share_of_pot(hand: Hand, seat: int, live_seats: tuple[int, ...]) -> Fraction | None:
    """Returns the part of a pot that `seat` wins on average if only `live_seats` can win the pot. Returns None if cards
    are unknown.
    """
    if seat not in live_seats:
        return Fraction()
    try:
        hole_cards = [(hand.seats[index].cards[0], hand.seats[index].cards[1]) for index in live_seats]
        dead_cards = chain.from_iterable(dead.cards for index, dead in enumerate(hand.seats) if index not in live_seats)
        return (
            pot_shares(hole_cards, hand.board, tuple(dead_cards))[live_seats.index(seat)]
            if len(live_seats) > 1
            else Fraction(1)
        )
    except (IndexError, ValueError):
        return None
