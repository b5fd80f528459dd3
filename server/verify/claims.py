"""Counts the facts that `highnoon verify` has proved about a recording, and describes them in plain sentences."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from server.console import dollars_and_cents
from server.game.betting import is_decision
from server.game.events import Event, HandShown, HoleDealt, Placing, PotAwarded, StreetDealt
from server.game.rules import Rules
from server.text.grammar import count_text


class Proof(Struct):
    """How many facts of each kind were proved about a recording."""

    entries: int = 0
    games: int = 0
    hands: int = 0
    cards: int = 0
    decisions: int = 0
    pots: int = 0
    side_pots: int = 0
    """How many of the pots are side pots."""
    odd_chip_pots: int = 0
    """How many pots could not be divided evenly among their winners."""
    showdowns: int = 0
    concealed_hands: int = 0
    """The number of hands in which some cards are unknown."""
    draws: int = 0
    """How many draws of seats."""
    broken_ties: int = 0
    """How many ties were decided by lot."""
    eliminations: int = 0
    """How many bots were eliminated at the table."""
    ratings: int = 0
    series_games: int = 0
    """How many games of a series were proved to have the right winner."""
    deals: int = 0
    """How many deals were proved to be fair: the same cards at all tables, and every bot once in every seat."""
    luck_tables: int = 0
    """At how many tables the recorded luck (what the community cards were worth) was proved right. The number is 0 if
    chips alone decide.
    """
    placings: tuple[Placing, ...] = ()
    """The final results, if the tournament is over."""
    finished: bool = False
    """Whether the tournament is over. If so, the seed, the places and the prizes are also proved."""
    unfinished_hand: bool = False
    """Whether the last hand is incomplete. An incomplete hand proves nothing."""
    remarks: list[str] = field(default_factory=list)
    """Sentences about anything unusual: withdrawn bots, stages that ended early, rules that differ from the rule
    book.
    """

    def add_hand(self, rules: Rules, events: Iterable[Event]) -> None:
        """Counts a hand. `events` are all events of the hand. In these events, an unknown card is ""."""
        self.hands += 1
        has_showdown = False
        for event in events:
            self.decisions += is_decision(rules, event)
            match event:
                case HoleDealt(cards=cards) | StreetDealt(cards=cards):
                    self.cards += sum(map(bool, cards))
                case PotAwarded(pot=pot, amount=amount, awards=awards):
                    self.pots += 1
                    self.side_pots += pot > 0
                    self.odd_chip_pots += amount % len(awards) > 0
                case HandShown(ranking=ranking):
                    has_showdown = has_showdown or bool(ranking)
        self.showdowns += has_showdown


class Claim(Struct, frozen=True):
    """A proved claim about all things of one kind, such as all hands. `of` is the kind, `count` says how many things of
    this kind the recording has, and `words` is the claim as text.
    """

    of: str
    count: int
    words: str


class Verdict(Struct, frozen=True):
    """The verdict on a file. `holds` says whether the file is proved. If the file is refuted, `fault` is the first
    fault, and `where` names its hand or line.

    `whole` says whether the file is complete. An incomplete file can also be proved. `open` lists the facts that the
    file does not prove, and `notes` mentions anything unusual.
    """

    holds: bool
    whole: bool = False
    claims: Sequence[Claim] = ()
    notes: Sequence[str] = ()
    open: Sequence[str] = ()
    fault: str = ""
    where: str = ""


def list_claims(proof: Proof, *, published: bool) -> list[Claim]:
    """Lists the claims that a recording proves. Leaves out claims about things that the recording does not contain.

    `published` says whether the recording has published hands (from a hand history) instead of a tournament.
    """
    text = f"{count_text(proof.entries, 'line')}: numbered without a gap, and every checksum is valid"
    play_claims = _claim_play(proof)
    claims = (*play_claims,) if published else (*_claim_decks(proof), *play_claims, *_claim_contest(proof))
    return [claim for claim in (Claim("entries", proof.entries, text), *claims) if claim.count]


def list_caveats(proof: Proof, *, published: bool) -> list[str]:
    """Lists what a recording does not prove. `published` means the same as in `list_claims`."""
    caveats = []
    if published:
        caveats.append("no deck was sealed beforehand, so nobody can prove that the cards fell by chance")
    elif not proof.finished:
        caveats.append("the tournament has not ended: its seed, places and prizes are not revealed yet")
    if proof.concealed_hands:
        caveats.append(f"in {count_text(proof.concealed_hands, 'hand')} some cards are unknown")
    if proof.unfinished_hand:
        hidden = "" if published else ": its deck is not revealed"
        caveats.append(f"the last hand is incomplete{hidden}, so it proves nothing")
    return caveats


def _claim_decks(proof: Proof) -> Iterator[Claim]:
    seed = ", and follows from the seed" if proof.finished else ""
    text = f"each was sealed before its hand with the hash that is in the recording{seed}"
    yield Claim("decks", proof.hands, f"{count_text(proof.hands, 'deck')}: {text}")
    cards = f"{count_text(proof.cards, 'card')}, in hands and on the board: dealt from those decks in order"
    yield Claim("cards", proof.cards, cards)


def _claim_play(proof: Proof) -> Iterator[Claim]:
    decisions = f"{count_text(proof.decisions, 'decision')}: each by the bot whose turn it was, and within the rules"
    yield Claim("decisions", proof.decisions, decisions)
    side_pots = f", {count_text(proof.side_pots, 'side pot')} among them" if proof.side_pots else ""
    odd_chips = f", {proof.odd_chip_pots} with odd chips" if proof.odd_chip_pots else ""
    pots = f"{count_text(proof.pots, 'pot')}{side_pots}{odd_chips}"
    yield Claim("hands", proof.hands, f"{count_text(proof.hands, 'hand')} replayed to the same chips: {pots}")
    yield Claim("showdowns", proof.showdowns, f"{count_text(proof.showdowns, 'showdown')}: the best five cards won")


def _claim_contest(proof: Proof) -> Iterator[Claim]:
    draws, ties = count_text(proof.draws, "seat draw"), count_text(proof.broken_ties, "tie")
    draw_source = "the seed" if proof.finished else "the key of the draw"
    yield Claim(
        "draws", proof.draws, f"{draws}: who sat down, and where, follows from {draw_source} and the earlier games"
    )
    yield Claim("lots", proof.broken_ties, f"{ties}: decided by lot, with dice that were sealed beforehand")
    yield Claim(
        "out",
        proof.eliminations,
        f"{count_text(proof.eliminations, 'bot')} eliminated: out of chips, and in the right place",
    )
    series_text = (
        f"{count_text(proof.series_games, 'game')} of the series: the recorded winners and places are right and "
        "rank the bots"
    )
    yield Claim("won", proof.series_games, series_text)
    deals = (
        f"{count_text(proof.deals, 'deal')}: the same cards at every table, every bot once in every seat, the sums "
        "right"
    )
    yield Claim("deals", proof.deals, deals)
    luck = f"{count_text(proof.luck_tables, 'table')} of deals: the luck of the board, which does not count, is right"
    yield Claim("luck", proof.luck_tables, luck)
    ratings = f"{count_text(proof.ratings, 'rating')}: each follows from the final chips of its game"
    yield Claim("ratings", proof.ratings, ratings)
    places, paid = len(proof.placings), [placing.prize_cents for placing in proof.placings if placing.prize_cents]
    yield Claim("places", places, f"{count_text(places, 'place')}: the final results follow from all this")
    prizes = f"{count_text(len(paid), 'prize')}, {dollars_and_cents(sum(paid))} in all: for the right players"
    yield Claim("prizes", len(paid), prizes)
