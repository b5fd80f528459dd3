"""The right hands of a film become highlights, the best of them fill a reel, and a sentence bridges each of its jumps.

Stored films are used if they are current.
"""

import gzip
from pathlib import Path

import msgspec
import pytest

from broadcast.film.film import FORMAT, Film, film_recording, open_film, write_film
from broadcast.film.highlights import (
    EVENING_REELS_MS,
    FADE_IN_MS,
    Pick,
    champion_pick,
    choose_reel,
    deciding_hand,
    ranked_picks,
)
from broadcast.film.outline import SURE_PERMILLE, FilmBot, FilmHand, FilmStreet, Outline
from broadcast.film.reel_film import GLANCE_MS, MAX_MOMENT_MS, MS_PER_CHARACTER, make_brisk_film
from broadcast.film.reel_sentences import MIN_BRIDGE_MS, bridge_ms, bridges_of
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
from tests.support.games.recordings import entries_of, small_contest

_NAMES = ("Doc", "Wyatt", "Tess")


def hand(score: int, *marks: str, by: int = 1, seconds: int = 30) -> FilmHand:
    """A hand of `seconds` that bot `by` wins. `marks` and `score` tell how remarkable it is."""
    won, told = [(by, 450, "straight, ten high")], f"{_NAMES[by - 1]} takes 450 with a straight, ten high"
    score, stars = score if marks else 0, [[2, 3] for _ in marks]
    return FilmHand(0, 0, 0, seconds * 1000, pot=450, score=score, marks=[*marks], won=won, told=told, stars=stars)


def outline(*hands: FilmHand, finished: bool = False) -> Outline:
    """Returns the outline of a film with `hands`, which begin a minute apart."""
    for number, each in enumerate(hands, 1):
        each.seq, each.last_seq = number * 100, number * 100 + 90
        each.at_ms, each.until_ms = number * 60_000, number * 60_000 + each.until_ms
    bots = tuple(FilmBot(bot, name) for bot, name in enumerate(_NAMES, 1))
    return Outline(hands=[FilmHand(1, 0), *hands], bots=bots, finished=finished)


def add_streets(to: FilmHand, *streets: tuple[str, int, bool]) -> None:
    """Adds streets: the name, its second in the hand, and whether a hand is sure to win then."""
    for name, second, sure in streets:
        to.streets.append(FilmStreet(name, to.seq + second, to.at_ms + second * 1000, sure=sure))


def numbers(picks: tuple[Pick, ...]) -> list[int]:
    return [pick.hand for pick in picks]


_SHOWDOWNS = [(80 - at, "All-in showdown", at % 3 + 1) for at in range(3)]


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
    film = outline(*(hand(score, *[mark] if mark else [], by=by) for score, mark, by in hands))
    assert numbers(ranked_picks(film)) == order


def test_deciding_hand_is_always_a_highlight_and_keeps_its_score() -> None:
    great = [hand(100, "Bad beat", by=at % 3 + 1) for at in range(5)]
    film = outline(*great, hand(0), finished=True)
    assert [pick.score for pick in ranked_picks(film) if pick.hand == 6] == [0]
    assert numbers(choose_reel(film, 60_000))[-1] == 6


def test_hand_that_decides_a_game_without_a_last_elimination_is_the_champions_largest_win() -> None:
    film = outline(hand(0, by=1), hand(90, "Upset", by=2), hand(80, "Bluff", by=1), hand(0, by=2), finished=True)
    film.champion = 2
    for number, won in enumerate((900, 450, 800, 100), 1):
        film.hands[number].won = [(film.hands[number].won[0][0], won, "")]
    assert deciding_hand(film) == 2
    assert numbers(choose_reel(film, 30_000)) == [2], "the last hand, in which nobody went out, decided nothing"
    film.hands[2].game = 1
    assert deciding_hand(film) == 4, "wins of earlier games decide nothing"
    film.hands[4].out = [(1, 490)]
    film.hands[2].game = 0
    assert deciding_hand(film) == 4
    film.finished = False
    assert deciding_hand(film) is None


def test_reel_omits_deals_summed_up_in_a_line_and_hands_whose_decisive_part_does_not_fit() -> None:
    told_in_a_line = hand(90, "Upset", seconds=3)
    long, fair = hand(90, "Bad beat", by=2, seconds=70), hand(50, "Bluff", by=3, seconds=40)
    film = outline(told_in_a_line, long, fair)
    add_streets(long, ("river", 60, False))
    long.decisive = FilmStreet("flop", long.seq + 10, long.at_ms + 5_000)
    assert numbers(choose_reel(film, 60_000)) == [3]
    assert numbers(choose_reel(film, 120_000)) == [2, 3]
    assert [(pick.hand, pick.street) for pick in choose_reel(film, 13_000)] == [(1, ""), (2, "river")], (
        "only these hands fit into 13 seconds"
    )


