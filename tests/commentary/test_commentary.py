"""Each event between hands has its caption, and games that need standings have them."""

import pytest
from msgspec.structs import replace

from broadcast.on_air.events import CaptionSpoken, StandingsChanged, StatisticsChanged
from server.game.events import (
    ActionTaken,
    BotConnected,
    BotDisconnected,
    BotEliminated,
    BotRated,
    BotWithdrawn,
    Event,
    GameEnded,
    GameForfeited,
    GameStarted,
    HandStarted,
    Placing,
    SeatVacated,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
    TurnStarted,
)
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.hand_events import Show, opening

HAND = HandStarted(1, 0, 50, 100, 0, (5000,) * 6, "")
BOTS = (1, 2, 3, 4, 5, 6)
TRIALS = StageStarted(1, "The Trials", 15, 6, BOTS, (5000,) * 6, 3)
FINAL = StageStarted(2, "High Noon", 1, 24, (1, 2), (5000, 5000))
FINAL_GAME = GameStarted(2, 24, (1, 2), (5000, 5000))
GONE = BotDisconnected(2, "it hung up")
CHAMPION = TournamentEnded((Placing(1, 2, 900),), "")


def new_show() -> Show:
    """A show in which the first hand has started and no cards are on air yet."""
    show = Show()
    for event in [*opening(), HAND]:
        show.after(event)
    return show


def caption(event: Event, show: Show) -> str:
    return "".join(extra.text for extra in show.after(event) if isinstance(extra, CaptionSpoken))


@pytest.mark.parametrize(
    ("happened", "expected"),
    [
        ([HandStarted(3, 0, 50, 100, 0, (5000,) * 6, "")], "Hand 3 of 6. Billy the Kid has the button."),
        ([ActionTaken(1, "fold", 0, 0, False, 0, "disconnected")], "Doc Holobyte has lost its connection and folds."),
        ([TurnStarted(1, 0, 0, 0, 3000)], ""),
        (
            [GameEnded(1, (5000, 9000, 4000, 3000, 9000, 0))],
            "Game 1 is over. Doc Holobyte and Quick Quinn finish level at the top with 9,000 each.",
        ),
        ([BotEliminated(2, 1, 11)], "Doc Holobyte is out in 11th place."),
        ([SeatVacated(1, 0)], "Doc Holobyte fails to post its blind and loses its seat."),
        (
            [SeatVacated(1, 60)],
            "Doc Holobyte fails to post its blind and loses its seat. It forfeits its last 60 chips.",
        ),
        ([SeatVacated(1, 60), BotEliminated(2, 1, 5)], "Doc Holobyte is out in 5th place."),
        ([GONE], "Doc Holobyte has left the saloon."),
        ([BotWithdrawn(2, "never came")], "Doc Holobyte is withdrawn."),
        ([BotRated(1, 2, 100_450, 100_000)], "Doc Holobyte gains 4.5 points and is now rated 1,004.5."),
        ([BotRated(1, 2, 99_550, 100_000)], "Doc Holobyte loses 4.5 points and is now rated 995.5."),
        ([StageCut(1)], "The organiser ends The Trials here."),
        ([TRIALS], "The Trials: 6 bots, and the top three ride on to High Noon."),
        ([replace(TRIALS, next_title="The Final")], "The Trials: 6 bots, and the top three ride on to The Final."),
        ([FINAL], "High Noon: Billy the Kid against Doc Holobyte."),
        (
            [StageStarted(2, "High Noon", 1, 24, (1, 2, 3), (5000,) * 3)],
            "It's time for High Noon: Billy the Kid, Doc Holobyte and Calamity Bayes.",
        ),
        (
            [StageStarted(2, "High Noon", 1, 24, BOTS, (5000,) * 6)],
            "It's time for High Noon: Billy the Kid, Doc Holobyte, Calamity Bayes, Two-Pair Tess and 2 others.",
        ),
        ([FINAL, FINAL_GAME], "Billy the Kid and Doc Holobyte sit down."),
        ([GameStarted(2, 6, (2, 1), (5000, 5000))], "Game 2: Doc Holobyte and Billy the Kid."),
        (
            [GameStarted(2, 6, BOTS, (5000,) * 6)],
            "Game 2: Billy the Kid, Doc Holobyte, Calamity Bayes, Two-Pair Tess, Quick Quinn and Wyatt Burp.",
        ),
        (
            [FINAL, FINAL_GAME, HandStarted(1, 0, 50, 100, 0, (5000, 5000), ""), GameForfeited(2, 0, "timeout")],
            "Billy the Kid runs out of time and loses the game.",
        ),
        ([CHAMPION], "Doc Holobyte wins the tournament!"),
        ([GONE, CHAMPION], "Doc Holobyte wins the tournament, though it has been gone since game 1, hand 1!"),
        ([GONE, BotConnected(2), CHAMPION], "Doc Holobyte wins the tournament!"),
    ],
)
def test_each_event_has_its_caption(happened: list[Event], expected: str) -> None:
    show = new_show()
    assert [caption(event, show) for event in happened][-1] == expected


