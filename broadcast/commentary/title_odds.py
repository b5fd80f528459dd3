"""Puts on air how likely each bot is to win the title, after every hand of a stage whose chips decide it. Pure."""

from broadcast.commentary.contest_state import ContestState
from broadcast.on_air.events import TitleChance, TitleOddsChanged
from server.game.events import Event, GameStarted, HandEnded


def title_odds(contest: ContestState, event: Event) -> list[Event]:
    """The title odds to put on air after `event`, which `contest` has taken in: one event, or none."""
    match event:
        case GameStarted(stacks=stacks):
            chances = contest.title_chances(contest.chips(stacks), 0)
        case HandEnded(stacks=stacks) if contest.hand:
            chances = contest.title_chances(contest.chips(stacks), contest.hand.number)
        case _:
            return []
    return [TitleOddsChanged(tuple(TitleChance(bot, chance) for bot, chance in chances.items()))] if chances else []
