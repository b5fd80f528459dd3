"""Which hands of a film are highlights, and which of them fill a given length."""

import pytest

from broadcast.film.film import film_of
from broadcast.film.highlights import LAST_HAND, Pick, ranked, reel
from broadcast.film.outline import FilmBot, FilmHand, FilmStreet, Outline
from broadcast.film.segments import read_segment
from tests.support.recordings import small_contest

_NAMES = ("Doc", "Wyatt", "Tess")


def hand(score: int, *marks: str, by: int = 1, seconds: int = 30) -> FilmHand:
    """A hand of so many seconds that bot `by` took."""
    won = [(by, 450, "straight, ten high")]
    told = f"{_NAMES[by - 1]} takes 450 with a straight, ten high"
    stars = [[2, 3] for _ in marks]
    hand = FilmHand(0, 0, until_ms=seconds * 1000, pot=450, score=score if marks else 0, marks=list(marks), won=won)
    hand.told, hand.stars = told, stars
    return hand


def outline(*hands: FilmHand, finished: bool = False) -> Outline:
    """A film of these hands, a minute apart."""
    for number, each in enumerate(hands, 1):
        each.seq, each.last_seq = number * 100, number * 100 + 90
        each.at_ms, each.until_ms = number * 60_000, number * 60_000 + each.until_ms
    stars = tuple(FilmBot(bot, name) for bot, name in enumerate(_NAMES, 1))
    return Outline(hands=[FilmHand(1, 0), *hands], bots=stars, finished=finished)


def numbers(picks: tuple[Pick, ...]) -> list[int]:
    return [pick.hand for pick in picks]


def test_the_hand_with_the_most_of_a_story_comes_first() -> None:
    film = outline(hand(30, "Bluff"), hand(90, "Bad beat", by=2), hand(60, "Upset", by=3))
    assert numbers(ranked(film)) == [2, 3, 1]


def test_a_hand_that_earned_no_mark_is_no_highlight() -> None:
    assert numbers(ranked(outline(hand(99), hand(20, "Bluff")))) == [2]


def test_a_third_hand_of_the_same_mark_gives_way_to_another_that_is_near() -> None:
    same = [hand(80 - at, "All-in showdown", by=at % 3 + 1) for at in range(3)]
    assert numbers(ranked(outline(*same, hand(70, "Bluff", by=1)))) == [1, 2, 4, 3]
    assert numbers(ranked(outline(*same, hand(50, "Bluff", by=1)))) == [1, 2, 3, 4], "that one is not near"


def test_the_same_bot_does_not_win_all_that_is_shown() -> None:
    marks = ("Upset", "Bluff", "High hand")
    same = [hand(80 - at, mark, by=1) for at, mark in enumerate(marks)]
    assert numbers(ranked(outline(*same, hand(74, "Big pot", by=2))))[:2] == [1, 4]


def test_the_hand_that_decides_the_contest_is_always_worth_a_place() -> None:
    great = [hand(100, "Bad beat", by=at % 3 + 1) for at in range(5)]
    film = outline(*great, hand(0), finished=True)
    assert 6 in numbers(ranked(film))
    assert numbers(reel(film, 60_000))[-1] == 6
    assert next(pick for pick in ranked(film) if pick.hand == 6).score == 0, f"it is ranked as if it had {LAST_HAND}"


def test_the_last_hand_of_what_was_broken_off_decides_nothing() -> None:
    assert numbers(ranked(outline(hand(50, "Bluff"), hand(0)))) == [1]


def test_a_reel_goes_in_the_order_of_the_show() -> None:
    film = outline(hand(30, "Bluff"), hand(90, "Bad beat", by=2), hand(60, "Upset", by=3))
    assert numbers(reel(film, 600_000)) == [1, 2, 3]


@pytest.mark.parametrize("seconds", [1, 29, 30, 31, 60, 89, 90, 150, 170, 3600])
def test_a_reel_is_never_longer_than_was_asked_for(seconds: int) -> None:
    hands = [hand(30 + at, "Upset", by=at % 3 + 1, seconds=20 + at % 7) for at in range(40)]
    chosen = reel(outline(*hands, finished=True), seconds * 1000)
    total = sum(pick.length_ms for pick in chosen)
    assert total <= seconds * 1000
    assert total >= min(seconds * 1000 * 0.8 - 20_000, sum(20 + at % 7 for at in range(40)) * 1000), "it is well filled"


