"""A second, slow program that checks storylines about earlier contests: it reads the recordings on disk."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from server.game.events import BotEliminated, Event, HandEnded, StageStarted, TournamentEnded, TournamentOpened
from server.journal.journal import JournalDamaged, read_journal
from tests.commentary.slow_storylines import Evening, Hand


class Contest(Struct):
    """One earlier contest, by bots' names."""

    opened: TournamentOpened
    events: list[Event]
    hands: list[Hand]
    places: dict[str, int]

    def bot(self, name: str) -> int:
        return next((each.bot for each in self.opened.entrants if each.name == name), 0)

    def runs(self, *, winning: bool) -> list[int]:
        """Each bot's longest run of dealt hands with a pot in each of them or in none."""
        longest = []
        for entrant in self.opened.entrants:
            run, most = 0, 0
            for hand in self.hands:
                if entrant.bot in hand.began:
                    run = run + 1 if bool(hand.won.get(entrant.bot)) == winning else 0
                    most = max(most, run)
            longest.append(most)
        return longest

    def in_final(self, name: str) -> bool:
        stages = [event for event in self.events if isinstance(event, StageStarted)]
        return len(stages) > 1 and self.bot(name) in stages[-1].bots


class EarlierOnDisk:
    """The contests of a folder that began before a moment, the earliest first, without unfinished and bad ones."""

    def __init__(self, folder: Path, before: str, contest: str) -> None:
        self.contests = [found for _, found in sorted(self._read(folder, before, contest), key=lambda each: each[0])]

    def _read(self, folder: Path, before: str, contest: str) -> list[tuple[str, Contest]]:
        found = []
        for path in folder.glob("*.jsonl"):
            try:
                recording = read_journal(path)
            except JournalDamaged:
                continue
            events: list[Event] = [entry.event for entry in recording.entries]
            opened, ended = events[0], events[-1]
            assert isinstance(opened, TournamentOpened)
            if not isinstance(ended, TournamentEnded) or recording.header.begun >= before or opened.contest != contest:
                continue
            names = {each.bot: each.name for each in opened.entrants}
            places = {names[each.bot]: each.place for each in ended.placings}
            found.append((recording.header.begun, Contest(opened, events, Evening(events).hands, places)))
        return found

    def is_true(self, evening: Evening, text: str) -> bool:
        """Whether a storyline is true now, about earlier contests or only this evening."""
        for pattern, holds in _SENTENCES.items():
            if found := re.fullmatch(pattern, text):
                return holds(self.contests, evening, *found.groups())
        return evening.is_true(text)


def _number(word: str) -> int:
    return int(word.replace(",", ""))


def _tonight(evening: Evening) -> Contest:
    opened = evening.events[0]
    assert isinstance(opened, TournamentOpened)
    return Contest(opened, [*evening.events], evening.hands, {})


def _biggest(earlier: Sequence[Contest], evening: Evening, chips: str, bot: str, contests: str) -> bool:
    same = [each for each in earlier if each.opened.starting_stack == evening.starting_stack]
    before = [won for each in same for hand in each.hands for won in hand.won.values()]
    before += [won for hand in evening.hands[:-1] for won in hand.won.values()]
    won = evening.hands[-1].won.get(evening.numbers[bot])
    return won == _number(chips) > max(before) and len(same) + 1 == int(contests) > 3


def _run(winning: bool, least: int) -> Callable[..., bool]:
    def holds(earlier: Sequence[Contest], evening: Evening, bot: str, many: str, contests: str) -> bool:
        run = 0
        for hand in evening.of(evening.numbers[bot]):
            run = run + 1 if bool(hand.won.get(evening.numbers[bot])) == winning else 0
        longest = max(run for each in earlier for run in each.runs(winning=winning))
        tonight = sorted(_tonight(evening).runs(winning=winning))
        alone = len(tonight) < 2 or tonight[-2] < run
        return (
            run == int(many) == tonight[-1] > longest
            and alone
            and run >= least
            and len(earlier) + 1 == int(contests) > 3
        )

    return holds


def _in_a_row(earlier: Sequence[Contest], evening: Evening, bot: str, many: str) -> bool:
    row = 0
    for each in reversed([*earlier, _tonight(evening)]):
        if not each.in_final(bot):
            break
        row += 1
    stage = [event for event in evening.events if isinstance(event, StageStarted)][-1]
    return row == int(many) >= 2 and not stage.advance


def _first_time_ahead(earlier: Sequence[Contest], evening: Evening, bot: str, other: str, contests: str) -> bool:
    both = [each.places for each in earlier if bot in each.places and other in each.places]
    since = max(at for at, event in enumerate(evening.events) if isinstance(event, HandEnded))
    stage = [event for event in evening.events if isinstance(event, StageStarted)][-1]
    fresh = evening.events[since:]
    gone = {event.bot for event in evening.events if isinstance(event, BotEliminated)}
    left = {*stage.bots} - gone
    is_news = any(isinstance(event, BotEliminated | StageStarted) for event in fresh)
    always = all(places[other] < places[bot] for places in both)
    is_over = evening.numbers[other] not in left and evening.numbers[bot] in left
    return is_news and always and is_over and len(both) + 1 == int(contests) > 3


def _won(earlier: Sequence[Contest], _: Evening, bot: str, won: str, played: str) -> bool:
    places = [each.places[bot] for each in earlier if bot in each.places]
    return places.count(1) == int(won) > 0 and len(places) == int(played) >= 3


def _won_none(earlier: Sequence[Contest], _: Evening, bot: str, played: str) -> bool:
    places = [each.places[bot] for each in earlier if bot in each.places]
    return 1 not in places and len(places) == int(played) >= 3


def _always_ahead(earlier: Sequence[Contest], _: Evening, bot: str, other: str, contests: str) -> bool:
    both = [each.places for each in earlier if bot in each.places and other in each.places]
    return all(places[bot] < places[other] for places in both) and len(both) == int(contests) >= 3


_SENTENCES: dict[str, Callable[..., bool]] = {
    r"The ([\d,]+) that (.+) won just now are the most of one hand in all (\d+) contests here\.": _biggest,
    r"(.+) has won a pot in (\d+) hands in a row, the most in all (\d+) contests here\.": _run(True, 5),
    r"(.+) has won no pot in (\d+) hands, the longest in all (\d+) contests here\.": _run(False, 20),
    r"(.+) is in the final for the (\d+)(?:st|nd|rd|th) time in a row\.": _in_a_row,
    r"(.+) is ahead of (.+) for the first time in (\d+) contests\.": _first_time_ahead,
    r"(.+) has won (\d+) of its (\d+) earlier contests here\.": _won,
    r"(.+) has won none of its (\d+) earlier contests here\.": _won_none,
    r"(.+) has ended before (.+) in all (\d+) contests of both\.": _always_ahead,
}
