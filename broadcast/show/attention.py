"""Decides at each moment of a hand which bot gets the viewers' attention, and how far the picture zooms in. Also
decides whether the commentators are silent.

No I/O. All choices depend only on what has been on air, so the picture never gives away how a hand ends. The same
events always lead to the same choices, so the show, its replays and later films of the show agree.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from broadcast.commentary.drama import BLUFF_SHARE
from broadcast.commentary.hand_names import UNMENTIONED_HANDS, made_name
from broadcast.on_air.events import EquitiesChanged, FocusChanged
from broadcast.on_air.picture_state import Focus, ZoomLevel
from broadcast.on_air.table_state import HandOdds, TableEntry, TableState
from broadcast.show.hold_times import min_hold_ms
from server.game import events
from server.game.events import Event

MIN_ZOOM_MS = 1200
"""The shortest time between two changes of the zoom, in milliseconds at speed 1."""
BIG_POT = 0.1
"""If the pot has at least this fraction of all chips at the table, the picture shows only a hand's last two
bots.
"""
DUEL_RISK, DUEL_MIN_POT = 0.5, 0.025
"""In a smaller pot, the picture shows only the last two bots if two things are true. One bot has put in at least
DUEL_RISK of its stack, and the pot has at least DUEL_MIN_POT of all chips at the table. Both values are fractions.
"""
MAX_GROUP_SIZE = 4
"""From the flop on, the picture may zoom in if at most this many bots are left in the hand."""
FAVOURITE_PERMILLE = 500
"""A bot is the favourite only if its chance to win is at least this, in tenths of a percent."""
MAX_HANDS_WITHOUT_FOCUS = 3
"""If a bot has had no attention for more than this many hands in a row, it gets attention at its turn."""
_ZOOM_LEVELS: tuple[ZoomLevel, ...] = ("table", "group", "duel")
_ZOOM_EVENTS = (events.TurnStarted, events.BetsCollected, events.StreetDealt, events.HandShown)
"""The events at which the picture may zoom in. It may zoom in when a bot's turn starts, but not when the bot acts."""


