"""The commentary of a show: captions around hands, and the standings."""

from itertools import pairwise

import pytest

from broadcast.commentary.phrases import PHRASES
from broadcast.on_air.events import CaptionSpoken, StandingsChanged, StatisticsChanged
from server.game.cards import parse_cards
from server.game.events import (
    ActionTaken,
    Award,
    BetReturned,
    BlindPosted,
    BotDisconnected,
    BotEliminated,
    BotWithdrawn,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    Placing,
    PotAwarded,
    StageCut,
    StageEnded,
    StageStarted,
    StreetDealt,
    TournamentEnded,
    TournamentOpened,
    TurnStarted,
)
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.hand_events import Show, opening

HAND = HandStarted(1, 0, 50, 100, 0, (5000,) * 6, "")


def new_show() -> Show:
    """A show in which the first hand has begun, without anybody's cards on air."""
    show = Show()
    for event in [*opening(), HAND]:
        show.after(event)
    return show


def caption(event: Event, show: Show | None = None) -> str:
    captions = [extra.text for extra in (show or new_show()).after(event) if isinstance(extra, CaptionSpoken)]
    return "".join(captions)


def acted(act: str, amount: int = 0, bet: int = 0, *, all_in: bool = False, fault: str = "") -> ActionTaken:
    return ActionTaken(1, act, amount, bet, all_in, 0, fault)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (HandStarted(3, 0, 50, 100, 0, (5000,) * 6, ""), "Hand 3 of 6. Billy the Kid has the button."),
        (acted("fold", fault="disconnected"), "Doc Holobyte is gone and folds."),
        (BlindPosted(1, "big", 60, all_in=True), "Doc Holobyte posts the big blind with its last 60."),
        (BlindPosted(1, "big", 100, all_in=False), ""),
        (
            GameEnded(1, (5000, 9000, 4000, 3000, 9000, 0)),
            "Game 1 is over. Doc Holobyte and Quick Quinn leave with 9,000.",
        ),
        (BotEliminated(2, 1, 11), "Doc Holobyte is out of chips: 11th place."),
        (BotDisconnected(2, "gone"), "Doc Holobyte has left the saloon."),
        (BotWithdrawn(2, "never came"), "Doc Holobyte is withdrawn."),
        (StageCut(1), "The organiser ends The Trials here."),
        (TurnStarted(1, 0, 0, 0, 3000), ""),
    ],
)
def test_events_have_their_captions(event: Event, words: str) -> None:
    assert caption(event) == words


@pytest.mark.parametrize(
    ("event", "kind", "words"),
    [
        (acted("fold"), "fold", {}),
        (acted("check"), "check", {}),
        (acted("call", 1250, 1300), "call", {"amount": "1,250"}),
        (acted("bet", 200, 200), "bet", {"bet": "200"}),
        (acted("raise", 250, 300), "raise", {"bet": "300"}),
        (acted("raise", 4900, 5000, all_in=True), "all in", {"bet": "5,000"}),
        (acted("call", 4900, 5000, all_in=True), "call all in", {"bet": "5,000", "amount": "4,900"}),
        (acted("fold", fault="timeout"), "timeout", {"does": "folds"}),
        (acted("check", fault="malformed"), "malformed", {"does": "checks"}),
        (acted("fold", fault="illegal"), "illegal", {"does": "folds"}),
        (StreetDealt("turn", parse_cards("Kh")), "turn", {"cards": "king of hearts"}),
        (StreetDealt("flop", parse_cards("2c Td As")), "flop", {"cards": "two, ten and ace"}),
        (StreetDealt("flop", parse_cards("2d Td Ad")), "flop", {"cards": "two, ten and ace, all diamonds"}),
        (BetReturned(1, 250), "returned", {"amount": "250"}),
        (PotAwarded(0, 900, (Award(1, 900),)), "wins", {"pot": "the pot", "amount": "900"}),
        (PotAwarded(2, 900, (Award(1, 900),)), "wins", {"pot": "side pot 2", "amount": "900"}),
    ],
)
def test_frequent_captions_vary(event: Event, kind: str, words: dict[str, str]) -> None:
    show, phrases = new_show(), {phrase.format(name="Doc Holobyte", **words) + "." for phrase in PHRASES[kind]}
    captions = [caption(event, show) for _ in range(12)]
    assert {*captions} == phrases
    assert all(one != other for one, other in pairwise(captions)), "never the same twice in a row"


