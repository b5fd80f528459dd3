"""Highlights are hands worth seeing again, from a film (a recorded show). A reel is a film of the best highlights."""

import gzip
from pathlib import Path

import msgspec
import pytest

from broadcast.film import highlights
from broadcast.film.film import FORMAT, Film, film_recording, open_film, write_film
from broadcast.film.highlights import (
    FADE_IN_MS,
    FilmPart,
    champion_part,
    choose_reel,
    deciding_hand,
    hands_worth_seeing,
)
from broadcast.film.outline import SURE_PERMILLE, FilmBot, FilmHand, FilmStreet, Outline
from broadcast.film.reel_film import GLANCE_MS, MAX_MOMENT_MS, MS_PER_CHARACTER, make_reel_film
from broadcast.film.reel_sentences import MIN_BRIDGE_MS, bridge_ms, bridge_sentences
from broadcast.film.timeline import timeline_of, timeline_of_reel
from broadcast.on_air.diary import AiredLine, sound_name, spoken_line
from broadcast.on_air.events import LineSpoken
from broadcast.video.frames import cuts_of
from broadcast.video.youtube import chapters_of
from server.game.events import ActionTaken, ControlSet, GameStarted, Placing, StageStarted, TournamentEnded
from server.journal.journal import Entry
from tests.support.games.deals import play_deals
from tests.support.games.hand_events import hand_events, opening
from tests.support.games.house_contests import play_house_contest
from tests.support.games.recordings import entries_of, of_kind, small_contest

_NAMES = ("Doc", "Wyatt", "Tess")


def hand(score: int, *marks: str, winner: int = 1, pot: int = 450, seconds: int = 30) -> FilmHand:
    """Returns a hand that bot `winner` wins. Marks such as "Bluff" make it a highlight. Without marks, it scores 0."""
    won, told = [(winner, pot, "straight, ten high")], f"{_NAMES[winner - 1]} takes {pot} with a straight, ten high"
    score, stars = score if marks else 0, [[2, 3] for _ in marks]  # `stars`: which bots earned each mark
    return FilmHand(0, 0, 0, seconds * 1000, pot=pot, score=score, marks=[*marks], won=won, told=told, stars=stars)


def outline(*hands: FilmHand, finished: bool = False) -> Outline:
    """Returns a film's outline, which lists these hands, numbered from 1. The hands begin a minute apart."""
    for number, hand in enumerate(hands, 1):
        hand.seq, hand.last_seq = number * 100, number * 100 + 90
        hand.at_ms, hand.until_ms = number * 60_000, number * 60_000 + hand.until_ms
    bots = tuple(FilmBot(bot, name) for bot, name in enumerate(_NAMES, 1))
    return Outline(hands=[FilmHand(1, 0), *hands], bots=bots, finished=finished)


def add_streets(film_hand: FilmHand, *streets: tuple[str, int, bool]) -> None:
    """Adds streets: (name, seconds since the hand began, whether a bot then has at least a 90 % chance to win)."""
    for name, second, sure in streets:
        film_hand.streets.append(FilmStreet(name, film_hand.seq + second, film_hand.at_ms + second * 1000, sure=sure))


def hand_numbers(parts: tuple[FilmPart, ...]) -> list[int]:
    return [part.hand for part in parts]


_SHOWDOWNS = [(80, "All-in showdown", 1), (79, "All-in showdown", 2), (78, "All-in showdown", 3)]


@pytest.mark.parametrize(
    ("hands", "order"),
    [
        ([(30, "Bluff", 1), (90, "Bad beat", 2), (60, "Upset", 3)], [2, 3, 1]),
        ([(99, "", 1), (20, "Bluff", 1)], [2]),
        ([*_SHOWDOWNS, (70, "Bluff", 1)], [1, 2, 4, 3]),
        ([*_SHOWDOWNS, (50, "Bluff", 1)], [1, 2, 3, 4]),
        ([(80, "Upset", 1), (79, "Bluff", 1), (78, "High hand", 1), (74, "Big pot", 2)], [1, 4, 2, 3]),
        ([(50, "Bluff", 1), (0, "", 1)], [1]),
    ],
    ids=["best first", "marked only", "other mark is near", "other mark is far", "other winner", "broken off"],
)
def test_marked_hands_are_ranked_by_score_and_variety(hands: list[tuple[int, str, int]], order: list[int]) -> None:
    film = outline(*(hand(score, *[mark] if mark else [], winner=winner) for score, mark, winner in hands))
    assert hand_numbers(hands_worth_seeing(film)) == order


