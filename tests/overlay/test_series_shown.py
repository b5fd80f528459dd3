"""A series of whole games on screen: between the games and at the end, games won replace chips."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from broadcast.on_air.events import OnAirEntry, StandingsChanged
from server.contests.arena.rules import ARENA_FORMAT
from server.game.events import Event, TournamentEnded, TournamentOpened
from server.game.tournament import as_series, evolve, open_tournament
from tests.overlay.support.screen import Screen
from tests.overlay.test_picture import agree
from tests.overlay.test_scenes import FITTING, measured
from tests.support.contests import play_contest
from tests.support.hand_events import Show
from tests.support.in_node import Node

LONG = "A name that is so much longer than thirty characters are that no poster has room for it"
STRANGE = ("demo 2", "通义千问", LONG, "Ω", "AlphaBot", "Beta", "Gamma")


@pytest.fixture(scope="module")
def shown() -> list[OnAirEntry]:
    """A scripted show of three games of seven bots with these names."""
    contest = replace(as_series(ARENA_FORMAT, 3), starting_stack=300)
    played = play_contest(8, len(STRANGE), contest)
    show, events = Show(), list[Event]()
    for entry in played:
        event = renamed(entry.event)
        events += [event, *show.after(event)]
    return [OnAirEntry(seq, seq, 0, event) for seq, event in enumerate(events, 1)]


def renamed(event: Event) -> Event:
    """The event with those names, and nobody paid."""
    if isinstance(event, TournamentEnded):
        return replace(event, placings=tuple(replace(line, prize_cents=0) for line in event.placings))
    if not isinstance(event, TournamentOpened):
        return event
    named = zip(event.entrants, STRANGE, strict=True)
    return replace(event, entrants=tuple(replace(one, name=name, player="") for one, name in named), prizes_cents=())


def wins(entries: Sequence[OnAirEntry]) -> dict[int, int]:
    """Games won, by bot."""
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    tournament = open_tournament(opened)
    for entry in entries:
        tournament = evolve(tournament, entry.event)
    return {bot: record.won for bot, record in tournament.records.items()}


def test_both_reducers_agree_on_a_series(shown: list[OnAirEntry], node: Node) -> None:
    agree(node, shown, 7)


def test_standings_between_games_are_by_games_won(shown: list[OnAirEntry], still: Screen) -> None:
    last = max(at for at, entry in enumerate(shown) if isinstance(entry.event, StandingsChanged))
    still.show_all(shown[: last + 1])
    assert still.page.inner_text(".standings__line") == "Games won after game 3 of 3"
    events = [text.split()[0] for text in still.page.locator(".row__stack").all_inner_texts()]
    assert events == [str(won) for won in sorted(wins(shown).values(), reverse=True)]
    said = still.page.locator(".row__games").all_inner_texts()
    assert all("game" in text for text in said), "nobody is out of a series"
    assert measured(still) == FITTING


def test_steps_of_the_champion_show_games_won(shown: list[OnAirEntry], still: Screen) -> None:
    still.show_all(shown)
    most = max(wins(shown).values())
    assert still.page.inner_text(".step[data-step='1'] .step__prize") == f"{most} win{'s' * (most > 1)}"
    assert measured(still) == FITTING
