"""Who took how many chips from whom, pot by pot, in whole chips. Pure.

In each pot some have lost what they put in, and others have won it. Each loser's chips are divided among the winners
in proportion to what they won; so what a seat took in all is exactly what it won in the hand.
"""

from collections.abc import Mapping

from broadcast.on_air.table_state import TableState
from server.game.events import BlindPosted, Event, HandStarted, PotAwarded, TournamentOpened

Pair = tuple[int, int]


class HandTakings:
    """Who took what from whom in one hand after the other, by seats."""

    def __init__(self) -> None:
        self._ante_is_dead = False
        self._dead: dict[int, int] = {}
        self._pots: list[PotAwarded] = []

    def take(self, event: Event) -> None:
        """Notes `event`."""
        match event:
            case TournamentOpened(rules=rules):
                self._ante_is_dead = rules.ante_from == "big_blind"
            case HandStarted():
                self._dead, self._pots = {}, []
            case BlindPosted(seat=seat, blind="ante", amount=amount) if self._ante_is_dead:
                self._dead[seat] = amount
            case PotAwarded():
                self._pots.append(event)
            case _:
                pass

    def taken(self, table: TableState) -> dict[Pair, int]:
        """How many chips which seat took from which; the hand is over and the table as it leaves it."""
        found: dict[Pair, int] = {}
        for pot, paid in zip(self._pots, _paid_by_pot(table, self._dead), strict=False):
            change = {seat: -chips for seat, chips in paid.items()}
            for award in pot.awards:
                change[award.seat] = change.get(award.seat, 0) + award.amount
            for pair, chips in divided(change).items():
                found[pair] = found.get(pair, 0) + chips
        return found


def divided(change: Mapping[int, int]) -> dict[Pair, int]:
    """Who takes how much from whom where each one's chips change so, all changes together being 0.

    What a loser's chips come to for each winner is rounded down; the chips left over go to those who lack some, first
    where the most was cut off.
    """
    won = {seat: chips for seat, chips in change.items() if chips > 0}
    whole = sum(won.values())
    shares = {(by, of): divmod(-change[of] * won[by], whole) for of in change if change[of] < 0 for by in won}
    found = {pair: chips for pair, (chips, _) in shares.items()}
    lacks = {by: won[by] - sum(chips for pair, chips in found.items() if pair[0] == by) for by in won}
    left = {of: -change[of] - sum(chips for pair, chips in found.items() if pair[1] == of) for _, of in shares}
    for by, of in sorted(shares, key=lambda pair: (-shares[pair][1], pair)):
        chips = min(1, lacks[by], left[of])
        found[by, of] += chips
        lacks[by] -= chips
        left[of] -= chips
    return _with_the_rest(found, lacks, left)


def _with_the_rest(found: dict[Pair, int], lacks: dict[int, int], left: dict[int, int]) -> dict[Pair, int]:
    """Gives away the last odd chips, which no pair could take at its turn."""
    for by, of in found:
        given = min(left[of], lacks[by])
        found[by, of] += given
        lacks[by] -= given
        left[of] -= given
    return found


def _paid_by_pot(table: TableState, dead: Mapping[int, int]) -> list[dict[int, int]]:
    """What each seat has in each pot, the main pot first: bets up to the height of each live one, and dead antes."""
    bets = [seat.committed - dead.get(at, 0) for at, seat in enumerate(table.seats)]
    heights = sorted({bets[at] for at in table.live})
    pots: list[dict[int, int]] = []
    for low, high in zip([0, *heights], heights, strict=False):
        top = max(bets) if high == heights[-1] else high
        paid = {at: min(bet, top) - min(bet, low) for at, bet in enumerate(bets) if bet > low}
        if not pots:
            paid |= {at: paid.get(at, 0) + chips for at, chips in dead.items()}
        if any(paid.values()):
            pots.append(paid)
    return pots
