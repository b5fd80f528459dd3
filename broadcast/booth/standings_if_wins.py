"""Says, for each bot that can win the pot on air, where it would stand after winning, and who would be out. Pure.

Counts the chips that are in the pot now, as if there were no more bets.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from broadcast.on_air.picture_state import Seat, State
from server.text.grammar import count_text, list_within, name_in_sentence, ordinal

MAX_LIVE = 4
"""While more bots than this can win the pot, the booth does not say what a win would mean."""


class StandingIfWins(Struct, frozen=True):
    """The standing of the bot in `seat` if it wins every pot that it can win, such as "2nd, 1,300 chips behind Doc"."""

    seat: int
    text: str


def standings_if_wins(picture: State) -> list[StandingIfWins]:
    """Returns a `StandingIfWins` for each seat that has not folded; [] before and after the betting.

    Also returns [] in a stage of deals, where a pot alone decides nothing.
    """
    seats, hand = picture.seats, picture.hand
    live_seats = [at for at, seat in enumerate(seats) if seat.dealt_in and not seat.folded]
    if picture.stage and picture.stage.deals is True:
        return []
    if hand is None or hand.over or picture.awards or not 2 <= len(live_seats) <= MAX_LIVE:
        return []
    return [StandingIfWins(at, _describe(picture, at, _stacks(seats, live_seats, at))) for at in live_seats]


def _stacks(seats: Sequence[Seat], live_seats: Sequence[int], winner: int) -> dict[int, int | None]:
    """Returns each seat's stack if `winner` wins every pot that it can win.

    The stack is None if it depends on who wins the other pots.
    """
    matched = seats[winner].committed
    stacks: dict[int, int | None] = {at: seat.stack for at, seat in enumerate(seats)}
    stacks[winner] = seats[winner].stack + sum(min(seat.committed, matched) for seat in seats)
    unmatched = sum(max(0, seat.committed - matched) for seat in seats)
    others = [at for at in live_seats if seats[at].committed > matched]
    if len(others) == 1:
        stacks[others[0]] = seats[others[0]].stack + unmatched
    return {at: None if len(others) > 1 and at in others else stack for at, stack in stacks.items()}


def _describe(picture: State, winner: int, stacks: Mapping[int, int | None]) -> str:
    """Describes the standing of the bot in seat `winner`, and who is out."""
    bot, names = picture.seats[winner].bot, {each.bot: name_in_sentence(each.name) for each in picture.bots.values()}
    seated_stacks = {seat.bot: stacks[at] for at, seat in enumerate(picture.seats) if seat.dealt_in}
    out = [names[each] for each, stack in seated_stacks.items() if stack == 0]
    stage = picture.stage
    stage_bots = [] if stage is None or stage.series else stage.bots
    chips = {each: picture.bots[each].stack for each in stage_bots if picture.bots[each].stack} | seated_stacks
    mine = seated_stacks[bot] or 0
    rival_chips = sorted((stack for each, stack in chips.items() if each != bot and stack), reverse=True)
    if None in seated_stacks.values():  # other bots win the other pots
        text = f"{mine:,} chips"
    elif not rival_chips:
        text = "wins the game" if stage and (stage.series or stage.games != 1) else "wins it all"
    else:
        text = _describe_place(
            mine, rival_chips, {names[each]: stack or 0 for each, stack in chips.items() if each != bot}
        )
        if stage and 0 < stage.advance <= len(rival_chips):
            gap = mine - rival_chips[stage.advance - 1]
            text += f", {count_text(abs(gap), 'chip')} {'below' if gap < 0 else 'above'} the line"
    return f"{text}; {list_within(out)} {'is' if len(out) == 1 else 'are'} out" if out else text


def _describe_place(mine: int, others: Sequence[int], stacks_by_name: Mapping[str, int]) -> str:
    better = [stack for stack in others if stack > mine]
    if not better:
        ahead = mine - others[0]
        return f"1st by {count_text(ahead, 'chip')}" if ahead else "level for 1st"
    rival = next(name for name, stack in stacks_by_name.items() if stack == better[-1])
    return f"{ordinal(1 + len(better))}, {count_text(better[-1] - mine, 'chip')} behind {rival}"