def test_deciding_hand_is_always_a_highlight_and_keeps_its_score() -> None:
    great_hands = [hand(100, "Bad beat", winner=index % 3 + 1) for index in range(5)]
    film = outline(*great_hands, hand(0), finished=True)
    assert [part.score for part in hands_worth_seeing(film) if part.hand == 6] == [0]
    assert hand_numbers(choose_reel(film, 60_000))[-1] == 6


def test_champions_largest_win_decides_a_game_without_a_last_elimination() -> None:
    hands = hand(0, pot=900), hand(90, "Upset", winner=2), hand(80, "Bluff", pot=800), hand(0, winner=2, pot=100)
    film = outline(*hands, finished=True)
    film.champion = 2
    assert deciding_hand(film) == 2
    assert hand_numbers(choose_reel(film, 30_000)) == [2], "nobody went out in the last hand, so it decided nothing"
    film.hands[2].game = 1
    assert deciding_hand(film) == 4, "a win in an earlier game must decide nothing"
    film.hands[4].out = [(1, 490)]
    film.hands[2].game = 0
    assert deciding_hand(film) == 4
    film.finished = False
    assert deciding_hand(film) is None


def test_reel_has_the_whole_decisive_part_of_a_hand_or_omits_the_hand() -> None:
    brief_hand = hand(90, "Upset", seconds=3)
    long_hand, fair_hand = hand(90, "Bad beat", winner=2, seconds=70), hand(50, "Bluff", winner=3, seconds=40)
    film = outline(brief_hand, long_hand, fair_hand)
    add_streets(long_hand, ("river", 60, False))
    long_hand.decisive = FilmStreet("flop", long_hand.seq + 10, long_hand.at_ms + 5_000)
    assert hand_numbers(choose_reel(film, 60_000)) == [3]
    assert [(part.hand, part.street) for part in choose_reel(film, 66_000)] == [(2, "flop")]
    assert hand_numbers(choose_reel(film, 120_000)) == [2, 3]
    assert [(part.hand, part.street) for part in choose_reel(film, 13_000)] == [(1, ""), (2, "river")]


def test_reel_prefers_hands_that_changed_the_champions_chips() -> None:
    film = outline(hand(0), hand(70, "Upset", winner=1), hand(60, "Bluff", winner=2))
    assert hand_numbers(choose_reel(film, 30_000)) == [2]
    film.champion = 2
    for film_hand, stacks in zip(film.hands[1:], ((100, 100, 100), (110, 100, 90), (60, 190, 50)), strict=True):
        film_hand.seats, film_hand.stacks = [1, 2, 3], {str(bot): stack for bot, stack in enumerate(stacks, 1)}
    assert hand_numbers(choose_reel(film, 30_000)) == [3], "in hand 3, the champion won 30 % of all chips"


def test_headline_names_the_largest_pot_and_the_cut_begins_with_its_hand() -> None:
    film = outline(hand(90, "Bad beat", winner=2))
    film.hands[1].told = "Tess takes 5,400 from the side pot; Doc and Wyatt split 225 from the main pot with nines"
    (part,) = hands_worth_seeing(film)
    assert part.headline == "Bad beat for Wyatt and Tess: Tess takes 5,400 from the side pot"
    (whole_part,) = choose_reel(film, 100_000)
    assert [cut.from_ms for cut in cuts_of([(whole_part.at_ms, whole_part.until_ms)])] == [film.hands[1].at_ms]


@pytest.mark.parametrize("seconds", [1, 29, 30, 31, 90, 170, 3600])
def test_reel_is_filled_and_never_longer_than_requested(seconds: int) -> None:
    hands = [hand(30 + index, "Upset", winner=index % 3 + 1, seconds=20 + index % 7) for index in range(40)]
    total = sum(part.length_ms for part in choose_reel(outline(*hands, finished=True), seconds * 1000))
    assert total <= seconds * 1000
    all_ms = sum(20 + index % 7 for index in range(40)) * 1000 - 40 * FADE_IN_MS
    assert total >= min(seconds * 1000 * 0.8 - 20_000, all_ms), "the reel must have no room for another highlight"


