"""Decides for each moment of a hand which bot has viewers' attention, how close the picture zooms in, and whether the
commentators are silent.

Pure. All choices depend only on what has been on air, so the picture never gives away how a hand ends. (Only the pace,
which `hold_times` computes, depends on how the hand ends.) The same events always lead to the same choices, so the
show, its replays and its film agree.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from broadcast.commentary.drama import BLUFF_SHARE
from broadcast.commentary.hand_names import POOR, made_name
from broadcast.on_air.events import EquitiesChanged, FocusChanged
from broadcast.on_air.picture_state import Focus, Near
from broadcast.on_air.table_state import HandOdds, TableEntry, TableState
from broadcast.show.hold_times import least_hold
from server.game import events
from server.game.events import Event

STEADY_MS = 1200
"""The least time between two changes of how close the picture is, in milliseconds at speed 1."""
BIG_POT = 0.1
"""The last two bots in a hand get the whole picture if the pot has at least this fraction of all chips at the table."""
RISK, WORTHWHILE = 0.5, 0.025
"""The last two bots also get the whole picture if one of them has put in at least the fraction RISK of its stack, and
the pot has at least the fraction WORTHWHILE of all chips at the table.
"""
GROUP = 4
"""The picture zooms in after the flop if at most this many bots are left in the hand."""
FAVOURITE = 500
"""A bot is the favourite only if its chance to win is at least this, in tenths of a percent."""
PATIENCE = 3
"""A bot that has had no attention for more than this many hands in a row gets attention at its next turn."""
_NEARNESS: tuple[Near, ...] = ("table", "group", "duel")
_CUTS = (events.TurnStarted, events.BetsCollected, events.StreetDealt, events.HandShown)
"""The events at which the picture may zoom in. The picture does not zoom while a bot acts."""


class Attention:
    """Follows the entries that go on air, and returns how each entry changes the focus of the picture."""

    def __init__(self) -> None:
        self._odds = HandOdds()
        self._focus = Focus()
        self._held_ms = 0
        """The least time for which the picture has been this close, in milliseconds at speed 1."""
        self._dark: dict[int, int] = {}
        """For each bot at the table, the number of hands since it last had viewers' attention."""
        self._can_bust = True
        """Whether a bot that loses all its chips is out. In a stage of deals it is not, because every deal begins with
        fresh stacks.
        """

    def after(self, entry: TableEntry, odds: Sequence[EquitiesChanged] = ()) -> list[Event]:
        """Returns the event to put on air after `entry` and its `odds`: at most one event."""
        event, table = entry.event, entry.table
        if isinstance(event, events.StageStarted):
            self._can_bust = not event.deals
        if isinstance(event, events.GameStarted):
            self._dark = {bot: self._dark.get(bot, 0) for bot in event.seats}
        if not isinstance(event, events.HAND_EVENTS):
            return []
        if isinstance(event, events.HandStarted):
            self._odds, self._focus, self._held_ms = HandOdds(), Focus(), STEADY_MS
            seated = zip(table.bots, event.stacks, strict=False)
            self._dark |= {bot: self._dark.get(bot, 0) + 1 for bot, stack in seated if stack}
            return []
        before, share = self._focus, self._share_of(event)
        for change in odds:
            self._odds = self._odds.after(change)
        self._go_nearer(event, table)
        self._give_role(entry, share)
        self._light(event, table)
        silent = isinstance(event, events.BetsCollected | events.StreetDealt) and runs_out(table)
        self._held_ms += least_hold(event)
        if self._focus == before and not silent:
            return []
        now = self._focus
        return [FocusChanged(now.near, now.seats, now.seat, now.role, silent)]

    def _go_nearer(self, event: Event, table: TableState) -> None:
        if not isinstance(event, _CUTS) or self._held_ms < STEADY_MS:
            return
        near = how_near(table)
        if _NEARNESS.index(near) > _NEARNESS.index(self._focus.near):
            self._focus, self._held_ms = replace(self._focus, near=near, seats=tuple(table.live)), 0

    def _give_role(self, entry: TableEntry, share: float) -> None:
        """Decides which bot gets viewers' attention, and in which role.

        The bot to act and the winner need no role, because the picture always lights them. A bot whose thought says
        that it is ahead does not bluff.
        """
        table, may_bluff = entry.table, share <= BLUFF_SHARE and not entry.believes_ahead
        match entry.event:
            case events.TurnStarted(seat=at) if self._dark.get(table.bots[at], 0) > PATIENCE:
                self._focus = replace(self._focus, seat=at, role="patient")
            case events.ActionTaken() | events.BetReturned() if runs_out(table) and is_matched(table):
                self._focus = self._with_odds(table)
            case events.ActionTaken(seat=at, act="bet" | "raise") if may_bluff and has_nothing(table, at):
                self._focus = replace(self._focus, seat=at, role="bluffing")
            case events.ActionTaken(seat=at) if at == self._focus.seat and self._focus.role != "patient":
                self._focus = replace(self._focus, seat=None, role="")
            case events.StreetDealt() | events.BetsCollected() if len(self._odds.now) > 1:
                self._focus = self._with_odds(table)
            case events.PotAwarded():
                self._focus = replace(self._focus, seat=None, role="")
            case _:
                pass

    def _with_odds(self, table: TableState) -> Focus:
        """Returns the focus for a moment when it is nobody's turn: on a bot that may go out now, or on the
        favourite.
        """
        known = self._odds.now.items()
        chances = {seat: chance.win + chance.tie / 2 for seat, chance in known if table.seats[seat].live}
        broke = [seat for seat in chances if not table.seats[seat].stack] if self._can_bust and runs_out(table) else []
        if broke:
            return replace(self._focus, seat=min(broke, key=lambda seat: chances[seat]), role="at risk")
        best = max(chances, key=lambda seat: chances[seat], default=None)
        if not table.board or best is None or chances[best] < FAVOURITE:
            return replace(self._focus, seat=None, role="")
        return replace(self._focus, seat=best, role="favourite")

    def _share_of(self, event: Event) -> float:
        """Returns the chance of the bot that acts, as a multiple of an even share; 1 if the chance is unknown."""
        chance = self._odds.now.get(event.seat) if isinstance(event, events.ActionTaken) else None
        return (chance.win + chance.tie / 2) * len(self._odds.now) / 1000 if chance else 1

    def _light(self, event: Event, table: TableState) -> None:
        """Records which bots have just had viewers' attention: the bot that acted without folding, the bot with a role,
        and the winners.
        """
        lit = {self._focus.seat} - {None}
        if isinstance(event, events.ActionTaken) and event.act != "fold":
            lit.add(event.seat)
        if isinstance(event, events.PotAwarded):
            lit |= {award.seat for award in event.awards}
        self._dark |= {table.bots[seat]: 0 for seat in lit if seat is not None}


