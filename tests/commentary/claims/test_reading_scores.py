"""The reading scores are the same in the show and in the results, and follow their definitions."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.commentary import READING_EVERY, READING_HANDS
from broadcast.commentary.statistics.reading_scores import brier_score, calibration
from broadcast.on_air.events import CaptionSpoken, OnAirEntry, SceneShown, StatisticsChanged
from broadcast.on_air.scenes import SCENES
from broadcast.on_air.shared_types import Calibration
from server.app.results.results import compute_results
from server.app.results.results_output import results_table
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.journal.journal import Entry
from tests.overlay.support.scripted_deals import compared
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import CharacterBot, play_house_contest
from tests.support.games.recordings import aired, of_kind

_TRIALS, _FINAL = QUICK_DRAW_FORMAT.stages
SAID = ("I have the nuts.", "I am 60% to win.", "He looks weak.", "I don't have a flush. About 20 % to win.")

ACCOUNT = events.Account(800, 250)
"""The cost of each note according to the first bot: 800 tokens, for a fortieth of a cent."""


def with_notes(entries: Sequence[Entry], every: int = 5) -> Iterator[Entry]:
    """The entries, with a note on each act of hand number `every`, of hand number 2 * `every`, and so on."""
    number, hands, actors = 0, 0, list[int]()
    bots: tuple[int, ...] = ()
    for entry in entries:
        number += 1
        yield Entry(number, entry.at_ms, entry.event)
        match entry.event:
            case events.GameStarted(seats=bots):
                pass
            case events.HandStarted():
                actors, hands = [], hands + 1
            case events.ActionTaken(seat=seat):
                actors.append(bots[seat])
            case events.HandEnded() if hands % every == 0:
                for action, bot in enumerate(actors, start=1):
                    number += 1
                    note = events.NoteGiven(
                        bot, action, SAID[number % len(SAID)], account=ACCOUNT if bot == 1 else UNSET
                    )
                    yield Entry(number, entry.at_ms, note)


def test_show_and_results_have_the_same_scores() -> None:
    played = play_house_contest("acpc", 1, 3)
    entries = [*with_notes(played)]
    shown = [entry.event for entry in aired(entries) if isinstance(entry.event, StatisticsChanged)][-1]
    found = compute_results(entries)
    scores = {row.bot: row.reading for row in shown.rows if row.reading}
    assert scores == {row.bot: row.reading for row in found.rows if row.reading}
    assert sum(score.thoughts for score in scores.values()) == len(of_kind(entries, events.NoteGiven))
    assert all(score.claims >= score.false_claims and score.estimates for score in scores.values())
    spent, free = scores.pop(1), scores.popitem()[1]
    assert (spent.tokens, spent.cost_millionths) == (800 * spent.thoughts, 250 * spent.thoughts)
    assert (free.tokens, free.cost_millionths) == (None, None)
    assert spent.hands == len(of_kind(played, events.HandEnded)) > 0
    assert f"{800 * spent.thoughts / spent.hands:,.0f}  " in results_table(found)
    assert "Brier" in results_table(found)
    assert "Brier" not in results_table(compute_results(played))


def test_reading_scores_come_between_games_in_long_games_and_before_the_end_after_enough_new_claims() -> None:
    shape = replace(QUICK_DRAW_FORMAT, stages=(replace(_TRIALS, games=6, hands=5), replace(_FINAL, hands=20)))
    played = play_contest(2, 12, shape, kind=CharacterBot)
    moments = list[list[OnAirEntry]]()
    for entry in aired([*with_notes(played, every=1)]):
        moments += [[]] if isinstance(entry.event, events.JournalEvent) else []
        moments[-1].append(entry)
    claims = told = games = hands = told_hands = 0
    after = list[type[events.Event]]()
    for moment in moments:
        first, *added = [entry.event for entry in moment]
        for each in added:
            if isinstance(each, StatisticsChanged):
                scores = [row.reading for row in each.rows if row.reading]
                claims, false = (sum(getattr(row, name) for row in scores) for name in ("claims", "false_claims"))
        if isinstance(first, events.StageStarted):
            games = first.games
        hands += isinstance(first, events.HandEnded)
        is_long_ago = isinstance(first, events.HandStarted) and games == 1 and hands >= told_hands + READING_HANDS
        is_due = (isinstance(first, events.GameStarted) or is_long_ago) and claims >= told + READING_EVERY
        is_due |= isinstance(first, events.GameEnded) and games == 1
        assert (SceneShown("reading") in added) == is_due
        if is_due:
            told, told_hands = claims, hands
            after.append(type(first))
            assert CaptionSpoken(f"Of {claims} claims in the bots' thoughts, {false} were false.") in added
            assert moment[0].hold_ms == SCENES["reading"].hold_ms
    assert Counter(after) == {events.GameStarted: 2, events.HandStarted: 1, events.GameEnded: 1}


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
        bots = entry.event.seats if isinstance(entry.event, events.GameStarted) else bots
        if isinstance(entry.event, events.HandEnded):
            first, *_, last = filter(None, map(reader.knowledge_at, range(1, 40)))
            one = reader.apply(events.NoteGiven(bots[first.seat], 1, thought))
            assert one
            assert (one.seat, one.claims) == (first.seat, ()), "before the flop, a claim about the board does not count"
            assert reader.apply(events.NoteGiven(bots[first.seat - 1], 1, thought)) is None
            said = reader.apply(events.NoteGiven(bots[last.seat], len(last.acts) + 1, thought))
            ranks = [card[0] for card in last.board]
            assert said
            assert [claim.right for claim in said.claims] == ([len({*ranks}) < len(ranks)] if ranks else [])
            checked += len(said.claims)
    assert checked > 20
    assert reader.apply(events.NoteGiven(1, 99, thought)) is None


def test_thoughts_on_a_forged_hand_are_not_read() -> None:
    reader = ThoughtReader()
    for forged in (
        events.GameStarted(1, 1, (1, 2), ()),
        events.HandStarted(1, 7, 1, 2, 0, (), ""),
        events.ActionTaken(9, "call", 1, 1, False, 1),
    ):
        assert reader.apply(forged) is None
    assert reader.apply(events.NoteGiven(1, 1, "I have the nuts.")) is None


def test_brier_score_and_calibration_use_the_real_chance() -> None:
    estimates = [(0.6, 0.6), (0.65, 0.5), (1.0, 1.0)]
    assert brier_score([(1.0, 1.0), (0.0, 0.0)]) == 0
    assert brier_score([(0.5, 0.3), (0.5, 0.9)]) == 0.25
    assert brier_score([(0.6, 0.6)]) == 0.24
    assert calibration(estimates)[6] == Calibration(2, 0.625, 0.55)
    assert calibration(estimates)[9] == Calibration(1, 1.0, 1.0)
    assert sum(line.estimates for line in calibration(estimates)) == 3
    assert brier_score([]) is None
