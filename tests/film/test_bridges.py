"""At each jump of a reel, one sentence sums up the skipped time, with facts that were on air."""

import pytest

from broadcast.film.bridges import SHORTEST_MS, bridge_ms, bridges_of
from broadcast.film.film import film_of
from broadcast.film.highlights import Pick, champion_shown, reel
from broadcast.film.outline import FilmBot, FilmHand, Outline
from broadcast.film.timeline import timeline_of_reel
from tests.support.recordings import small_contest


def hand(number: int, stacks: tuple[int, ...], *out: int, stage: str = "High Noon", game: int = 2) -> FilmHand:
    """A hand among the bots that have a stack of 0 or more.

    Bot 4, Rex, is in another game and has more chips than any of them.
    """
    seats = [bot for bot, stack in enumerate(stacks, 1) if stack >= 0]
    chips = {**{str(bot): stack for bot, stack in enumerate(stacks, 1)}, "4": 99_000}
    return FilmHand(
        number * 100, 0, number * 100 + 90, stage=stage, game=game, hand=number, stacks=chips, seats=seats,
        out=[(bot, number * 100 + 80) for bot in out],
    )  # fmt: skip


def part(number: int, *, champion: bool = False) -> Pick:
    return Pick(number, number * 100 + 95 * champion, number * 100 + 99, 0, 5000, (), 0, "")


HANDS = [
    FilmHand(1, 0),
    hand(1, (500, 500, 500), stage="The Trials", game=1),
    hand(2, (600, 600, 300)),
    hand(3, (900, 300, 300)),
    hand(4, (1200, 300, 0), 3),
    hand(5, (1250, 250, 0)),
]


@pytest.mark.parametrize(
    ("parts", "sentences"),
    [
        ([part(1)], ["The Trials, game 1, hand 1"]),
        ([part(1), part(2)], ["The Trials, game 1, hand 1", "High Noon, game 2, hand 2"]),
        ([part(3)], ["High Noon, game 2, hand 3: Doc and Wyatt lead with 600 chips"]),
        ([part(2), part(3)], ["High Noon, game 2, hand 2", "The next hand: Doc and Wyatt lead with 600 chips"]),
        (
            [part(2), part(5)],
            ["High Noon, game 2, hand 2", "Three hands later: Tess is out, and Doc leads with 1,200 chips"],
        ),
        (
            [part(3), part(5, champion=True)],
            [
                "High Noon, game 2, hand 3: Doc and Wyatt lead with 600 chips",
                "Game 2, hand 5, the last: Tess is out, and Doc keeps the lead and wins with 1,250 chips",
            ],
        ),
        (
            [part(2), part(5, champion=True)],
            ["High Noon, game 2, hand 2", "Game 2, hand 5, the last: Tess is out, and Doc wins with 1,250 chips"],
        ),
        (
            [part(5), part(5, champion=True)],
            ["High Noon, game 2, hand 5: Tess is out, and Doc leads with 1,200 chips", "Doc wins with 1,250 chips"],
        ),
    ],
    ids=["first", "another game", "a tie", "next", "later", "kept the lead", "took the lead", "last hand shown"],
)  # fmt: skip
def test_sentence_says_how_much_later_who_is_out_and_who_leads(parts: list[Pick], sentences: list[str]) -> None:
    bots = tuple(FilmBot(bot, name) for bot, name in enumerate(("Doc", "Wyatt", "Tess", "Rex"), 1))
    outline = Outline(hands=HANDS, bots=bots, finished=True, champion=1)
    assert list(bridges_of(outline, parts)) == sentences


def test_each_part_of_a_reel_begins_with_its_sentence_and_captions_wait_until_the_sentence_has_been_read() -> None:
    film = film_of(small_contest())
    champion = champion_shown(film)
    assert champion
    picks = [*reel(film.outline, 60_000), champion]
    timeline, sentences = timeline_of_reel(film, picks), bridges_of(film.outline, picks)
    assert all(sentences)
    begins = [moment.at_ms for moment in timeline.moments]
    first = [next(spoken for spoken in timeline.spoken if spoken.at_ms >= at) for at in begins]
    assert [(spoken.at_ms, spoken.text) for spoken in first] == list(zip(begins, sentences, strict=True))
    assert all(SHORTEST_MS <= spoken.hold_ms == bridge_ms(spoken.text) for spoken in first)
    ends = [spoken.at_ms + spoken.hold_ms for spoken in first]
    for spoken in set(timeline.spoken) - {*first}:
        assert not any(at <= spoken.at_ms < end for at, end in zip(begins, ends, strict=True))
