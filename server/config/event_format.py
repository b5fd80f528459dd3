"""Reads `[format]`, the section of an event file (a tournament's settings) that makes all bots play the same cards."""

from math import ceil

from msgspec import Struct

from server.config.event_keys import CHOICES
from server.config.event_reader import EventReader, Table
from server.config.event_values import boolean, choice
from server.contests.contest import Contest
from server.game.deals import MIN_DEALS
from server.game.events import DecidedBy
from server.game.formats import Format, as_deals

DEFAULT_LENGTH = 5, 10
"""The default length of a stage's show: a number of minutes, plus a number of seconds for each deal."""
MIN_LENGTH = 1, 5
"""The shortest length that an organiser can choose for a stage's show, in the form of DEFAULT_LENGTH."""


class DealsPlan(Struct, frozen=True):
    """An evening of deals: up to `deals` deals of `hands` hands each, at tables of at most `seats` seats. All tables of
    a deal play the same cards.

    The evening ends early once the best bot is known with a certainty of `certain` percent. If `certain` is 0, the
    evening never ends early.
    """

    deals: int = 60
    hands: int = 1
    certain: int = 0
    seats: int = 0
    """The maximum number of seats at a table. 0 means the contest's own number."""
    minutes: int = 0
    """How many minutes the show of a stage may take at its normal pace. 0 means the default length."""
    decided_by: DecidedBy = "earned"
    """How bots are ranked: by the "chips" won, or by the chips "earned", which leave out luck."""

    def adapt(self, contest_format: Format) -> Format:
        """Returns `contest_format`, changed to these deals."""
        minutes = self.minutes or _total_minutes(self.deals, *DEFAULT_LENGTH)
        return as_deals(
            contest_format,
            self.deals,
            self.hands,
            self.certain,
            self.seats,
            minutes=minutes,
            decided_by=self.decided_by,
        )


def read_format(reader: EventReader, root: Table, contest: Contest, *, is_evening: bool) -> DealsPlan | None:
    """Returns the plan in the section `[format]`, or None if each game has its own cards. On a practice server,
    `is_evening` is false, and a plan is a fault.
    """
    table, defaults = reader.read_table(root, "format"), DealsPlan()
    if not reader.read(table, "format", "same_cards", boolean, "format" in root):
        return None
    if not is_evening:
        reader.add_fault("format", "is for evenings: in practice, each bot plays games of its own")
    seats = reader.read_number(table, "format.seats", 0)
    max_seats = contest.format.stages[-1].seats
    if seats > max_seats:
        reader.add_fault("format.seats", f'is {seats}; a table of "{contest.id}" has at most {max_seats} seats')
    for key in ("rounds", "max_hands_per_round", "most_hands", "duplicate"):
        if key in reader.read_table(root, "table"):
            reader.add_fault(
                f"table.{key}", "cannot be combined with same_cards: [format] has the deals and their hands"
            )
    deals, certain = (
        reader.read_number(table, "format.deals", defaults.deals),
        reader.read_number(table, "format.certain", 0),
    )
    if certain and deals <= MIN_DEALS:
        reader.add_fault(
            "format.certain", f"needs more than {MIN_DEALS} deals: with fewer, it is not certain who is best"
        )
    minutes = reader.read_number(table, "format.minutes", 0)
    if minutes and minutes < (limit := _total_minutes(deals, *MIN_LENGTH)):
        reader.add_fault("format.minutes", f"is too short for {deals} deals: their show takes at least {limit} minutes")
    hands = reader.read_number(table, "format.hands", defaults.hands)
    decider = choice(*CHOICES["format.decided_by"])
    by_chips = reader.read(table, "format", "decided_by", decider, "earned") == "chips"
    return DealsPlan(deals, hands, certain, seats, minutes, "chips" if by_chips else "earned")


def _total_minutes(deals: int, minutes: int, seconds: int) -> int:
    """Returns `minutes` plus `seconds` for each deal, in minutes, rounded up."""
    return minutes + ceil(deals * seconds / 60)