def how_near(table: TableState) -> Near:
    """Returns how close the picture may zoom in: on the last two bots in a big pot ("duel"), on a few bots after the
    flop ("group"), or not at all ("table").
    """
    live, dealt = table.live, sum(seat.dealt_in for seat in table.seats)
    if len(table.seats) == 2 or not 2 <= len(live) < dealt:
        return "table"
    share = table.pot / max(1, sum(seat.start for seat in table.seats))
    risked = max(table.seats[at].committed / table.seats[at].start for at in live)
    if len(live) == 2 and (share >= BIG_POT or (risked >= RISK and share >= WORTHWHILE)):
        return "duel"
    return "group" if table.board and len(live) <= GROUP else "table"


def is_matched(table: TableState) -> bool:
    """Whether the largest bet has been called."""
    first, second, *_ = sorted((seat.committed for seat in table.seats), reverse=True)
    return first == second


def has_nothing(table: TableState, seat: int) -> bool:
    """Whether the cards of a bot make less than a pair with the board. False before the flop."""
    if not table.board:
        return False
    made = made_name(table.seats[seat].cards, table.board)
    return made in POOR or made.endswith(" high")


def runs_out(table: TableState) -> bool:
    """Whether several bots may win the hand but none can act any more, so that only the board decides."""
    live = [table.seats[at] for at in table.live]
    return len(live) > 1 and sum(not seat.all_in for seat in live) <= 1 and any(seat.all_in for seat in live)
