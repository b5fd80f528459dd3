"""The booth (the commentators' page) states true facts, keeps notes, and leaves storylines on air long enough."""

import asyncio
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from pokerkit import StandardHighHand

from broadcast.booth.live_hands import LiveHand, live_hands
from broadcast.booth.notebook import MAX_NOTE_CHARACTERS, MAX_NOTES, Notebook, NotebookContent
from broadcast.booth.standings_if_wins import StandingIfWins, standings_if_wins
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import Seat, State
from broadcast.show import commentator_aids
from broadcast.show.commentator_aids import MIN_EARLIER_HANDS, SECONDS_PER_CHARACTER, StorylineOnAir, Tempo
from server.game.cards import DECK, Card
from server.game.events import HandEnded, TurnStarted
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.support.games.house_contests import play_house_contest
from tests.support.programs.in_node import Node

SEATS = 5


def deal_table(holes: Sequence[Sequence[Card]], board: Sequence[Card], folded: Sequence[int] = ()) -> State:
    """Returns a picture (state of the show) in which seat number n has the cards `holes[n]`."""
    seats = (Seat(at + 1, 1000, cards=tuple(two), dealt_in=True, folded=at in folded) for at, two in enumerate(holes))
    return State(board=tuple(board), seats=tuple(seats))


def find_best_seats(holes: Sequence[Sequence[Card]], board: Sequence[Card], live: Sequence[int]) -> set[int]:
    hands = {seat: StandardHighHand.from_game("".join(holes[seat]), "".join(board)) for seat in live}
    return {seat for seat, hand in hands.items() if hand == max(hands.values())}


@pytest.mark.parametrize("seed", range(12))
def test_leaders_and_outs_match_pokerkit(seed: int) -> None:
    dice = random.Random(seed)
    deck = dice.sample(DECK, 2 * SEATS + 5)
    holes = [(deck[2 * seat], deck[2 * seat + 1]) for seat in range(SEATS)]
    folded = dice.sample(range(SEATS), dice.randint(0, 3))
    live = [seat for seat in range(SEATS) if seat not in folded]
    for board in (deck[-5:-2], deck[-5:-1], deck[-5:]):
        hands = {hand.seat: hand for hand in live_hands(deal_table(holes, board, folded))}
        leaders = find_best_seats(holes, board, live)
        assert [*hands] == live
        assert {seat for seat, hand in hands.items() if hand.since} == leaders  # `since`: when the lead began
        next_cards = [card for card in DECK if card not in (*board, *sum(holes, ()))] if len(board) < 5 else []
        winners = [find_best_seats(holes, [*board, card], live) for card in next_cards]
        for seat, hand in hands.items():
            is_behind = next_cards and seat not in leaders
            assert hand.outs == (sum(seat in seats for seats in winners) if is_behind else None)


def test_booth_names_each_hand_and_the_street_on_which_it_took_the_lead() -> None:
    holes = (("As", "Ah"), ("Kd", "Kc"), ("7h", "2d"))
    assert live_hands(deal_table(holes, ("Qs", "8d", "3c", "Kh"), folded=(2,))) == [
        LiveHand(0, "pair", "", 2),
        LiveHand(1, "three of a kind", "turn", None),
    ]
    river = live_hands(deal_table(holes, ("Qs", "8d", "3c", "Kh", "Ad"), folded=(2,)))
    assert [each.since for each in river] == ["river", ""]
    royal = live_hands(deal_table((("As", "Ks"), ("9d", "9c")), ("Qs", "Js", "Ts")))
    assert [each.made for each in royal] == ["royal flush", "pair"]
    flop, unknown = ("Qs", "8d", "3c"), ("", "")
    assert live_hands(deal_table(holes, ())) == [], "before the flop, no hand may have a name"
    assert live_hands(deal_table(holes, flop, folded=(1, 2))) == []
    assert live_hands(deal_table((("As", "Ah"), unknown), flop)) == [], "if cards are unknown, no hand may have a name"


def play_to_the_call(games: int, qualifiers: int) -> State:
    """Returns the picture while two bots are all in with 1,000 and 3,000 chips, and the third bot has to decide."""
    script = Script(NAMES[:3]).connect().stage(games=games, advance=qualifiers).game((1, 2, 3), (1000, 3000, 5000))
    entries = script.hand("raise:1000 raise:3000 call").entries
    turn = max(at for at, entry in enumerate(entries, 1) if isinstance(entry.event, TurnStarted))
    return picture_after(entries[:turn])