def test_short_reel_has_only_the_end_of_a_long_hand() -> None:
    long_hand, bluff_hand = hand(90, "Elimination", seconds=73), hand(40, "Bluff", winner=2, seconds=15)
    film = outline(long_hand, bluff_hand, hand(0, winner=3), finished=True)
    add_streets(long_hand, ("flop", 20, False), ("turn", 40, False), ("river", 54, False))
    minute_reel = choose_reel(film, 60_000)
    assert [(part.hand, part.street, part.length_ms) for part in minute_reel if part.hand < 3] == [(1, "river", 19_000)]
    assert (minute_reel[0].seq, minute_reel[0].last_seq) == (long_hand.seq + 54, long_hand.last_seq)
    assert [(part.hand, part.street) for part in choose_reel(film, 200_000)] == [(1, "flop"), (2, ""), (3, "")]
    assert {part.street for part in choose_reel(film, 600_000)} == {""}, "hands that fit as a whole must not be cut"


@pytest.mark.parametrize(("scores", "chosen"), [((90, 80, 78), [2, 3]), ((90, 50, 48), [1])])
def test_great_hand_outranks_two_fair_hands_but_not_two_good_hands(scores: tuple[int, ...], chosen: list[int]) -> None:
    parts = zip(scores, ("Bad beat", "Upset", "Bluff"), (1, 2, 3), (40, 25, 25), strict=True)
    hands = [hand(score, mark, winner=winner, seconds=seconds) for score, mark, winner, seconds in parts]
    assert hand_numbers(choose_reel(outline(*hands), 50_000)) == chosen


def test_decisive_part_begins_at_the_last_quiet_turn_before_the_big_bet() -> None:
    film = film_recording(play_house_contest("arena", 3, 5))
    entries = {entry["seq"]: entry for entry in entries_of(film)}
    checked_hands = without_suspense = 0
    for each in film.outline.hands[1:]:
        hand_entries = [entries[seq] for seq in range(each.seq, each.last_seq + 1)]
        quiet_turns, is_bet, chance = list[int](), False, 0
        for entry in hand_entries:
            match entry["type"]:
                case "hand_started" | "street_dealt":
                    is_bet = False
                case "equities_changed":
                    chance = max((each["win"] for each in entry["chances"]), default=0)
                case "action_taken":
                    is_bet = is_bet or entry["act"] in ("bet", "raise")
                case "turn_started" if not is_bet:
                    without_suspense += chance >= SURE_PERMILLE
                    quiet_turns += [entry["seq"]] if chance < SURE_PERMILLE else []
        actions = [entry for entry in hand_entries if entry["type"] == "action_taken"]
        largest_bet = max(actions, key=lambda entry: (entry["amount"], -entry["seq"]), default={"amount": 0})
        if largest_bet["amount"]:
            expected = max((seq for seq in quiet_turns if seq < largest_bet["seq"]), default=None)
            assert (each.decisive.seq if each.decisive else None) == expected
            checked_hands += 1
    assert min(checked_hands, without_suspense) > 20


def test_no_part_begins_after_the_winner_is_certain() -> None:
    show = film_recording(play_house_contest("arena", 3, 5))
    chances = {
        entry["at_ms"]: max(chance["win"] for chance in entry["chances"])
        for entry in entries_of(show)
        if entry["type"] == "equities_changed" and entry["chances"]
    }
    streets = [street for each in show.outline.hands for street in each.streets if street.at_ms in chances]
    assert [street.sure for street in streets] == [chances[street.at_ms] >= SURE_PERMILLE for street in streets]
    assert {street.sure for street in streets} == {True, False}
    best_hand = hand(90, "Bad beat", seconds=73)
    film = outline(best_hand, hand(80, "Upset", winner=2, seconds=20))
    add_streets(best_hand, ("flop", 20, False), ("turn", 40, True), ("river", 54, True))
    assert [(part.hand, part.street) for part in choose_reel(film, 60_000)] == [(1, "flop")]
    assert [(part.hand, part.street) for part in choose_reel(film, 40_000)] == [(2, "")]


