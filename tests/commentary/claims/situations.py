"""The knowledge of bots at each of their acts in contests that house bots really played. Each act has a name."""

from collections.abc import Iterator
from functools import cache

from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.claims.speech.known import Known
from server.game.events import ActionTaken, GameStarted, HandEnded, HandStarted
from tests.support.house_contests import play_house_contest

BOTS = {"quick-draw": 8, "acpc": 3, "upac": 2}
"""The number of bots in a contest. Other contests have 6."""


@cache
def situations(contest: str, seed: int) -> dict[str, Known]:
    """The knowledge of bots at each act of a contest, by names such as "arena 5, game 1, hand 3, action 7"."""
    return dict(_situations(contest, seed))


def situation(name: str) -> Known:
    """The knowledge of the bot at the act with this name."""
    contest, seed = name.split(",", maxsplit=1)[0].split()
    return situations(contest, int(seed))[name]


def _situations(contest: str, seed: int) -> Iterator[tuple[str, Known]]:
    reader, game, hand, actions = ThoughtReader(), 0, 0, 0
    for entry in play_house_contest(contest, seed, BOTS.get(contest, 6)):
        reader.apply(entry.event)
        match entry.event:
            case GameStarted():
                game = entry.event.game
            case HandStarted():
                hand, actions = entry.event.hand, 0
            case ActionTaken():
                actions += 1
            case HandEnded():
                for action in range(1, actions + 1):
                    known = reader.known(action)
                    if known:
                        yield f"{contest} {seed}, game {game}, hand {hand}, action {action}", known
