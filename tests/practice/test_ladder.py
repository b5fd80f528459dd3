"""A bot's place on the ladder of house bots follows from its games against them, and is hardly ever wrong."""

import random
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.app.practice.own_games import OwnGame
from server.app.practice.own_pages import MAX_GAMES, OwnPages
from server.app.results.place import MAX_RESULTS, Results, place_of, with_result
from server.bots.house.ladder import LADDER
from tests.practice.test_own_pages import wait_for_games
from tests.practice.test_tcp_games import play_game, register
from tests.support.program import serving_program

RUNGS = len(LADDER)


def earned(mean: float, games: int = 30) -> tuple[float, ...]:
    """Makes up a bot's earnings in `games` games, which have exactly the mean `mean`."""
    dice = random.Random(games)
    noise = [dice.gauss(0, 1000) for _ in range(games)]
    return tuple(mean + each - sum(noise) / games for each in noise)


@pytest.mark.parametrize(("means", "place", "words"), [
    ([2000, 1500, 900, -900, -2000], (3, 3), "At 95 % confidence it is in place 3 of 6."),
    ([2000, 1500, 50, -50, -2000], (2, 4), "At 95 % confidence it is in place 2 to 4 of 6."),
    ([0, 0, 0, 0, 0], (1, 6), "At 95 % confidence it is in place 1 to 6 of 6."),
    ([3000, 2500, 2000, 1500, 1000], (1, 1), "At 95 % confidence it is in place 1 of 6."),
    ([-3000, -3000, -3000, -3000, -3000], (6, 6), "At 95 % confidence it is in place 6 of 6."),
    ([2000, -2000, 2000, 0, 0], (None, None),
     "It beats Ranch Hand and loses to Drifter, which is weaker, so it has no definite place."),
])  # fmt: skip
def test_bot_is_placed_between_the_rungs_it_surely_beats_and_surely_loses_to(
    means: list[float], place: tuple[int | None, int | None], words: str
) -> None:
    found = place_of(tuple(earned(mean) for mean in means))
    assert ((found.best, found.worst), found.words) == (place, words)
    assert [step.strength for step in found.steps] == list(range(RUNGS, 0, -1))


def test_rungs_met_rarely_or_never_leave_the_place_undecided() -> None:
    assert place_of(()).words == "It has not played against a rung yet."
    few = place_of(((), (), earned(5000, 4)))
    assert (few.best, few.worst, few.steps[2].games, few.steps[2].interval) == (1, RUNGS + 1, 4, None)
    more = place_of(((), (), earned(5000, 20)))
    assert (more.best, more.worst) == (1, 3), "a bot that beats a rung must be above all weaker rungs"


def test_bot_that_equals_every_rung_is_misplaced_in_at_most_5_of_100_cases() -> None:
    dice, wrong = random.Random(7), 0
    for _ in range(400):
        found = place_of(tuple(tuple(dice.choice((-1, 1)) * dice.expovariate(1) for _ in range(25)) for _ in LADDER))
        wrong += (found.best, found.worst) != (1, RUNGS + 1)
    assert wrong <= 0.05 * 400 + 9, "the share may exceed 5 of 100 by two standard errors"


def test_games_against_rungs_count_after_restarts_and_once_they_are_unlisted(tmp_path: Path) -> None:
    pages = OwnPages(tmp_path)
    token = pages.token("Tess", "up the ladder")
    for number in range(MAX_GAMES + 5):
        game = OwnGame("", number, 1, 2, 6, 0, float(number), 3000, strength=2)
        pages.add(token, "Tess", game, 2)
    pages.add(token, "Tess", OwnGame("", 0, 1, 2, 5, 0, 9.0, 3000, strength=3))
    pages.add(token, "Tess", OwnGame("", 0, 1, 2, 6, 0, None, 3000, strength=4), 4)
    page = OwnPages(tmp_path).page(token)
    assert page
    assert [game.begun for game in page.games] == [*range(7, MAX_GAMES + 5), 0, 0], "the oldest results must be dropped"
    assert page.rungs[1] == tuple(map(float, range(MAX_GAMES + 5)))
    assert not any(page.rungs[number] for number in (0, 2, 3, 4)), "games that are uneven or unknown must not count"
    next(tmp_path.glob("*.json")).write_bytes(b"[")
    assert pages.page(token) is None, "a damaged file must count as empty"
    results: Results = ()
    for number in range(MAX_RESULTS + 1):
        results = with_result(results, RUNGS, float(number))
    assert results[-1] == tuple(map(float, range(1, MAX_RESULTS + 1)))


def test_practice_games_count_for_the_ladder_and_the_page_shows_the_place(tmp_path: Path) -> None:
    with serving_program("practice", "--speed", "0", "--data", str(tmp_path)) as program:
        wishes: dict[str, Any] = {"name": "Climber", "key": "up the ladder", "test_game_size": 2, "house_strength": 1}
        for hands, strength in ((2, 1), (2, 1), (3, 1), (2, 0)):
            reply = register(program, **wishes | {"test_hand_count": hands, "house_strength": strength})
            uneven = [words for words in reply.get("warnings", ()) if "does not count for the ladder" in words]
            assert bool(uneven) == (hands == 3)
            play_game(reply["port_number"], hands)
        shown = wait_for_games(reply["own_url"], 4)
        assert sorted(game["strength"] for game in shown["games"]) == [0, 1, 1, 1]
        assert (shown["ladder"]["best"], shown["ladder"]["worst"]) == (1, RUNGS + 1)
        met = [(step["name"], step["games"]) for step in shown["ladder"]["steps"] if step["games"]]
        assert met == [("Greenhorn", 2)]
        page = httpx.get(reply["own_url"], timeout=60).text
    assert "At 95 % confidence it is in place 1 to 6 of 6." in page
    assert "too few games" in page