@pytest.mark.parametrize(
    ("stacks", "words"),
    [
        ((9000, 8000, 7000, 6000, 0, 0), "Billy the Kid, Doc Holobyte and Calamity Bayes ride on."),
        ((9000, 8000, 8000, 5000, 0, 0), "Billy the Kid, Doc Holobyte and Calamity Bayes ride on."),
        (
            (9000, 8000, 7000, 7000, 7000, 0),
            "Calamity Bayes, Two-Pair Tess and Quick Quinn were level at 7,000, and the lot fell on Calamity Bayes.",
        ),
        (
            (9000, 7500, 7500, 7500, 0, 0),
            "Doc Holobyte, Calamity Bayes and Two-Pair Tess were level at 7,500,"
            " and the lot fell on Doc Holobyte and Calamity Bayes.",
        ),
    ],
)
def test_place_in_the_final_drawn_by_lot_is_announced(stacks: tuple[int, ...], words: str) -> None:
    ended = StageEnded(1, (1, 2, 3, 4, 5, 6), stacks, (1, 2, 3))
    assert caption(ended) == f"The Trials is over. {words}"


def test_standings_sort_by_stack_then_place_and_say_who_moved() -> None:
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
    show = Show()
    opened, *_ = opening()
    assert isinstance(opened, TournamentOpened)
    show.after(opened)
    show.after(StageStarted(2, "High Noon", 1, 24, (1, 2), (5000, 5000)))
    show.after(GameStarted(1, 24, (1, 2), (5000, 5000)))
    captions, statistics = show.after(GameEnded(1, (10000, 0)))
    assert captions == CaptionSpoken("The last hand is over. Billy the Kid leaves with 10,000.")
    assert isinstance(statistics, StatisticsChanged)


def test_series_announces_each_games_winner_and_ranks_by_games_won() -> None:
    show, opened = Show(), opening()[0]
    bots, stacks = (1, 2, 3), (300, 300, 300)
    series = StageStarted(1, "The Arena", 2, 0, bots, stacks, seats=12, series=True)
    assert caption(opened, show) == ""
    assert caption(series, show) == "The Arena: 2 games, and the bot that wins most of them is champion."
    for game, winner in ((1, 2), (2, 2)):
        show.after(GameStarted(game, 0, bots, stacks))
        assert caption(BotEliminated(1, 0, 3), show) == f"Billy the Kid is out of chips: 3rd place of game {game}."
        won = f"{game} game{'s' * (game > 1)} won"
        ended = show.after(GameEnded(game, (0, 900, 0), (winner, 3, 1)))
        assert CaptionSpoken(f"Doc Holobyte wins game {game} with 900: {won} so far.") in ended
        (table,) = (event for event in ended if isinstance(event, StandingsChanged))
        assert [(row.bot, row.wins, row.place) for row in table.rows] == [(2, game, 0), (3, 0, 0), (1, 0, 0)]
    champion = TournamentEnded((Placing(1, 2, 900),), "")
    assert caption(champion, show) == "Doc Holobyte wins the tournament with 2 games won!"


def test_champion_caption_says_since_when_it_is_gone_and_absent_bots_have_no_drought() -> None:
    script = Script(NAMES[:2], contest="arena").connect().stage("Arena", games=1, advance=0).game((1, 2), hands=0)
    script.hand("fold").hand("fold").lose(1)
    for _ in range(16):
        script.hand("fold")
    script.crown([1, 2], [9000, 1000])
    captions = [entry.event.text for entry in script.entries if isinstance(entry.event, CaptionSpoken)]
    assert captions[-1] == "Billy the Kid wins the tournament, though absent since hand 2!"
    assert not [text for text in captions if text.startswith("Billy the Kid has not won a pot")]
