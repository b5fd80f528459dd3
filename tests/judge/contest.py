"""Judges a recording by the rule books: hands, eliminations, seats, places and ratings."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.judge.books import BOOKS
from tests.judge.hand import Deviation, Event, Hand

EVENTS_OF_A_HAND = {
    "hand_started", "blind_posted", "hole_dealt", "turn_started", "action_taken", "seat_vacated", "bet_returned",
    "bets_collected", "street_dealt", "hand_shown", "pot_awarded", "hand_ended",
}  # fmt: skip
K = 12
"""The factor K of Elo's rating formula. Recorded ratings are in hundredths of a point."""


class Judgement(NamedTuple):
    hands: int
    deviations: list[str]


def judge(path: Path) -> Judgement:
    _, *lines = path.read_text("utf-8").splitlines()
    contest = _Contest(json.loads(lines[0]))
    for line in lines[1:]:
        event = json.loads(line)
        try:
            contest.apply(event)
        except Deviation as deviation:
            contest.deviations.append(f"{path.name}: {deviation}")
        except (KeyError, IndexError, ValueError, TypeError) as error:
            contest.deviations.append(f"{path.name}: line {event['seq'] + 1} cannot be judged: {error!r}")
    return Judgement(contest.hands, contest.deviations)


class _Contest:
    """Judges the events of one contest. After a deviation, judging continues from the recorded state."""

    def __init__(self, opened: Event) -> None:
        self.hands, self.deviations = 0, list[str]()
        self._book, self._opened = BOOKS[opened["contest"]], opened
        bots: list[int] = [entrant["bot"] for entrant in opened["entrants"]]
        self._starting_stack = int(opened["starting_stack"])
        self._chips = dict.fromkeys(bots, self._starting_stack)
        self._ratings = {entrant["bot"]: entrant["rating"] for entrant in opened["entrants"]}
        self._games = dict.fromkeys(bots, 0)
        self._playing = list(bots)
        self._placed = list[int]()
        """The bots with a final place, best first."""
        self._hand: list[Event] = []
        self._expected_next: list[dict[str, Any]] = []

    def apply(self, event: Event) -> None:
        """Judges the next event. Raises Deviation if the rules require a different one."""
        event_type = event["type"]
        if event_type in EVENTS_OF_A_HAND:
            self._hand.append(event)
        if event_type == "hand_ended":
            hand, self._hand = self._hand, []
            self._judge_hand(hand)
        elif handler := getattr(self, f"_{event_type}", None):
            handler(event)

    def _expect(self, event: Event, what: str, actual: object, expected: object) -> None:
        if actual != expected:
            raise Deviation(f"line {event['seq'] + 1}: {what} should be {expected}, but is {actual}")

    def _bot_withdrawn(self, event: Event) -> None:
        self._playing.remove(event["bot"])
        self._placed.insert(0, event["bot"])
        self._chips[event["bot"]] = 0

    # -- stages

    def _stage_started(self, event: Event) -> None:
        self._stage, self._was_cut, self._deal_count = event, False, 0
        self._expect(event, "who plays", sorted(event["bots"]), sorted(self._playing))
        if not event["carry"]:  # Otherwise bots carry their chips over from the previous stage.
            self._chips |= dict.fromkeys(self._playing, self._starting_stack)
        self._expect(event, "their chips", event["stacks"], [self._chips[bot] for bot in event["bots"]])
        self._out_of_stage: list[set[int]] = []
        self._earlier_cards: dict[int, list[list[str]]] = {}
        self._deal_results: dict[int, list[int]] = {bot: [] for bot in self._playing}
        self._table_results: list[dict[int, int]] = []
        self._table_lucks: list[dict[int, int]] = []
        self._games_won, self._place_sums = dict.fromkeys(self._playing, 0), dict.fromkeys(self._playing, 0)

    def _stage_cut(self, _: Event) -> None:
        self._was_cut = True

    def _stage_ended(self, event: Event) -> None:
        if self._stage.get("deals"):
            self._chips |= {bot: sum(won) for bot, won in self._deal_results.items()}
            mean = {bot: sum(won) / max(len(won), 1) for bot, won in self._deal_results.items()}
            groups = self._group_by(lambda bot: -mean[bot], self._playing)
            self._expect(event, "the chips won", event["stacks"], [self._chips[bot] for bot in event["ranking"]])
        elif self._stage.get("series"):  # A series has separate games, each with fresh stacks.
            groups = self._group_by(lambda bot: (-self._games_won[bot], self._place_sums[bot]), self._playing)
        else:
            groups = [*self._group_by(lambda bot: -self._chips[bot], self._undecided()), *reversed(self._out_of_stage)]
        self._check_ranking(event, event["ranking"], groups)
        advancing = event["ranking"][: self._stage["advance"]]
        expected = [bot for bot in advancing if self._chips[bot] or self._stage.get("deals")]
        self._expect(event, "who advances", event["advancing"], expected)
        self._placed = [*event["ranking"][len(event["advancing"]) :], *self._placed]
        self._playing = list(event["advancing"])

    def _tournament_ended(self, event: Event) -> None:
        placings = [(placing["place"], placing["bot"], placing["stack"]) for placing in event["placings"]]
        expected = [(place, bot, self._chips[bot]) for place, bot in enumerate(self._placed, 1)]
        self._expect(event, "the final results", placings, expected)

    def _group_by(self, key: Any, bots: Sequence[int]) -> list[set[int]]:
        """Groups the bots by `key`. The group with the lowest key comes first."""
        return [{bot for bot in bots if key(bot) == value} for value in sorted({key(bot) for bot in bots})]

    def _check_ranking(self, event: Event, ranking: Sequence[int], groups: Sequence[set[int]]) -> None:
        """Expects each group to rank before the next. Within a group, any order is right, because lots are drawn."""
        start = 0
        for group in groups:
            self._expect(event, f"the places from {start + 1}", set(ranking[start : start + len(group)]), group)
            start += len(group)
        self._expect(event, "the number of places", len(ranking), start)

    # -- games

    def _game_started(self, event: Event) -> None:
        self._seats, self._stacks = event["seats"], list(event["stacks"])
        self._hand_number, self._big_blind_seat, self._forfeited = 0, len(self._seats) - 2, False
        self._out_of_game = list[set[int]]()
        self._banks = list[int]()
        if self._table_results:  # In a deal (tables with the same cards), bots move by one seat from table to table.
            first, *others = self._table_results[-1]
            self._expect(event, "the seats of the next table", self._seats, [*others, first])
        series = self._stage.get("series") or self._stage.get("deals")
        candidates = [bot for bot in self._playing if series or self._chips[bot]]
        if series:
            self._chips |= dict.fromkeys(self._seats, self._starting_stack)
        self._expect(event, "the stacks", self._stacks, [self._chips[bot] for bot in self._seats])
        if event.get("draw_key"):  # The seats were drawn by lot.
            waiting = [self._games[bot] for bot in candidates if bot not in self._seats]
            seated = [self._games[bot] for bot in self._seats]
            if waiting and max(seated) > min(waiting):
                raise Deviation(f"line {event['seq'] + 1}: a seated bot has played more games than a waiting bot")
            size = self._table_size([self._games[bot] for bot in candidates])
            self._expect(event, "the number of bots at the table", len(seated), size)
        for bot in self._seats:
            self._games[bot] += 1

    def _table_size(self, games: Sequence[int]) -> int:
        """Returns how many bots sit at the next table. `games` has each bot's number of earlier games."""
        seats: int = self._stage["seats"]
        if not self._stage["even"]:  # Each table is filled before the next.
            return min(seats, len(games))
        waiting = games.count(min(games))
        tables = -(-waiting // seats)
        return max(-(-waiting // tables), min(2, len(games)))

    def _judge_hand(self, events: Sequence[Event]) -> None:
        stacks_before, self._hand_number, self.hands = self._stacks, self._hand_number + 1, self.hands + 1
        if self._is_over():
            raise Deviation(f"line {events[0]['seq'] + 1}: a hand is dealt after the game is over")
        self._stacks = list(events[-1]["stacks"])
        settings, deals = self._opened["rules"], self._stage.get("deals")
        if deals:  # Blinds rise from deal to deal, not from hand to hand.
            last = len(settings["levels"]) - 1
            level = min(self._deal_count // settings["hands_per_level"], last) if settings["hands_per_level"] else 0
            settings = {**settings, "levels": [settings["levels"][level]], "hands_per_level": 0}
        if self._stage.get("duplicate") or deals:
            self._check_duplicate(events)
        hand = Hand(self._book, settings, events)
        try:
            hand.judge(self._hand_number, self._big_blind_seat, stacks_before, self._banks)
        finally:
            self._big_blind_seat, self._banks = hand.big, hand.banks
            self._expect_eliminations(stacks_before)
        self._expect(events[-1], "all chips", sum(self._stacks) + hand.removed_chips, sum(stacks_before))
        if hand.forfeited:
            seat, fault = hand.forfeited
            self._expected_next.append({"type": "game_forfeited", "seat": seat, "fault": fault})

    def _check_duplicate(self, events: Sequence[Event]) -> None:
        """Expects the cards that the hand with the same number had in earlier games, in the same order."""
        cards = [event["cards"] for event in events if event["type"] in ("hole_dealt", "street_dealt")]
        earlier = self._earlier_cards.setdefault(self._hand_number, cards)
        count = min(len(cards), len(earlier))
        self._expect(events[0], "the cards", cards[:count], earlier[:count])
        self._earlier_cards[self._hand_number] = max(cards, earlier, key=len)

    def _expect_eliminations(self, before: Sequence[int]) -> None:
        """Expects bots that lost all chips to go out next. Those that had more chips `before` the hand rank higher."""
        self._chips |= dict(zip(self._seats, self._stacks, strict=True))
        if self._stage.get("deals"):
            return
        broke = {bot: had for bot, had, has in zip(self._seats, before, self._stacks, strict=True) if had and not has}
        undecided = len(self._undecided())
        for group in self._group_by(broke.__getitem__, [*broke]):
            self._out_of_stage.append(group)
            self._out_of_game.append(group)
            for _ in group:
                self._expected_next.append({"type": "bot_eliminated", "bots": group, "place": undecided})
                undecided -= 1

    def _undecided(self) -> list[int]:
        out = set().union(*(self._out_of_game if self._stage.get("series") else self._out_of_stage))
        return [bot for bot in (self._seats if self._stage.get("series") else self._playing) if bot not in out]

    def _bot_eliminated(self, event: Event) -> None:
        expected = self._expected_next.pop(0)
        self._expect(event, "the next event", ("bot_eliminated", event["place"]), (expected["type"], expected["place"]))
        if event["bot"] not in expected["bots"]:
            raise Deviation(f"line {event['seq'] + 1}: one of {expected['bots']} is out, not {event['bot']}")

    def _game_forfeited(self, event: Event) -> None:
        expected = self._expected_next.pop(0)
        self._expect(event, "the forfeit", {name: event[name] for name in ("type", "seat", "fault")}, expected)
        chips, self._forfeited = sum(self._stacks), True
        self._stacks = [0 if seat == event["seat"] else chips for seat in range(2)]
        self._chips |= dict(zip(self._seats, self._stacks, strict=True))

    def _is_over(self) -> bool:
        limit = self._stage["hands"]
        bots_with_chips = [bot for bot in self._playing if self._chips[bot]]
        is_decided = not self._stage.get("series") and len(bots_with_chips) <= max(self._stage["advance"], 1)
        is_one_left = sum(stack > 0 for stack in self._stacks) < 2
        if self._stage.get("deals"):
            return self._forfeited or not all(self._stacks) or self._hand_number > limit
        is_last_hand = bool(limit and self._hand_number > limit)
        return self._was_cut or self._forfeited or is_one_left or is_decided or is_last_hand

    def _game_ended(self, event: Event) -> None:
        self._expect(event, "the events still expected", self._expected_next, [])
        self._hand_number += 1
        if not self._is_over():
            raise Deviation(f"line {event['seq'] + 1}: the game ends too early")
        self._expect(event, "the stacks", event["stacks"], self._stacks)
        if self._stage.get("deals"):
            won = {bot: has - self._starting_stack for bot, has in zip(self._seats, self._stacks, strict=True)}
            self._table_results.append(won)
            if self._stage.get("decided_by") == "earned":  # Luck is subtracted from results.
                self._table_lucks.append(dict(zip(self._seats, event["luck"], strict=True)))
            return
        if self._stage.get("series") and self._hand_number > 1:
            groups = [*self._group_by(lambda bot: -self._chips[bot], self._undecided()), *reversed(self._out_of_game)]
            self._check_ranking(event, event["ranking"], groups)
            self._games_won[event["ranking"][0]] += 1
            for place, bot in enumerate(event["ranking"], 1):
                self._place_sums[bot] += place
        if any(self._ratings.values()):
            self._rate()

    def _deal_ended(self, event: Event) -> None:
        self._expect(event, "the number of tables", len(self._table_results), len(event["bots"]))
        won = {bot: sum(table[bot] for table in self._table_results) for bot in sorted(self._table_results[0])}
        self._expect(event, "what each has won", dict(zip(event["bots"], event["won"], strict=True)), won)
        luck = {bot: sum(table[bot] for table in self._table_lucks) for bot in won if self._table_lucks}
        self._expect(event, "the luck of each", dict(zip(event["bots"], event.get("luck", ()), strict=False)), luck)
        for bot, chips in won.items():
            self._deal_results[bot].append(chips - luck.get(bot, 0))
        self._table_lucks = []
        self._table_results, self._earlier_cards, self._deal_count = [], {}, self._deal_count + 1

    def _rate(self) -> None:
        one, other = (self._ratings[bot] for bot in self._seats)
        expected = 1 / (1 + 10 ** ((other - one) / 100 / 400))
        gained = round(100 * K * (self._stacks[0] / sum(self._stacks) - expected))
        for bot, change in zip(self._seats, (gained, -gained), strict=True):
            self._ratings[bot] += change

    def _bot_rated(self, event: Mapping[str, Any]) -> None:
        self._expect(event, "the rating", event["rating"], self._ratings[event["bot"]])
