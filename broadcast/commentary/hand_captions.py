"""Writes captions for what happens in a hand, from the table and the chances on air. No I/O."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from broadcast.commentary.drama import EarnedMark
from broadcast.commentary.hand_caption_phrases import PHRASES
from broadcast.commentary.hand_names import (
    UNMENTIONED_HANDS,
    flop_name,
    hand_name,
    hole_name,
    is_improved,
    made_name,
    spoken_name,
    street_name,
)
from broadcast.commentary.won_pots import ON_THE_BOARD, WonPots
from broadcast.on_air.picture_hand import LONG_THOUGHT_MS
from broadcast.on_air.table_state import HandOdds, TableState
from server.game import events
from server.game.cards import Card
from server.game.events import Event
from server.game.ranking import strength
from server.text.grammar import (
    chance_text,
    count_text,
    fits_caption,
    join_with_and,
    join_within_width,
    name_in_sentence,
    number_in_words,
    with_article,
)

CERTAIN_PERMILLE = 1000
"""The chance to win of a seat that cannot lose, in tenths of a percent."""
EVEN_PERMILLE = 505
"""A chance below this many tenths of a percent is shown as "50%" or less."""
_SILENT_MARKS = ("Elimination", "All-in showdown")
"""The marks that other captions announce. A mark says what was special about a hand, such as "Bluff"."""


class HandCaptions:
    """Writes the captions of one show's hands. Each public method returns a caption, or "" for no caption."""

    def __init__(self, pots: WonPots) -> None:
        """`pots` has the pots of the hand that have been won up to the current event."""
        self._pots = pots
        self._table = TableState()
        self._odds = HandOdds()
        self._last_phrases: dict[str, int] = {}
        """The index of the phrase that was used last, for each kind of phrase."""
        self._event_count = 0
        """The number of events so far that can have a caption. It varies the choice of phrases."""

    def caption_for(self, event: Event, table: TableState, odds: HandOdds) -> str:
        """Returns the caption of `event`, or "" if it has none. `table` and `odds` are the state after the event."""
        self._table, self._odds = table, odds
        caption = _CAPTION_MAKERS.get(type(event))
        if caption is None:
            return ""
        self._event_count += 1
        return caption(self, event)

    def describe_mark(self, marked: EarnedMark) -> str:
        """Returns the caption of a mark of the hand that has just ended, or "" if the mark has none."""
        if marked.mark in _SILENT_MARKS:
            return ""
        seats = self._table.seats
        if marked.mark == "Big pot" and (len(marked.seats) > 1 or len(self._pots.won_pots) == 1):
            return ""  # the previous caption has said the amount
        amount = sum(seats[seat].won for seat in marked.seats)
        kinds = [with_article(seats[seat].ranking.split(",")[0]) for seat in marked.seats]
        ranking = join_with_and(dict.fromkeys(kinds))
        return _sentence(self._named_phrase(marked.mark, *marked.seats, amount=f"{amount:,}", ranking=ranking))

    def describe_hole_cards(self, event: events.HoleDealt) -> str:
        """After the last hole cards are dealt, says which seat has the best cards. Returns "" if several seats have the
        highest chance.
        """
        best, wins = self._favourite(), [chance.win for chance in self._odds.current.values()]
        if not self._table.is_all_dealt or best is None or wins.count(max(wins)) > 1:
            return ""
        is_ahead = len(wins) == 2 or self._odds.current[best].win >= EVEN_PERMILLE
        text = self._named_phrase(
            "deal" if is_ahead else "deal to many", best, hand=hole_name(self._table.seats[best].cards)
        )
        chance = self._chance_text(best)
        return _sentence(text, f", {chance}" if chance else "")

    def describe_blind(self, event: events.BlindPosted) -> str:
        if not event.all_in:
            return ""
        blind = "ante" if event.blind == "ante" else f"{event.blind} blind"
        chips = "chip" if event.amount == 1 else f"{event.amount:,} chips"
        return f"{self._name(event.seat)} posts its last {chips} as the {blind}."

    def describe_action(self, event: events.ActionTaken) -> str:
        """Says what a bot did. After a long thought in an exhibition, also says how long the bot thought, because the
        show may cut the thinking short.
        """
        caption = self._action_caption(event)
        timed = f"After {event.think_ms // 1000} seconds, {caption}"
        long = self._table.hand.banks_ms is not UNSET and event.think_ms >= LONG_THOUGHT_MS
        return timed if long and fits_caption(timed) else caption

    def _action_caption(self, event: events.ActionTaken) -> str:
        if event.fault:
            return _sentence(self._named_phrase(event.fault, event.seat, does=f"{event.act}s"))
        if event.act == "fold":
            return self._fold_caption(event)
        kind: str = event.act
        if event.all_in:
            kind = "call all in" if event.act == "call" else "all in"
        text = self._named_phrase(kind, event.seat, amount=f"{event.amount:,}", bet=f"{event.bet:,}")
        hand = self._hand_text(event.seat)
        with_what = "" if event.act == "check" or hand in UNMENTIONED_HANDS else f" with {hand}"
        return _sentence(text, with_what, self._favourite_clause(event) if event.all_in else "")

    def _fold_caption(self, event: events.ActionTaken) -> str:
        hand = self._hand_text(event.seat)
        fold = self._named_phrase("fold" if hand in UNMENTIONED_HANDS else "fold hand", event.seat, hand=hand)
        return _sentence(fold) if fits_caption(fold + ".") else _sentence(self._named_phrase("fold", event.seat))

    def _favourite_clause(self, event: events.ActionTaken) -> str:
        """The clause that says who is most likely to win after an all-in."""
        best = self._favourite()
        if best is None:
            return ""
        win = self._odds.current[best].win
        if win == CERTAIN_PERMILLE:
            if best == event.seat:
                return f", and {self._drawing_dead_subject(best)} drawing dead"
            if len(self._table.board) == 5:
                return f", but {self._name(best)} has the best hand"
            return f", drawing dead against {self._name(best)}"
        if win >= EVEN_PERMILLE:
            how = self._chance_text(best)
            return f", {how}" if best == event.seat else f", but {self._name(best)} is {how}"
        many = len(self._odds.current)
        how = (
            "a slight favourite"
            if many == 2
            else f"the favourite at {chance_text(win)} in a {number_in_words(many)}-way pot"
        )
        return f", and is {how}" if best == event.seat else f", but {self._name(best)} is {how}"

    def describe_street(self, event: events.StreetDealt) -> str:
        cards = flop_name(event.cards) if event.street == "flop" else street_name(event.cards[0])
        text = self._phrase(event.street, 0, cards=cards)
        lead, *more = self._lead_clause()
        return _sentence(f"{text}{lead}", *more) if fits_caption(f"{text}{lead}.") else _sentence(text)

    def _lead_clause(self) -> tuple[str, ...]:
        """Returns a clause about the favourite on this board, followed by parts that are added if there is room for
        them.

        The clause is "" if no chances are on air, or if a tie is more likely than a win.
        """
        odds, best = self._odds, self._favourite()
        if best is None:
            return ("",)
        win, is_river = odds.current[best].win, len(self._table.board) == 5
        if win == CERTAIN_PERMILLE and not is_river:
            return (f", and {self._cannot_lose_clause(best)}",)
        lead = f", and {self._named_phrase('best' if is_river else self._lead_kind(best), best)}"
        is_poor = made_name(self._table.seats[best].cards, self._table.board) in UNMENTIONED_HANDS
        with_what = "" if is_poor else f" with {self._hand_text(best)}"
        chance = "" if is_river else self._chance_text(best)
        return (lead, with_what, f", {chance}" if chance else "")

    def _lead_kind(self, best: int) -> str:
        """Returns the kind of phrase for seat `best`, the favourite on the flop or turn.

        It is "favourite" if another seat has an equal or better hand now. On the turn, it is "holds" if `best` already
        had the best hand on the flop, and "turns" if not. On the flop, it is "turns" if `best` improved its hand and so
        became the favourite. Otherwise it is "leads".
        """
        board, before = self._table.board, self._odds.previous
        if self._best_seat_on(board) != best:
            return "favourite"
        if len(board) == 3:
            was_ahead = max(before, key=lambda seat: before[seat].win, default=best) == best
            return "turns" if is_improved(self._table.seats[best].cards, board) and not was_ahead else "leads"
        return "holds" if self._best_seat_on(board[:-1]) == best else "turns"

    def _best_seat_on(self, board: Sequence[Card]) -> int | None:
        """Returns the seat with the best hand on `board`, or None if several seats have equally good hands."""
        values = {seat: strength([*self._table.seats[seat].cards, *board]) for seat in self._odds.current}
        best = max(values.values())
        seats = [seat for seat, value in values.items() if value == best]
        return seats[0] if len(seats) == 1 else None

    def _cannot_lose_clause(self, best: int) -> str:
        """Says that seat `best` cannot lose. If there is only one opponent, names it."""
        others = [seat for seat in self._odds.current if seat != best]
        if len(others) > 1:
            return self._named_phrase("sure", best)
        return self._named_phrase("drawing dead", best, other=self._name(others[0]))

    def _drawing_dead_subject(self, best: int) -> str:
        """The subject and verb for the bots that cannot beat seat `best`: "Doc is", "everyone else is"."""
        others = [seat for seat in self._odds.current if seat != best]
        return f"{self._name(others[0]) if len(others) == 1 else 'everyone else'} is"

    def describe_shown_hand(self, event: events.HandShown) -> str:
        if not event.ranking:
            return ""
        name = self._pots.name_of(event.seat, self._table)
        kind = "show board" if name.endswith(ON_THE_BOARD) else "show"
        ranking = with_article(spoken_name(name.removesuffix(ON_THE_BOARD)))
        return _sentence(self._named_phrase(kind, event.seat, ranking=ranking))

    def describe_returned_bet(self, event: events.BetReturned) -> str:
        if self._pots.is_walk:  # the returned bet is a part of the bot's blind
            return ""
        kind = "returned" if event.amount > 1 else "returned one"
        return _sentence(self._named_phrase(kind, event.seat, amount=f"{event.amount:,}"))

    def describe_award(self, event: events.PotAwarded) -> str:
        pot = self._pots.won_pots[-1]
        kind = "split" if len(pot.seats) > 1 else "wins"
        # Between two bots, a walk has its own phrase, because "everyone folds" would mean only one bot.
        if self._pots.is_walk and not self._table.board:
            kind = "walk of two" if sum(seat.dealt_in for seat in self._table.seats) == 2 else "walk"
        text = self._named_phrase(kind, *pot.seats, amount=pot.amount_text)
        if not fits_caption(f"{text}."):
            text = text.replace(pot.amount_text, count_text(event.amount, "chip"))
        return _sentence(
            text, pot.hand_text if fits_caption(f"{text}{pot.hand_text}.") else pot.hand_text.split(",")[0]
        )

    def _named_phrase(self, kind: str, *seats: int, **words: str) -> str:
        name = join_within_width([self._name(seat) for seat in seats])
        return self._phrase(kind, seats[0], name=name, **words)

    def _phrase(self, kind: str, seat: int, **words: str) -> str:
        """Returns a phrase of `kind` without a full stop. Avoids the phrase of this kind that was used last."""
        phrases = PHRASES[kind]
        choice = (self._table.hand.hand * 5 + self._event_count * 7 + seat) % len(phrases)
        if choice == self._last_phrases.get(kind):
            choice = (choice + 1) % len(phrases)
        self._last_phrases[kind] = choice
        return phrases[choice].format_map(words)

    def _name(self, seat: int) -> str:
        return name_in_sentence(self._table.bot_name(seat))

    def _hand_text(self, seat: int) -> str:
        table, cards = self._table, self._table.seats[seat].cards
        face_up = {*table.board, *(card for each in table.seats for card in each.cards)}
        return hand_name(cards, table.board, face_up) if cards else ""

    def _favourite(self) -> int | None:
        """Returns the seat most likely to win, or None if no chances are on air or a tie is more likely than a win."""
        best, now = self._odds.favourite, self._odds.current
        if best is None or now[best].win <= max(chance.tie for chance in now.values()):
            return None
        return best

    def _chance_text(self, seat: int) -> str:
        """Says the chance of the favourite, which sits in `seat`: "64% to win".

        Returns "" if only two bots are in the hand and both have at most a 50 % chance. Ties can cause this.
        """
        win, many = self._odds.current[seat].win, len(self._odds.current)
        if win >= EVEN_PERMILLE:
            return f"{chance_text(win)} to win"
        return f"{chance_text(win)} to win against {number_in_words(many - 1)} others" if many > 2 else ""


def _sentence(text: str, *more: str) -> str:
    """Returns a sentence: `text`, then each part of `more` that still fits into a caption."""
    for part in more:
        if fits_caption(f"{text}{part}."):
            text += part
    return f"{text}."


_CAPTION_MAKERS: dict[type[Event], Callable[[HandCaptions, Any], str]] = {
    events.HoleDealt: HandCaptions.describe_hole_cards,
    events.BlindPosted: HandCaptions.describe_blind,
    events.ActionTaken: HandCaptions.describe_action,
    events.StreetDealt: HandCaptions.describe_street,
    events.HandShown: HandCaptions.describe_shown_hand,
    events.BetReturned: HandCaptions.describe_returned_bet,
    events.PotAwarded: HandCaptions.describe_award,
}
