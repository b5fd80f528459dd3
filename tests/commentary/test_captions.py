"""Captions are whole sentences that fit on screen, name hands correctly and are true."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from broadcast.commentary.commentary import Commentary
from broadcast.commentary.hand_names import draw_name, flop_name, hole_name, made_name, showdown_name
from broadcast.film.highlights import hands_worth_seeing
from broadcast.film.outline import OutlineBuilder
from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air import events as on_air
from broadcast.on_air.table_state import with_tables
from server.contests import CONTESTS
from server.game import events
from server.game.cards import parse_cards
from server.journal.journal import Entry, read_journal
from server.text.grammar import chance_text, fits_caption, join_within_width, name_in_sentence
from tests.commentary.checker.captions import CaptionCheck
from tests.commentary.storyteller.evening import Evening
from tests.commentary.storyteller.sentences import is_true
from tests.commentary.test_drama import play_one_hand
from tests.overlay.support.scripted_show import NAMES, Script, picture_after, pictures_of
from tests.support.games.contests import play_contest
from tests.support.games.hand_events import Show, opening
from tests.support.games.house_contests import play_house_contest
from tests.support.games.recordings import KEPT_FOLDER, KEPT_RECORDINGS, aired, with_names

BOTS, STACKS = (1, 2, 3, 4, 5, 6), (5000,) * 6
HAND_STARTED = events.HandStarted(1, 0, 50, 100, 0, STACKS, "")
FINAL_STARTED = events.StageStarted(2, "High Noon", 1, 24, (1, 2), STACKS[:2])
FINAL_GAME = events.GameStarted(2, 24, (1, 2), STACKS[:2])
DOC_LEAVES = events.BotDisconnected(2, "it hung up")
DOC_WINS = events.TournamentEnded((events.Placing(1, 2, 900),), "")
OPENING = opening()[0]
assert isinstance(OPENING, events.TournamentOpened)
TOP_THREE = "Billy the Kid, Doc Holobyte and Calamity Bayes"
TRIALS_END = "That's the end of The Trials."
MISSED_BLIND = "Doc Holobyte fails to post its blind and loses its seat."


def new_show() -> Show:
    """A show in which the first hand has started and no cards are on air yet."""
    show = Show()
    for event in [*opening(), HAND_STARTED]:
        show.after(event)
    return show


def caption_after(event: events.Event, show: Show) -> str:
    return "".join(addition.text for addition in show.after(event) if isinstance(addition, on_air.CaptionSpoken))


def captions_in(script: Script) -> list[str]:
    return [entry.event.text for entry in script.entries if isinstance(entry.event, on_air.CaptionSpoken)]


@pytest.mark.parametrize(
    ("show_events", "expected"),
    [
        ([replace(HAND_STARTED, hand=3)], "Hand 3 of 6. Billy the Kid has the button."),
        ([events.ActionTaken(1, "fold", 0, 0, False, 0, "disconnected")],
            "Doc Holobyte has lost its connection and folds."),
        ([events.TurnStarted(1, 0, 0, 0, 3000)], ""),
        ([events.GameEnded(1, (5000, 9000, 4000, 3000, 9000, 0))],
            "Game 1 is over. Doc Holobyte and Quick Quinn finish level at the top with 9,000 each."),
        ([events.BotEliminated(2, 1, 11)], "Doc Holobyte is out in 11th place."),
        ([events.SeatVacated(1, 0)], MISSED_BLIND),
        ([events.SeatVacated(1, 60)], f"{MISSED_BLIND} It forfeits its last 60 chips."),
        ([events.SeatVacated(1, 60), events.BotEliminated(2, 1, 5)], "Doc Holobyte is out in 5th place."),
        ([DOC_LEAVES], "Doc Holobyte has left the saloon."),
        ([events.BotWithdrawn(2, "never came")], "Doc Holobyte is withdrawn."),
        ([events.BotRated(1, 2, 100_450, 100_000)], "Doc Holobyte gains 4.5 points and is now rated 1,004.5."),
        ([events.StageCut(1)], "The organiser ends The Trials here."),
        ([events.StageStarted(1, "The Trials", 15, 6, BOTS, STACKS, 3)],
            "The Trials: 6 bots, and the top three ride on to High Noon."),
        ([FINAL_STARTED], "High Noon: Billy the Kid against Doc Holobyte."),
        ([replace(FINAL_STARTED, bots=BOTS[:3], stacks=STACKS[:3])], f"It's time for High Noon: {TOP_THREE}."),
        ([replace(FINAL_STARTED, bots=BOTS, stacks=STACKS)],
            "It's time for High Noon: Billy the Kid, Doc Holobyte, Calamity Bayes, Two-Pair Tess and 2 others."),
        ([replace(OPENING, rules=replace(OPENING.rules, hand_cap=20_000)), FINAL_STARTED, FINAL_GAME],
            "Billy the Kid and Doc Holobyte sit down. Both start every hand with 20,000 chips."),
        ([events.GameStarted(2, 6, (2, 1), STACKS[:2])], "Game 2: Doc Holobyte and Billy the Kid."),
        ([events.GameStarted(2, 6, BOTS, STACKS)],
            "Game 2: Billy the Kid, Doc Holobyte, Calamity Bayes, Two-Pair Tess, Quick Quinn and Wyatt Burp."),
        ([FINAL_STARTED, FINAL_GAME, replace(HAND_STARTED, stacks=STACKS[:2]), events.GameForfeited(2, 0, "timeout")],
            "Billy the Kid runs out of time and loses the game."),
        ([DOC_WINS], "Doc Holobyte wins the tournament!"),
        ([DOC_LEAVES, DOC_WINS], "Doc Holobyte wins the tournament, though it has been gone since game 1, hand 1!"),
        ([DOC_LEAVES, events.BotConnected(2), DOC_WINS], "Doc Holobyte wins the tournament!"),
        ([events.StageEnded(1, BOTS, (9000, 8000, 8000, 5000, 0, 0), (1, 2, 3))], f"{TRIALS_END} {TOP_THREE} ride on."),
        ([events.StageEnded(1, BOTS, (9000, 8000, 7000, 0, 0, 0), (1, 2, 3))],
            f"Only three bots have chips left. {TRIALS_END} {TOP_THREE} ride on."),
        ([events.StageEnded(1, BOTS, (9000, 7500, 7500, 7500, 0, 0), (1, 2, 3))],
            f"{TRIALS_END} Doc Holobyte, Calamity Bayes and Two-Pair Tess were level at 7,500,"
            " and the draw went to Doc Holobyte and Calamity Bayes."),
    ],
)  # fmt: skip
def test_each_event_has_its_caption(show_events: list[events.Event], expected: str) -> None:
    show = new_show()
    assert [caption_after(event, show) for event in show_events][-1] == expected


def test_standings_show_moves_except_in_a_stage_of_one_game() -> None:
    show = new_show()
    show.after(events.GameEnded(1, (1000, 2000, 3000, 4000, 5000, 15000)))
    show.after(events.GameStarted(2, 6, (6, 5, 4, 3, 2, 1), (15000, 5000, 4000, 3000, 2000, 1000)))
    show.after(events.BotEliminated(6, 0, 6))
    additions = show.after(events.GameEnded(2, (0, 20000, 4000, 3000, 2000, 1000)))
    (standings,) = (event for event in additions if isinstance(event, on_air.StandingsChanged))
    assert [(row.bot, row.moved) for row in standings.rows] == [(5, 1), (4, 1), (3, 1), (2, 1), (1, 1), (6, -5)]
    assert (standings.rows[-1].place, standings.rows[0].games, standings.advance) == (6, 2, 6)
    for event in (FINAL_STARTED, FINAL_GAME):
        show.after(event)
    caption, statistics = show.after(events.GameEnded(2, (10000, 0)))
    assert caption == on_air.CaptionSpoken("The last hand is over. Billy the Kid finishes with the most chips: 10,000.")
    assert isinstance(statistics, on_air.StatisticsChanged)


def test_series_announces_each_winner_and_ranks_bots_by_games_won() -> None:
    show, bots, stacks = Show(), (1, 2, 3), (300, 300, 300)
    series = events.StageStarted(1, "The Arena", 2, 0, bots, stacks, seats=12, series=True)
    assert caption_after(OPENING, show) == ""
    assert caption_after(series, show) == "The Arena: 2 games, and whoever wins the most is champion."
    for game in (1, 2):
        show.after(events.GameStarted(game, 0, bots, stacks))
        elimination = caption_after(events.BotEliminated(1, 0, 3), show)
        assert elimination == f"Billy the Kid is out of game {game} in 3rd place."
        additions = show.after(events.GameEnded(game, (0, 900, 0), (2, 3, 1)))
        score = f"has now won {game} game{'s' * (game > 1)}"
        assert on_air.CaptionSpoken(f"Doc Holobyte wins game {game} and {score}.") in additions
        (standings,) = (event for event in additions if isinstance(event, on_air.StandingsChanged))
        assert [(row.bot, row.wins, row.place) for row in standings.rows] == [(2, game, 0), (3, 0, 0), (1, 0, 0)]
    assert caption_after(DOC_WINS, show) == "Doc Holobyte wins the tournament with 2 games won!"


def test_caption_says_when_an_absent_champion_left() -> None:
    script = Script(NAMES[:2], contest="arena").connect().stage("Arena", games=1, advance=0).game((1, 2), hands=0)
    script.hand("fold").hand("fold").disconnect(1)
    for _ in range(16):
        script.hand("fold")
    script.crown([1, 2], [9000, 1000])
    captions = captions_in(script)
    assert captions[-1] == "Billy the Kid wins the tournament, though it has been gone since hand 2!"
    assert not [text for text in captions if text.startswith("Billy the Kid hasn't won a pot")]


@pytest.mark.parametrize(
    "names", [(), tuple("W" * 26 + f" {number:03}" for number in range(6))], ids=["usual names", "widest names"]
)
def test_captions_are_whole_sentences_that_fit(names: tuple[str, ...]) -> None:
    entries = aired(with_names(play_house_contest("quick-draw", 3, 6), *names))
    for text in (entry.event.text for entry in entries if isinstance(entry.event, on_air.CaptionSpoken)):
        assert re.search(r"[^.]\.$|!$", text), text
        assert fits_caption(text), text
        assert not re.search(r"  | [,.;:]|\ba [aeiou]|\ban [^aeiou]|\ba (two|three|four) |None|\{|\}", text), text
    phrases = [
        re.sub(r"^(?:[A-Z]\S*( \d+)? )+", "", entry.event.text)
        for act, entry in pairwise(entries)
        if getattr(act.event, "act", "") == "fold" and isinstance(entry.event, on_air.CaptionSpoken)
    ]
    assert not [phrase for phrase, next_phrase in pairwise(phrases) if phrase == next_phrase]


@pytest.mark.parametrize(
    ("cards", "board", "hand_name", "draw"),
    [
        ("As Kd", "Ac 7h 2d", "top pair", ""),
        ("Qs Qd", "Jc 7h 2d", "an overpair", ""),
        ("9s 9d", "9c 7h 2d", "a set of nines", ""),
        ("4s 3d", "Qc 9h 7d", "nothing", ""),
        ("4s 3d", "Qc Qh 7d", "only the pair on the board", ""),
        ("4h Qc", "3h 3s Th 3d", "just what is on the board", ""),
        ("As Ks", "Qs 7s 2d", "ace high", "a flush draw"),
        ("9s 8d", "7c 6h 2d", "nine high", "a straight draw"),
        ("As 2d", "3c 4h 9d", "ace high", "a gutshot"),
        ("As 2d", "6c 7h 8d 9s", "ace high", ""),
        ("9s 9d", "9c 9h 2d", "four of a kind", ""),
        ("9s 9h", "Jc 4h 4d", "pocket nines", ""),
        ("Js 8d", "Jc 8h 4h 4d", "two pair", ""),
        ("2s Ad", "2c 2h 9d", "trip deuces", ""),
        ("Js Ts", "9s 8s 7s", "a straight flush", ""),
    ],
)
def test_hands_and_draws_have_their_names(cards: str, board: str, hand_name: str, draw: str) -> None:
    hole, shared = parse_cards(cards), parse_cards(board)
    assert (made_name(hole, shared), draw_name(hole, shared, {*hole, *shared})) == (hand_name, draw)
    fives = parse_cards("5c 5d 5h 5s")
    assert draw != "a gutshot" or draw_name(hole, shared, {*hole, *shared, *fives}) == "", "the draw must need a five"


@pytest.mark.parametrize(
    ("hole", "board", "other_holes", "name"),
    [
        ("7s Jd", "7h Ac Qd 2c 3s", ["7d Td"], "pair of sevens, jack kicker"),
        ("7d Ad", "7h Kc Qd 2c 3s", ["Ks Jd"], "pair of sevens"),
        ("7d Ad", "7h Kc Qd 2c 3s", ["7s Jd"], "pair of sevens, ace kicker"),
        ("Ah Jd", "Kc Qd 9c 7s 2d", ["As Td"], "ace high, jack kicker"),
        ("Ad 2d", "Kd 9d 7d 4c 2s", ["Qd 3d"], "flush, ace high"),
        ("Td 2c", "Kd Qd 7d 4d 2s", ["9d 3c"], "flush, king-queen-ten"),
        ("Ks Jd", "Kc 4h 4d 9s 2c", ["Kd Td"], "two pair, kings and fours, jack kicker"),
        ("2s Ad", "9c 9h 9d 9s 7h", ["3c Kd"], "four nines, ace kicker"),
        ("4h 3d", "Ac Kh Qd Js Tc", ["5h 5d"], "straight, ace high, on the board"),
    ],
)
def test_kicker_is_named_only_if_it_decides_the_hand(hole: str, board: str, other_holes: list[str], name: str) -> None:
    assert showdown_name(parse_cards(hole), parse_cards(board), list(map(parse_cards, other_holes))) == name


def test_hole_cards_and_flops_have_their_names() -> None:
    assert hole_name(parse_cards("6s 6d")) == "pocket sixes"
    assert hole_name(parse_cards("Kd As")) == "ace-king"
    assert hole_name(parse_cards("7s 2s")) == "seven-deuce suited"
    assert flop_name(parse_cards("2h 6h Ah")) == "ace-six-deuce, all hearts"


def test_names_lists_and_chances_are_written_for_captions() -> None:
    name = "الشريف"
    assert [name_in_sentence("River"), name_in_sentence("Old Man River")] == ['"River"', "Old Man River"], (
        "a name that could be misread must be in quotation marks"
    )
    assert [name_in_sentence(name), name_in_sentence("Doc")] == [f"\u2068{name}\u2069", "Doc"]
    assert join_within_width(["Ada", "Bo", "Cy"], 40) == "Ada, Bo and Cy"
    assert join_within_width(["Ada", "Bo", "Cy"], 13) == "Ada and 2 others"
    assert join_within_width(["Ada", "Bo", "Cyrus", "Dinah"], 22) == "Ada, Bo and 2 others"
    assert join_within_width(["Ada", "Bo", "Alexandrina"], 20) == "Ada and 2 others", "no list may omit just one name"
    assert [chance_text(tenths) for tenths in (0, 4, 705, 996)] == ["0%", "less than 1%", "71%", "99%"]


def check_recording(entries: Iterable[Entry], count_every: int = 1) -> CaptionCheck:
    """Checks every statement about the hands. Recounts chances on the flop only in every `count_every`-th hand."""
    check, evening, commentary = CaptionCheck(count_every), Evening(), Commentary()
    for entry in with_tables(entries):
        situation = situation_after(entry)
        chances = [equities_of(situation)] if situation else []
        additions = commentary.events_after(entry, chances)
        check.apply(entry)
        for change in chances:
            check.record_chances(change)
        check.marks = [event for event in additions if isinstance(event, on_air.HighlightMarked)]
        has_scene = any(isinstance(event, on_air.SceneShown) for event in additions)
        for event in additions:
            if not (has_scene and isinstance(event, on_air.CaptionSpoken)):
                check_statement(check, evening, entry.event, event)
        evening.add(entry.event)
    assert check.checked > check.hands > 0
    return check


def check_statement(check: CaptionCheck, evening: Evening, event: events.Event, statement: events.Event) -> None:
    match statement:
        case on_air.CaptionSpoken(text=text) if isinstance(event, events.HandStarted):
            assert text.startswith(("Hand ", "Deal ")) or is_true(evening, text), f"{text!r} after {event}"
        case on_air.CaptionSpoken(text=text) if isinstance(event, events.HAND_EVENTS):
            if not isinstance(event, events.SeatVacated):
                check.caption(event, text)
        case on_air.HandNamed(seat=seat, ranking=ranking):
            assert ranking == check.shown_hand_name(seat)
        case on_air.HandTold(text=text):
            check.check_hand_line(text)


@pytest.mark.parametrize("recording", KEPT_RECORDINGS)
def test_everything_said_about_old_recordings_is_true(recording: str) -> None:
    check_recording(read_journal(KEPT_FOLDER / recording).entries)


@pytest.mark.parametrize("contest", CONTESTS)
@pytest.mark.parametrize(
    "play",
    [play_house_contest, lambda contest, seed, bots: play_contest(seed, bots, CONTESTS[contest].format)],
    ids=["house bots", "random bots"],
)
def test_everything_said_about_bots_is_true(play: Callable[[str, int, int], Sequence[Entry]], contest: str) -> None:
    hands, statements, bots = 0, 0, {"quick-draw": 8, "upac": 2}.get(contest, 6)
    for seed in range(5, 50):
        # It takes long to count chances on the flop, so they are checked only in every tenth hand.
        check = check_recording(play(contest, seed, bots), count_every=10)
        hands, statements = hands + check.hands, statements + check.checked
        if hands >= 40:
            break
    assert statements > 3 * hands >= 3 * 40


ALL_IN = "raise:1000 raise:3000 call"
RISING_STACKS = (1000, 3000, 3000)
EQUAL_STACKS = (3000, 3000, 3000)
BOARD = "7h As Qd 2c 3s"


def test_summary_names_the_winner_and_highlight_names_marked_bots() -> None:
    script = play_one_hand(ALL_IN, ("7s Jd", "Ah Ac", "7d Td"), BOARD, RISING_STACKS)
    builder = OutlineBuilder()
    for entry, picture in zip(script.entries, pictures_of(script.entries), strict=True):  # `picture`: the show's state
        builder.record(entry, picture)
    hand = builder.outline.hands[-1]
    (line,) = (entry.event.text for entry in script.entries if isinstance(entry.event, on_air.HandTold))
    assert line == hand.told == "Doc Holobyte wins 7,000 with three aces"
    assert (hand.marks[0], hand.stars[0]) == ("Elimination", [1, 3])  # `stars[0]`: the bots with the first mark
    (highlight,) = hands_worth_seeing(builder.outline)
    assert highlight.caption == f"Elimination of Billy the Kid and Calamity Bayes: {line}"


@pytest.mark.parametrize(
    ("acts", "holes", "board", "stacks", "caption"),
    [
        ("call call call call", ("As Kd", "Qh Jh", "9s 9d", "7c 6c"), "8d 5c Ts 2d 3s", (3000,) * 4,
            "The flop comes ten-eight-five, and Calamity Bayes is in front with pocket nines."),
        ("call call down", ("9h 8h", "Ad Tc", "4s 3c"), "Th 7h 2c Kd Ks", EQUAL_STACKS,
            "The flop comes ten-seven-deuce, and Billy the Kid is the favourite, 59% to win."),
        ("call call call raise:2900", ("9s 8h", "2h 2c", "As Kd"), "2d 2s 4c Td Jc", EQUAL_STACKS,
            "Billy the Kid moves all in for 2,900, drawing dead against Doc Holobyte."),
        ("call call call call call call call call call raise:2900", ("9s 8h", "Ah Kd", "Qh Qc"), BOARD, EQUAL_STACKS,
            "Billy the Kid shoves for 2,900, but Calamity Bayes has the best hand."),
        ("", ("As Kd", "Qh Qc", "9s 8h"), BOARD, (3000, 3000, 60),
            "Calamity Bayes posts its last 60 chips as the big blind."),
        ("raise:300 fold fold", ("5h 4c", "9h 9c", "6s 5d"), BOARD, EQUAL_STACKS,
            "The uncalled 200 goes back to Billy the Kid."),
        ("call call down", ("Ks 2d", "Qs 3c", "9h 8h"), "As 7s 4c 5s 6s", EQUAL_STACKS,
            "Billy the Kid takes 300 chips with an ace-king-high flush."),
        ("call call down", ("2s Kd", "9s 8c", "Jh 8h"), "Ah 3s 4c 5d Qh", EQUAL_STACKS,
            "Billy the Kid takes 300 chips with a wheel."),
        ("call call down", ("As Ac", "Ks 2c", "Jh 8h"), "Ah Kd Kc 5d Qh", EQUAL_STACKS,
            "Billy the Kid takes 300 chips with aces full of kings."),
        ("call call down", ("Ks 2d", "Kc 3c", "9h 8h"), "As Qd 4c 5s 6h", EQUAL_STACKS,
            "Billy the Kid and Doc Holobyte split 300 chips: both have ace-king high."),
        ("call call down", ("2s Kd", "2c Kc", "2h Kh"), "As 7d Qc Js Th", EQUAL_STACKS,
            "Billy the Kid, Doc Holobyte and Calamity Bayes split 300 chips: all have an ace-high straight."),
    ],
)  # fmt: skip
def test_rare_moments_have_these_captions(
    acts: str, holes: tuple[str, ...], board: str, stacks: tuple[int, ...], caption: str
) -> None:
    assert caption in captions_in(play_one_hand(acts, holes, board, stacks))


def test_captions_leave_out_equal_chances_and_obvious_chips() -> None:
    level_captions = captions_in(play_one_hand("", ("As Kd", "Ah Kc"), stacks=(3000, 3000)))
    assert level_captions[-1] == "Hand 1 of 6. Billy the Kid has the button."
    walk_captions = captions_in(play_one_hand("fold fold", ("5h 4c", "9h 9c", "6s 5d"), stacks=EQUAL_STACKS))
    assert not [text for text in walk_captions if "uncalled" in text], "no caption may mention that a blind goes back"
    for acts, stacks, mentions in (("raise:3000 call call", EQUAL_STACKS, 0), (ALL_IN, RISING_STACKS, 1)):
        big_pot = play_one_hand(acts, ("5s Jd", "Ah Ac", "7d Td"), BOARD, stacks)
        assert [entry for entry in big_pot.entries if getattr(entry.event, "mark", "") == "Big pot"]
        # If there are several pots, one caption gives their total: the "big pot". A single pot needs no such caption.
        assert sum("big pot" in text for text in captions_in(big_pot)) == mentions


def test_picture_leaves_out_kickers_that_decide_nothing() -> None:
    script = play_one_hand(ALL_IN, ("Ks Kc", "7s Jd", "8d Td"), BOARD, RISING_STACKS)
    hands = [entry.event for entry in script.entries if isinstance(entry.event, events.HandShown)]
    assert next(hand.ranking for hand in hands if hand.seat == 0) == "pair of kings, ace kicker"
    assert picture_after(script.entries).seats[0].ranking == "pair of kings"