def test_reel_prefers_hands_that_moved_the_later_champion() -> None:
    film = outline(hand(0), hand(70, "Upset", by=1), hand(60, "Bluff", by=2))
    assert numbers(choose_reel(film, 30_000)) == [2]
    film.champion = 2
    for each, stacks in zip(film.hands[1:], ((100, 100, 100), (110, 100, 90), (60, 190, 50)), strict=True):
        each.seats, each.stacks = [1, 2, 3], {str(bot): stack for bot, stack in enumerate(stacks, 1)}
    assert numbers(choose_reel(film, 30_000)) == [3], "in hand 3, the champion won 30 % of all chips"


def test_headline_names_the_largest_pot_and_no_reel_fades_in_on_the_hand_before() -> None:
    film = outline(hand(90, "Bad beat", by=2))
    film.hands[1].told = "Tess takes 5,400 from the side pot; Doc and Wyatt split 225 from the main pot with nines"
    (pick,) = ranked_picks(film)
    assert pick.headline == "Bad beat for Wyatt and Tess: Tess takes 5,400 from the side pot"
    (whole,) = choose_reel(film, 100_000)
    assert [cut.from_ms for cut in cuts_of([(whole.at_ms, whole.until_ms)])] == [film.hands[1].at_ms]


@pytest.mark.parametrize("seconds", [1, 29, 30, 31, 90, 170, 3600])
def test_reel_is_filled_and_never_longer_than_requested(seconds: int) -> None:
    hands = [hand(30 + at, "Upset", by=at % 3 + 1, seconds=20 + at % 7) for at in range(40)]
    chosen = choose_reel(outline(*hands, finished=True), seconds * 1000)
    total = sum(pick.length_ms for pick in chosen)
    assert total <= seconds * 1000
    whole = sum(20 + at % 7 for at in range(40)) * 1000 - 40 * FADE_IN_MS
    assert total >= min(seconds * 1000 * 0.8 - 20_000, whole), (
        "a reel must be filled to 80 %, give or take one hand, or have all highlights"
    )


def test_long_hand_is_cut_to_its_end_so_the_best_fits_a_short_reel() -> None:
    long, bluff = hand(90, "Elimination", seconds=73), hand(40, "Bluff", by=2, seconds=15)
    film = outline(long, bluff, hand(0, by=3), finished=True)
    add_streets(long, ("flop", 20, False), ("turn", 40, False), ("river", 54, False))
    minute = choose_reel(film, 60_000)
    assert [(pick.hand, pick.street, pick.length_ms) for pick in minute if pick.hand < 3] == [(1, "river", 19_000)]
    assert (minute[0].seq, minute[0].last_seq) == (long.seq + 54, long.last_seq)
    assert [(pick.hand, pick.street) for pick in choose_reel(film, 200_000)] == [(1, "flop"), (2, ""), (3, "")]
    assert {pick.street for pick in choose_reel(film, 600_000)} == {""}, "hands that fit as a whole must not be cut"


def test_short_reel_holds_the_hands_that_are_worth_most_together() -> None:
    """A great hand of 40 seconds is worth less than two good hands of 25, but more than two fair hands."""
    good = [hand(90, "Bad beat", seconds=40), hand(80, "Upset", by=2, seconds=25), hand(78, "Bluff", by=3, seconds=25)]
    assert numbers(choose_reel(outline(*good), 50_000)) == [2, 3]
    fair = [hand(90, "Bad beat", seconds=40), hand(50, "Upset", by=2, seconds=25), hand(48, "Bluff", by=3, seconds=25)]
    assert numbers(choose_reel(outline(*fair), 50_000)) == [1]


