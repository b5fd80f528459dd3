"""Describes to agents how a contest is played at the table. The text is made from the rules that the engine applies."""

from collections.abc import Iterator

from server.game.formats import Format
from server.game.rules import Rules, describe_clock


def rules_text(name: str, contest_format: Format) -> str:
    """Returns the rules of the contest `name` in the format `contest_format`, with one sentence on each line."""
    rules = contest_format.rules
    return "\n".join(
        [
            f"{name}: no-limit Texas hold'em. A bot starts with {contest_format.starting_stack} chips.",
            *_table_rules(rules),
            *_timing_rules(rules),
        ]
    )


def _table_rules(rules: Rules) -> Iterator[str]:
    blinds = ", then ".join(
        f"{level.small}/{level.big}" + f"/{level.ante}" * bool(level.ante) for level in rules.levels
    )
    length = f", for {rules.hands_per_level} hands each" if rules.hands_per_level and len(rules.levels) > 1 else ""
    yield f"Blinds (small/big, and ante): {blinds}{length}."
    if rules.blinds == "asked":
        yield "Blinds are not posted for you: post yours with post_blind when asked, or you are out of the game."
    if rules.later_streets_from == "big_blind":
        yield "On every street, the seat after the big blind acts first."
    if isinstance(rules.hand_cap, int):
        yield f"At most {rules.hand_cap} of your chips are at stake in one hand."
    if rules.bet_cap == "shortest_stack":
        yield "Nobody can bet more than the shortest stack in the hand."
    if rules.raise_laps:
        yield f"On each street, nobody can raise any more after {rules.raise_laps} laps of the table."
    yield "The amount of a raise is your total for the street, not what you add. `legal` has its limits."


def _timing_rules(rules: Rules) -> Iterator[str]:
    if clock := describe_clock(rules):
        yield f"This is an exhibition. You have {clock}; `time_left_ms` counts both."
    else:
        yield f"You have {rules.think_ms / 1000:g} s for each decision."
    if isinstance(rules.time_bank_ms, int):
        yield f"All your decisions in a game together may take {rules.time_bank_ms / 1000:g} s."
    costs = {
        "hand": "folds your hand, or checks where the rules say so",
        "game": "costs you the game",
        "rest": "costs you all further hands",
    }
    yield f"A decision that comes too late {costs[rules.fault_costs]}."
