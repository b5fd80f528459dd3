"""At any moment there are many true storylines of several topics, and none is repeated within ten minutes.

A second program, in `storyteller`, reads every sentence and proves it from the journal alone.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import get_args

import pytest
from msgspec.structs import replace

from broadcast.commentary.commentary import STORYLINE_EVENTS, Commentary
from broadcast.commentary.storylines import storyline
from broadcast.commentary.storylines.bot_facts import HandNumber
from broadcast.commentary.storylines.earlier_facts import EarlierFacts, EarlierHand
from broadcast.commentary.storylines.storylines import Storylines
from broadcast.on_air.events import CaptionSpoken
from broadcast.on_air.table_state import with_tables
from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import HAND_EVENTS, BotEliminated, Entrant, HandEnded, HandStarted, TournamentOpened
from server.game.formats import Format, as_series
from server.journal.journal import Entry, read_journal
from tests.commentary.storyteller.check import is_true, sentence_of
from tests.commentary.storyteller.evening import Evening
from tests.commentary.storyteller.sentences import SENTENCES
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import play_house_contest
from tests.support.games.recordings import KEPT_CONTESTS, KEPT_RECORDINGS, of_kind

KINDS: dict[str, tuple[Format, int]] = {
    "quick draw": (QUICK_DRAW_FORMAT, 8),
    "arena": (replace(ARENA_FORMAT, starting_stack=5000), 4),
    "series": (as_series(replace(ARENA_FORMAT, starting_stack=300), 4), 4),
    "series of two": (as_series(replace(ARENA_FORMAT, starting_stack=300), 9), 2),
    "enova": (ENOVA_FORMAT, 12),
    "acpc": (replace(ACPC_FORMAT, stages=(replace(ACPC_FORMAT.stages[0], hands=12),)), 6),
}


def find_storylines(entries: Iterable[Entry]) -> list[storyline.Storyline]:
    """All storylines, collected whenever they may change; the second program confirms them."""
    commentary, evening = Commentary(), Evening()
    found, wrong = list[storyline.Storyline](), list[str]()
    for entry in with_tables(entries):
        commentary.events_after(entry)
        evening.add(entry.event)
        if isinstance(entry.event, STORYLINE_EVENTS):
            found += commentary.talking_points.lines
            wrong += [line.text for line in commentary.talking_points.lines if not is_true(evening, line.text)]
    assert wrong == []
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_second_program_confirms_every_storyline_of_random_contests(kind: str) -> None:
    contest, bots = KINDS[kind]
    assert len({line.kind for line in find_storylines(play_contest(4, bots, contest))}) > 5


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_second_program_confirms_every_storyline_of_kept_recordings(name: str) -> None:
    assert find_storylines(read_journal(KEPT_CONTESTS / name).entries)


def is_refused(evening: Evening, text: str) -> bool:
    try:
        return not is_true(evening, text)
    except (LookupError, ValueError, AssertionError):
        return True


def test_storylines_have_all_topics_and_the_second_program_refuses_changed_numbers() -> None:
    evening, commentary = Evening(), Commentary()
    topics, refused = set[str](), 0
    for entry in with_tables(play_house_contest("quick-draw", 1, 12)):
        commentary.events_after(entry)
        evening.add(entry.event)
        for line in commentary.talking_points.lines if isinstance(entry.event, HandEnded) else ():
            topics.add(line.topic)
            forged = line.text.replace("9", "8").replace("2", "3")
            refused += forged != line.text and is_refused(evening, forged)
            assert sentence_of(evening, line.text) in SENTENCES
    assert topics == {*get_args(storyline.Topic)} - {"earlier contests", "the series"}
    assert refused > 500


EVENINGS = [("quick-draw", 5, 12), ("enova", 5, 12), ("upac", 5, 2), ("upac", 6, 2), ("arena", 5, 8), ("acpc", 5, 6)]
THREE_MINUTES = 5
"""The fewest hands that a show at speed 1 plays in three minutes."""
STANDING = {
    "gap", "short stack", "share of chips", "close at the top", "title odds", "hands left", "games left", "two bots",
    "hands to go", "level", "the line", "next blinds", "last two", "one more out",
}  # fmt: skip
"""Kinds of storylines about the present state of the contest, not about an event."""


@pytest.mark.parametrize(("contest", "seed", "bots"), EVENINGS)
def test_after_ten_minutes_there_are_eight_storylines_of_five_topics_two_of_them_recent(
    contest: str, seed: int, bots: int
) -> None:
    commentary, hands = Commentary(), 0
    for entry in with_tables(play_house_contest(contest, seed, bots)):
        commentary.events_after(entry)
        hands += isinstance(entry.event, HandEnded)
        if hands < storyline.HANDS_IN_TEN_MINUTES or not isinstance(
            entry.event, HandStarted | HandEnded | BotEliminated
        ):
            continue
        talk = commentary.talking_points
        assert len(talk.lines) >= 8
        assert len({each.topic for each in talk.lines}) >= 5
        happened = [each.hands_ago for each in talk.lines if each.kind not in STANDING and each.hands_ago is not None]
        assert sum(ago <= THREE_MINUTES for ago in happened) >= 2
        assert len({each.key for each in talk.lines}) == len(talk.lines)
        ranks = [storyline.IMPORTANCES.index(each.importance) for each in talk.lines]
        assert ranks == sorted(ranks)
        assert talk.hands == talk.statistics.hands == hands
    assert hands


def test_storylines_are_only_about_hands_that_are_over() -> None:
    entries, told = play_house_contest("arena", 5, 8), list[Sequence[storyline.Storyline]]()
    whole, broken_off = Commentary(), Commentary()
    for entry in with_tables(entries):
        whole.events_after(entry)
        if isinstance(entry.event, HandStarted):
            told.append(whole.talking_points.lines)
            during = whole.talking_points.last_hand
        elif isinstance(entry.event, HAND_EVENTS) and not isinstance(entry.event, HandEnded):
            assert whole.talking_points.lines == told[-1], "storylines must not change while a hand is played"
            assert whole.talking_points.last_hand == during
    starts = [at for at, entry in enumerate(entries) if isinstance(entry.event, HandStarted)]
    for entry in with_tables(entries[: starts[30] + 1]):
        broken_off.events_after(entry)
    assert broken_off.talking_points.lines == told[30], "storylines must not depend on later hands"


def test_rarity_counts_how_often_a_kind_has_begun_tonight_and_in_earlier_contests() -> None:
    storylines, begun, running, hands = Storylines(), dict[str, int](), set[str](), 0
    commentary = Commentary()
    for entry in with_tables(play_house_contest("arena", 1, 8)):
        commentary.events_after(entry)
        storylines.apply(entry.event, entry.table)
        if not isinstance(entry.event, HandEnded):
            continue
        hands += 1
        lines = [
            line for line in commentary.talking_points.lines if line.kind in ("double-up", "comeback", "elimination")
        ]
        for line in lines:
            begun[line.kind] = begun.get(line.kind, 0) + (line.key not in running)
        running = {line.key for line in lines}
        for line in lines:
            often = hands // begun[line.kind]
            assert line.once_in == (
                often if hands >= storyline.MIN_HANDS_FOR_RARITY and often >= storyline.MIN_HANDS_PER_RARE else 0
            )
    assert hands > storyline.MIN_HANDS_FOR_RARITY
    assert begun.keys() >= {"double-up", "elimination"}
    storylines.earlier_facts = EarlierFacts(hands=9000, begun_counts={"double-up": 10})
    assert storylines.hands_per_storyline("double-up") == (9000 + hands) // (10 + begun["double-up"])


def test_unlikely_droughts_and_streaks_are_storylines_and_a_new_one_is_the_caption_of_the_next_hand() -> None:
    script = Script(NAMES[:4]).connect().stage("High Noon", games=1, advance=0).game((1, 2, 3, 4))
    for _ in range(13):
        script.hand("raise:5000 fold fold fold", button=0)
    events = [entry.event for entry in script.entries]
    found = find_storylines(Entry(1, 0, event) for event in events if type(event).__module__.startswith("server."))
    droughts = {line.text.rpartition(" in ")[2] for line in found if line.kind == "drought"}
    assert droughts == {"11 hands.", "12 hands.", "13 hands."}, (
        "a drought is told if its chance is below 1 in 20: 0.75 ** 11, but not 0.75 ** 10"
    )
    streaks = {(line.text.rpartition(" won ")[2], line.importance) for line in found if line.kind == "streak"}
    assert streaks >= {
        ("three pots in a row.", "background"),
        ("four pots in a row.", "worth telling"),
        ("five pots in a row.", "just now"),
    }
    said = [now for before, now in pairwise(events) if isinstance(before, HandStarted)]
    captions = [each.text for each in said if isinstance(each, CaptionSpoken)]
    assert "has won three pots in a row." in captions[3]
    assert captions[4] == "Hand 5 of 6. Billy the Kid has the button."


def texts_of(entries: Iterable[Entry]) -> dict[str, set[str]]:
    found = find_storylines(entries)
    return {kind: {line.text for line in found if line.kind == kind} for kind in {line.kind for line in found}}


def with_entrants(entries: Sequence[Entry], change: Callable[[Entrant], Entrant]) -> list[Entry]:
    (opened,) = of_kind(entries, TournamentOpened)
    return [replace(entries[0], event=replace(opened, entrants=tuple(map(change, opened.entrants)))), *entries[1:]]


def test_prizes_are_mentioned_unless_a_player_has_several_bots_in_the_last_stage() -> None:
    entries = play_house_contest("arena", 3, 8)
    texts = texts_of(entries)
    assert texts["prizes"] == {"The top five are paid: $15 for 1st, down to $5 for 5th."}
    nothing = "The next bot out gets nothing, and everybody else is guaranteed at least $5."
    assert texts["next out"] >= {nothing, "The next bot out gets $5."}
    one_player = with_entrants(entries, lambda bot: replace(bot, player="Ada"))
    assert not {"prizes", "next out", "last in the money", "worth of the lead"} & texts_of(one_player).keys()


def test_storylines_of_a_rated_duel_have_the_score_and_the_elo_points_at_stake() -> None:
    entries = play_house_contest("upac", 5, 2, rating=1000_00)
    worst, best = (bot.name for bot in of_kind(entries, TournamentOpened)[0].entrants)
    texts = texts_of(with_entrants(entries, lambda bot: replace(bot, rating=960_00 if bot.bot == 1 else 1040_00)))
    assert texts["rating at stake"] == {f"{best} can gain 4.6 rating points in this game, or lose 7.4."}, (
        "12 / (1 + 10 ** (80 / 400)) is 4.6, and 12 minus that is 7.4"
    )
    assert f"{best} is rated 80 points above {worst}." in texts["rating"]
    assert texts.keys() >= {"score in pots", "pots lately", "rating now", "underdog"}
    assert "first meeting" not in texts
    assert not texts_of(play_house_contest("upac", 5, 2)).keys() & {"rating", "rating now", "rating at stake"}


def line(kind: str, *bots: int, importance: storyline.Importance = "background") -> storyline.Storyline:
    return storyline.Storyline("streaks", kind, bots, f"{kind} {bots}", importance, (HandNumber(1, 1),), 5)


def test_storyline_is_not_repeated_within_ten_minutes_nor_ever_if_about_earlier_contests() -> None:
    air, lines = storyline.StorylineHistory(), [line("drought", 1), line("streak", 2), line("nemesis", 2, 1)]
    announced = dict[str, list[int]]()
    for hand in range(200):
        if chosen := air.choose(lines, hand, (1, 2)):
            announced.setdefault(chosen.text, []).append(hand)
    for hands in announced.values():
        assert len(hands) > 5
        assert all(later - earlier > storyline.HANDS_IN_TEN_MINUTES for earlier, later in pairwise(hands))
    air = storyline.StorylineHistory()
    assert air.choose([line("head to head", 1, 2)], 0, (1, 2))
    assert air.choose([line("head to head", 2, 1)], 9, (1, 2)) is None, "the order of the two bots must not matter"
    air, past = storyline.StorylineHistory(), replace(line("contests won", 1), earlier=(EarlierHand("evening"),))
    assert [hand for hand in range(200) if air.choose([past], hand, (1, 2))] == [0]


def test_seated_bots_storyline_is_chosen_by_importance_then_for_the_bot_mentioned_least() -> None:
    air = storyline.StorylineHistory()
    assert air.choose([line("drought", 7)], 0, (1, 2)) is None, "bot 7 is not at the table"
    minor, major = line("a", 1, importance="for a pause"), line("b", 2, importance="worth telling")
    assert air.choose([minor, major], 0, (1, 2)) == major
    assert air.choose([line("c", 2), line("d", 1)], storyline.MIN_HANDS_BETWEEN - 1, (1, 2)) is None, (
        "the previous storyline was announced too recently"
    )
    assert air.choose([line("c", 2), line("d", 1)], storyline.MIN_HANDS_BETWEEN, (1, 2)) == line("d", 1)
    assert air.choose([line("e", 2, importance="just now")], storyline.MIN_HANDS_BETWEEN + 1, (1, 2))
