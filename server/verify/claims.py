"""What was proved of a recording, and what was not, in plain words, each with its count."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from server.console import dollars
from server.text.grammar import counted
from server.verify.counts import Proof


class Claim(Struct, frozen=True):
    """One thing that was proved: its kind, how many there are, and a sentence about them."""

    of: str
    count: int
    words: str


class Verdict(Struct, frozen=True):
    """What can be said of a file. `fault` is the first thing that is wrong, "" if nothing is, and `where` it stands.

    `whole` is whether it is there to its end: without, what is there may hold all the same. `open` is what the file
    does not prove, `notes` what is out of the ordinary.
    """

    holds: bool
    whole: bool = False
    claims: Sequence[Claim] = ()
    notes: Sequence[str] = ()
    open: Sequence[str] = ()
    fault: str = ""
    where: str = ""


def claims_of(proof: Proof, *, published: bool) -> list[Claim]:
    """What a recording of a tournament or of `published` hands proves; a kind with a count of 0 is left out."""
    words = f"{counted(proof.entries, 'line')}: numbered without a gap, every sum fits its line and all before it"
    played = _of_play(proof)
    claims = played if published else (*_of_decks(proof), *played, *_of_a_contest(proof))
    return [claim for claim in (Claim("entries", proof.entries, words), *claims) if claim.count]


def open_of(proof: Proof, *, published: bool) -> list[str]:
    """What a recording of a tournament or of `published` hands does not prove."""
    caveats = []
    if published:
        caveats.append("no deck was sealed beforehand: whether the cards fell by chance, nobody can prove")
    elif not proof.finished:
        caveats.append("the tournament is not at its end: seed, places and prizes are not revealed yet")
    if proof.concealed:
        caveats.append(f"in {counted(proof.concealed, 'hand')} some cards are not known")
    if proof.unfinished_hand:
        hidden = "" if published else ": its deck is not revealed"
        caveats.append(f"the last hand breaks off{hidden}, so it proves nothing")
    return caveats


def _of_decks(proof: Proof) -> Iterator[Claim]:
    seed = ", and is the one the seed gives" if proof.finished else ""
    words = f"each was sealed before its hand with the hash that is in the recording{seed}"
    yield Claim("decks", proof.hands, f"{counted(proof.hands, 'deck')}: {words}")
    cards = f"{counted(proof.play.cards, 'card')}, in hands and on the board, came off those decks in order"
    yield Claim("cards", proof.play.cards, cards)


def _of_play(proof: Proof) -> Iterator[Claim]:
    play, hands = proof.play, proof.hands
    decisions = f"{counted(play.decisions, 'decision')}: each by the bot whose turn it was, and within the rules"
    yield Claim("decisions", play.decisions, decisions)
    sides = f", {counted(play.sides, 'side pot')} among them" if play.sides else ""
    pots = f"{counted(play.pots, 'pot')}{sides}{f', {play.odd} with odd chips' if play.odd else ''}"
    yield Claim("hands", hands, f"{counted(hands, 'hand')} played again came out to the chip: {pots}")
    yield Claim("showdowns", play.showdowns, f"{counted(play.showdowns, 'showdown')}: the best five cards won")


def _of_a_contest(proof: Proof) -> Iterator[Claim]:
    draws, lots = counted(proof.draws, "seat draw"), counted(proof.lots, "tie")
    dice = "the seed" if proof.finished else "the key of the draw"
    yield Claim("draws", proof.draws, f"{draws}: who sat down, and where, follows from {dice} and from who had to sit")
    yield Claim("lots", proof.lots, f"{lots} fell by lot, by dice that were sealed before")
    yield Claim("out", proof.out, f"{counted(proof.out, 'bot')} went out with the last chip, in the right place")
    won = f"{counted(proof.won, 'game')} went to who is recorded, and so did the places behind; games won rank the bots"
    yield Claim("won", proof.won, won)
    ratings = f"{counted(proof.ratings, 'rating')} changed by what the game's chips come to"
    yield Claim("ratings", proof.ratings, ratings)
    places, paid = len(proof.placings), [each.prize_cents for each in proof.placings if each.prize_cents]
    yield Claim("places", places, f"{counted(places, 'place')} on the final table follow from all that")
    prizes = f"{counted(len(paid), 'prize')}, {dollars(sum(paid))} in all, go to who is owed them"
    yield Claim("prizes", len(paid), prizes)
