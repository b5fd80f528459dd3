"""Reads the table `[format]` of an event file, which makes all bots play the same cards."""

from math import ceil

from msgspec import Struct

from server.config.event_keys import CHOICES
from server.config.event_reader import Reading, Table
from server.config.event_values import choice, truth
from server.contests.contest import Contest
from server.game.deals import MIN_DEALS
from server.game.events import DecidedBy
from server.game.formats import Format, as_deals

USUAL = 5, 10
"""The default length of a show of deals: a number of minutes, plus a number of seconds for each deal."""
LEAST = 1, 5
"""The shortest length that an organiser can choose for a show of deals: minutes, plus seconds for each deal."""


class DealsPlan(Struct, frozen=True):
    """An evening of deals (see `server/game/deals.py`): up to `deals` deals of `hands` hands each, at tables of at most
    `seats` seats.

    The evening ends early once it is certain, to `certain` percent, which bot is best. If `certain` is 0, the evening
    never ends early.
    """

    deals: int = 60
    hands: int = 1
    certain: int = 0
    seats: int = 0
    """The maximum number of seats at a table; 0 for the contest's own number."""
    minutes: int = 0
    """How many minutes the show of a stage may take at pace 1; 0 for the usual time."""
    decided_by: DecidedBy = "earned"

    def of(self, contest: Format) -> Format:
        """`contest` with the same cards for everybody."""
        minutes = self.minutes or _minutes(self.deals, *USUAL)
        return as_deals(
            contest, self.deals, self.hands, self.certain, self.seats, minutes=minutes, decided_by=self.decided_by
        )


def read_format(reading: Reading, found: Table, contest: Contest, *, evening: bool) -> DealsPlan | None:
    """Returns the plan in the table `[format]`, or None if each game has its own cards. If `evening` is false, the
    table is a fault.
    """
    table, usual = reading.table(found, "format"), DealsPlan()
    if not reading.read(table, "format", "same_cards", truth, "format" in found):
        return None
    if not evening:
        reading.fault("format", "is for evenings: in practice, each bot plays games of its own")
    seats = reading.number(table, "format.seats", 0)
    most = contest.format.stages[-1].seats
    if seats > most:
        reading.fault("format.seats", f'is {seats}; a table of "{contest.id}" has at most {most} seats')
    for key in ("rounds", "max_hands_per_round", "most_hands", "duplicate"):
        if key in reading.table(found, "table"):
            reading.fault(f"table.{key}", "cannot be combined with same_cards: [format] has the deals and their hands")
    deals, certain = reading.number(table, "format.deals", usual.deals), reading.number(table, "format.certain", 0)
    if certain and deals <= MIN_DEALS:
        reading.fault("format.certain", f"needs more than {MIN_DEALS} deals: with fewer, it is not certain who is best")
    minutes = reading.number(table, "format.minutes", 0)
    if minutes and minutes < (least := _minutes(deals, *LEAST)):
        reading.fault("format.minutes", f"is too short for {deals} deals: their show takes at least {least} minutes")
    hands = reading.number(table, "format.hands", usual.hands)
    decider = choice(*CHOICES["format.decided_by"])
    by_chips = reading.read(table, "format", "decided_by", decider, "earned") == "chips"
    return DealsPlan(deals, hands, certain, seats, minutes, "chips" if by_chips else "earned")


def _minutes(deals: int, minutes: int, seconds: int) -> int:
    """Returns the sum of `minutes` and of `seconds` for each deal, in whole minutes."""
    return minutes + ceil(deals * seconds / 60)
