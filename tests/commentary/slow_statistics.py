"""A second program that counts statistics: slowly, hand by hand, straight from the JSON of a recording.

Shares nothing with the first. It keeps the acts of a hand as a list and asks each question of the whole list.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

Row = dict[str, Any]
Act = dict[str, Any]
"""One decision at the table: seat, street, act, amount, whether a raise was possible, chips before it."""
STATISTICS = (
    "vpip", "vpip_chances", "pfr", "pfr_chances", "three_bets", "three_bet_chances", "three_bet_folds",
    "three_bet_fold_chances", "c_bets", "c_bet_chances", "c_bet_folds", "c_bet_fold_chances", "flops", "showdowns",
    "showdowns_won", "aggressive", "aggressive_chances", "hands", "won",
)  # fmt: skip


def lines_of(recording: str) -> list[Row]:
    """The events of a recording's text, as plain JSON."""
    return [row for line in recording.splitlines() if "type" in (row := json.loads(line))]


def hands_of(events: Iterable[Row]) -> list[tuple[list[int], list[Row]]]:
    """Each whole hand: which bot has which seat, and its events."""
    seats: list[int] = []
    hands: list[tuple[list[int], list[Row]]] = []
    hand: list[Row] | None = None
    for event in events:
        if event["type"] == "game_started":
            seats = event["seats"]
        if event["type"] == "hand_started":
            hand = []
        if hand is not None:
            hand.append(event)
            if event["type"] == "hand_ended":
                hands.append((seats, hand))
                hand = None
    return hands


def statistics(events: Iterable[Row]) -> dict[int, dict[str, int]]:
    """Every bot's statistics."""
    table: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(STATISTICS, 0))
    events = list(events)
    for bot, chips in grown(events).items():
        table[bot]["won"] = chips
    for seats, hand in hands_of(events):
        acts = acts_of(hand)
        out = {event["seat"] for event in hand if event["type"] == "action_taken" and event["act"] == "fold"}
        dealt = [seat for seat, stack in enumerate(hand[0]["stacks"]) if stack]
        left = [seat for seat in dealt if seat not in out]
        for seat in dealt:
            row = table[seats[seat]]
            row["hands"] += 1
            for name, (made, could) in preflop(acts, seat).items() | on_flop(acts, seat).items():
                row[name] += made
                row[chances_of(name)] += could
            after = [
                act for act in acts if act["street"] != "preflop" and act["seat"] == seat and act["act"] != "check"
            ]
            row["aggressive_chances"] += len(after)
            row["aggressive"] += sum(act["act"] in ("bet", "raise") for act in after)
            row["flops"] += saw_flop(hand, seat)
            if seat in left and len(left) > 1:
                row["showdowns"] += 1
                row["showdowns_won"] += any(
                    share["seat"] == seat and share["amount"] for each in hand if each["type"] == "pot_awarded"
                    for share in each["awards"]
                )  # fmt: skip
    return dict(table)


def chances_of(name: str) -> str:
    """The field that counts the chances for another: three_bets -> three_bet_chances."""
    return f"{name if name in ('vpip', 'pfr') else name.removesuffix('s')}_chances"


def acts_of(hand: list[Row]) -> list[Act]:
    """The decisions of a hand, without posted blinds and the turns of bots that were already all in."""
    acts, street, asked = [], "preflop", None
    stacks = list(hand[0]["stacks"])
    for event in hand:
        match event["type"]:
            case "street_dealt":
                street = event["street"]
            case "turn_started":
                asked = event
            case "blind_posted":
                stacks[event["seat"]] -= event["amount"]
            case "bet_returned":
                stacks[event["seat"]] += event["amount"]
            case "action_taken":
                seat = event["seat"]
                if asked and not asked.get("blind") and stacks[seat]:
                    can = asked["max_raise_to"] > 0
                    acts.append(
                        {"seat": seat, "street": street, "act": event["act"], "can": can, "in": event["amount"]}
                    )
                stacks[seat] -= event["amount"]
    return acts


def preflop(acts: list[Act], seat: int) -> dict[str, tuple[int, int]]:
    """VPIP, PFR, 3-bet and fold to 3-bet of one hand: how often, out of how many chances."""
    before = [act for act in acts if act["street"] == "preflop"]
    mine = [act for act in before if act["seat"] == seat]
    raises = [at for at, act in enumerate(before) if act["act"] in ("bet", "raise")]
    first, second = (before[at]["seat"] if at is not None else None for at in ([*raises, None, None][:2]))
    found = {
        "vpip": (any(act["in"] for act in mine), bool(mine)),
        "pfr": (any(act["act"] in ("bet", "raise") for act in mine), any(act["can"] for act in mine)),
        "three_bets": (0, 0),
        "three_bet_folds": (0, 0),
    }
    for at, act in enumerate(before):
        earlier = sum(place < at for place in raises)
        if act["seat"] == seat and earlier == 1 and first != seat and act["can"]:
            made, could = found["three_bets"]
            found["three_bets"] = made + (at in raises), could + 1
        if act["seat"] == seat and earlier == 2 and first == seat and second != seat:
            made, could = found["three_bet_folds"]
            found["three_bet_folds"] = made + (act["act"] == "fold"), could + 1
    return {name: (int(made), int(could)) for name, (made, could) in found.items()}


