"""Storylines are true, are not repeated within ten minutes, and mention every bot. A slow checker confirms them."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from broadcast.commentary.commentary import Commentary
from broadcast.commentary.storylines.earlier import EarlierHand
from broadcast.commentary.storylines.evening_facts import HandNumber
from broadcast.commentary.storylines.storyline import BETWEEN, IMPORTANCES, TEN_MINUTES, AirTime, Importance, Storyline
from broadcast.commentary.storylines.storylines import Storylines
from broadcast.on_air.events import CaptionSpoken, StatisticsChanged
from broadcast.on_air.table_state import TableState, with_tables
from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import BotEliminated, Event, HandEnded, HandStarted
from server.game.tournament import Format, as_series
from server.journal.journal import Entry, read_journal
from tests.commentary.slow_storylines import Evening
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.contests import play_contest
from tests.support.house_contests import play_house_contest
from tests.support.recordings import KEPT_CONTESTS, KEPT_RECORDINGS

KINDS: dict[str, tuple[Format, int]] = {
    "quick draw": (QUICK_DRAW_FORMAT, 8),
    "arena": (replace(ARENA_FORMAT, starting_stack=5000), 4),
    "series": (as_series(replace(ARENA_FORMAT, starting_stack=300), 4), 4),
    "enova": (ENOVA_FORMAT, 12),
    "acpc": (replace(ACPC_FORMAT, stages=(replace(ACPC_FORMAT.stages[0], hands=12),)), 6),
}


def find_lines(events: Sequence[Event]) -> tuple[list[Storyline], list[str]]:
    """All storylines at the beginning of each hand, and the sentences that the slow checker rejects."""
    storylines, table = Storylines(), TableState()
    found, wrong = list[Storyline](), list[str]()
    for at, event in enumerate(events):
        if isinstance(event, HandStarted):
            evening = Evening(events[:at])
            lines = [*storylines.now(), *storylines.standing(StatisticsChanged(()))]
            found += lines
            wrong += [line.text for line in lines if not evening.is_true(line.text)]
        table = table.after(event)
        storylines.apply(event, table)
    return found, wrong


def events_of(entries: Sequence[Entry]) -> list[Event]:
    return [entry.event for entry in entries]


@pytest.mark.parametrize("kind", KINDS)
def test_slow_checker_confirms_every_storyline_of_random_contests(kind: str) -> None:
    contest, bots = KINDS[kind]
    found, wrong = find_lines(events_of(play_contest(4, bots, contest)))
    assert wrong == []
    assert len({line.kind for line in found}) > 1


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_slow_checker_confirms_every_storyline_of_kept_recordings(name: str) -> None:
    assert find_lines(events_of(read_journal(KEPT_CONTESTS / name).entries))[1] == []


def test_droughts_and_streaks_are_storylines() -> None:
    acts = "raise:5000 fold fold fold"
    script = Script(NAMES[:4]).connect().stage("High Noon", games=1, advance=0).game((1, 2, 3, 4))
    for _ in range(13):
        script.hand(acts, button=0)
    events = [entry.event for entry in script.entries if type(entry.event).__module__.startswith("server.")]
    found, wrong = find_lines([*events, HandStarted(14, 0, 50, 100, 0, tuple(script.stacks), "")])
    assert wrong == []
    last = {(line.kind, line.importance): line for line in found}
    streak, drought = last["streak", "breaking"], last["drought", "whatever"]
    assert streak.hands == tuple(HandNumber(1, hand) for hand in range(1, 14))
    assert drought.text.endswith("has not won a pot in 13 hands.")
    assert streak.once_in == 13


@pytest.mark.parametrize("seed", [3, 5])
def test_commentators_always_have_lines_with_the_numbers_of_the_last_hand_on_air(seed: int) -> None:
    commentary, hands = Commentary(), 0
    for entry in with_tables(play_house_contest("quick-draw", seed, 9)):
        commentary.after(entry)
        hands += isinstance(entry.event, HandEnded)
        if hands < TEN_MINUTES or not isinstance(entry.event, HandStarted | HandEnded | BotEliminated):
            continue
        talk = commentary.talk
        assert len(talk.lines) >= 8
        assert len({each.kind for each in talk.lines}) >= 5
        assert len({each.key for each in talk.lines}) == len(talk.lines)
        ranks = [IMPORTANCES.index(each.importance) for each in talk.lines]
        assert ranks == sorted(ranks)
        assert talk.statistics.hands == hands
    assert hands > TEN_MINUTES


def test_first_meeting_in_a_duel_is_not_a_storyline() -> None:
    script = Script(NAMES[:2]).connect().stage(games=1, advance=0).game((1, 2)).hand("fold")
    events = [entry.event for entry in script.entries if type(entry.event).__module__.startswith("server.")]
    found, wrong = find_lines(events)
    assert not wrong
    assert not [each for each in found if each.kind == "first meeting"]


def line(kind: str, *bots: int, importance: Importance = "normal") -> Storyline:
    return Storyline(kind, bots, f"{kind} {bots}", importance, (HandNumber(1, 1),), 5)


def test_no_storyline_is_announced_twice_in_ten_minutes_and_one_about_earlier_contests_only_once() -> None:
    air, lines = AirTime(), [line("drought", 1), line("streak", 2), line("nemesis", 2, 1)]
    announced = dict[str, list[int]]()
    for hand in range(200):
        if chosen := air.choose(lines, hand, (1, 2)):
            announced.setdefault(chosen.text, []).append(hand)
    for hands in announced.values():
        assert len(hands) > 5
        assert all(later - earlier > TEN_MINUTES for earlier, later in pairwise(hands))
    air = AirTime()
    assert air.choose([line("head to head", 1, 2)], 0, (1, 2))
    assert air.choose([line("head to head", 2, 1)], 9, (1, 2)) is None, "the same two bots in another order"
    air, past = AirTime(), replace(line("contests won", 1), earlier=(EarlierHand("evening"),))
    assert [hand for hand in range(200) if air.choose([past], hand, (1, 2))] == [0]


def test_storylines_of_seated_bots_are_chosen_by_importance_then_by_how_few_a_bot_has_had() -> None:
    air = AirTime()
    assert air.choose([line("drought", 7)], 0, (1, 2)) is None, "it is not at the table"
    minor, major = line("a", 1, importance="whatever"), line("b", 2, importance="analyst")
    assert air.choose([minor, major], 0, (1, 2)) == major
    assert air.choose([line("c", 2), line("d", 1)], BETWEEN - 1, (1, 2)) is None, "too soon"
    assert air.choose([line("c", 2), line("d", 1)], BETWEEN, (1, 2)) == line("d", 1)
    assert air.choose([line("e", 2, importance="breaking")], BETWEEN + 1, (1, 2))


def test_storyline_is_the_caption_at_the_beginning_of_a_hand() -> None:
    script = Script(NAMES[:4]).connect().stage("High Noon", games=1, advance=0).game((1, 2, 3, 4))
    for _ in range(8):
        script.hand("raise:5000 fold fold fold", button=0)
    captions = [
        entry.event.text
        for before, entry in pairwise(script.entries)
        if isinstance(entry.event, CaptionSpoken) and isinstance(before.event, HandStarted)
    ]
    assert "has won a pot in each of its last 3 hands." in captions[3]
    assert captions[4] == "Hand 5 of 6. Billy the Kid has the button."