def test_decisive_part_begins_at_the_last_turn_without_a_bet_when_no_hand_is_sure_to_win() -> None:
    film = film_recording(play_house_contest("arena", 3, 5))
    entries = {entry["seq"]: entry for entry in entries_of(film)}
    checked = without_suspense = 0
    for each in film.outline.hands[1:]:
        inside = [entries[seq] for seq in range(each.seq, each.last_seq + 1)]
        quiet, is_bet, chance = list[int](), False, 0
        for entry in inside:
            match entry["type"]:
                case "hand_started" | "street_dealt":
                    is_bet = False
                case "equities_changed":
                    chance = max((each["win"] for each in entry["chances"]), default=0)
                case "action_taken":
                    is_bet = is_bet or entry["act"] in ("bet", "raise")
                case "turn_started" if not is_bet:
                    without_suspense += chance >= SURE_PERMILLE
                    quiet += [entry["seq"]] if chance < SURE_PERMILLE else []
        acts = [entry for entry in inside if entry["type"] == "action_taken"]
        most = max(acts, key=lambda entry: (entry["amount"], -entry["seq"]), default={"amount": 0})
        if most["amount"]:
            before = max((seq for seq in quiet if seq < most["seq"]), default=None)
            assert (each.decisive.seq if each.decisive else None) == before
            checked += 1
    assert min(checked, without_suspense) > 20


@pytest.mark.parametrize("contest", ["arena", "quick-draw"])
def test_reels_of_an_evening_begin_no_hand_after_its_decisive_moment(contest: str) -> None:
    film = make_brisk_film(film_recording(play_house_contest(contest, 3, 6)))
    champion = champion_pick(film)
    assert champion
    for length_ms in EVENING_REELS_MS:
        picks = choose_reel(film.outline, length_ms - champion.length_ms)
        assert deciding_hand(film.outline) in numbers(picks)
        decisive = [(pick, film.outline.hands[pick.hand].decisive) for pick in picks]
        assert all(moment is None or pick.seq <= moment.seq for pick, moment in decisive)


def test_no_part_begins_on_a_street_on_which_a_hand_is_sure_to_win() -> None:
    show = film_recording(play_house_contest("arena", 3, 5))
    chances = {
        entry["at_ms"]: max(chance["win"] for chance in entry["chances"])
        for entry in entries_of(show)
        if entry["type"] == "equities_changed" and entry["chances"]
    }
    streets = [street for each in show.outline.hands for street in each.streets if street.at_ms in chances]
    assert [street.sure for street in streets] == [chances[street.at_ms] >= SURE_PERMILLE for street in streets]
    assert {street.sure for street in streets} == {True, False}
    best = hand(90, "Bad beat", seconds=73)
    film = outline(best, hand(80, "Upset", by=2, seconds=20))
    add_streets(best, ("flop", 20, False), ("turn", 40, True), ("river", 54, True))
    assert [(pick.hand, pick.street) for pick in choose_reel(film, 60_000)] == [(1, "flop")]
    assert [(pick.hand, pick.street) for pick in choose_reel(film, 40_000)] == [(2, "")]


def test_reels_are_cut_from_a_film_with_the_same_entries_and_only_as_much_time_as_their_words_need() -> None:
    entries = play_house_contest("quick-draw", 3, 8)
    show = film_recording(entries)
    acts = [each for each in entries_of(show) if each["type"] == "action_taken"]
    short = {each["seq"]: each["hold_ms"] for each in entries_of(make_brisk_film(show))}
    number = max(range(len(acts)), key=lambda at: acts[at]["hold_ms"] - short[acts[at]["seq"]])
    act = acts[number]
    caption = next(each for each in entries_of(show) if each["seq"] > act["seq"] and each["type"] == "caption_spoken")
    recorded = [entry.seq for entry in entries if isinstance(entry.event, ActionTaken)][number]
    speech = LineSpoken(sound_name(1), act["hold_ms"])
    show = film_recording(entries, spoken={recorded: spoken_line(recorded, caption["text"], speech)})
    film = make_brisk_film(show)
    was, now = entries_of(show), entries_of(film)
    times = ("at_ms", "hold_ms")
    assert [{**each, **dict.fromkeys(times)} for each in now] == [{**each, **dict.fromkeys(times)} for each in was]
    starts = {each["seq"]: each["at_ms"] for each in now}
    in_hands = set[int]()
    for each in film.outline.hands[1:]:
        assert each.at_ms == starts[each.seq]
        assert each.until_ms == max(entry["at_ms"] + entry["hold_ms"] for entry in now if entry["seq"] <= each.last_seq)
        moments = [*each.streets, *([each.decisive] if each.decisive else [])]
        assert all(moment.at_ms == starts[moment.seq] for moment in moments)
        in_hands |= {*range(each.seq, each.last_seq + 1)}
    for before, after in zip(was, now, strict=True):
        assert after["hold_ms"] <= before["hold_ms"]
        if after["hold_ms"] == 0:  # the film may pass over what follows a win
            continue
        assert after["hold_ms"] == before["hold_ms"] or (after["seq"] in in_hands and after["hold_ms"] >= MAX_MOMENT_MS)
        if after["type"] == "caption_spoken":
            needs = GLANCE_MS + MS_PER_CHARACTER * len(after["text"])
            assert after["hold_ms"] >= min(before["hold_ms"], needs)
    spoken = next(each for each in now if each["type"] == "line_spoken")
    assert spoken["hold_ms"] == speech.ms > short[act["seq"]], "a moment with speech must stay as long as in the show"
    assert film.outline.length_ms < show.outline.length_ms * 0.95
    assert film.outline.length_ms == max(each["at_ms"] + each["hold_ms"] for each in now)