def test_booth_says_which_place_each_possible_winner_would_take() -> None:
    doc, bayes = "2nd, 800 chips behind Calamity Bayes; Billy the Kid is out", "5,200 chips"
    billy = "2nd, 2,800 chips behind Calamity Bayes"
    state = play_to_the_call(games=1, qualifiers=0)
    assert [each.text for each in standings_if_wins(state)] == [billy, doc, bayes]
    assert standings_if_wins(play_to_the_call(games=15, qualifiers=2))[0].text == f"{billy}, 100 chips above the line"
    assert state.stage
    state_of_deals = replace(state, stage=replace(state.stage, deals=True))
    assert not standings_if_wins(state_of_deals), "places depend on all tables of a deal, not on one table's pot"


def test_claimed_place_comes_true_if_nobody_bets_again() -> None:
    """Before a pot is awarded, the booth claims a place for each possible winner. The final stacks must agree."""
    state, claims, checked_count = State(), list[StandingIfWins](), 0
    for entry in play_house_contest("arena", 3, 6):
        picture_before = state
        state = reduce(state, entry.seq, entry.at_ms, 0, entry.event)
        if state.hand and not state.hand.over and not state.awards:
            claims = standings_if_wins(state)
        if isinstance(entry.event, HandEnded) and claims:
            winners = [at for at, seat in enumerate(picture_before.seats) if seat.won]
            text = next((each.text for each in claims if winners == [each.seat]), "")
            if claim := re.search(r"(1st by |, )([\d,]+) chips?(?: behind|;|$)", text):
                gap, stacks = int(claim[2].replace(",", "")), [seat.stack for seat in state.seats]
                winners_stack = stacks.pop(winners[0])
                assert winners_stack == max(stacks) + gap if claim[1] == "1st by " else winners_stack + gap in stacks
                checked_count += 1
    assert checked_count > 20


def test_needed_equity_is_cost_divided_by_possible_win(node: Node) -> None:
    code = """async ([committed, seat, to_call], load) => (await load("/static/js/booth/current-hand.js"))
      .neededToCall(committed.map((committed) => ({ committed })), { seat, to_call })"""
    assert node.evaluate(code, [[50, 100, 0], 2, 100]) == 400
    assert node.evaluate(code, [[1000, 5000, 500], 2, 500]) == 167


def test_booth_omits_a_hand_name_that_the_plate_shows(node: Node) -> None:
    code = """async ([seat, made], load) => (await load("/static/js/booth/current-hand.js"))
      .madeBeside((await load("/static/js/common/format.js")).plateOf(seat, null, false, true).tone, { made })"""
    seat = {"dealt_in": True, "ranking": "three kings"}  # a plate is a seat's panel on the screen
    assert node.evaluate(code, [seat, "three of a kind"]) == ""
    assert node.evaluate(code, [{**seat, "ranking": ""}, "three of a kind"]) == "three of a kind"


def test_commentator_who_looked_away_gets_the_news(node: Node) -> None:
    code = """async ([before, missed, state], load) =>
      (await load("/static/js/booth/since-we-spoke.js")).missedWords(before, missed, state)"""
    bots = {1: {"name": "Doc"}, 2: {"name": "Tess"}, 3: {"name": "Billy"}}
    state = {"stage": {"bots": [1, 2, 3]}, "bots": bots, "standings": {"rows": []}}
    state_before = {"out": [], "stacks": {"1": 900, "2": 600, "3": 500}, "told": "", "pot": 0}  # `told`: what happened
    small_pot = {"out": [], "stacks": {"1": 950, "2": 550, "3": 500}, "told": "Doc takes 50", "pot": 50}
    large_pot = {"out": [[3, 77]], "stacks": {"1": 900, "2": 1100, "3": 0}, "told": "Tess takes 1,050", "pot": 1050}
    news = ["Out: Billy.", "Tess leads instead of Doc, with 1,100.", "Tess takes 1,050."]
    assert node.evaluate(code, [state_before, [small_pot, large_pot], state]) == news
    assert node.evaluate(code, [state_before, [small_pot], state]) == ["Doc takes 50."]
    state_of_deals, pot_of_a_deal = state | {"stage": {"bots": [1, 2, 3], "deals": True}}, large_pot | {"out": []}
    news_of_a_deal = node.evaluate(code, [state_before, [pot_of_a_deal], state_of_deals])
    assert news_of_a_deal == ["Tess takes 1,050."], "each deal begins with equal stacks, so stacks show no leader"
    rows = [{"bot": 3, "per_deal": 305}, {"bot": 1, "per_deal": 120}]
    sentences = node.evaluate(code, [state_before, [pot_of_a_deal], state_of_deals | {"standings": {"rows": rows}}])
    assert sentences[0] == "Billy leads with +305 chips per deal."


