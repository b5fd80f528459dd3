"""Writes remarks for viewers on ties that were decided by lot (at random)."""

from collections.abc import Iterator, Mapping

from server.game import events
from server.game.tournament import RankKey, Tournament
from server.text.grammar import join_with_and

Entrants = Mapping[int, events.Entrant]


def stage_tie_remarks(event: events.StageEnded, before: Tournament, entrants: Entrants) -> list[str]:
    """Remarks on a stage that has ended. `before` is the tournament just before the stage ended."""
    if before.in_series:
        return _series_tie_remarks(event, before, entrants)
    return (
        _deal_tie_remarks(event, before, entrants)
        if before.has_deals
        else _equal_stack_remarks(event, before, entrants)
    )


def stage_title(tournament: Tournament) -> str:
    """The title of the latest stage."""
    return tournament.stage.title if tournament.stage else "The stage"


def _equal_stack_remarks(event: events.StageEnded, before: Tournament, entrants: Entrants) -> list[str]:
    """Returns remarks on equal stacks. They name the bots that advanced by lot or, in the last stage, the bots whose
    order was decided by lot.
    """
    title, is_last_stage = stage_title(before), not (before.stage and before.stage.advance)
    remarks = []
    for chips in sorted({stack for stack in event.stacks if stack}, reverse=True):
        tied = [bot for bot, stack in zip(event.ranking, event.stacks, strict=True) if stack == chips]
        advancing_bots = [bot for bot in tied if bot in event.advancing]
        names, lucky = (join_with_and([entrants[bot].name for bot in bots]) for bots in (tied, advancing_bots))
        if is_last_stage and len(tied) > 1:
            remarks.append(f"{title}: {names} ended with {chips:,} chips each; their order was decided by lot.")
        elif not is_last_stage and 0 < len(advancing_bots) < len(tied):
            remarks.append(f"{title}: {names} had {chips:,} chips each; {lucky} advanced by lot.")
    return remarks


def game_tie_remarks(event: events.GameEnded, before: Tournament, entrants: Entrants) -> list[str]:
    """A remark if the winner of a game was decided by lot."""
    seats = before.game.seats if before.game else ()
    final_stacks = dict(zip(seats, event.stacks, strict=True))
    tied = [bot for bot in event.ranking if final_stacks[bot] == final_stacks[event.ranking[0]]]
    if len(tied) < 2:
        return []
    names = [entrants[bot].name for bot in tied]
    chips = final_stacks[event.ranking[0]]
    return [f"Game {event.game}: {join_with_and(names)} ended with {chips:,} chips each; {names[0]} won it by lot."]


def _series_tie_remarks(event: events.StageEnded, before: Tournament, entrants: Entrants) -> list[str]:
    """Remarks on bots with the same number of wins and the same sum of places, whose order was decided by lot."""
    return [
        f"{stage_title(before)}: {join_with_and(names)} won the same number of games and have the same sum of places;"
        " their order was decided by lot."
        for names in _tied_names(event, before, entrants)
    ]


def _deal_tie_remarks(event: events.StageEnded, before: Tournament, entrants: Entrants) -> list[str]:
    """Remarks on bots whose order was decided by lot, because they had equal winnings or earnings per deal."""
    won = "earned" if before.stage and before.stage.decided_by == "earned" else "won"
    return [
        f"{stage_title(before)}: {join_with_and(names)} {won} the same amount per deal; their order was decided by lot."
        for names in _tied_names(event, before, entrants)
    ]


def _tied_names(event: events.StageEnded, before: Tournament, entrants: Entrants) -> Iterator[list[str]]:
    """Yields the names of each group of bots with equal standings."""
    names_by_standing: dict[RankKey, list[str]] = {}
    for bot in event.ranking:
        names_by_standing.setdefault(before.rank_key_of(bot), []).append(entrants[bot].name)
    yield from (names for names in names_by_standing.values() if len(names) > 1)
