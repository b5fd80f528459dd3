"""A slow, independent computation of what is at stake, by the rule books.

From the chips and cards on the table it works out who folds, what is returned, who gets which chips and who takes which
place. It tries every order of hands.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations

from broadcast.commentary.contest_state import ContestState
from broadcast.odds.title import first_place
from broadcast.on_air.events import StakesShown
from broadcast.on_air.facts import Outcome
from broadcast.on_air.table_state import TableState
from server.game.cards import DECK
from server.game.events import TurnStarted
from server.text.grammar import ordinal
from tests.commentary.checker.plain_poker import worth


class SlowStakes:
    """What is at stake for the seat that is asked in `asked`, with the contest and the table as they are then."""

    def __init__(self, contest: ContestState, table: TableState, asked: TurnStarted) -> None:
        assert contest.opened
        assert contest.hand
        assert contest.tournament.stage
        seats, records = contest.hand.seats, contest.tournament.records
        self.opened, self.stage, self.bots, self.asked = contest.opened, contest.tournament.stage, contest.seats, asked
        self.bank = {bot: record.stack for bot, record in records.items()}
        self.placed = {bot for bot, record in records.items() if record.place}
        self.number, self.button, self.began = table.hand.hand, table.hand.button, table.hand.stacks
        self.paid = [seat.committed for seat in table.seats]
        self.taken = [seat.start - seat.committed - seat.stack for seat in table.seats]
        """The chips that left the table with an unseated bot, by seat."""
        self.bet, self.price = [seat.bet for seat in seats], contest.hand.current_bet
        self.folded = {at for at, seat in enumerate(seats) if not seat.live}
        self.cards = {at: seat.cards for at, seat in enumerate(seats) if seat.cards}
        self.board = contest.hand.board

    def wrong(self, shown: StakesShown) -> list[str]:
        """The faults of the stakes that were shown, as texts."""
        true = {outcome.case: outcome for outcome in self.outcomes()}
        said = {outcome.case: outcome for outcome in shown.outcomes}
        wrong = [f"{shown.seat} was not asked"] if shown.seat != self.asked.seat else []
        wrong += [f"{case}: it cannot happen" for case in said if case not in true]
        few = sum(at not in self.folded for at in range(len(self.bet))) <= 3
        wrong += [f"{case}: it is not shown" for case in true if few and case not in said]
        return wrong + [
            f"{outcome} instead of {true[case]}" for case, outcome in said.items() if true.get(case, outcome) != outcome
        ]

    def outcomes(self) -> Iterator[Outcome]:
        """Yields all correct outcomes of the current decision."""
        me = self.asked.seat
        paid, bet = list(self.paid), list(self.bet)
        paid[me] += self.asked.to_call
        bet[me] += self.asked.to_call
        called = self._stay(paid, bet, me, folds=False)
        gone = self._stay(self.paid, self.bet, me, folds=True)
        if len(self.board) == 5:
            strengths = {at: worth(self.cards[at] + self.board) for at in {*called, *gone}}
            stacks, pots = self._shared(paid, called, strengths)
            yield self._outcome(_case_of(me, pots) if len(called) > 1 else "wins", [stacks])
            yield self._outcome("folds", [self._shared(self.paid, gone, strengths)[0]])
            return
        others = [at for at in called if at != me]
        orders = [dict(zip(order, range(len(order), 0, -1), strict=True)) for order in permutations(others)]
        rivers = self._rivers(me, others)
        if 1 in rivers:
            yield self._outcome("wins", [self._shared(paid, called, {**order, me: 99})[0] for order in orders])
        if -1 in rivers:
            yield self._outcome("loses", [self._shared(paid, called, {**order, me: 0})[0] for order in orders])
        orders = [dict(zip(order, range(len(order), 0, -1), strict=True)) for order in permutations(gone)]
        yield self._outcome("folds", [self._shared(self.paid, gone, order)[0] for order in orders])

    def _rivers(self, me: int, others: Sequence[int]) -> set[int]:
        """The possible results of seat `me` on the river: 1 if it beats all others, -1 if it loses, 0 for a tie."""
        if len(self.board) < 4 or not all(len(self.cards.get(at, ())) == 2 for at in (me, *others)):
            return {1, -1}
        dealt = {*self.board, *(card for cards in self.cards.values() for card in cards)}
        found = set[int]()
        for river in {*DECK} - dealt:
            mine = worth((*self.cards[me], *self.board, river))
            best = max((worth((*self.cards[at], *self.board, river)) for at in others), default=mine - 1)
            found.add((mine > best) - (mine < best))
        return found

    def _stay(self, paid: Sequence[int], bet: Sequence[int], me: int, *, folds: bool) -> list[int]:
        """The seats that stay to the end of the hand if every later seat with something to call folds."""
        count = len(paid)
        stay = {at for at in range(count) if at not in self.folded} - ({me} if folds else set())
        chips = [began - put for began, put in zip(self.began, paid, strict=True)]
        for at in ((me + step) % count for step in range(1, count)):
            if at not in stay or not chips[at] or bet[at] >= self.price or len(stay) == 1:
                continue
            others = [other for other in stay if other != at]
            if not any(chips[other] for other in others) and bet[at] >= max(bet[other] for other in others):
                continue
            stay.remove(at)
        return sorted(stay)

    def _shared(
        self, paid: Sequence[int], stay: Sequence[int], strengths: Mapping[int, int]
    ) -> tuple[list[int], list[tuple[list[int], list[int]]]]:
        """The stacks after the pots are paid; and for each pot, the seats that could win it and its winners."""
        put, pots = list(paid), list[tuple[list[int], list[int]]]()
        stacks = [had - chips - gone for had, chips, gone in zip(self.began, paid, self.taken, strict=True)]
        most = max(put)
        if put.count(most) == 1:
            at = put.index(most)
            back = most - max(chips for other, chips in enumerate(put) if other != at)
            stacks[at] += back
            put[at] -= back
        for low, high in self._layers(put, stay):
            amount = sum(min(max(chips - low, 0), high - low) for chips in put)
            mine = [at for at in stay if put[at] > low] or [
                at for at in stay if put[at] == max(put[each] for each in stay)
            ]
            best = max(strengths[at] for at in mine) if len(stay) > 1 else None
            winners = [at for at in self._later_order() if at in mine and (best is None or strengths[at] == best)]
            share, odd = divmod(amount, len(winners))
            first = self.opened.rules.odd_chips == "first_in_order"
            for at in winners:
                stacks[at] += share
            stacks[winners[0 if first else -1]] += odd
            pots.append((mine, winners))
        return stacks, pots

    def _layers(self, put: Sequence[int], stay: Sequence[int]) -> list[tuple[int, int]]:
        """The lower and upper bound of each pot: there is a pot for each amount that a seat in `stay` has put in."""
        heights = sorted({put[at] for at in stay})
        heights[-1] = max(put)
        return [(low, high) for low, high in zip([0, *heights], heights, strict=False) if high > low]

    def _later_order(self) -> list[int]:
        """The seats in the order in which they act on the river, which decides who gets the odd chips."""
        count = len(self.began)
        start = self.button + 1
        if self.opened.rules.later_streets_from == "big_blind":
            start = self._big_blind() + 1
        return [(start + step) % count for step in range(count)]

    def _big_blind(self) -> int:
        """The second seat with chips after the button; heads-up, the other seat if the button posts the small blind."""
        count = len(self.began)
        after = [at for step in range(1, count + 1) if self.began[at := (self.button + step) % count]]
        if len(after) == 2 and self.opened.rules.heads_up_button_posts == "small" and after[-1] == self.button:
            return after[0]
        return after[1]

    # -- wording

    def _outcome(self, case: str, ways: Sequence[list[int]]) -> Outcome:
        found = {self._standing(stacks) for stacks in ways}
        texts = {(text, rival) for text, rival, *_ in found}
        titles = {title for *_, title in found}
        title = titles.pop() if len(titles) == 1 else None
        if len(texts) == 1:
            return Outcome(case, *texts.pop(), title)  # type: ignore[arg-type]
        best, worst = min(best for _, _, best, *_ in found), max(worst for _, _, _, worst, *_ in found)
        sides = {side for *_, side, _ in found}
        where = f", {next(iter(sides))} the line" if len(sides) == 1 and sides <= {"above", "below"} else ""
        out = "out in " if sides == {"out"} else ""
        return Outcome(case, out + _from_to(best, worst) + where, 0, title)  # type: ignore[arg-type]

    def _standing(self, stacks: Sequence[int]) -> tuple[str, int, int, int, str, int | None]:
        """The standings if the hand ends with these stacks.

        Returns a text, the rival, the best place, the worst place, the side of the line, and the title chance.
        """
        me = self.bots[self.asked.seat]
        chips = dict(zip(self.bots, stacks, strict=True))
        ratings = {entrant.bot: entrant.rating for entrant in self.opened.entrants}
        if all(ratings.values()):
            return self._rated(me, chips, ratings)
        if not self.stage.series:
            chips = {bot: chips.get(bot, self.bank[bot]) for bot in self.stage.bots}
        if not chips[me]:
            return self._out(me, stacks)
        left = {bot: stack for bot, stack in chips.items() if stack}
        place = 1 + sum(stack > chips[me] for stack in left.values())
        if len(left) <= max(1, self.stage.advance):
            if self.stage.advance:
                return f"rides on to {self.stage.next_title or 'High Noon'}", 0, place, place, "above", None
            return ("wins the game" if self.stage.series else "wins it all"), 0, 1, 1, "", None
        text, rival, side = self._placed(me, place, left)
        return text, rival, place, place, side, self._title(me, chips)

    def _placed(self, me: int, place: int, left: Mapping[int, int]) -> tuple[str, int, str]:
        """Returns the text, the rival and the side of the line for a bot that still has chips."""
        mine = left[me]
        rest = sorted((stack for bot, stack in left.items() if bot != me), reverse=True)
        if self.stage.advance and self.stage.games:
            gap = mine - rest[self.stage.advance - 1]
            side = "level" if not gap else ("below", "above")[gap > 0]
            words = f"{abs(gap):,} {side} the line" if gap else "level at the line"
            return f"{ordinal(place)}, {words}", 0, side
        if mine in rest:
            rival = next(bot for bot, stack in left.items() if stack == mine and bot != me)
            return f"{ordinal(place)}, level with", rival, ""
        if place == 1:
            return f"1st by {mine - rest[0]:,}", 0, ""
        above = min(stack for stack in rest if stack > mine)
        rival = [bot for bot, stack in left.items() if stack == above][-1]
        return f"{ordinal(place)}, {above - mine:,} behind", rival, ""

    def _rated(
        self, me: int, chips: Mapping[int, int], ratings: Mapping[int, int]
    ) -> tuple[str, int, int, int, str, int | None]:
        """The rule book says: "Elo: K = 12, score = final chips / 100"."""
        seats = list(chips)
        one, other = ratings[seats[0]], ratings[seats[1]]
        expected = 1 / (1 + 10 ** ((other - one) / 40_000))
        change = round(1200 * (chips[seats[0]] / sum(chips.values()) - expected))
        change = change if me == seats[0] else -change
        place = 1 + (max(chips.values()) > chips[me])
        words = f"{(ratings[me] + change) / 100:,.1f} ({'-' if change < 0 else '+'}{abs(change) / 100:,.1f})"
        if all(chips.values()):
            return f"{words} as it stands", 0, place, place, "", None
        return f"{'wins' if chips[me] else 'loses'} the game: {words}", 0, place, place, "", None

    def _out(self, me: int, stacks: Sequence[int]) -> tuple[str, int, int, int, str, int | None]:
        """Of bots eliminated in one hand, the bot that began it with more chips places better; lots decide ties."""
        among = self.bots if self.stage.series else self.bank
        undecided = sum(bot not in self.placed for bot in among)
        broke = {bot: had for bot, had, has in zip(self.bots, self.began, stacks, strict=True) if had and not has}
        worst = undecided - sum(had < broke[me] for had in broke.values())
        best = undecided - len(broke) + 1 + sum(had > broke[me] for had in broke.values())
        return f"out in {_from_to(best, worst)}", 0, best, worst, "out", None

    def _title(self, me: int, chips: Mapping[int, int]) -> int | None:
        stage = self.stage
        freezeout = self.opened.contest == "enova" and stage.title == "The Tables"
        if stage.series or not (freezeout or (not stage.advance and stage.games == 1)):
            return None
        left = max(0, stage.hands - self.number) if stage.hands and not stage.advance else None
        chance = first_place([*chips.values()], left)[[*chips].index(me)]
        return int(chance * 1000) if chance in (0, 1) else min(999, max(1, round(chance * 1000)))


def _case_of(me: int, pots: Iterable[tuple[list[int], list[int]]]) -> str:
    mine = [winners for among, winners in pots if me in among]
    if all(winners == [me] for winners in mine):
        return "wins"
    return "shares" if any(me in winners for winners in mine) else "loses"


def _from_to(best: int, worst: int) -> str:
    if best == worst:
        return ordinal(best)
    return f"{ordinal(best)} {'or' if best + 1 == worst else 'to'} {ordinal(worst)}"