def test_end_is_announced_for_the_game_or_the_deal(node: Node) -> None:
    code = "async (schedule, load) => (await load('/static/js/booth/run-of-show.js')).endWords(schedule)"
    schedule = {"items": [{"title": "The Final", "state": "on", "game": 3}], "ends": {"game": [0, 0, 0]}}
    assert node.evaluate(code, schedule)[0].startswith("End of this game: about ")
    schedule["items"][0]["deals"] = True  # type: ignore[index]
    assert node.evaluate(code, schedule)[0].startswith("End of this deal: about ")


def test_pause_topics_begin_with_background_and_omit_aired_ones(node: Node) -> None:
    code = """async (lines, load) => (await load("/static/js/booth/topic-card.js"))
      .topicsForPause(lines).map(({ key }) => key)"""
    levels = ["just now", "background", "for a pause"]
    lines = [{"key": importance, "importance": importance, "told": None} for importance in levels]  # none was aired
    aired = {"key": "aired", "importance": "background", "told": 3}
    assert node.evaluate(code, [*lines, aired]) == ["background", "for a pause", "just now"]


def test_notes_and_ticks_survive_a_restart(tmp_path: Path) -> None:
    first = Notebook(tmp_path / "show.booth")
    first.write("Ask about the feathers.", "Ann", 1_000)
    first.write("Thank the sponsors.", "Bob", 1_060)
    first.tick(2, done=True)  # ticks item 2 of the run of show (the plan)
    first.erase(1)
    content = Notebook(tmp_path / "show.booth").content
    (note,) = content.notes
    assert (note.number, note.at, note.by, note.text) == (2, 1_060, "Bob", "Thank the sponsors.")
    assert content.done == {2}


def test_notes_are_short_lines_and_the_oldest_is_dropped() -> None:
    notebook = Notebook(None)
    notebook.write(f"  two\nlines\x00 {'x' * 500}", "Ann", 0)
    assert notebook.content.notes[0].text == f"two lines {'x' * 500}"[:MAX_NOTE_CHARACTERS]
    for number in range(MAX_NOTES):
        notebook.write(f"note {number}", "Ann", 0)
    assert [notebook.content.notes[0].text, len(notebook.content.notes)] == ["note 0", MAX_NOTES]
    with pytest.raises(ValueError, match="empty"):
        notebook.write(" \n ", "Ann", 0)
    with pytest.raises(ValueError, match="already been erased"):
        notebook.erase(1)


def test_notebook_works_with_a_damaged_file_and_without_a_disk(tmp_path: Path) -> None:
    file = tmp_path / "show.booth"
    for content in (b"", b"{", b'{"notes": 7}', b"\xff\xfe", b"[" * 100_000):
        file.write_bytes(content)
        assert Notebook(file).content == NotebookContent(), content
    notebook = Notebook(file / "a file is in the way" / "show.booth")
    notebook.tick(0, done=True)
    assert notebook.content.done == {0}


async def test_storyline_that_replaces_another_stays_for_its_whole_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commentator_aids, "BASE_SECONDS", 0.1)
    loop, removal, on_air = asyncio.get_running_loop(), asyncio.Event(), list[tuple[float, str]]()

    def put(text: str) -> None:
        on_air.append((loop.time(), text))
        if not text:
            removal.set()

    storyline = StorylineOnAir(put)  # a storyline is a text of the commentators, on air for a while
    for text in ("one", "two, and longer"):
        storyline.show(text, pinned=False)
    await removal.wait()
    (_, first), (began, second), (ended, last) = on_air
    assert (first, second, last) == ("one", "two, and longer", "")
    assert ended - began >= 0.1 + SECONDS_PER_CHARACTER * len(second)


def test_hand_is_long_or_short_compared_with_earlier_hands() -> None:
    tempo = Tempo()
    for _ in range(MIN_EARLIER_HANDS):
        tempo.rate_hand(20_000)
        assert not tempo.hand_length, "the first hands have too few earlier hands to compare with"
    for ms, pace in ((20_000, ""), (31_000, "long"), (29_000, ""), (11_000, "short"), (13_000, "")):
        tempo.rate_hand(ms)
        assert tempo.hand_length == pace
