"""In a series of games, games won replace chips between the games and at the end."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from broadcast.on_air.events import OnAirEntry, StandingsChanged
from server.contests.arena.rules import ARENA_FORMAT
from server.game.events import Event, TournamentEnded, TournamentOpened
from server.game.tournament import as_series, evolve, open_tournament
from tests.overlay.support.screen import Screen
from tests.overlay.test_scenes import FITTING, measure
from tests.support.contests import play_contest
from tests.support.hand_events import Show

BOTS = 7


@pytest.fixture
def shown() -> list[OnAirEntry]:
    """A show of three games without prizes."""
    contest = replace(as_series(ARENA_FORMAT, 3), starting_stack=300)
    played = play_contest(8, BOTS, contest)
    show, events = Show(), list[Event]()
    for entry in played:
        event = entry.event
        if isinstance(event, TournamentOpened):
            event = replace(event, prizes_cents=())
        elif isinstance(event, TournamentEnded):
            event = replace(event, placings=tuple(replace(line, prize_cents=0) for line in event.placings))
        events += [event, *show.after(event)]
    return [OnAirEntry(seq, seq, 0, event) for seq, event in enumerate(events, 1)]


def wins(entries: Sequence[OnAirEntry]) -> dict[int, int]:
    """Games won, by bot."""
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    tournament = open_tournament(opened)
    for entry in entries:
        tournament = evolve(tournament, entry.event)
    return {bot: record.won for bot, record in tournament.records.items()}


def test_standings_and_steps_of_the_champion_show_games_won(shown: list[OnAirEntry], still: Screen) -> None:
    last = max(at for at, entry in enumerate(shown) if isinstance(entry.event, StandingsChanged))
    still.show_all(shown[: last + 1])
    assert still.page.inner_text(".standings__line") == "Games won after game 3 of 3"
    games_won = [text.split()[0] for text in still.page.locator(".row__stack").all_inner_texts()]
    assert games_won == [str(won) for won in sorted(wins(shown).values(), reverse=True)]
    assert all("game" in text for text in still.page.locator(".row__games").all_inner_texts()), "nobody is out"
    assert measure(still) == FITTING
    still.show_all(shown)
    most = max(wins(shown).values())
    assert still.page.inner_text(".step[data-step='1'] .step__prize") == f"{most} win{'s' * (most > 1)}"
    assert measure(still) == FITTING
