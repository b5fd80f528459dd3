"""Follows a tournament, and checks each bot's thoughts against what the bot could know. No I/O."""

from msgspec import UNSET

from broadcast.commentary.claims.claim import Estimate, Reading
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge, HandAction, knowledge_at_seat
from server.game import events
from server.game.events import Event
from server.game.hand import Hand, evolve, open_hand
from server.game.rules import Rules

MIN_TIE_PERMILLE = 50
"""The chance to tie is shown if it is at least this many tenths of a percent, and higher than the chance to win."""


class ThoughtReader:
    """Follows the events of a tournament, and checks the thought in each note against what the bot could know."""

    def __init__(self) -> None:
        self._rules = Rules()
        self._names: dict[int, str] = {}
        self._bots: tuple[int, ...] = ()
        self._unapplied: list[Event] = []
        """The events of the latest hand that have not been applied yet. They wait until a note must be read, because in
        most shows no bot gives notes.
        """
        self._hand: Hand | None = None
        self._blinds = [-1, -1]
        self._acts: list[HandAction] = []
        self._hands_before: list[Hand] = []
        """The state of the hand before each of the `_acts`."""
        self._faulty_acts: set[int] = set()
        """The indices of the `_acts` that the bots did not choose themselves, because an answer was late or invalid."""

    def apply(self, event: Event) -> Reading | None:
        """Applies `event`. For a note on an act of the latest hand, returns the note's claims and estimates. Returns
        None for all other events, and for a note on a hand that breaks the rules, as in a forged recording.
        """
        try:
            return self._follow(event)
        except (IndexError, KeyError, ValueError):
            self._hand, self._acts, self._unapplied = None, [], []
            return None

    def _follow(self, event: Event) -> Reading | None:
        match event:
            case events.TournamentOpened():
                self._rules = event.rules
                self._names = {entrant.bot: entrant.name for entrant in event.entrants}
            case events.GameStarted():
                self._bots = event.seats
            case events.HandStarted():
                self._unapplied = [event]
            case events.NoteGiven():
                return self._read_note(event)
            case _ if isinstance(event, events.HAND_EVENTS):
                self._unapplied.append(event)
        return None

    def _catch_up(self) -> None:
        """Applies the events of the hand that have not been applied yet."""
        recorded, self._unapplied = self._unapplied, []
        for event in recorded:
            if isinstance(event, events.HandStarted):
                self._hand, self._blinds, self._acts, self._hands_before = (
                    open_hand(self._rules, event),
                    [-1, -1],
                    [],
                    [],
                )
                self._faulty_acts = set()
            elif self._hand is not None:
                self._apply(event, self._hand)

    def _apply(self, event: Event, hand: Hand) -> None:
        match event:
            case events.BlindPosted(blind="small" | "big"):
                self._blinds[event.blind == "big"] = event.seat
            case events.ActionTaken():
                self._faulty_acts |= {len(self._acts)} if event.fault else set()
                self._hands_before.append(hand)
                pot = sum(seat.committed for seat in hand.seats) + hand.dead_money
                self._acts.append(
                    HandAction(
                        hand.street, event.seat, event.act, event.amount, event.bet, event.all_in, pot, hand.current_bet
                    )
                )
        self._hand = evolve(hand, event)

    def _read_note(self, note: events.NoteGiven) -> Reading | None:
        from broadcast.commentary.claims.checker import claims_in, estimates_in  # noqa: PLC0415  slow to import

        known = self.knowledge_at(note.action)
        if known is None or self._bots[known.seat] != note.bot:
            return None
        thought = note.text if note.thought is UNSET else note.thought
        said = estimates_in(thought)
        chance = _real_chance(self._hands_before[note.action - 1], known.seat) if said else (None, "", None)
        estimates = tuple(Estimate(*each, *chance) for each in said)
        return Reading(note.bot, known.seat, note.action, claims_in(thought, known), estimates)

    def knowledge_at(self, action: int) -> BotKnowledge | None:
        """Returns what a bot could know when it took action number `action` of the latest hand, counted from 1.

        Returns None if there is no such action, or if the bot's cards are not recorded.
        """
        self._catch_up()
        if not 1 <= action <= len(self._acts):
            return None
        act = self._acts[action - 1]
        known = knowledge_at_seat(
            act.seat,
            self._hands_before[action - 1],
            blinds=(self._blinds[0], self._blinds[1]),
            acts=self._acts[: action - 1],
            chosen_act=None if action - 1 in self._faulty_acts else act,
            names=[self._names.get(bot, "") for bot in self._bots],
            entrants=tuple(self._names.values()),
        )
        return known if all(known.cards) and len(known.cards) == 2 else None


def _real_chance(hand: Hand, seat: int) -> tuple[float | None, str, float | None]:
    """Returns the fields `real_chance`, `shown` and `compared_chance` of an estimate by the bot in `seat`.

    `real_chance` is the share of the pot that the bot can expect. `shown` is the chance that viewers see at the seat.
    `compared_chance` is the shown chance or, if `shown` includes a tie, the real chance.

    Returns (None, "", None) if some cards are unknown, or if there are too many live hands to compute chances.
    """
    from broadcast.odds.calculator import share_in_permille  # noqa: PLC0415  NumPy would delay a studio's start
    from server.equity.equity import FULL_SHARE, MAX_HANDS, equities  # noqa: PLC0415  NumPy would delay a studio's start

    live = [(live_seat, hand.seats[live_seat].cards) for live_seat in hand.live]
    cards = [(held[0], held[1]) for _, held in live if len(held) == 2 and all(held)]
    if not len(live) == len(cards) <= MAX_HANDS:
        return None, "", None
    dead = [card for each in hand.seats if each.folded for card in each.cards if card]
    found = equities(cards, hand.board, dead)[[live_seat for live_seat, _ in live].index(seat)]
    win, tie = (share_in_permille(part, found.boards) for part in (found.wins, found.ties))
    real = found.share / (FULL_SHARE * found.boards)
    if tie > win and tie >= MIN_TIE_PERMILLE:
        return real, f"{_percent(win)}, and {_percent(tie)} to tie", real
    return real, _percent(win), (win + 5) // 10 / 100


def _percent(tenths: int) -> str:
    """Writes a chance as the picture shows it at a seat, such as "<1%". `tenths` are tenths of a percent."""
    return "<1%" if 0 < tenths < 10 else ">99%" if 990 < tenths < 1000 else f"{(tenths + 5) // 10}%"