def test_where_the_greatest_hand_does_not_fit_others_do() -> None:
    film = outline(hand(99, "Bad beat", seconds=70), hand(50, "Bluff", by=2), hand(40, "Upset", by=3))
    assert numbers(reel(film, 60_000)) == [2, 3]


def test_one_great_hand_goes_before_two_fair_ones() -> None:
    film = outline(hand(90, "Bad beat", seconds=60), hand(50, "Bluff", by=2), hand(50, "Upset", by=3))
    assert numbers(reel(film, 60_000)) == [1]


def test_a_long_hand_is_cut_to_how_it_ends_and_the_best_has_a_place_in_a_short_reel() -> None:
    film = outline(
        hand(90, "Elimination", seconds=73), hand(40, "Bluff", by=2, seconds=15), hand(0, by=3), finished=True
    )
    best = film.hands[1]
    for name, seconds in (("flop", 20), ("turn", 40), ("river", 54)):
        best.streets.append(FilmStreet(name, best.seq + seconds, best.at_ms + seconds * 1000))
    minute = reel(film, 60_000)
    assert [(pick.hand, pick.street, pick.length_ms) for pick in minute if pick.hand < 3] == [(1, "river", 19_000)]
    assert (minute[0].seq, minute[0].last_seq) == (best.seq + 54, best.last_seq)
    longer = reel(film, 200_000)
    assert [(pick.hand, pick.street) for pick in longer] == [(1, "flop"), (2, ""), (3, "")]
    assert {pick.street for pick in reel(film, 600_000)} == {""}, "there is room for all of it"


def test_the_streets_of_a_film_are_where_their_cards_are_dealt() -> None:
    film = film_of(small_contest())
    for number, shown in enumerate(film.outline.hands[1:], 1):
        entries = {entry["seq"]: entry for entry in read_segment(film.segments[number]).entries}
        dealt = [
            (each["street"], each["seq"], each["at_ms"]) for each in entries.values() if each["type"] == "street_dealt"
        ]
        assert [(street.name, street.seq, street.at_ms) for street in shown.streets] == dealt
    assert any(hand.streets for hand in film.outline.hands)


def test_no_film_and_no_room_give_no_reel() -> None:
    assert reel(outline(), 180_000) == ()
    assert reel(outline(hand(90, "Bad beat")), 0) == ()


def test_why_says_in_words_who_took_what_with_what() -> None:
    film = outline(hand(90, "Bad beat", "Big pot"), hand(60, "All-in showdown"), hand(0, by=3), finished=True)
    assert {pick.hand: pick.why for pick in ranked(film)} == {
        1: "Bad beat for Wyatt and Tess: Doc takes 450 with a straight, ten high",
        2: "All-in showdown: Doc takes 450 with a straight, ten high",
        3: "The last hand: Tess takes 450 with a straight, ten high",
    }


def test_of_a_hand_everything_is_seen_but_the_table_of_standings_after_it() -> None:
    film = film_of(small_contest())
    entries = {entry["seq"]: entry for segment in film.segments for entry in read_segment(segment).entries}
    assert len(film.outline.hands) > 5
    for hand_shown, after in zip(film.outline.hands[1:], [*film.outline.hands[2:], None], strict=True):
        stretch = [entries[seq] for seq in range(hand_shown.seq, hand_shown.last_seq + 1)]
        kinds = [entry["type"] for entry in stretch]
        assert kinds[0] == "hand_started"
        assert "hand_ended" in kinds
        assert not {"standings_changed", "game_ended", "stage_ended", "tournament_ended"} & {*kinds}
        assert kinds.count("bot_eliminated") == len(hand_shown.out)
        assert hand_shown.at_ms < hand_shown.until_ms <= (after.at_ms if after else film.outline.length_ms)
        assert hand_shown.pot == sum(amount for _, amount, _ in hand_shown.won)
