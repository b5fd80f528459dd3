"""The outline of a show: what a page has to know about all hands before it shows any of them.

The outline is recorded while the hands go on air. An entry is an event on air, with its number and time. No I/O.
"""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from broadcast.on_air.events import DealCompared, EquitiesChanged, HandTold, HighlightMarked, OnAirEntry, ReplayStarted
from broadcast.on_air.picture_state import State
from server.game import events
from server.game.events import Event
from server.text.grammar import hand_label

AFTER_HAND_EVENTS = (
    events.BotRated,
    events.GameEnded,
    ReplayStarted,
    events.StageCut,
    events.StageEnded,
    events.TournamentEnded,
)
"""Events that can follow a hand but do not belong to it."""
SURE_PERMILLE = 900
"""Once a bot has at least this chance to win, in tenths of a percent, the hand leaves no suspense."""


class FilmStreet(Struct, frozen=True):
    """A street of a hand: its name, its first entry, and when that entry went on air.

    `sure` says whether a bot's chance to win was at least `SURE_PERMILLE` at that time.
    """

    name: str
    seq: int
    at_ms: int
    sure: bool = False


class FilmHand(Struct):
    """A hand and everything up to the next hand. Number 0 is everything before the first hand.

    The hand begins with entry `seq` at `at_ms`, and ends with entry `last_seq` at `until_ms`, after its eliminations
    and the comparison of its deal. `won` lists the bots that won chips, the largest win first, each as bot, chips and
    ranking. The ranking is "" if the bot did not show its hand. `told` says who won which pot. `score` is the hand's
    drama, from 0 to 100. `marks` say why the hand is worth remembering, such as "Bad beat". `stars` has a list for each
    mark, with the bots that earned the mark. `out` lists the eliminated bots, each with the entry of its elimination.
    `stacks` has all bots' chips after the hand. `seats` has the bots that played the hand. `streets` has the streets
    after the first. In films of earlier versions, `streets` is empty. `decisive` is the moment from which viewers have
    to see the hand. It is the last open turn before the hand's largest bet or call. "Open" means that nobody has bet or
    raised on the street, and that nobody's chance to win has reached `SURE_PERMILLE`.

    In a stage of deals, every table plays the same cards. `deal` is the number of the deal in the stage. `deal_hands`
    is the maximum number of hands in a deal. In other stages, both are 0. On the last hand of a deal, `deal_won` is
    what each bot won at all tables of the deal.
    """

    seq: int
    at_ms: int
    last_seq: int = 0
    until_ms: int = 0
    stage: str = ""
    game: int = 0
    hand: int = 0
    pot: int = 0
    score: int = 0
    marks: list[str] = msgspec.field(default_factory=list)
    stars: list[list[int]] = msgspec.field(default_factory=list)
    won: list[tuple[int, int, str]] = msgspec.field(default_factory=list)
    told: str = ""
    out: list[tuple[int, int]] = msgspec.field(default_factory=list)
    stacks: dict[str, int] = msgspec.field(default_factory=dict)
    seats: list[int] = msgspec.field(default_factory=list)
    streets: list[FilmStreet] = msgspec.field(default_factory=list)
    decisive: FilmStreet | None = None
    deal: int = 0
    deal_hands: int = 0
    deal_won: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def which(self) -> str:
        """Which hand of its stage this is, such as "game 3, hand 7"."""
        return hand_label(self.game, self.hand, self.deal, self.deal_hands)


class FilmBot(Struct, frozen=True):
    """A bot of the film: its number, its name and its picture. If `avatar` is "", the picture is the default one."""

    bot: int
    name: str
    avatar: str = ""


class Outline(Struct):
    """A contest and all its hands that have been on air. Times are in milliseconds at speed 1.

    `champion` is the number of the champion, or 0 if there is none so far.
    """

    title: str = ""
    begun: str = ""
    contest: str = ""
    entries: int = 0
    length_ms: int = 0
    finished: bool = False
    champion: int = 0
    bots: tuple[FilmBot, ...] = ()
    hands: list[FilmHand] = msgspec.field(default_factory=list)
    """Number 0 is everything before the first hand."""


