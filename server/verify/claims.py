"""Counts the facts that `highnoon verify` has proved about a recording, and describes them in plain sentences."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from server.console import dollars
from server.game.betting import is_decision
from server.game.events import Event, HandShown, HoleDealt, Placing, PotAwarded, StreetDealt
from server.game.rules import Rules
from server.text.grammar import counted


class Proof(Struct):
    """How many facts of each kind were proved about a recording."""

    entries: int = 0
    games: int = 0
    hands: int = 0
    cards: int = 0
    decisions: int = 0
    pots: int = 0
    sides: int = 0
    """How many pots are side pots."""
    odd: int = 0
    """How many pots have odd chips."""
    showdowns: int = 0
    concealed: int = 0
    """How many hands have unknown cards."""
    draws: int = 0
    lots: int = 0
    """How many ties were decided by lot."""
    out: int = 0
    """How many bots were eliminated at the table."""
    ratings: int = 0
    won: int = 0
    """How many games of a series were proved to have the right winner."""
    deals: int = 0
    """How many deals were proved to be fair: the same cards at all tables, and every bot once in every seat."""
    luck: int = 0
    """At how many tables of deals the luck of the board was proved. It is proved only if earnings decide the
    contest.
    """
    placings: tuple[Placing, ...] = ()
    """The final results, if the tournament is over."""
    finished: bool = False
    """Whether the tournament is over. If it is, the seed, the places and the prizes were also proved."""
    unfinished_hand: bool = False
    """Whether the last hand is incomplete. An incomplete hand proves nothing."""
    remarks: list[str] = field(default_factory=list)
    """Sentences about anything unusual: withdrawn bots, stages that ended early, rules that differ from the rule
    book.
    """

    def add_hand(self, rules: Rules, events: Iterable[Event]) -> None:
        """Counts a hand. `events` are all its events; unknown cards are empty texts in them."""
        self.hands += 1
        showdown = False
        for event in events:
            self.decisions += is_decision(rules, event)
            match event:
                case HoleDealt(cards=cards) | StreetDealt(cards=cards):
                    self.cards += sum(map(bool, cards))
                case PotAwarded(pot=pot, amount=amount, awards=awards):
                    self.pots += 1
                    self.sides += pot > 0
                    self.odd += amount % len(awards) > 0
                case HandShown(ranking=ranking):
                    showdown = showdown or bool(ranking)
        self.showdowns += showdown


class Claim(Struct, frozen=True):
    """A claim that was proved about one kind of thing. `of` names the kind, `count` is the number of such things in the
    recording, and `words` is the claim as a sentence.
    """

    of: str
    count: int
    words: str


class Verdict(Struct, frozen=True):
    """The verdict on a file. `holds` says whether the file is proved. If not, `fault` is the first fault, and `where`
    says in which hand or line it is.

    `whole` says whether the file is complete. An incomplete file may be proved, too. `open` lists the facts that the
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
    """Lists what a recording of a tournament or of `published` hands proves. Leaves out kinds that do not occur."""
    words = f"{counted(proof.entries, 'line')}: numbered without a gap, and every checksum is valid"
    played = _claim_play(proof)
    claims = (*played,) if published else (*_claim_decks(proof), *played, *_claim_contest(proof))
    return [claim for claim in (Claim("entries", proof.entries, words), *claims) if claim.count]


def list_caveats(proof: Proof, *, published: bool) -> list[str]:
    """Lists what a recording of a tournament or of `published` hands does not prove."""
    caveats = []
    if published:
        caveats.append("no deck was sealed beforehand, so nobody can prove that the cards fell by chance")
    elif not proof.finished:
        caveats.append("the tournament has not ended: its seed, places and prizes are not revealed yet")
    if proof.concealed:
        caveats.append(f"in {counted(proof.concealed, 'hand')} some cards are unknown")
    if proof.unfinished_hand:
        hidden = "" if published else ": its deck is not revealed"
        caveats.append(f"the last hand is incomplete{hidden}, so it proves nothing")
    return caveats


def _claim_decks(proof: Proof) -> Iterator[Claim]:
    seed = ", and follows from the seed" if proof.finished else ""
    words = f"each was sealed before its hand with the hash that is in the recording{seed}"
    yield Claim("decks", proof.hands, f"{counted(proof.hands, 'deck')}: {words}")
    cards = f"{counted(proof.cards, 'card')}, in hands and on the board: dealt from those decks in order"
    yield Claim("cards", proof.cards, cards)


def _claim_play(proof: Proof) -> Iterator[Claim]:
    decisions = f"{counted(proof.decisions, 'decision')}: each by the bot whose turn it was, and within the rules"
    yield Claim("decisions", proof.decisions, decisions)
    sides = f", {counted(proof.sides, 'side pot')} among them" if proof.sides else ""
    pots = f"{counted(proof.pots, 'pot')}{sides}{f', {proof.odd} with odd chips' if proof.odd else ''}"
    yield Claim("hands", proof.hands, f"{counted(proof.hands, 'hand')} replayed to the same chips: {pots}")
    yield Claim("showdowns", proof.showdowns, f"{counted(proof.showdowns, 'showdown')}: the best five cards won")


def _claim_contest(proof: Proof) -> Iterator[Claim]:
    draws, lots = counted(proof.draws, "seat draw"), counted(proof.lots, "tie")
    dice = "the seed" if proof.finished else "the key of the draw"
    yield Claim("draws", proof.draws, f"{draws}: who sat down, and where, follows from {dice} and the earlier games")
    yield Claim("lots", proof.lots, f"{lots}: decided by lot, with dice that were sealed beforehand")
    yield Claim("out", proof.out, f"{counted(proof.out, 'bot')} eliminated: out of chips, and in the right place")
    won = f"{counted(proof.won, 'game')} of the series: the recorded winners and places are right and rank the bots"
    yield Claim("won", proof.won, won)
    deals = (
        f"{counted(proof.deals, 'deal')}: the same cards at every table, every bot once in every seat, the sums right"
    )
    yield Claim("deals", proof.deals, deals)
    luck = f"{counted(proof.luck, 'table')} of deals: the luck of the board, which does not count, is right"
    yield Claim("luck", proof.luck, luck)
    ratings = f"{counted(proof.ratings, 'rating')}: each follows from the final chips of its game"
    yield Claim("ratings", proof.ratings, ratings)
    places, paid = len(proof.placings), [each.prize_cents for each in proof.placings if each.prize_cents]
    yield Claim("places", places, f"{counted(places, 'place')}: the final results follow from all this")
    prizes = f"{counted(len(paid), 'prize')}, {dollars(sum(paid))} in all: for the right players"
    yield Claim("prizes", len(paid), prizes)
