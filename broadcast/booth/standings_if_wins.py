"""Tells commentators where each bot still in the hand would stand if it won, and who would be out. No I/O.

Counts only the chips that are in the pots now, as if there were no more bets.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from broadcast.on_air.picture_state import Seat, State
from server.text.grammar import count_text, join_within_width, name_in_sentence, ordinal

MAX_LIVE_SEATS = 4
"""If more bots than this are still in the hand, the booth does not say what a win would mean."""


class StandingIfWins(Struct, frozen=True):
    """The standing of the bot in `seat`, such as "2nd, 1,300 chips behind Doc", if it wins every pot that it can
    win."""

    seat: int
    text: str


def standings_if_wins(picture: State) -> list[StandingIfWins]:
    """Returns a `StandingIfWins` for each seat still in the hand. Returns [] between hands, once a pot is won, and
    while more than MAX_LIVE_SEATS bots are in the hand.

    Also returns [] if several tables play the same cards, because a bot's place then depends on all of these tables.
    """
    seats, hand = picture.seats, picture.hand
    live_seats = [index for index, seat in enumerate(seats) if seat.dealt_in and not seat.folded]
    if picture.stage and picture.stage.deals is True:
        return []
    if hand is None or hand.over or picture.awards or not 2 <= len(live_seats) <= MAX_LIVE_SEATS:
        return []
    return [
        StandingIfWins(seat, _describe(picture, seat, _stacks_if_wins(seats, live_seats, seat))) for seat in live_seats
    ]


def _stacks_if_wins(seats: Sequence[Seat], live_seats: Sequence[int], winner: int) -> dict[int, int | None]:
    """Returns each seat's stack if `winner` wins every pot that it can win.

    A stack is None if it depends on who wins the other pots.
    """
    matched = seats[winner].committed
    stacks: dict[int, int | None] = {index: seat.stack for index, seat in enumerate(seats)}
    stacks[winner] = seats[winner].stack + sum(min(seat.committed, matched) for seat in seats)
    unmatched = sum(max(0, seat.committed - matched) for seat in seats)
    others = [seat for seat in live_seats if seats[seat].committed > matched]
    if len(others) == 1:
        stacks[others[0]] = seats[others[0]].stack + unmatched
    return {seat: None if len(others) > 1 and seat in others else stack for seat, stack in stacks.items()}


def _describe(picture: State, winner: int, stacks: Mapping[int, int | None]) -> str:
    """Describes the standing of the bot in seat `winner`, and who is out."""
    bot, names = picture.seats[winner].bot, {each.bot: name_in_sentence(each.name) for each in picture.bots.values()}
    seated_stacks = {seat.bot: stacks[index] for index, seat in enumerate(picture.seats) if seat.dealt_in}
    losers = [names[each] for each, stack in seated_stacks.items() if stack == 0]
    stage = picture.stage
    stage_bots = [] if stage is None or stage.series else stage.bots
    chips = {each: picture.bots[each].stack for each in stage_bots if picture.bots[each].stack} | seated_stacks
    bot_chips = seated_stacks[bot] or 0
    rival_chips = sorted((stack for each, stack in chips.items() if each != bot and stack), reverse=True)
    if None in seated_stacks.values():  # other bots win the other pots
        text = f"{bot_chips:,} chips"
    elif not rival_chips:
        text = "wins the game" if stage and (stage.series or stage.games != 1) else "wins it all"
    else:
        text = _describe_place(
            bot_chips, rival_chips, {names[each]: stack or 0 for each, stack in chips.items() if each != bot}
        )
        if stage and 0 < stage.advance <= len(rival_chips):
            gap = bot_chips - rival_chips[stage.advance - 1]
            text += f", {count_text(abs(gap), 'chip')} {'below' if gap < 0 else 'above'} the line"
    return f"{text}; {join_within_width(losers)} {'is' if len(losers) == 1 else 'are'} out" if losers else text


def _describe_place(bot_chips: int, others: Sequence[int], stacks_by_name: Mapping[str, int]) -> str:
    better = [stack for stack in others if stack > bot_chips]
    if not better:
        ahead = bot_chips - others[0]
        return f"1st by {count_text(ahead, 'chip')}" if ahead else "level for 1st"
    rival = next(name for name, stack in stacks_by_name.items() if stack == better[-1])
    return f"{ordinal(1 + len(better))}, {count_text(better[-1] - bot_chips, 'chip')} behind {rival}"