class OutlineBuilder:
    """Builds the `outline` of what has been on air, while the show runs."""

    def __init__(self) -> None:
        self.outline = Outline(hands=[FilmHand(1, 0)])
        self._stage = ""
        self._game = 0
        self._is_in_hand = False
        self._last_open_turn: FilmStreet | None = None
        """The hand's latest open turn, as `FilmHand` defines it."""
        self._is_bet_on_street = False
        self._largest_amount = 0

    def record(self, entry: OnAirEntry, picture: State) -> None:
        """Records an entry that went on air. `picture` is what is on screen after the entry."""
        event, until_ms = entry.event, entry.at_ms + entry.hold_ms
        if not picture.replay:
            self._record_hand(entry, picture)
            self._record_betting(entry, picture)
            self._record_contest(event)
        self._extend_hand(event, picture.seq, until_ms)
        self.outline.entries = picture.seq
        self.outline.length_ms = max(self.outline.length_ms, until_ms)

    def forget(self, number: int) -> None:
        """Forgets everything about a hand except its start and the result of its deal."""
        hand = self.outline.hands[number]
        start = FilmHand(hand.seq, hand.at_ms, stage=hand.stage, game=hand.game, hand=hand.hand)
        self.outline.hands[number] = replace(start, deal=hand.deal, deal_hands=hand.deal_hands, deal_won=hand.deal_won)

    def _record_contest(self, event: Event) -> None:
        match event:
            case events.TournamentOpened(title=title, contest=contest, entrants=entrants):
                self.outline.title, self.outline.contest = title, contest
                self.outline.bots = tuple(FilmBot(each.bot, each.name, each.avatar) for each in entrants)
            case events.StageStarted(title=title):
                self._stage = title
            case events.GameStarted(game=game):
                self._game = game
            case events.TournamentEnded(placings=placings):
                self.outline.finished = True
                self.outline.champion = placings[0].bot if placings else 0

    def _record_hand(self, entry: OnAirEntry, picture: State) -> None:
        hands = self.outline.hands
        current = hands[-1]
        match entry.event:
            case events.HandStarted(hand=hand):
                deal, max_hands = _deal_of(picture)
                new_hand = FilmHand(entry.seq, entry.at_ms, stage=self._stage, game=self._game, hand=hand)
                hands.append(replace(new_hand, deal=deal, deal_hands=max_hands))
            case events.StreetDealt(street=street):
                current.streets.append(FilmStreet(street, entry.seq, entry.at_ms, sure=not _is_undecided(picture)))
            case EquitiesChanged() if current.streets and current.streets[-1].at_ms == entry.at_ms:
                current.streets[-1] = replace(current.streets[-1], sure=not _is_undecided(picture))
            case events.PotAwarded(amount=amount):
                current.pot += amount
            case HandTold(text=text):
                current.told = text
            case HighlightMarked(mark=mark, score=score, seats=seats):
                current.marks.append(mark)
                current.stars.append([picture.seats[seat].bot for seat in seats])
                current.score = score
            case events.BotEliminated(bot=bot):
                current.out.append((bot, picture.seq))
            case events.HandEnded():
                current.stacks = {str(bot): each.stack for bot, each in picture.bots.items()}
                current.seats = [each.bot for each in picture.seats]
                won = [(each.bot, each.won, each.ranking) for each in picture.seats if each.won]
                current.won = sorted(won, key=lambda each: -each[1])
            case DealCompared(deal=deal):
                bots = {bot for table in deal.tables for bot in table.seats}
                current.deal_won = {str(bot): sum(table.won_by(bot) for table in deal.tables) for bot in sorted(bots)}

    def _record_betting(self, entry: OnAirEntry, picture: State) -> None:
        """Finds the decisive moment of the hand."""
        match entry.event:
            case events.HandStarted():
                self._last_open_turn, self._is_bet_on_street, self._largest_amount = None, False, 0
            case events.StreetDealt():
                self._is_bet_on_street = False
            case events.TurnStarted(blind="") if not self._is_bet_on_street and picture.hand and _is_undecided(picture):
                self._last_open_turn = FilmStreet(picture.hand.street, entry.seq, entry.at_ms)
            case events.ActionTaken(act=act, amount=amount):
                self._is_bet_on_street = self._is_bet_on_street or act in ("bet", "raise")
                if amount > self._largest_amount:
                    self.outline.hands[-1].decisive, self._largest_amount = self._last_open_turn, amount

    def _extend_hand(self, event: Event, seq: int, until_ms: int) -> None:
        """Extends the hand to the end of this event if the event belongs to the hand. The comparison of a deal belongs
        to the deal's last hand.
        """
        is_start = isinstance(event, events.HandStarted) and self.outline.hands[-1].seq == seq
        self._is_in_hand = is_start or (self._is_in_hand and not isinstance(event, AFTER_HAND_EVENTS))
        if self._is_in_hand or isinstance(event, DealCompared):
            current = self.outline.hands[-1]
            current.last_seq, current.until_ms = seq, max(current.until_ms, until_ms)


def _is_undecided(picture: State) -> bool:
    return all((seat.win or 0) < SURE_PERMILLE for seat in picture.seats)


def _deal_of(picture: State) -> tuple[int, int]:
    """Returns the number of the deal that is being played, and the maximum number of its hands. In a stage without
    deals, both are 0.
    """
    stage, game = picture.stage, picture.game
    return (game.game - stage.first_game + 1, stage.hands) if stage and game and stage.deals else (0, 0)