def test_reel_film_keeps_every_entry_and_time_to_read_it() -> None:
    entries = play_house_contest("quick-draw", 3, 8)
    show = film_recording(entries)
    acts = [item for item in entries_of(show) if item["type"] == "action_taken"]
    reel_holds = {item["seq"]: item["hold_ms"] for item in entries_of(make_reel_film(show))}
    action_number = max(range(len(acts)), key=lambda index: acts[index]["hold_ms"] - reel_holds[acts[index]["seq"]])
    act = acts[action_number]
    caption = next(item for item in entries_of(show) if item["seq"] > act["seq"] and item["type"] == "caption_spoken")
    action_seq = [entry.seq for entry in entries if isinstance(entry.event, ActionTaken)][action_number]
    speech = LineSpoken(sound_name(1), act["hold_ms"])
    show = film_recording(entries, spoken={action_seq: spoken_line(action_seq, caption["text"], speech)})
    film = make_reel_film(show)
    full_entries, reel_entries = entries_of(show), entries_of(film)
    without_times = [[item | {"at_ms": 0, "hold_ms": 0} for item in items] for items in (full_entries, reel_entries)]
    assert without_times[0] == without_times[1]
    starts = {item["seq"]: item["at_ms"] for item in reel_entries}
    in_hands = set[int]()
    for hand in film.outline.hands[1:]:
        assert hand.at_ms == starts[hand.seq]
        ends = (entry["at_ms"] + entry["hold_ms"] for entry in reel_entries if entry["seq"] <= hand.last_seq)
        assert hand.until_ms == max(ends)
        moments = [*hand.streets, *([hand.decisive] if hand.decisive else [])]
        assert all(moment.at_ms == starts[moment.seq] for moment in moments)
        in_hands |= {*range(hand.seq, hand.last_seq + 1)}
    for before, after in zip(full_entries, reel_entries, strict=True):
        assert after["hold_ms"] <= before["hold_ms"]
        if after["hold_ms"] == 0:  # A reel may skip what follows a win.
            continue
        assert after["hold_ms"] == before["hold_ms"] or (after["seq"] in in_hands and after["hold_ms"] >= MAX_MOMENT_MS)
        if after["type"] == "caption_spoken":
            needed_ms = GLANCE_MS + MS_PER_CHARACTER * len(after["text"])
            assert after["hold_ms"] >= min(before["hold_ms"], needed_ms)
    spoken = next(item for item in reel_entries if item["type"] == "line_spoken")
    assert spoken["hold_ms"] == speech.ms > reel_holds[act["seq"]], "the reel must show a moment until its speech ends"
    assert film.outline.length_ms < show.outline.length_ms * 0.95
    assert film.outline.length_ms == max(item["at_ms"] + item["hold_ms"] for item in reel_entries)


def test_reel_shows_after_a_win_only_one_line_or_the_eliminations() -> None:
    show = film_recording(play_house_contest("quick-draw", 3, 8))
    film = make_reel_film(show)
    full_entries, reel_entries = ({entry["seq"]: entry for entry in entries_of(source)} for source in (show, film))
    smaller_pots = 0
    for hand in film.outline.hands[1:]:
        seqs = range(hand.seq, hand.last_seq + 1)
        pots = {seq: reel_entries[seq]["amount"] for seq in seqs if reel_entries[seq]["type"] == "pot_awarded"}
        win = max(pots, key=lambda seq: pots[seq], default=hand.last_seq)
        skipped = {seq for seq in seqs if full_entries[seq]["hold_ms"] and not reel_entries[seq]["hold_ms"]}
        assert all(seq > win for seq in skipped)
        smaller_pots += len(skipped & {*pots})
        captions = [reel_entries[seq] for seq in seqs if seq > win and reel_entries[seq]["type"] == "caption_spoken"]
        lines = {(line["at_ms"], line["hold_ms"]) for line in captions if line["hold_ms"]}
        assert len(lines - {(reel_entries[win]["at_ms"], reel_entries[win]["hold_ms"])}) <= max(1, len(hand.out))
    assert smaller_pots


