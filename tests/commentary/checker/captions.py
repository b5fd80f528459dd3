"""Checks what captions claim about a hand. From the flop on, computes the bots' chances to win again."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from broadcast.commentary.hand_caption_phrases import PHRASES
from broadcast.commentary.hand_names import hand_name, hole_name, made_name, showdown_name, spoken_name
from broadcast.on_air.events import Chance, EquitiesChanged, HighlightMarked
from broadcast.on_air.table_state import TableEntry, TableState
from server.game import events
from server.game.cards import RANKS
from server.text.grammar import chance_text, fits_caption, number_in_words, ordinal, with_article
from tests.equity.test_equity import by_phevaluator, count_equities

RANK_WORDS = {rank: number_in_words(int(rank)) for rank in RANKS[1:8]} | {
    "2": "deuce", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
WordsByName = Mapping[str, str | None]
WITHOUT_ISOLATES = str.maketrans("", "", "\u2068\u2069")
CHANCE = r"(?:less than )?\d+% to win"
POT = r"the (?:main|side) pot|the (?:first|second|third|\d+th) side pot"
PATTERNS = {
    "amount": rf"(?:(?P<alone>{POT}) uncontested: )?(?P<sum>[\d,]+)(?: chips?)?(?: in (?P<pot>{POT}))?",
    "bet": r"[\d,]+",
}
"""Patterns for the words in braces in a phrase, such as "{bet}". A word without a pattern stands for any text."""
# After a phrase about an act may come the bot's hand (group `held`) and a verdict on who is ahead. The group `sure` is
# an opponent that can no longer lose. The group `beats` is an opponent that has the best hand on the river.
WITH_HAND = "(?: with (?P<held>.+?))?"
FAVOURITE = r"a slight favourite|the favourite at \d+% in a \w+-way pot"
OWN_VERDICT = rf",? (?P<own>and .+ is drawing dead|and is (?:{FAVOURITE})|{CHANCE})"
DEAD = r", (?:drawing dead against (?P<sure>.+?)|but (?P<beats>.+?) has the best hand)"
OPPONENTS_VERDICT = rf"{DEAD}|, but (?P<other>.+?) is (?P<theirs>{CHANCE}|{FAVOURITE})"
VERDICT = rf"(?:{OWN_VERDICT}|{OPPONENTS_VERDICT})?"
MADE = ("royal flush", "straight flush", "flush", "straight")  # A bot can flop these without pairing a hole card.
AHEAD_KINDS = ("favourite", "leads", "holds", "turns", "sure", "drawing dead", "best")
"""The kinds of phrases that say who is ahead."""

HAND_KINDS = (
    (1, "royal flush"), (10, "straight flush"), (166, "four of a kind"), (322, "full house"), (1599, "flush"),
    (1609, "straight"), (2467, "three of a kind"), (3325, "two pair"), (6185, "pair"), (7462, "high card"),
)  # fmt: skip
"""Each kind of hand, with the rank of its weakest hand. The best of 7,462 different hands has rank 1."""

Cards = Sequence[str]


def strength(cards: Cards) -> int:
    """The strength of the best hand that five to seven cards make. Better hands have larger numbers."""
    return _strength(frozenset(cards))


@cache
def _strength(cards: frozenset[str]) -> int:
    return by_phevaluator.strength([by_phevaluator.card(card) for card in cards])


def kind_of_hand(cards: Cards) -> str:
    return next(name for lowest, name in HAND_KINDS if -strength(cards) <= lowest)


def pattern_of(phrase: str) -> str:
    """The regular expression of a phrase, in which each word in braces becomes a named group."""
    return re.sub(r"\\\{(\w+)\\\}", lambda word: f"(?P<{word[1]}>{PATTERNS.get(word[1], '.+?')})", re.escape(phrase))


def matches(text: str, kinds: Sequence[str], after: str = "") -> Iterator[tuple[str, WordsByName]]:
    """Matches `text` with each phrase of each kind, followed by the regex `after`. Yields the kind and the groups."""
    for kind in kinds:
        for phrase in PHRASES[kind]:
            if match := re.fullmatch(f"{pattern_of(phrase)}{after}", text.translate(WITHOUT_ISOLATES), re.DOTALL):
                yield kind, match.groupdict()


def says(text: str, kind: str, after: str = r"\.", **expected: str) -> bool:
    """Whether `text` is a phrase of `kind`, filled in with the words `expected`, and then a match of `after`."""
    return any(expected.items() <= words.items() for _, words in matches(text, [kind], after))


def is_list_of(words: str, names: Sequence[str]) -> bool:
    *others, last = [name.translate(WITHOUT_ISOLATES) for name in names]
    return words == (f"{', '.join(others)} and {last}" if others else last)


def amount_in(words: str | None) -> int:
    """The amount at the start of `words`, before words such as "chips in the main pot". -1 if there are no words."""
    return int((words or "-1").partition(" ")[0].replace(",", ""))


def spoken_with_article(name: str) -> str:
    return with_article(spoken_name(name))


class WonPot(Struct, frozen=True):
    """A pot, and the seats that won it. Without a showdown, `ranking` (the winners' hand) is ""."""

    name: str
    amount: int
    winners: list[int]
    ranking: str
    uncontested: bool


class CaptionCheck:
    def __init__(self, count_every: int = 1) -> None:
        """Checks chances on the flop in every `count_every`-th hand, and chances on later streets in every hand."""
        self.table = TableState()
        self.chances: dict[int, Chance] = {}  # Each seat's chances to win and to tie are in tenths of a percent.
        self.earlier_chances: dict[int, Chance] = {}
        self.pots: list[WonPot] = []
        self.marks: Sequence[HighlightMarked] = ()
        """The marks (such as "Bluff") that go on air with the caption."""
        self.hands = self.checked = 0
        self._count_every = count_every
        self._collected_pots: tuple[events.Pot, ...] = ()
        self._is_played = False
        """Whether a bot has called, bet or raised. A hand that ends preflop without such an action is a walk."""

    def apply(self, entry: TableEntry) -> None:
        self.table = entry.table
        match entry.event:
            case events.HandStarted():
                self.chances, self.earlier_chances, self.pots = {}, {}, []
                self._collected_pots, self._is_played = (), False
                self.hands += 1
            case events.BetsCollected(pots=pots):
                self._collected_pots = pots
            case events.ActionTaken(amount=amount):
                self._is_played = self._is_played or amount > 0

    def record_chances(self, event: EquitiesChanged) -> None:
        self.earlier_chances, self.chances = self.chances, {chance.seat: chance for chance in event.chances}
        board = self.table.board
        if not self.chances or not board or (len(board) == 3 and self.hands % self._count_every):
            return
        seats = sorted(self.chances)
        assert seats == self.table.seats_in_hand
        dead = [card for seat in self.table.seats if seat.folded for card in seat.cards]
        holes = [(cards[0], cards[1]) for cards in map(self._cards, seats)]
        for seat, equity in zip(seats, count_equities(by_phevaluator, holes, tuple(board), dead), strict=True):
            for permille, boards in ((self.chances[seat].win, equity.wins), (self.chances[seat].tie, equity.ties)):
                assert abs(permille - 1000 * boards / equity.boards) <= 1, f"seat {seat}, with {self.table}"

    def caption(self, event: events.Event, text: str) -> None:
        check = _CHECKS.get(type(event))
        assert check, f"no caption was expected after {event}, but: {text}"
        assert check(self, event, text), f"{text!r} after {event}, {self.table}, {self.chances}"
        self.checked += 1

    def describes_deal(self, event: events.HoleDealt, text: str) -> bool:
        favourite = self._favourite()
        is_alone = all(self.chances[seat].win < self.chances[favourite].win for seat in {*self.chances} - {favourite})
        kind = "deal to many" if self._is_one_of_many(favourite) else "deal"
        odds = rf"(?:, {self._chance(favourite)})?\."
        return is_alone and says(text, kind, odds, name=self._who(favourite), hand=hole_name(self._cards(favourite)))

    def describes_blind(self, event: events.BlindPosted, text: str) -> bool:
        blind = "ante" if event.blind == "ante" else f"{event.blind} blind"
        last = "chip" if event.amount == 1 else f"{event.amount:,} chips"
        return event.all_in and text == f"{self._who(event.seat)} posts its last {last} as the {blind}."

    def describes_action(self, event: events.ActionTaken, text: str) -> bool:
        if timed := re.match(r"After (\d+) seconds, ", text):
            if not (self.table.hand.banks_ms and 10 <= int(timed[1]) == event.think_ms // 1000):
                return False
            text = text[timed.end() :]
        if event.fault:
            return says(text, event.fault, name=self._who(event.seat), does=f"{event.act}s")
        kinds = ["fold", "fold hand"] if event.act == "fold" else [event.act]
        if event.all_in:
            kinds = ["call all in"] if event.act == "call" else ["all in"]
        after = rf"{WITH_HAND}{VERDICT}\." if event.amount else r"\."
        return any(self._is_act(event, words) for _, words in matches(text, kinds, after))

    def _is_act(self, event: events.ActionTaken, words: WordsByName) -> bool:
        held, sums = words.get("hand") or words.get("held"), {"amount": event.amount, "bet": event.bet}
        return (
            words["name"] == self._who(event.seat)
            and all(amount_in(words[name]) == chips for name, chips in sums.items() if name in words)
            and (held is None or held == self._hand(event.seat))
            and self._is_verdict(event.seat, words)
        )

    def _is_verdict(self, seat: int, words: WordsByName) -> bool:
        own_verdict, other_verdict, is_river = words.get("own"), words.get("theirs"), len(self.table.board) == 5
        beaten_by = words.get("beats") if is_river else words.get("sure")
        if not any(words.get(name) for name in ("own", "sure", "beats", "theirs")):
            return True
        favourite = self._favourite()
        win = self.chances[favourite].win
        verdict = self._verdict(favourite)
        if own_verdict is not None:
            sure = f"and {self._only_other or 'everyone else'} is drawing dead"
            return favourite == seat and own_verdict == (sure if win == 1000 else f"{'and is ' * (win < 505)}{verdict}")
        if beaten_by is not None:
            chance = self.chances[seat]
            return (chance.win, chance.tie, win) == (0, 0, 1000) and beaten_by == self._who(favourite)
        return favourite != seat and win < 1000 and (words["other"], other_verdict) == (self._who(favourite), verdict)

    def describes_street(self, event: events.StreetDealt, text: str) -> bool:
        head, _, verdict = text.removesuffix(".").partition(", and ")
        high_first = sorted(event.cards, key=lambda card: RANKS.index(card[0]), reverse=True)
        words, suits = "-".join(RANK_WORDS[card[0]] for card in high_first), {SUITS[card[1]] for card in event.cards}
        if event.street == "flop":
            cards = words + (f", all {suits.pop()}" if len(suits) == 1 else "")
        else:
            cards = f"{words} of {suits.pop()}"
        after = rf"{WITH_HAND}(?:, (?P<chance>\d+%.*))?"
        is_true = not verdict or any(self._leads_as_said(*match) for match in matches(verdict, AHEAD_KINDS, after))
        return is_true and says(head, event.street, "", cards=cards)

    def _leads_as_said(self, kind: str, words: WordsByName) -> bool:
        leader, board, held = self._favourite(), self.table.board, words.get("held")
        if words["name"] != self._who(leader) or words.get("chance") not in (None, self._chance(leader)):
            return False
        if held and (held != self._hand(leader) or held.split(" and ")[0] != made_name(self._cards(leader), board)):
            return False
        board_size, is_ahead = len(board), self._is_ahead(leader, board)
        is_new = self._has_flopped(leader) if board_size == 3 else not self._is_ahead(leader, board[:-1])
        is_sure = board_size < 5 and self.chances[leader].win == 1000 and words.get("other") == self._only_other
        return {
            "sure": is_sure,
            "drawing dead": is_sure,
            "best": board_size == 5 and is_ahead,
            "favourite": board_size < 5 and not is_ahead,
            "turns": is_ahead and is_new,
            "leads": board_size == 3 and is_ahead and not is_new,
            "holds": board_size == 4 and is_ahead and not is_new,
        }[kind]

    @property
    def _only_other(self) -> str | None:
        """The name of the favourite's only opponent, or None if the favourite has several."""
        others = [self._who(seat) for seat in self.chances if seat != self._favourite()]
        return others[0] if len(others) == 1 else None

    def describes_shown_hand(self, event: events.HandShown, text: str) -> bool:
        name = self.shown_hand_name(event.seat)
        bare = name.removesuffix(", on the board")
        kind = "show" if bare == name else "show board"
        return says(text, kind, name=self._who(event.seat), ranking=spoken_with_article(bare))

    def describes_returned_bet(self, event: events.BetReturned, text: str) -> bool:
        paid = [seat.committed for seat in self.table.seats]
        amount = {"amount": f"{event.amount:,}"} if event.amount > 1 else {}
        kind = "returned" if amount else "returned one"
        return paid[event.seat] == max(paid) and says(text, kind, name=self._who(event.seat), **amount)

    def describes_award(self, event: events.PotAwarded, text: str) -> bool:
        pot = self._pot(event)
        self.pots.append(pot)
        is_walk = not self._is_played and not self.table.board
        walk = "walk of two" if sum(seat.dealt_in for seat in self.table.seats) == 2 else "walk"
        kind = "split" if len(pot.winners) > 1 else walk if is_walk else "wins"
        names = [self._who(seat) for seat in pot.winners]
        return any(
            is_list_of(str(words["name"]), names)
            and amount_in(words["sum"]) == pot.amount
            and (words["alone"] is None or pot.uncontested)
            and ((words["alone"] if pot.uncontested else words["pot"]) or "the pot")
            in (pot.name, self._without_room(pot, text, words))
            and (
                words["rest"] in self._sentence_ends(pot)
                # A caption may leave out the winning hand only if even the hand's short name does not fit.
                or (words["rest"] is None and not fits_caption(f"{text[:-1]}{self._sentence_ends(pot)[-1]}."))
            )
            for _, words in matches(text, [kind], r"(?P<rest>: .+| with .+)?\.")
        )

    def _pot(self, event: events.PotAwarded) -> WonPot:
        seats, live = self.table.seats, self.table.seats_in_hand
        pot_seats = self._collected_pots[event.pot].seats if event.pot < len(self._collected_pots) else ()
        contenders = [seat for seat in pot_seats if seats[seat].is_in_hand] or live
        winners = [award.seat for award in event.awards]
        best_seats = {*contenders}
        if len(contenders) > 1:
            hands = {seat: strength([*self._cards(seat), *self.table.board]) for seat in contenders}
            best_seats = {seat for seat, hand in hands.items() if hand == max(hands.values())}
        assert {*winners} == best_seats, event
        others = [self._cards(seat) for seat in contenders if seat != winners[0]]
        ranking = showdown_name(self._cards(winners[0]), self.table.board, others) if len(live) > 1 else ""
        count = max(len(self._collected_pots), event.pot + 1)
        number = {1: "first", 2: "second", 3: "third"}.get(event.pot, ordinal(event.pot))
        side = "the side pot" if count == 2 else f"the {number} side pot"
        name = "the pot" if count == 1 else side if event.pot else "the main pot"
        return WonPot(name, event.amount, winners, ranking, uncontested=event.pot > 0 and len(contenders) == 1)

    def _without_room(self, pot: WonPot, text: str, words: WordsByName) -> str | None:
        """Returns "the pot" if there is no room for the pot's name in the caption, otherwise None."""
        head = text.removesuffix(".").removesuffix(words["rest"] or "")
        pot_words = f"{pot.name} uncontested: " if pot.uncontested else f" in {pot.name}"
        return None if fits_caption(f"{head}{pot_words}.") else "the pot"

    def _sentence_ends(self, pot: WonPot) -> list[str | None]:
        """The possible ends of a sentence about a pot: the winner's whole hand or, to save room, only its kind."""
        if pot.uncontested or not pot.ranking:
            return [None]
        if len(pot.winners) > 1 and pot.ranking.endswith(", on the board"):
            return [": the board plays", None]
        count = len(pot.winners)
        start = " with" if count == 1 else ": both have" if count == 2 else ": all have"
        full_ending = f"{start} {spoken_with_article(pot.ranking)}"
        return [full_ending, full_ending.split(",", maxsplit=1)[0]]

    def check_hand_line(self, text: str) -> None:
        """Checks the line that sums up a finished hand."""
        pots, text = self.pots, text.translate(WITHOUT_ISOLATES)
        if len({tuple(pot.winners) for pot in pots}) == 1:
            is_right = self._is_taken(text, pots[0], f"{sum(pot.amount for pot in pots):,}")
        else:
            parts, ranked = text.split("; "), sorted(pots, key=lambda pot: -pot.amount)
            sums = [f"{pot.amount:,} chip{'s' * (pot.amount > 1)}" for pot in ranked]
            is_right = len(parts) == len(ranked) and all(
                self._is_taken(
                    part, pot, f"{pot.name} uncontested: {chips}" if pot.uncontested else f"{chips} in {pot.name}"
                )
                for part, pot, chips in zip(parts, ranked, sums, strict=True)
            )
        assert is_right, f"{text!r} after {pots}"
        self.checked += 1

    def _is_taken(self, text: str, pot: WonPot, prize: str) -> bool:
        """Whether `text` says that the winners of `pot` win or split `prize`."""
        verb, names = "wins" if len(pot.winners) == 1 else "split", [self._who(seat) for seat in pot.winners]
        endings = [f" {verb} {prize}{rest or ''}" for rest in self._sentence_ends(pot)]
        return any(text.endswith(ending) and is_list_of(text.removesuffix(ending), names) for ending in endings)

    def describes_highlight(self, _event: events.HandEnded, text: str) -> bool:
        return any(
            self._are_listed(mark.seats, str(words["name"]))
            and amount_in(words.get("amount")) in (-1, sum(self.table.seats[seat].won for seat in mark.seats))
            and self._are_hand_kinds(mark.seats, words.get("ranking"))
            for mark in self.marks
            if mark.mark in PHRASES
            for _, words in matches(text, [mark.mark], r"\.")
        )

    def _are_listed(self, seats: Sequence[int], names: str) -> bool:
        """Whether `names` contains the names of one or more of `seats`, and of no other seat."""
        listed = {seat for seat in range(len(self.table.seats)) if self._who(seat) in names}
        return bool(listed) and listed <= {*seats}

    def _are_hand_kinds(self, seats: Sequence[int], words: str | None) -> bool:
        hands = {with_article(kind_of_hand([*self._cards(seat), *self.table.board])) for seat in seats}
        return words is None or {*words.split(" and ")} == hands

    def _who(self, seat: int) -> str:
        return self.table.bot_name(seat)

    def shown_hand_name(self, seat: int) -> str:
        others = [self._cards(other) for other in self.table.seats_in_hand if other != seat]
        return showdown_name(self._cards(seat), self.table.board, others)

    def _cards(self, seat: int) -> Cards:
        return self.table.seats[seat].cards

    def _hand(self, seat: int) -> str:
        face_up = {*self.table.board, *(card for each in self.table.seats for card in each.cards)}
        return hand_name(self._cards(seat), self.table.board, face_up)

    def _is_ahead(self, seat: int, board: Sequence[str]) -> bool:
        """Whether the hand of `seat` beats all others on `board`, if no more cards are dealt."""
        hands = {other: strength([*self._cards(other), *board]) for other in self.chances}
        return all(hands[seat] > hands[other] for other in hands if other != seat)

    def _has_flopped(self, seat: int) -> bool:
        """Whether the flop has helped `seat`, and `seat` was not the favourite before the flop."""
        cards, board = self._cards(seat), self.table.board
        helps = {card[0] for card in cards} & {card[0] for card in board} or kind_of_hand([*cards, *board]) in MADE
        favourite_before = max(self.earlier_chances, key=lambda other: self.earlier_chances[other].win, default=seat)
        return seat != favourite_before and bool(helps)

    def _favourite(self) -> int:
        return max(self.chances, key=lambda seat: self.chances[seat].win)

    def _is_one_of_many(self, favourite: int) -> bool:
        return len(self.chances) > 2 and self.chances[favourite].win < 505

    def _chance(self, favourite: int) -> str:
        against = f" against {number_in_words(len(self.chances) - 1)} others" if self._is_one_of_many(favourite) else ""
        return f"{chance_text(self.chances[favourite].win)} to win{against}"

    def _verdict(self, favourite: int) -> str:
        win = self.chances[favourite].win
        if self._is_one_of_many(favourite):
            return f"the favourite at {chance_text(win)} in a {number_in_words(len(self.chances))}-way pot"
        return f"{chance_text(win)} to win" if win >= 505 else "a slight favourite"


_CHECKS: dict[type[events.Event], Callable[[CaptionCheck, Any, str], bool]] = {
    events.HoleDealt: CaptionCheck.describes_deal,
    events.BlindPosted: CaptionCheck.describes_blind,
    events.ActionTaken: CaptionCheck.describes_action,
    events.StreetDealt: CaptionCheck.describes_street,
    events.HandShown: CaptionCheck.describes_shown_hand,
    events.BetReturned: CaptionCheck.describes_returned_bet,
    events.PotAwarded: CaptionCheck.describes_award,
    events.HandEnded: CaptionCheck.describes_highlight,
}
