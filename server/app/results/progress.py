"""Prints the progress of a tournament in the terminal: a line for each game, or one that is updated."""

from server.console import ProgressLine, plain
from server.game.events import GameStarted, HandStarted, StageStarted, TournamentEnded
from server.journal.bus import Bus
from server.text.grammar import out_of


async def follow_progress(bus: Bus, after: int = 0) -> None:
    """Prints which game and hand is being played, until the tournament is over; skips entries up to number `after`."""
    line = ProgressLine()
    stage, game, hands = StageStarted(0, "", 0, 0, (), ()), 0, 0
    async for entry in bus.follow():
        match entry.event:
            case StageStarted():
                stage, game = entry.event, 0
            case GameStarted(hands=hands):
                game += 1
            case HandStarted(hand=hand) if entry.seq > after:
                line.show(f"{plain(stage.title)}, game {out_of(game, stage.games)}", f", hand {out_of(hand, hands)}")
            case TournamentEnded():
                line.show("the last hand is played; the show goes on to its end")
                break
            case _:
                pass
    line.end()