def test_film_skips_everything_after_the_largest_win_except_one_line_or_the_eliminations() -> None:
    show = film_recording(play_house_contest("quick-draw", 3, 8))
    film = make_brisk_film(show)
    was, now = ({entry["seq"]: entry for entry in entries_of(each)} for each in (show, film))
    smaller_pots = 0
    for each in film.outline.hands[1:]:
        inside = range(each.seq, each.last_seq + 1)
        pots = {seq: now[seq]["amount"] for seq in inside if now[seq]["type"] == "pot_awarded"}
        won = max(pots, key=lambda seq: pots[seq], default=each.last_seq)
        passed = {seq for seq in inside if was[seq]["hold_ms"] and not now[seq]["hold_ms"]}
        assert all(seq > won for seq in passed)
        smaller_pots += len(passed & {*pots})
        said = [now[seq] for seq in inside if seq > won and now[seq]["type"] == "caption_spoken"]
        lines = {(line["at_ms"], line["hold_ms"]) for line in said if line["hold_ms"]}
        assert len(lines - {(now[won]["at_ms"], now[won]["hold_ms"])}) <= max(1, len(each.out))
    assert smaller_pots


def test_highlight_is_the_whole_hand_without_the_standings_after_the_hand() -> None:
    film = film_recording(small_contest())
    entries = {entry["seq"]: entry for entry in entries_of(film)}
    assert len(film.outline.hands) > 5
    for hand_shown, after in zip(film.outline.hands[1:], [*film.outline.hands[2:], None], strict=True):
        kinds = [entries[seq]["type"] for seq in range(hand_shown.seq, hand_shown.last_seq + 1)]
        assert kinds[0] == "hand_started"
        assert "hand_ended" in kinds
        assert not {"standings_changed", "game_ended", "stage_ended", "tournament_ended"} & {*kinds}
        assert kinds.count("bot_eliminated") == len(hand_shown.out)
        assert hand_shown.at_ms < hand_shown.until_ms <= (after.at_ms if after else film.outline.length_ms)
        assert hand_shown.pot == sum(amount for _, amount, _ in hand_shown.won)


def test_breaks_near_the_end_hide_neither_the_final_nor_the_champion() -> None:
    """There are two breaks in the final; the second is right before the last hand and lasts three seconds."""
    bots = (1, 2, 3, 4, 5, 6)
    final = [StageStarted(2, "High Noon", 1, 24, bots, (5000,) * 6, 0), GameStarted(2, 24, bots, (5000,) * 6)]
    shown = [
        *((event, 60_000) for event in [*opening(), *hand_events(1), *final, *hand_events(2)]),
        (ControlSet("card", "break until 21:15 CET", ""), 300_000),
        (ControlSet("card", "", ""), 1000),
        *((event, 2000) for event in hand_events(3)),
        (ControlSet("card", "break", ""), 3000),
        (ControlSet("card", "", ""), 1000),
        *((event, 2000) for event in hand_events(4)),
        (TournamentEnded((Placing(1, 1, 0),), ""), 20_000),
    ]
    aired, at_ms = list[AiredLine](), 0
    for seq, (_, ms) in enumerate(shown, 1):
        aired.append(AiredLine(seq, at_ms, ms))
        at_ms += ms
    film = film_recording([Entry(seq, 0, event) for seq, (event, _) in enumerate(shown, 1)], past_lines=aired)
    titles = [chapter.title for chapter in chapters_of(timeline_of(film))]
    expected = ["High Noon", "Break", "High Noon continues", "The champion: Billy the Kid"]
    assert titles[titles.index("High Noon") :] == expected


def test_stored_film_is_read_back_whole_unless_it_has_an_older_format(tmp_path: Path) -> None:
    path = tmp_path / "one.film"
    film = film_recording(small_contest())
    write_film(film, "stamp", path)
    found = open_film(path, "stamp")
    assert found
    index = msgspec.json.decode(gzip.decompress(found.gzipped_index()), type=Outline)
    assert Film(index, tuple(found.gzipped_segment(number) for number in range(found.segment_count))) == film
    path.write_bytes(path.read_bytes().replace(FORMAT.encode(), b"high-noon-film/3", 1))
    assert open_film(path, "stamp") is None


