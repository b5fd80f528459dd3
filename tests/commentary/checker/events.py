"""The second program for captions around the hands: who sits, leads, is out, advances and wins, counted again."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from broadcast.on_air.events import StatisticsChanged
from server.game.events import (
    BotConnected,
    BotDisconnected,
    BotEliminated,
    BotRated,
    BotWithdrawn,
    Event,
    GameEnded,
    GameForfeited,
    GameStarted,
    HandEnded,
    HandStarted,
    SeatVacated,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from tests.commentary.checker.plain_table import shown_name
from tests.commentary.checker.readings import ISOLATES, chips, is_list_of

CERTAINTY = (
    r"One evening cannot tell a good bot from a lucky one\. (?:No range of what was earned stays clear of zero"
    r"|The range of what (?P<one>.+) earned is the only one that stays clear of zero"
    r"|The ranges of what (?P<many>.+) earned stay clear of zero)\."
)
FORFEITS = {
    "": "given up", "timeout": "run out of time", "malformed": "made no sense", "illegal": "broken the rules",
    "disconnected": "broken down",
}  # fmt: skip


class EventCheck:
    """Checks the captions of one recording between its hands."""

    def __init__(self) -> None:
        self.checked = 0
        self.hands = 0
        self.names: dict[int, str] = {}
        self.left: list[int] = []
        self.stage: StageStarted | None = None
        self.game: GameStarted | None = None
        self.games = 0
        self.wins: dict[int, int] = {}
        self.unseated: set[int] = set()
        self.where = "the start"
        self.absent: dict[int, str] = {}

    def apply(self, event: Event) -> None:
        """Applies the next event of the recording."""
        match event:
            case TournamentOpened(entrants=entrants):
                self.names = {each.bot: shown_name(each.name) for each in entrants}
                self.left = [each.bot for each in entrants]
            case StageStarted(bots=bots):
                self.stage, self.games, self.wins = event, 0, dict.fromkeys(bots, 0)
            case GameStarted(seats=seats):
                self.game, self.unseated = event, set()
                self.games += 1
                self.left = list(seats) if self._series else self.left
            case HandStarted(hand=hand):
                many = self.stage and self.stage.games != 1
                self.where = f"game {self.games}, hand {hand}" if many else f"hand {hand}"
            case BotDisconnected(bot=bot) | BotWithdrawn(bot=bot):
                self.absent[bot] = self.where
            case BotConnected(bot=bot):
                self.absent.pop(bot, None)
            case HandEnded():
                self.hands += 1
            case SeatVacated(seat=seat):
                self.unseated.add(seat)
            case GameEnded(ranking=ranking) if ranking:
                self.wins[ranking[0]] += 1
            case _:
                pass

    @property
    def _series(self) -> bool:
        return bool(self.stage and self.stage.series)

    def caption(self, event: Event, text: str) -> bool | None:
        """Whether a caption after `event` is true; None for other kinds of events."""
        check = _CHECKS.get(type(event))
        if check is None:
            return None
        self.checked += 1
        return check(self, event, text.translate(ISOLATES))

    def is_plain_truth(self, text: str, counted: StatisticsChanged) -> bool:
        """Whether a sentence says which of the ranges in `counted` exclude zero."""
        if found := re.fullmatch(r"([\d,]+) hands cannot tell a good bot from a lucky one\.", text):
            return chips(found[1]) == self.hands and all(row.low is None for row in counted.rows)
        found = re.fullmatch(CERTAINTY, text.translate(ISOLATES))
        clear = [row.bot for row in counted.rows if row.low is not None and row.high is not None]
        clear = [row.bot for row in counted.rows if row.bot in clear and not (row.low or 0) <= 0 <= (row.high or 0)]
        if found is None or (found["one"] is None) == (len(clear) == 1) or (found["many"] is None) == (len(clear) > 1):
            return False
        return not clear or self._are(found["one"] or found["many"], clear)

    def _are(self, words: str, bots: Sequence[int]) -> bool:
        return is_list_of(words, [self.names[bot] for bot in bots])

    def staged(self, event: StageStarted, text: str) -> bool:
        if event.series:
            games = f"{event.games} game{'s' * (event.games != 1)}"
            return text == f"{event.title}: {games}, and the bot that wins most of them is champion."
        if event.advance:
            return text == f"{event.title}: {len(event.bots)} bots, and the best {event.advance} ride on."
        head = f"{event.title}. "
        return text.startswith(head) and self._are(text.removeprefix(head).removesuffix("."), event.bots)

    def seated(self, event: GameStarted, text: str) -> bool:
        found = re.fullmatch(r"(?:Game (\d+): )?(.+) sit down\.", text)
        assert self.stage is not None
        number = str(self.games) if self.stage.games != 1 else None
        return found is not None and found[1] == number and self._are(found[2], event.seats)

    def begun(self, event: HandStarted, text: str) -> bool:
        assert self.game is not None
        which = f"{event.hand} of {self.game.hands}" if self.game.hands else f"{event.hand}"
        return text == f"Hand {which}. {self.names[self.game.seats[event.button]]} has the button."

    def ended(self, event: GameEnded, text: str) -> bool:
        assert self.game is not None
        assert self.stage is not None
        most = max(event.stacks)
        if event.ranking:
            found = re.fullmatch(r"(.+) wins game (\d+) with ([\d,]+): (\d+) games? won so far\.", text)
            mine = (self.names[event.ranking[0]], str(self.games), f"{most:,}", str(self.wins[event.ranking[0]]))
            return found is not None and found.groups() == mine
        found = re.fullmatch(r"(Game \d+|The last hand) is over\. (.+) leaves? with ([\d,]+)\.", text)
        leaders = [bot for bot, stack in zip(self.game.seats, event.stacks, strict=True) if stack == most]
        what = f"Game {self.games}" if self.stage.games != 1 else "The last hand"
        is_read = found is not None and found[1] == what and chips(found[3]) == most
        return is_read and found is not None and self._are(found[2], leaders)

    def eliminated(self, event: BotEliminated, text: str) -> bool:
        place = len(self.left)
        self.left.remove(event.bot)
        ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
        why = "must leave" if event.seat in self.unseated else "is out of chips"
        of_what = f" of game {self.games}" if self._series else ""
        return text == f"{self.names[event.bot]} {why}: {place}{ending} place{of_what}."

    def vacated(self, event: SeatVacated, text: str) -> bool:
        assert self.game is not None
        amount = f", with {event.amount:,} in hand" if event.amount else ""
        return text == f"{self.names[self.game.seats[event.seat]]} has not paid its blind and is unseated{amount}."

    def forfeited(self, event: GameForfeited, text: str) -> bool:
        assert self.game is not None
        return text == f"{self.names[self.game.seats[event.seat]]} has {FORFEITS[event.fault]} and loses the game."

    def rated(self, event: BotRated, text: str) -> bool:
        change = event.rating - event.was
        sign = "-" if change < 0 else "+"
        return text == f"{self.names[event.bot]}: {event.was / 100:,.1f} {sign} {abs(change) / 100:,.1f}."

    def stage_over(self, event: StageEnded, text: str) -> bool:
        assert self.stage is not None
        count = len(event.advancing)
        early = re.match(rf"{re.escape(self.stage.title)} is over after (\d+) of (\d+) games, as only (\d+) ", text)
        if bool(early) != (self.games < self.stage.games and sum(map(bool, event.stacks)) <= count):
            return False
        if early and [int(number) for number in early.groups()] != [self.games, self.stage.games, count]:
            return False
        head = f"{self.stage.title} is over. " if not early else f"{early[0]}have chips left. "
        self.left = list(event.advancing) or self.left
        rest = text.removeprefix(head).removesuffix(".")
        if not text.startswith(head) or event.advancing != event.ranking[:count]:
            return False
        level = event.stacks[count - 1]
        if count < len(event.stacks) and event.stacks[count] == level:
            tied = [bot for bot, stack in zip(event.ranking, event.stacks, strict=True) if stack == level]
            who, _, drawn = rest.partition(f" were level at {level:,}, and the lot fell on ")
            return self._are(who, tied) and self._are(drawn, [bot for bot in tied if bot in event.advancing])
        return rest.endswith(" ride on") and self._are(rest.removesuffix(" ride on"), event.advancing)

    def withdrawn(self, event: BotWithdrawn, text: str) -> bool:
        if event.bot in self.left and self.stage is None:
            self.left.remove(event.bot)
        return text == f"{self.names[event.bot]} is withdrawn."

    def gone(self, event: BotDisconnected, text: str) -> bool:
        return text == f"{self.names[event.bot]} has left the saloon."

    def cut(self, _event: StageCut, text: str) -> bool:
        return self.stage is not None and text == f"The organiser ends {self.stage.title} here."

    def champion(self, event: TournamentEnded, text: str) -> bool:
        first = event.placings[0].bot
        won = self.wins.get(first, 0)
        how = f" with {won} game{'s' * (won != 1)} won" if self._series else ""
        best = not self._series or won == max(self.wins.values())
        since = f", though absent since {self.absent[first]}" if first in self.absent else ""
        return best and text == f"{self.names[first]} wins the tournament{how}{since}!"


_CHECKS: dict[type[Event], Callable[[EventCheck, Any, str], bool]] = {
    StageStarted: EventCheck.staged,
    GameStarted: EventCheck.seated,
    HandStarted: EventCheck.begun,
    GameEnded: EventCheck.ended,
    BotEliminated: EventCheck.eliminated,
    SeatVacated: EventCheck.vacated,
    GameForfeited: EventCheck.forfeited,
    BotRated: EventCheck.rated,
    StageEnded: EventCheck.stage_over,
    BotWithdrawn: EventCheck.withdrawn,
    BotDisconnected: EventCheck.gone,
    StageCut: EventCheck.cut,
    TournamentEnded: EventCheck.champion,
}