def test_highlight_is_a_whole_hand_without_the_standings_after_it() -> None:
    film = film_recording(small_contest())
    entries = {entry["seq"]: entry for entry in entries_of(film)}
    assert len(film.outline.hands) > 5
    for hand, next_hand in zip(film.outline.hands[1:], [*film.outline.hands[2:], None], strict=True):
        entry_types = [entries[seq]["type"] for seq in range(hand.seq, hand.last_seq + 1)]
        assert entry_types[0] == "hand_started"
        assert "hand_ended" in entry_types
        assert not {"standings_changed", "game_ended", "stage_ended", "tournament_ended"} & {*entry_types}
        assert entry_types.count("bot_eliminated") == len(hand.out)
        assert hand.at_ms < hand.until_ms <= (next_hand.at_ms if next_hand else film.outline.length_ms)
        assert hand.pot == sum(amount for _, amount, _ in hand.won)


def test_breaks_near_the_end_hide_neither_the_final_nor_the_champion() -> None:
    """The final has two breaks. The second break lasts three seconds, and comes just before the last hand."""
    bots = (1, 2, 3, 4, 5, 6)
    final = [StageStarted(2, "High Noon", 1, 24, bots, (5000,) * 6, 0), GameStarted(2, 24, bots, (5000,) * 6)]
    events_and_ms = [
        *((event, 60_000) for event in [*opening(), *hand_events(1), *final, *hand_events(2)]),
        (ControlSet("card", "break until 21:15 CET", ""), 300_000),
        (ControlSet("card", "", ""), 1000),
        *((event, 2000) for event in hand_events(3)),
        (ControlSet("card", "break", ""), 3000),
        (ControlSet("card", "", ""), 1000),
        *((event, 2000) for event in hand_events(4)),
        (TournamentEnded((Placing(1, 1, 0),), ""), 20_000),
    ]
    lines, at_ms = list[AiredLine](), 0
    for seq, (_, ms) in enumerate(events_and_ms, 1):
        lines.append(AiredLine(seq, at_ms, ms))
        at_ms += ms
    film = film_recording([Entry(seq, 0, event) for seq, (event, _) in enumerate(events_and_ms, 1)], past_lines=lines)
    titles = [chapter.title for chapter in chapters_of(timeline_of(film))]
    expected = ["High Noon", "Break", "High Noon continues", "The champion: Billy the Kid"]
    assert titles[titles.index("High Noon") :] == expected


def test_stored_film_is_read_back_whole_unless_it_has_an_older_format(tmp_path: Path) -> None:
    path = tmp_path / "one.film"
    film = film_recording(small_contest())
    write_film(film, "stamp", path)
    stored = open_film(path, "stamp")
    assert stored
    index = msgspec.json.decode(gzip.decompress(stored.gzipped_index()), type=Outline)
    assert Film(index, tuple(stored.gzipped_segment(number) for number in range(stored.segment_count))) == film
    path.write_bytes(path.read_bytes().replace(FORMAT.encode(), b"high-noon-film/3", 1))
    assert open_film(path, "stamp") is None


def test_clip_ends_after_tables_are_compared_and_chapters_have_deal_numbers() -> None:
    film = film_recording(play_deals(3, 3, first_table_seed=9, other_tables_seed=29))
    ends = [each["at_ms"] + each["hold_ms"] for each in entries_of(film) if each["type"] == "deal_compared"]
    assert [hand.until_ms for hand in film.outline.hands[1:]] == ends
    titles = [moment.title for moment in timeline_of(film).chapter_candidates]
    assert [title for title in titles if "deal" in title] == [f"The Final, deal {deal} of 3" for deal in (1, 2, 3)]
    assert not any("game" in title or "hand" in title for title in titles)


def numbered_hand(number: int, stacks: tuple[int, ...], *out: int, stage: str = "High Noon", game: int = 2) -> FilmHand:
    """Returns a hand of bots 1 to 3. Bot 4 (Rex) has more chips, but does not lead, because it is not in this game."""
    return FilmHand(
        number * 100, 0, number * 100 + 90, stage=stage, game=game, hand=number, seats=[1, 2, 3],
        stacks={**{str(bot): stack for bot, stack in enumerate(stacks, 1)}, "4": 99_000},
        out=[(bot, number * 100 + 80) for bot in out],
    )  # fmt: skip