class Attention:
    """Follows the recorded entries, such as bets, as they go on air. Returns how each entry changes the focus."""

    def __init__(self) -> None:
        self._odds = HandOdds()
        self._focus = Focus()
        self._zoom_held_ms = 0
        """The time since the picture last zoomed in, in milliseconds at speed 1."""
        self._hands_without_focus: dict[int, int] = {}
        """For each bot at the table, the number of hands since it last had viewers' attention."""
        self._can_bust = True
        """Whether a bot that loses all its chips is out. In a stage of duplicate poker the bot stays in, because every
        deal begins with fresh stacks.
        """

    def events_after(self, entry: TableEntry, odds: Sequence[EquitiesChanged] = ()) -> list[Event]:
        """Returns a list with the event to put on air after `entry` and its `odds`, or [] for no event."""
        event, table = entry.event, entry.table
        if isinstance(event, events.StageStarted):
            self._can_bust = not event.deals
        if isinstance(event, events.GameStarted):
            self._hands_without_focus = {bot: self._hands_without_focus.get(bot, 0) for bot in event.seats}
        if not isinstance(event, events.HAND_EVENTS):
            return []
        if isinstance(event, events.HandStarted):
            self._odds, self._focus, self._zoom_held_ms = HandOdds(), Focus(), MIN_ZOOM_MS
            seated = zip(table.bots, event.stacks, strict=False)
            self._hands_without_focus |= {
                bot: self._hands_without_focus.get(bot, 0) + 1 for bot, stack in seated if stack
            }
            return []
        focus_before, relative_chance = self._focus, self._relative_chance(event)
        for change in odds:
            self._odds = self._odds.after(change)
        self._zoom_in(event, table)
        self._give_role(entry, relative_chance)
        self._record_attention(event, table)
        is_silent = isinstance(event, events.BetsCollected | events.StreetDealt) and is_run_out(table)
        self._zoom_held_ms += min_hold_ms(event)
        if self._focus == focus_before and not is_silent:
            return []
        focus = self._focus
        return [FocusChanged(focus.near, focus.seats, focus.seat, focus.role, is_silent)]

    def _zoom_in(self, event: Event, table: TableState) -> None:
        if not isinstance(event, _ZOOM_EVENTS) or self._zoom_held_ms < MIN_ZOOM_MS:
            return
        zoom = allowed_zoom(table)
        if _ZOOM_LEVELS.index(zoom) > _ZOOM_LEVELS.index(self._focus.near):
            self._focus, self._zoom_held_ms = replace(self._focus, near=zoom, seats=tuple(table.seats_in_hand)), 0

    def _give_role(self, entry: TableEntry, relative_chance: float) -> None:
        """Decides which bot gets viewers' attention, and in which role.

        The bot to act and the winner need no role, because the picture always highlights them. A bet is a bluff if the
        bot's chance is at most BLUFF_SHARE of the mean chance, the bot has less than a pair, and its thought does not
        say that it is ahead.
        """
        table, may_bluff = entry.table, relative_chance <= BLUFF_SHARE and not entry.believes_ahead
        match entry.event:
            case events.TurnStarted(seat=seat) if (
                self._hands_without_focus.get(table.bots[seat], 0) > MAX_HANDS_WITHOUT_FOCUS
            ):
                self._focus = replace(self._focus, seat=seat, role="patient")
            case events.ActionTaken() | events.BetReturned() if is_run_out(table) and is_largest_bet_called(table):
                self._focus = self._focus_by_chances(table)
            case events.ActionTaken(seat=seat, act="bet" | "raise") if may_bluff and has_less_than_pair(table, seat):
                self._focus = replace(self._focus, seat=seat, role="bluffing")
            case events.ActionTaken(seat=seat) if seat == self._focus.seat and self._focus.role != "patient":
                self._focus = replace(self._focus, seat=None, role="")
            case events.StreetDealt() | events.BetsCollected() if len(self._odds.current) > 1:
                self._focus = self._focus_by_chances(table)
            case events.PotAwarded():
                self._focus = replace(self._focus, seat=None, role="")
            case _:
                pass

    def _focus_by_chances(self, table: TableState) -> Focus:
        """Returns the focus while nobody has to act. A bot that may go out now comes before the favourite."""
        seat_chances = self._odds.current.items()
        chances = {seat: chance.win + chance.tie / 2 for seat, chance in seat_chances if table.seats[seat].is_in_hand}
        broke_seats = (
            [seat for seat in chances if not table.seats[seat].stack] if self._can_bust and is_run_out(table) else []
        )
        if broke_seats:
            return replace(self._focus, seat=min(broke_seats, key=lambda seat: chances[seat]), role="at risk")
        best = max(chances, key=lambda seat: chances[seat], default=None)
        if not table.board or best is None or chances[best] < FAVOURITE_PERMILLE:
            return replace(self._focus, seat=None, role="")
        return replace(self._focus, seat=best, role="favourite")

    def _relative_chance(self, event: Event) -> float:
        """Returns the acting bot's chance to win, divided by the mean chance of all hands in play. Returns 1 if the
        chance is unknown.
        """
        chance = self._odds.current.get(event.seat) if isinstance(event, events.ActionTaken) else None
        return (chance.win + chance.tie / 2) * len(self._odds.current) / 1000 if chance else 1

    def _record_attention(self, event: Event, table: TableState) -> None:
        """Records which bots have just had viewers' attention. A bot has attention if it has a role, wins, or acts
        without folding.
        """
        seats_with_attention = {self._focus.seat} - {None}
        if isinstance(event, events.ActionTaken) and event.act != "fold":
            seats_with_attention.add(event.seat)
        if isinstance(event, events.PotAwarded):
            seats_with_attention |= {award.seat for award in event.awards}
        self._hands_without_focus |= {table.bots[seat]: 0 for seat in seats_with_attention if seat is not None}


def allowed_zoom(table: TableState) -> ZoomLevel:
    """Returns how close the picture may zoom in. "duel" shows only the last two bots in a big pot. "group" shows,
    from the flop on, only the few bots that are left. "table" shows all bots.
    """
    live, dealt_count = table.seats_in_hand, sum(seat.dealt_in for seat in table.seats)
    if len(table.seats) == 2 or not 2 <= len(live) < dealt_count:
        return "table"
    pot_share = table.pot / max(1, sum(seat.starting_stack for seat in table.seats))
    risked_share = max(table.seats[seat].committed / table.seats[seat].starting_stack for seat in live)
    if len(live) == 2 and (pot_share >= BIG_POT or (risked_share >= DUEL_RISK and pot_share >= DUEL_MIN_POT)):
        return "duel"
    return "group" if table.board and len(live) <= MAX_GROUP_SIZE else "table"


def is_largest_bet_called(table: TableState) -> bool:
    """Whether the largest bet has been called."""
    first, second, *_ = sorted((seat.committed for seat in table.seats), reverse=True)
    return first == second


def has_less_than_pair(table: TableState, seat: int) -> bool:
    """Whether the cards of a bot make less than a pair with the board. False before the flop."""
    if not table.board:
        return False
    hand_name = made_name(table.seats[seat].cards, table.board)
    return hand_name in UNMENTIONED_HANDS or hand_name.endswith(" high")


def is_run_out(table: TableState) -> bool:
    """Whether several bots may still win the hand, but none can act any more. Then only the board decides."""
    live = [table.seats[seat] for seat in table.seats_in_hand]
    return len(live) > 1 and sum(not seat.all_in for seat in live) <= 1 and any(seat.all_in for seat in live)
