"""Judges a recorded hand by the rule books: computes every event again, and compares it with the recording."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NoReturn

from phevaluator import evaluate_cards

from tests.judge.books import Book

Event = Mapping[str, Any]
STREETS = ("flop", 3), ("turn", 1), ("river", 1)


class Deviation(Exception):
    """The recording contradicts the rules."""


class Hand:
    def __init__(self, book: Book, settings: Mapping[str, Any], events: Sequence[Event]) -> None:
        """`settings` has the organiser's choices: `levels`, `hands_per_level`, `think_ms` and `exhibition_bank_ms`."""
        self._book, self._settings, self._events = book, settings, events
        self._index, self._event = 0, events[0]
        self.big = -1
        """The seat of the big blind. In the next hand, the blind moves on from this seat."""
        self.removed_chips = 0
        """The chips of bots that have left the game in this hand."""
        self.forfeited: tuple[int, str] | None = None  # the seat that loses the game by a fault, and the fault

    def judge(self, number: int, last_big: int, stacks: Sequence[int], banks: Sequence[int]) -> None:
        """Raises Deviation if the hand breaks the rules. Seat `last_big` had the big blind in the previous hand.

        `banks` has each seat's extra thinking time in milliseconds, and is empty before the first hand of a game.
        """
        self.seat_count, loss_limit = len(stacks), self._book.hand_loss_limit or max(stacks)
        self.stacks = [min(stack, loss_limit) for stack in stacks]
        self.out_of_play = [stack - played for stack, played in zip(stacks, self.stacks, strict=True)]
        self.live_seats = {seat for seat in range(self.seat_count) if stacks[seat]}
        full_bank = self._settings.get("exhibition_bank_ms", 0)
        self.banks = list(banks) or [full_bank] * self.seat_count
        if full_bank:
            self._peek()
            if self._event.get("banks_ms") != self.banks:
                self._deviates(f"should have the banks {self.banks}")
        self.bet, self.paid_this_hand = [0] * self.seat_count, [0] * self.seat_count
        self.pots: list[tuple[int, list[int]]] = []
        self.board: list[str] = []
        self._start(number, last_big)
        self._streets()
        self._end()

    # -- reading

    def _next(self, event_type: str, **expected: Any) -> Event:
        """Returns the next event. Raises Deviation unless it has this `event_type` and the `expected` values."""
        event = self._peek()
        wrong = {name: event.get(name) for name, value in expected.items() if event.get(name, "") != value}
        if event["type"] != event_type or wrong:
            self._deviates(f"should be {event_type} with {expected}, not {event['type']} with {wrong or dict(event)}")
        self._index += 1
        return event

    def _peek(self) -> Event:
        if self._index == len(self._events):
            self._deviates("is the last, but the hand is not over")
        self._event = self._events[self._index]
        return self._event

    def _deviates(self, words: str) -> NoReturn:
        raise Deviation(f"line {self._event['seq'] + 1} {words}")

    def _circle(self, after: int) -> list[int]:
        """Returns all seats clockwise, from the seat after `after` to `after` itself."""
        return [(after + step) % self.seat_count for step in range(1, self.seat_count + 1)]

    # -- blinds and cards

    def _start(self, number: int, last_big: int) -> None:
        levels, hands = self._settings["levels"], self._settings["hands_per_level"]
        level = levels[min((number - 1) // hands, len(levels) - 1) if hands else 0]
        self.blind = {"small": level["small"], "big": level["big"]}
        dealt = [seat for seat in self._circle(last_big) if seat in self.live_seats]
        self.big, small = dealt[0], dealt[-1]
        dealer_posts_small = self._book.dealer_is_small and len(dealt) == 2
        self.dealer = small if dealer_posts_small else dealt[-2]
        self._next(
            "hand_started", hand=number, button=self.dealer, stacks=self._all_chips(),
            small_blind=level["small"], big_blind=level["big"], ante=level.get("ante", 0),
        )  # fmt: skip
        dealt_order = [seat for seat in self._circle(self.dealer) if seat in self.live_seats]
        for seat in dealt_order:
            self._post(seat, "ante", level.get("ante", 0))
        self.bet = [0] * self.seat_count
        if not self._book.asks_blinds:
            self._post(small, "small", self.blind["small"])
            self._post(self.big, "big", self.blind["big"])
        self.hole: dict[int, list[str]] = {}
        for seat in dealt_order:
            self.hole[seat] = self._cards(self._next("hole_dealt", seat=seat), 2)
        if self._book.asks_blinds:
            self._ask_for_blinds([small, *dealt[:-1]])

    def _post(self, seat: int, blind: str, due: int) -> None:
        amount = min(due, self.stacks[seat])
        if amount:
            self._next("blind_posted", seat=seat, blind=blind, amount=amount, all_in=amount == self.stacks[seat])
            self._pay(seat, amount)

    def _ask_for_blinds(self, order: Sequence[int]) -> None:
        # Enova: "If the small blind fails, the next player is asked for the big blind and nobody posts the small one"
        blind = "small"
        for seat in order:
            if len(self.live_seats) == 1:
                return
            amount = min(self.blind[blind], self.stacks[seat])
            if not amount:
                continue
            self._turn(seat, amount, 0, 0, blind=blind)
            if self._peek()["type"] == "blind_posted":
                self._post(seat, blind, amount)
                if blind == "big":
                    self.big = seat
                    return
            else:
                self._next("action_taken", seat=seat, act="fold", amount=0, bet=0, all_in=False)
                self._next("seat_vacated", seat=seat, amount=self.stacks[seat])
                self.removed_chips, self.stacks[seat] = self.removed_chips + self.stacks[seat], 0
                self.live_seats.remove(seat)
            blind = "big"

    def _pay(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.bet[seat] += amount
        self.paid_this_hand[seat] += amount

    def _cards(self, event: Event, count: int) -> list[str]:
        cards = list(event["cards"])
        earlier = [*chain.from_iterable(self.hole.values()), *self.board]
        if len(cards) != count or len({*cards, *earlier}) < count + len(earlier):
            self._deviates(f"deals {cards} after {earlier}")
        return cards

    # -- betting

    def _streets(self) -> None:
        self._betting(self.big, self.blind["big"])
        for street, count in STREETS:
            self._collect()
            if len(self.live_seats) == 1:
                return
            self.board += self._cards(self._next("street_dealt", street=street), count)
            self._betting(self.big if self._book.big_blind_always_last else self.dealer, 0)
        self._collect()

    def _betting(self, before_first: int, to_match: int) -> None:
        """Judges the betting on a street. The seat after `before_first` acts first, and faces a bet of `to_match`."""
        self.to_match, self.full_raise = to_match, self.blind["big"]
        if to_match:
            self.aggressor = self.big
        else:
            self.bet = [0] * self.seat_count
        self.acted: set[int] = set()
        order, turn, lap = self._circle(before_first), -1, 1
        while len(self.live_seats) > 1:
            following = [*order[turn + 1 :], *order[: turn + 1]]
            seat = next((seat for seat in following if self._is_asked(seat)), None)
            if seat is None:
                return
            lap += order.index(seat) <= turn
            turn = order.index(seat)
            self._decision(seat, lap)

    def _is_asked(self, seat: int) -> bool:
        if seat not in self.live_seats:
            return False
        if not self.stacks[seat]:
            return self._book.all_in_bots_must_act and seat not in self.acted
        others = [other for other in self.live_seats if other != seat]
        if not self._book.all_in_bots_must_act and not any(self.stacks[other] for other in others):
            return any(self.bet[other] > self.bet[seat] for other in others)
        return self.bet[seat] < self.to_match or seat not in self.acted

    def _raise_range(self, seat: int, lap: int) -> tuple[int, int]:
        """Returns the lowest and the highest total to which the seat may raise, or (0, 0) if it may not raise."""
        all_in_totals = {other: self.bet[other] + self.stacks[other] for other in self.live_seats}
        highest = min(all_in_totals.values()) if self._book.shortest_stack_caps_bets else all_in_totals[seat]
        can_be_called = max(total for other, total in all_in_totals.items() if other != seat) > self.to_match
        min_step = self.full_raise if self._book.full_raises else 1
        is_open = seat not in self.acted or self.to_match - self.bet[seat] >= min_step
        if highest <= self.to_match or not can_be_called or not is_open or (self._book.laps and lap > self._book.laps):
            return 0, 0
        return min(self.to_match + min_step, highest), highest

    def _turn(self, seat: int, to_call: int, low: int, high: int, blind: str = "") -> None:
        self._next(
            "turn_started", seat=seat, to_call=to_call, min_raise_to=low, max_raise_to=high, blind=blind,
            think_ms=self._settings["think_ms"] + self.banks[seat],
        )  # fmt: skip

    def _decision(self, seat: int, lap: int) -> None:
        owed = min(self.to_match - self.bet[seat], self.stacks[seat])
        low, high = self._raise_range(seat, lap)
        self._turn(seat, owed, low, high)
        action = self._next("action_taken", seat=seat)
        act, fault, total = action["act"], action["fault"], action["bet"]
        bank_used = max(0, action["think_ms"] - self._settings["think_ms"])
        self.banks[seat] = max(0, self.banks[seat] - bank_used)
        self._check_fault(act, fault, owed)
        match act:
            case "fold":
                self.live_seats.remove(seat)
                word, amount = "fold", 0
            case "check" | "call":
                word, amount = "call" if owed else "check", owed
            case _:
                word, amount = "raise" if self.to_match else "bet", total - self.bet[seat]
                if not low <= total <= high or not high:
                    self._deviates(f"raises to {total}, but {low} to {high} is allowed")
        self._index -= 1
        self._next(
            "action_taken", act=word, amount=amount, bet=self.bet[seat] + amount,
            all_in=0 < amount == self.stacks[seat],
        )  # fmt: skip
        if action.get("declared") and (total != high if high else act not in ("call", "check")):
            self._deviates("is declared all-in, but is neither the whole stack nor a call")
        self._pay(seat, amount)
        self.acted.add(seat)
        if act in ("raise", "bet"):
            self.full_raise = max(self.full_raise, total - self.to_match)
            self.to_match, self.aggressor = total, seat

    def _check_fault(self, act: str, fault: str, owed: int) -> None:
        if not fault:
            return
        expected = "check" if fault in self._book.checked_faults and not owed else "fold"
        if act != expected:
            self._deviates(f"is a {act} after a fault, but should be a {expected}")
        if self._book.fault_costs_game:
            self.forfeited = self._event["seat"], fault

    # -- pots

    def _collect(self) -> None:
        """Judges the end of a street: uncalled chips must return to their seat, and each all-in amount needs a pot."""
        *_, second, top = sorted(self.paid_this_hand)
        if top > second:
            seat = self.paid_this_hand.index(top)
            self._next("bet_returned", seat=seat, amount=top - second)
            self._pay(seat, second - top)
        pots: list[tuple[int, list[int]]] = []
        unassigned = list(self.paid_this_hand)
        while any(unassigned[seat] for seat in self.live_seats):
            layer = min(unassigned[seat] for seat in self.live_seats if unassigned[seat])
            seats = sorted(seat for seat in self.live_seats if unassigned[seat])
            pots.append((sum(min(layer, chips) for chips in unassigned), seats))
            unassigned = [max(chips - layer, 0) for chips in unassigned]
        if sum(unassigned) and pots:
            pots[-1] = pots[-1][0] + sum(unassigned), pots[-1][1]
        if pots != self.pots:
            self._next("bets_collected", pots=[{"amount": amount, "seats": seats} for amount, seats in pots])
        self.pots = pots

    def _end(self) -> None:
        showdown = len(self.live_seats) > 1
        ranks = {seat: evaluate_cards(*self.hole[seat], *self.board) if showdown else 0 for seat in self.live_seats}
        order = self._circle(self.big if self._book.big_blind_always_last else self.dealer)
        awarded_pots, winners = list[tuple[int, list[dict[str, int]]]](), set[int]()
        for amount, seats in self.pots:
            best = min(ranks[seat] for seat in seats)  # A better hand has a lower rank.
            sharing_seats = [seat for seat in order if seat in seats and ranks[seat] == best]
            share, odd_chips = divmod(amount, len(sharing_seats))
            odd_seat = sharing_seats[-1 if self._book.odd_chips_last else 0]
            awards = [{"seat": seat, "amount": share + odd_chips * (seat == odd_seat)} for seat in sharing_seats]
            awarded_pots.append((amount, awards))
            winners |= {*sharing_seats}
        self._check_shown(winners, showdown=showdown)
        for number, (amount, awards) in enumerate(awarded_pots):
            self._next("pot_awarded", pot=number, amount=amount, awards=awards)
            for award in awards:
                self.stacks[award["seat"]] += award["amount"]
        self._next("hand_ended", stacks=self._all_chips())

    def _all_chips(self) -> list[int]:
        return [stack + rest for stack, rest in zip(self.stacks, self.out_of_play, strict=True)]

    def _check_shown(self, winners: set[int], *, showdown: bool) -> None:
        at_showdown = self.live_seats if showdown else set[int]()
        expected = {
            "all": {*self.hole}, "showdown": at_showdown, "winners": winners,
            "winners and last aggressor": at_showdown & (winners | {self.aggressor}),
        }[self._book.shows]  # fmt: skip
        shown_seats = set[int]()
        while self._peek()["type"] == "hand_shown":
            event = self._next("hand_shown")
            seat = event["seat"]
            if event["cards"] != self.hole.get(seat):
                self._deviates("shows cards that were not dealt to that seat")
            if showdown and seat in self.live_seats:
                best = evaluate_cards(*event["best"])
                if best != evaluate_cards(*self.hole[seat], *self.board):
                    self._deviates("does not show the best five cards")
            shown_seats.add(seat)
        if shown_seats != expected:
            self._deviates(f"comes after the cards of {sorted(shown_seats)}, but {sorted(expected)} must show theirs")
