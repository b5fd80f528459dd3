"""The reading scores are the same in the show and in the results, and follow their definitions."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from broadcast.commentary.awards import Awards
from broadcast.commentary.claims.checker import claims_in
from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.commentary import READING_EVERY, READING_HANDS
from broadcast.commentary.statistics.notices import MIN_CLAIMS
from broadcast.commentary.statistics.reading_scores import brier_score, calibration
from broadcast.on_air.events import CaptionSpoken, OnAirEntry, SceneShown, StatisticsChanged
from broadcast.on_air.facts import BotStatistics, Calibration, Notice, ReadingScores
from broadcast.on_air.scenes import SCENES
from server.app.results.results import results
from server.app.results.shown import final_table
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import (
    Account,
    ActionTaken,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandStarted,
    HouseEvent,
    NoteGiven,
    StageStarted,
)
from server.journal.journal import Entry
from tests.commentary.claims.planted import thoughts
from tests.commentary.claims.prose import HALVES, written_thoughts
from tests.commentary.claims.situations import situations
from tests.overlay.support.scripted_deals import compared
from tests.support.contests import play_contest
from tests.support.house_contests import CharacterBot, play_house_contest
from tests.support.recordings import aired

_TRIALS, _FINAL = QUICK_DRAW_FORMAT.stages
SAID = ("I have the nuts.", "I am 60% to win.", "He looks weak.", "I don't have a flush. About 20 % to win.")

ACCOUNT = Account(800, 250)
"""The cost of each note according to the first bot: 800 tokens, for a fortieth of a cent."""


def with_notes(entries: Sequence[Entry], every: int = 5) -> Iterator[Entry]:
    """The entries, with a note on each act of hand number `every`, of hand number 2 * `every`, and so on."""
    number, hands, actors = 0, 0, list[int]()
    bots: tuple[int, ...] = ()
    for entry in entries:
        number += 1
        yield Entry(number, entry.at_ms, entry.event)
        match entry.event:
            case GameStarted(seats=bots):
                pass
            case HandStarted():
                actors, hands = [], hands + 1
            case ActionTaken(seat=seat):
                actors.append(bots[seat])
            case HandEnded() if hands % every == 0:
                for action, bot in enumerate(actors, start=1):
                    number += 1
                    note = NoteGiven(bot, action, SAID[number % len(SAID)], account=ACCOUNT if bot == 1 else UNSET)
                    yield Entry(number, entry.at_ms, note)


def test_show_and_results_have_the_same_scores() -> None:
    played = play_house_contest("acpc", 1, 3)
    entries = [*with_notes(played)]
    shown = [entry.event for entry in aired(entries) if isinstance(entry.event, StatisticsChanged)][-1]
    found = results(entries)
    scores = {row.bot: row.reading for row in shown.rows if row.reading}
    assert scores == {row.bot: row.reading for row in found.rows if row.reading}
    assert sum(score.thoughts for score in scores.values()) == sum(
        isinstance(entry.event, NoteGiven) for entry in entries
    )
    assert all(score.claims >= score.false_claims and score.estimates for score in scores.values())
    assert "Brier" in final_table(found)
    spent, free = scores.pop(1), scores.popitem()[1]
    assert (spent.tokens, spent.cost_millionths) == (800 * spent.thoughts, 250 * spent.thoughts)
    assert (free.tokens, free.cost_millionths) == (None, None)
    seats = [seat for event in played if isinstance(event.event, GameStarted) for seat in event.event.seats]
    assert spent.hands == sum(isinstance(entry.event, HandEnded) for entry in played) > 0, seats
    assert f"{800 * spent.thoughts / spent.hands:,.0f}  " in final_table(found)
    assert "Brier" not in final_table(results(played))


def test_reading_scores_come_between_games_in_long_games_and_before_the_end_after_enough_new_claims() -> None:
    shape = replace(QUICK_DRAW_FORMAT, stages=(replace(_TRIALS, games=6, hands=5), replace(_FINAL, hands=20)))
    played = play_contest(2, 12, shape, kind=CharacterBot)
    moments = list[list[OnAirEntry]]()
    for entry in aired([*with_notes(played, every=1)]):
        moments += [[]] if isinstance(entry.event, HouseEvent) else []
        moments[-1].append(entry)
    claims = told = games = hands = told_hands = 0
    after = list[type[Event]]()
    for moment in moments:
        first, *added = [entry.event for entry in moment]
        for each in added:
            if isinstance(each, StatisticsChanged):
                claims = sum(row.reading.claims for row in each.rows if row.reading)
                false = sum(row.reading.false_claims for row in each.rows if row.reading)
        if isinstance(first, StageStarted):
            games = first.games
        hands += isinstance(first, HandEnded)
        is_long_ago = isinstance(first, HandStarted) and games == 1 and hands >= told_hands + READING_HANDS
        is_due = (isinstance(first, GameStarted) or is_long_ago) and claims >= told + READING_EVERY
        is_due |= isinstance(first, GameEnded) and games == 1
        assert (SceneShown("reading") in added) == is_due
        if is_due:
            told, told_hands = claims, hands
            after.append(type(first))
            assert CaptionSpoken(f"Of {claims} claims in the bots' thoughts, {false} were false.") in added
            assert moment[0].hold_ms == SCENES["reading"].hold_ms
    assert Counter(after) == {GameStarted: 2, HandStarted: 1, GameEnded: 1}


def test_reading_scores_take_the_turn_of_a_scene_between_deals_after_every_six_hands() -> None:
    deals = compared()
    for _ in range(12):
        deals.think()
        deals.next_game()
        deals.deal(*[""] * 5, "raise:5000 call")
    scenes = [each.event.scene for each in deals.entries if isinstance(each.event, SceneShown)]
    assert scenes == ["certainty", "certainty", "reading", "certainty", "reading"]


def test_bot_is_judged_by_what_it_knew_at_its_act_and_only_by_its_own_notes() -> None:
    reader, thought, checked = ThoughtReader(), "A bold start. The board is paired.", 0
    bots: tuple[int, ...] = ()
    for entry in play_house_contest("acpc", 1, 3):
        reader.apply(entry.event)
        bots = entry.event.seats if isinstance(entry.event, GameStarted) else bots
        if isinstance(entry.event, HandEnded):
            first, last = (
                reader.known(1),
                max(filter(None, map(reader.known, range(1, 40))), key=lambda each: len(each.acts)),
            )
            assert first
            own = reader.apply(NoteGiven(bots[first.seat], 1, thought))
            assert own
            assert (own.seat, own.claims) == (first.seat, ()), (
                "before the flop there is no board, so a claim about it does not count"
            )
            assert reader.apply(NoteGiven(bots[first.seat - 1], 1, thought)) is None
            said = reader.apply(NoteGiven(bots[last.seat], len(last.acts) + 1, thought))
            ranks = [card[0] for card in last.board]
            assert said
            assert [claim.right for claim in said.claims] == ([len({*ranks}) < len(ranks)] if ranks else [])
            checked += len(said.claims)
    assert checked > 20
    assert reader.apply(NoteGiven(1, 99, thought)) is None


def test_thoughts_on_a_forged_hand_are_not_read() -> None:
    reader = ThoughtReader()
    for forged in (
        GameStarted(1, 1, (1, 2), ()),
        HandStarted(1, 7, 1, 2, 0, (), ""),
        ActionTaken(9, "call", 1, 1, False, 1),
    ):
        assert reader.apply(forged) is None
    assert reader.apply(NoteGiven(1, 1, "I have the nuts.")) is None


def test_brier_score_and_calibration_use_the_real_chance() -> None:
    estimates = [(0.6, 0.6), (0.65, 0.5), (1.0, 1.0)]
    assert brier_score([(1.0, 1.0), (0.0, 0.0)]) == 0
    assert brier_score([(0.5, 0.3), (0.5, 0.9)]) == 0.25
    assert brier_score([(0.6, 0.6)]) == 0.24
    assert calibration(estimates)[6] == Calibration(2, 0.625, 0.55)
    assert calibration(estimates)[9] == Calibration(1, 1.0, 1.0)
    assert sum(line.estimates for line in calibration(estimates)) == 3
    assert brier_score([]) is None


def test_awards_for_truth_need_enough_claims() -> None:
    rows = (
        BotStatistics(1, luck=900, earned=100, words=9, reading=ReadingScores(50, MIN_CLAIMS, 1)),
        BotStatistics(2, reading=ReadingScores(50, 2 * MIN_CLAIMS, 10)),
        BotStatistics(3, reading=ReadingScores(50, MIN_CLAIMS - 1, 0)),
        BotStatistics(4),
    )
    truest, tallest, *others = Awards().choose(rows)
    assert truest == Notice("Straightest shooter", 1, "19 of 20 claims in its thoughts were true")
    assert tallest == Notice("Tallest tale", 2, "10 of 40 claims in its thoughts were false")
    assert others, "these two awards must come first, as the screen has no room for all"


def test_planted_claims_are_found_and_nothing_else() -> None:
    known = [*situations("arena", 2).values(), *situations("acpc", 2).values()]
    false = struck = 0
    for knows, thought in thoughts(known, 300, random.Random(7)):
        claims = claims_in(thought.text, knows)
        for planted in thought.planted:
            marked = [each for each in claims if each.start < planted.end and planted.start < each.end]
            wrong = [each for each in marked if not each.right]
            assert not (planted.right and wrong), thought.text
            assert planted.right is not None or not marked, thought.text
            false += planted.right is False
            struck += planted.right is False and bool(wrong)
    assert struck >= 0.95 * false > 50


@pytest.mark.parametrize("half", HALVES)
def test_nothing_but_false_claims_is_struck_in_free_prose(half: str) -> None:
    false, struck, opinions, marked = 0, set[tuple[str, int]](), 0, set[tuple[str, int]]()
    for knows, thought in written_thoughts(half):
        false += sum(each.right is False and not each.kind.startswith("chance") for each in thought.planted)
        opinions += sum(each.kind == "opinion" for each in thought.planted)
        for claim in claims_in(thought.text, knows):
            hits = [each for each in thought.planted if claim.start < each.end and each.start < claim.end]
            wrong = {(thought.text, each.start) for each in hits if each.right is False}
            assert claim.right or wrong, (thought.text[claim.start : claim.end], claim.truth)
            struck |= wrong if not claim.right else set()
            marked |= {(thought.text, each.start) for each in hits if each.kind == "opinion"}
    assert len(struck) > 0.95 * false > 300
    assert len(marked) < 0.005 * opinions


def test_a_sentence_in_other_words_is_struck_only_if_it_is_false() -> None:
    for knows, thought in written_thoughts("paraphrases"):
        struck = [thought.text[each.start : each.end] for each in claims_in(thought.text, knows) if not each.right]
        assert bool(struck) == (thought.planted[0].right is False), (thought.text, struck)