@pytest.mark.parametrize(
    ("stacks", "expected"),
    [
        (
            (9000, 8000, 8000, 5000, 0, 0),
            "That's the end of The Trials. Billy the Kid, Doc Holobyte and Calamity Bayes ride on.",
        ),
        (
            (9000, 8000, 7000, 0, 0, 0),
            "Only three bots have chips left. That's the end of The Trials."
            " Billy the Kid, Doc Holobyte and Calamity Bayes ride on.",
        ),
        (
            (9000, 7500, 7500, 7500, 0, 0),
            "That's the end of The Trials. Doc Holobyte, Calamity Bayes and Two-Pair Tess were level at 7,500,"
            " and the draw went to Doc Holobyte and Calamity Bayes.",
        ),
    ],
)
def test_end_of_a_stage_says_who_advances_and_who_was_drawn_by_lot(stacks: tuple[int, ...], expected: str) -> None:
    assert caption(StageEnded(1, BOTS, stacks, (1, 2, 3)), new_show()) == expected


def test_caption_says_with_how_many_chips_each_hand_begins_if_all_hands_begin_with_equal_stacks() -> None:
    show = new_show()
    opened = opening()[0]
    assert isinstance(opened, TournamentOpened)
    caption(replace(opened, rules=replace(opened.rules, hand_cap=20_000)), show)
    caption(FINAL, show)
    expected = "Billy the Kid and Doc Holobyte sit down. Both start every hand with 20,000 chips."
    assert caption(FINAL_GAME, show) == expected


def test_standings_are_sorted_by_stack_then_place_and_say_who_moved() -> None:
    show = new_show()
    show.after(GameEnded(1, (1000, 2000, 3000, 4000, 5000, 15000)))
    show.after(GameStarted(2, 6, (6, 5, 4, 3, 2, 1), (15000, 5000, 4000, 3000, 2000, 1000)))
    show.after(BotEliminated(6, 0, 6))
    (standings,) = (
        extra
        for extra in show.after(GameEnded(2, (0, 20000, 4000, 3000, 2000, 1000)))
        if isinstance(extra, StandingsChanged)
    )
    assert [row.bot for row in standings.rows] == [5, 4, 3, 2, 1, 6]
    assert [row.moved for row in standings.rows] == [1, 1, 1, 1, 1, -5]
    assert (standings.rows[-1].place, standings.rows[0].games, standings.advance) == (6, 2, 6)


def test_stage_of_one_game_has_no_standings() -> None:
    show = new_show()
    for event in (FINAL, FINAL_GAME):
        show.after(event)
    spoken, statistics = show.after(GameEnded(2, (10000, 0)))
    assert spoken == CaptionSpoken("The last hand is over. Billy the Kid finishes with the most chips: 10,000.")
    assert isinstance(statistics, StatisticsChanged)


def test_series_announces_each_games_winner_and_ranks_by_games_won() -> None:
    show, opened = Show(), opening()[0]
    assert isinstance(opened, TournamentOpened)
    bots, stacks = (1, 2, 3), (300, 300, 300)
    series = StageStarted(1, "The Arena", 2, 0, bots, stacks, seats=12, series=True)
    assert caption(opened, show) == ""
    assert caption(series, show) == "The Arena: 2 games, and whoever wins the most is champion."
    for game, winner in ((1, 2), (2, 2)):
        show.after(GameStarted(game, 0, bots, stacks))
        assert caption(BotEliminated(1, 0, 3), show) == f"Billy the Kid is out of game {game} in 3rd place."
        won = f"has now won {game} game{'s' * (game > 1)}"
        ended = show.after(GameEnded(game, (0, 900, 0), (winner, 3, 1)))
        assert CaptionSpoken(f"Doc Holobyte wins game {game} and {won}.") in ended
        (table,) = (event for event in ended if isinstance(event, StandingsChanged))
        assert [(row.bot, row.wins, row.place) for row in table.rows] == [(2, game, 0), (3, 0, 0), (1, 0, 0)]
    assert caption(CHAMPION, show) == "Doc Holobyte wins the tournament with 2 games won!"


def test_caption_says_since_when_the_champion_is_absent_and_absent_bots_have_no_drought() -> None:
    script = Script(NAMES[:2], contest="arena").connect().stage("Arena", games=1, advance=0).game((1, 2), hands=0)
    script.hand("fold").hand("fold").lose(1)
    for _ in range(16):
        script.hand("fold")
    script.crown([1, 2], [9000, 1000])
    captions = [entry.event.text for entry in script.entries if isinstance(entry.event, CaptionSpoken)]
    assert captions[-1] == "Billy the Kid wins the tournament, though it has been gone since hand 2!"
    assert not [text for text in captions if text.startswith("Billy the Kid hasn't won a pot")]