def test_clip_of_a_deal_ends_with_its_comparison_and_chapters_name_deals() -> None:
    film = film_recording(play_deals(3, 3, main=9, others=29))
    ends = [each["at_ms"] + each["hold_ms"] for each in entries_of(film) if each["type"] == "deal_compared"]
    assert [hand.until_ms for hand in film.outline.hands[1:]] == ends
    titles = [moment.title for moment in timeline_of(film).chapter_candidates]
    assert [title for title in titles if "deal" in title] == [f"The Final, deal {deal} of 3" for deal in (1, 2, 3)]
    assert not any("game" in title or "hand" in title for title in titles)


def numbered(number: int, stacks: tuple[int, ...], *out: int, stage: str = "High Noon", game: int = 2) -> FilmHand:
    """A hand of the first three bots. Bot 4, Rex, is in another game and has more chips than any of them."""
    return FilmHand(
        number * 100, 0, number * 100 + 90, stage=stage, game=game, hand=number, seats=[1, 2, 3],
        stacks={**{str(bot): stack for bot, stack in enumerate(stacks, 1)}, "4": 99_000},
        out=[(bot, number * 100 + 80) for bot in out],
    )  # fmt: skip


def part(number: int, *, champion: bool = False) -> Pick:
    return Pick(number, number * 100 + 95 * champion, number * 100 + 99, 0, 5000, (), 0, "")


_HANDS = [
    FilmHand(1, 0),
    numbered(1, (500, 500, 500), stage="The Trials", game=1),
    numbered(2, (600, 600, 300)),
    numbered(3, (900, 300, 300)),
    numbered(4, (1200, 300, 0), 3),
    numbered(5, (1250, 250, 0)),
]


_SECOND, _FIFTH = "High Noon, game 2, hand 2", "Game 2, hand 5, the last: Tess is out, and"


@pytest.mark.parametrize(
    ("parts", "sentences"),
    [
        ([part(1), part(2)], ["The Trials, game 1, hand 1", _SECOND]),
        ([part(2), part(3)], [_SECOND, "The next hand: Doc and Wyatt lead with 600 chips"]),
        ([part(2), part(5)], [_SECOND, "Three hands later: Tess is out, and Doc leads with 1,200 chips"]),
        ([part(3), part(5, champion=True)],
         ["High Noon, game 2, hand 3: Doc and Wyatt lead with 600 chips",
          f"{_FIFTH} Doc keeps the lead and wins with 1,250 chips"]),
        ([part(2), part(5, champion=True)], [_SECOND, f"{_FIFTH} Doc wins with 1,250 chips"]),
        ([part(5), part(5, champion=True)],
         ["High Noon, game 2, hand 5: Tess is out, and Doc leads with 1,200 chips", "Doc wins with 1,250 chips"]),
    ],
    ids=["another game", "next", "later", "kept the lead", "took the lead", "last hand shown"],
)  # fmt: skip
def test_sentence_says_how_much_later_who_is_out_and_who_leads(parts: list[Pick], sentences: list[str]) -> None:
    bots = tuple(FilmBot(bot, name) for bot, name in enumerate(("Doc", "Wyatt", "Tess", "Rex"), 1))
    outline = Outline(hands=_HANDS, bots=bots, finished=True, champion=1)
    assert list(bridges_of(outline, parts)) == sentences


def test_each_part_of_a_reel_begins_with_its_sentence_and_captions_wait_until_the_sentence_has_been_read() -> None:
    film = film_recording(small_contest())
    champion = champion_pick(film)
    assert champion
    picks = [*choose_reel(film.outline, 60_000), champion]
    timeline, sentences = timeline_of_reel(film, picks), bridges_of(film.outline, picks)
    assert all(sentences)
    begins = [moment.at_ms for moment in timeline.chapter_candidates]
    first = [next(spoken for spoken in timeline.captions if spoken.at_ms >= at) for at in begins]
    assert [(spoken.at_ms, spoken.text) for spoken in first] == list(zip(begins, sentences, strict=True))
    assert all(MIN_BRIDGE_MS <= spoken.hold_ms == bridge_ms(spoken.text) for spoken in first)
    ends = [spoken.at_ms + spoken.hold_ms for spoken in first]
    for spoken in set(timeline.captions) - {*first}:
        assert not any(at <= spoken.at_ms < end for at, end in zip(begins, ends, strict=True))
