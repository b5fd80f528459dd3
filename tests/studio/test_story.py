"""What the broadcast says in words, and how it counts standings."""

import pytest

from broadcast.onair import CaptionSpoken, StandingsChanged
from broadcast.story import Story
from server.game.cards import parse_cards
from server.game.events import (
    ActionTaken,
    Award,
    BotDisconnected,
    BotEliminated,
    Event,
    GameEnded,
    GameStarted,
    HandShown,
    HandStarted,
    Placing,
    PotAwarded,
    StageEnded,
    StageStarted,
    StreetDealt,
    TournamentEnded,
    TournamentOpened,
    TurnStarted,
)
from tests.studio.played import opening


def told() -> Story:
    story = Story()
    for event in opening():
        story.after(event)
    return story


def caption(event: Event, story: Story | None = None) -> str:
    said = [extra.text for extra in (story or told()).after(event) if isinstance(extra, CaptionSpoken)]
    return "".join(said)


def acted(act: str, amount: int = 0, bet: int = 0, *, all_in: bool = False, fault: str = "") -> ActionTaken:
    return ActionTaken(1, act, amount, bet, all_in, 0, fault)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (HandStarted(3, 0, 50, 100, 0, (5000,) * 6, ""), "Hand 3 of 6. Billy the Kid has the button."),
        (acted("fold"), "Doc Holobyte folds."),
        (acted("check"), "Doc Holobyte checks."),
        (acted("call", 1250, 1300), "Doc Holobyte calls 1,250."),
        (acted("bet", 200, 200), "Doc Holobyte bets 200."),
        (acted("raise", 250, 300), "Doc Holobyte raises to 300."),
        (acted("raise", 4900, 5000, all_in=True), "Doc Holobyte is all in for 5,000!"),
        (acted("fold", fault="timeout"), "Doc Holobyte runs out of time and folds."),
        (acted("fold", fault="disconnected"), "Doc Holobyte is gone and folds."),
        (StreetDealt("turn", parse_cards("Kh")), "The turn: king of hearts."),
        (
            StreetDealt("flop", parse_cards("2c Td As")),
            "The flop: two of clubs, ten of diamonds and ace of spades.",
        ),
        (PotAwarded(0, 900, (Award(1, 900),)), "Doc Holobyte wins the pot of 900."),
        (
            GameEnded(1, (5000, 9000, 4000, 3000, 9000, 0)),
            "Game 1 is over. Doc Holobyte and Quick Quinn leave with 9,000.",
        ),
        (PotAwarded(2, 900, (Award(1, 900),)), "Doc Holobyte wins side pot 2 of 900."),
        (BotEliminated(2, 1, 11), "Doc Holobyte is out of chips: 11th place."),
        (BotDisconnected(2, "gone"), "Doc Holobyte has left the saloon."),
        (TurnStarted(1, 0, 0, 0, 3000), ""),
    ],
)
def test_every_moment_has_its_words(event: Event, words: str) -> None:
    assert caption(event) == words


@pytest.mark.parametrize(
    ("ranking", "words"),
    [
        ("pair of kings, ace kicker", "with a pair of kings, ace kicker"),
        ("two pair, kings and fours, ace kicker", "with two pair, kings and fours, ace kicker"),
        ("flush, ace high", "with a flush, ace high"),
        ("four of a kind, nines, ace kicker", "with four of a kind, nines, ace kicker"),
        ("high card, ace", "with high card, ace"),
    ],
)
def test_a_winner_is_told_with_its_hand(ranking: str, words: str) -> None:
    story = told()
    story.after(HandShown(1, parse_cards("As Kd"), ranking))
    assert caption(PotAwarded(0, 900, (Award(1, 900),)), story) == f"Doc Holobyte wins the pot of 900 {words}."


def test_a_hand_of_before_is_forgotten() -> None:
    story = told()
    story.after(HandShown(1, parse_cards("As Kd"), "flush, ace high"))
    story.after(HandStarted(2, 0, 50, 100, 0, (5000,) * 6, ""))
    assert caption(PotAwarded(0, 900, (Award(1, 900),)), story) == "Doc Holobyte wins the pot of 900."


def test_a_split_pot_names_all_who_share_it() -> None:
    said = caption(PotAwarded(0, 901, (Award(0, 451), Award(1, 450))))
    assert said == "Billy the Kid and Doc Holobyte split the pot of 901."


def test_the_end_of_a_stage_names_the_riders_and_the_last_one_the_champion() -> None:
    story = told()
    ended = StageEnded(1, (1, 2, 3, 4, 5, 6), (5000,) * 6, (1, 2))
    assert caption(ended, story) == "The Trials is over. Billy the Kid and Doc Holobyte ride on."
    assert caption(TournamentEnded((Placing(1, 3, 30000),), ""), story) == "Calamity Bayes wins the tournament!"


def test_standings_are_by_stack_then_by_place_and_say_who_moved() -> None:
    story = told()
    story.after(GameEnded(1, (1000, 2000, 3000, 4000, 5000, 15000)))
    story.after(GameStarted(2, 6, (6, 5, 4, 3, 2, 1), (15000, 5000, 4000, 3000, 2000, 1000)))
    story.after(BotEliminated(6, 0, 6))
    (standings,) = (
        extra
        for extra in story.after(GameEnded(2, (0, 20000, 4000, 3000, 2000, 1000)))
        if isinstance(extra, StandingsChanged)
    )
    assert [row.bot for row in standings.rows] == [5, 4, 3, 2, 1, 6]
    assert [row.moved for row in standings.rows] == [1, 1, 1, 1, 1, -5]
    assert (standings.rows[-1].place, standings.rows[0].games, standings.advance) == (6, 2, 6)


def test_games_are_counted_by_the_stage() -> None:
    story = told()
    sit = "Billy the Kid and Doc Holobyte sit down."
    assert caption(GameStarted(2, 6, (1, 2), (5000, 5000)), story) == f"Game 2: {sit}"
    story.after(StageStarted(2, "High Noon", 1, 24, (1, 2), (5000, 5000)))
    assert caption(GameStarted(3, 24, (1, 2), (5000, 5000)), story) == sit


def test_a_stage_of_one_game_needs_no_standings_in_between() -> None:
    story = Story()
    opened, *_ = opening()
    assert isinstance(opened, TournamentOpened)
    story.after(opened)
    story.after(StageStarted(2, "High Noon", 1, 24, (1, 2), (5000, 5000)))
    story.after(GameStarted(1, 24, (1, 2), (5000, 5000)))
    assert story.after(GameEnded(1, (10000, 0))) == [
        CaptionSpoken("The last hand is over. Billy the Kid leaves with 10,000.")
    ]