def film_part(number: int, *, champion: bool = False) -> FilmPart:
    """Returns the part of a reel that shows a hand or, if `champion`, the champion's scene after that hand."""
    return FilmPart(number, number * 100 + 95 * champion, number * 100 + 99, 0, 5000, (), 0, "")


_GAME_HANDS = [
    FilmHand(1, 0),
    numbered_hand(1, (500, 500, 500), stage="The Trials", game=1),
    numbered_hand(2, (600, 600, 300)),
    numbered_hand(3, (900, 300, 300)),
    numbered_hand(4, (1200, 300, 0), 3),
    numbered_hand(5, (1250, 250, 0)),
]
_HAND_2, _LAST_HAND = "High Noon, game 2, hand 2", "Game 2, hand 5, the last: Tess is out, and"


@pytest.mark.parametrize(
    ("parts", "sentences"),
    [
        ([film_part(1), film_part(2)], ["The Trials, game 1, hand 1", _HAND_2]),
        ([film_part(2), film_part(3)], [_HAND_2, "The next hand: Doc and Wyatt lead with 600 chips"]),
        ([film_part(2), film_part(5)], [_HAND_2, "Three hands later: Tess is out, and Doc leads with 1,200 chips"]),
        ([film_part(3), film_part(5, champion=True)],
         ["High Noon, game 2, hand 3: Doc and Wyatt lead with 600 chips",
          f"{_LAST_HAND} Doc keeps the lead and wins with 1,250 chips"]),
        ([film_part(2), film_part(5, champion=True)], [_HAND_2, f"{_LAST_HAND} Doc wins with 1,250 chips"]),
        ([film_part(5), film_part(5, champion=True)],
         ["High Noon, game 2, hand 5: Tess is out, and Doc leads with 1,200 chips", "Doc wins with 1,250 chips"]),
    ],
    ids=["another game", "next hand", "later hand", "kept the lead", "took the lead", "last hand shown"],
)  # fmt: skip
def test_bridge_sentence_says_which_hand_comes_who_is_out_and_who_leads(
    parts: list[FilmPart], sentences: list[str]
) -> None:
    bots = tuple(FilmBot(bot, name) for bot, name in enumerate(("Doc", "Wyatt", "Tess", "Rex"), 1))
    outline = Outline(hands=_GAME_HANDS, bots=bots, finished=True, champion=1)
    assert list(bridge_sentences(outline, parts)) == sentences  # Each sentence comes before a part of the reel.


def test_reel_has_a_chapter_for_each_hand_and_ends_with_the_champion() -> None:
    film, (ended,) = film_recording(small_contest()), of_kind(small_contest(), TournamentEnded)
    champion = champion_part(film)
    assert champion
    parts = [*choose_reel(film.outline, 400_000), champion]
    reel, sentences = timeline_of_reel(film, parts), bridge_sentences(film.outline, parts)
    assert all(sentences)
    assert reel.length_ms == sum(part.length_ms for part in parts) <= 400_000 + highlights.CHAMPION_MS
    assert len(reel.chapter_candidates) == len(parts) > 3
    begins = [chapter.at_ms for chapter in reel.chapter_candidates]
    first = [next(caption for caption in reel.captions if caption.at_ms >= at_ms) for at_ms in begins]
    assert [(caption.at_ms, caption.text) for caption in first] == list(zip(begins, sentences, strict=True))
    assert all(MIN_BRIDGE_MS <= caption.hold_ms == bridge_ms(caption.text) for caption in first)
    ends = [caption.at_ms + caption.hold_ms for caption in first]
    assert [caption.at_ms for caption in reel.captions] == sorted(caption.at_ms for caption in reel.captions)
    for caption in set(reel.captions) - {*first}:
        assert 0 <= caption.at_ms <= reel.length_ms - caption.hold_ms
        assert not any(begin <= caption.at_ms < end for begin, end in zip(begins, ends, strict=True))
    assert reel.chapter_candidates[-1].title == f"The champion: Bot {ended.placings[0].bot}"
    assert reel.length_ms - begins[-1] == highlights.CHAMPION_MS
    (cut,) = cuts_of([(champion.at_ms, champion.until_ms)])
    assert cut.from_ms == (highlights.tournament_end(film) or {})["at_ms"], (
        "the champion must be on screen from the first frame"
    )
    assert champion_part(film_recording(small_contest()[:-1])) is None