def on_flop(acts: list[Act], seat: int) -> dict[str, tuple[int, int]]:
    """C-bet and fold to c-bet of one hand."""
    raisers = [act["seat"] for act in acts if act["street"] == "preflop" and act["act"] in ("bet", "raise")]
    flop = [act for act in acts if act["street"] == "flop"]
    bets = [at for at, act in enumerate(flop) if act["act"] in ("bet", "raise")]
    found = {"c_bets": (0, 0), "c_bet_folds": (0, 0)}
    if not raisers:
        return found
    if raisers[-1] == seat:
        open_to = flop[: bets[0] + 1] if bets else flop
        own = [act for act in open_to if act["seat"] == seat and act["can"]]
        found["c_bets"] = int(bool(own) and own[0]["act"] in ("bet", "raise")), int(bool(own))
    elif bets and flop[bets[0]]["seat"] == raisers[-1]:
        end = bets[1] + 1 if len(bets) > 1 else len(flop)
        facing = [act for act in flop[bets[0] + 1 : end] if act["seat"] == seat]
        found["c_bet_folds"] = sum(act["act"] == "fold" for act in facing), len(facing)
    return found


def saw_flop(hand: list[Row], seat: int) -> bool:
    """Whether a seat was still in when the flop came."""
    for event in hand:
        if event["type"] == "street_dealt":
            return True
        if event["type"] == "action_taken" and event["seat"] == seat and event["act"] == "fold":
            return False
    return False


def grown(events: Iterable[Row]) -> dict[int, int]:
    """How much each bot has won, from the stacks before and after each hand, and from forfeited games."""
    seats: list[int] = []
    stacks: list[int] = []
    won: dict[int, int] = defaultdict(int)
    for event in events:
        match event["type"]:
            case "game_started":
                seats, stacks = event["seats"], event["stacks"]
            case "hand_started":
                stacks = event["stacks"]
            case "hand_ended":
                for bot, before, after in zip(seats, stacks, event["stacks"], strict=True):
                    won[bot] += after - before
                stacks = event["stacks"]
            case "game_forfeited":
                lost = stacks[event["seat"]]
                won[seats[event["seat"]]] -= lost
                won[seats[1 - event["seat"]]] += lost
    return won


def gone_with(events: Iterable[Row]) -> dict[int, int]:
    """The chips that left the table with each unseated bot."""
    seats: list[int] = []
    gone: dict[int, int] = defaultdict(int)
    for event in events:
        if event["type"] == "game_started":
            seats = event["seats"]
        elif event["type"] == "seat_vacated":
            gone[seats[event["seat"]]] += event["amount"]
    return gone


def takings(hand: list[Row]) -> dict[tuple[int, int], Fraction]:
    """Who took what from whom in a hand, unrounded: chip by chip of every bet, from the lowest to the highest.

    For rules without an ante that one pays for all.
    """
    paid = [0] * len(hand[0]["stacks"])
    out = set()
    awards = {}
    for event in hand:
        match event["type"]:
            case "blind_posted" | "action_taken":
                paid[event["seat"]] += event["amount"]
                if event.get("act") == "fold":
                    out.add(event["seat"])
            case "bet_returned":
                paid[event["seat"]] -= event["amount"]
            case "pot_awarded":
                awards[event["pot"]] = {share["seat"]: share["amount"] for share in event["awards"]}
    taken: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for number, pot in awards.items():
        chips = [paid_into(number, seat, paid, out, hand) for seat in range(len(paid))]
        change = [pot.get(seat, 0) - chips[seat] for seat in range(len(paid))]
        gained = sum(each for each in change if each > 0)
        for by, won in enumerate(change):
            for of, lost in enumerate(change):
                if won > 0 > lost:
                    taken[by, of] += Fraction(-lost * won, gained)
    return taken


def paid_into(number: int, seat: int, paid: list[int], out: set[int], hand: list[Row]) -> int:
    """How many of a seat's chips are in a pot: each chip of a bet goes to the pot at its height."""
    dealt = [at for at, stack in enumerate(hand[0]["stacks"]) if stack]
    heights = sorted({paid[at] for at in dealt if at not in out and paid[at]})
    pots = [min(sum(height < chip for height in heights), len(heights) - 1) for chip in range(1, paid[seat] + 1)]
    return pots.count(number)
