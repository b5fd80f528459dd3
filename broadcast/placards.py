"""What a link says before anybody follows it: a title, a description, and what its picture shows. Pure."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from broadcast.felt import Chair, Felt
from broadcast.one_hand import OneHand
from broadcast.searching import Entered, HandListed, Listed
from broadcast.wording import listed as listed_words
from broadcast.wording import named
from server.game.cards import Card
from server.game.ranking import card_name

LONGEST = 70
"""Letters of a title that most places show."""


class Rival(Struct, frozen=True):
    """A bot on the picture; `avatar` is the name of a prepared file, "" for the default."""

    name: str
    avatar: str = ""
    cards: tuple[Card, ...] = ()


class Placard(Struct, frozen=True):
    """A link's words, and what is painted: of a hand with its board, of a whole contest without one."""

    title: str
    description: str
    winner: Rival
    head: str
    """The largest words on the picture."""
    line: str
    """And those below."""
    where: str
    amount: int = 0
    shared: bool = False
    """Whether others won with the same."""
    loser: Rival | None = None
    board: tuple[Card, ...] = ()
    best: tuple[Card, ...] = ()
    """The cards that count."""
    mark: str = ""
    places: tuple[str, ...] = ()


def of_hand(hand: OneHand, begun: str, told: HandListed | None) -> Placard:
    """A hand's, from what happened in it, when the recording was begun, and what the index says of it, if anything."""
    felt = Felt()
    for event in (hand.opened, hand.game, *hand.events):
        felt.take(event)
    avatars = {entrant.bot: entrant.avatar for entrant in hand.opened.entrants}
    winners = _winners(felt)
    first = winners[0] if winners else 0
    beaten = _beaten(felt, winners)
    head, line = _words(felt, winners, beaten)
    stage = told.stage if told and told.stage else hand.opened.title
    where = f"{stage}, game {hand.game.game}, hand {felt.hand.hand}"
    marks = told.marks if told else ()
    return Placard(
        title=_title(felt, winners, beaten),
        description=_description(felt, marks, f"{where} of {hand.opened.title}{begun and f', {begun[:10]}'}"),
        winner=_rival(felt, first, avatars),
        head=head,
        line=line,
        where=where,
        amount=sum(felt.chairs[seat].won for seat in winners),
        shared=len(winners) > 1,
        loser=None if beaten is None else _rival(felt, beaten, avatars),
        board=felt.board,
        best=felt.chairs[first].best if felt.chairs else (),
        mark=marks[0] if marks else "",
    )


def of_recording(listed: Listed, entrants: Sequence[Entered], avatar: str) -> Placard:
    """A whole recording's; `avatar` is its winner's."""
    title = listed.title or listed.name
    played = f"{_many(listed.bots, 'bot')}, {_many(listed.games, 'game')}, {_many(listed.hands, 'hand')}"
    won = f"{named(listed.winner)} wins {title}" if listed.winner else title
    return Placard(
        title=won,
        description=f"{played} on {listed.begun[:10]}; biggest pot {listed.biggest:,}. Watch each hand again.",
        winner=Rival(listed.winner, avatar),
        head=title,
        line=played,
        where=listed.begun[:10],
        amount=listed.biggest,
        places=tuple(each.name for each in entrants[:3] if each.place),
    )


def of_archive(count: int) -> Placard:
    """The list of all recordings."""
    told = f"{_many(count, 'recording')} to watch again, hand by hand"
    return Placard(
        title="High Noon: recordings",
        description=f"{told}, to search and to prove.",
        winner=Rival(""),
        head="Recordings",
        line=told,
        where="watch, search, prove",
        board=("Ts", "Js", "Qs", "Ks", "As"),
    )


# -- words -----------------------------------------------------------------------------------------


def _title(felt: Felt, winners: Sequence[int], beaten: int | None) -> str:
    """ "Doc's full house beats Billy's flush for 11,900"."""
    if not winners:
        return "A hand of High Noon"
    amount = f"{sum(felt.chairs[seat].won for seat in winners):,}"
    names = listed_words(named(felt.name(seat)) for seat in winners)
    several = len(winners) > 1
    made = made_of(felt.chairs[winners[0]])
    if not made:
        return f"{names} takes {amount} without a showdown"
    if beaten is None:
        return f"{names} {'split' if several else 'wins'} {amount} with {_with(made)}"
    whose, theirs = _of(named(felt.name(beaten))), made_of(felt.chairs[beaten])
    if theirs == made:
        return f"{_of(names)} better {made} {'beat' if several else 'beats'} {whose} for {amount}"
    return f"{_of(names)} {made} {'beat' if several else 'beats'} {whose} {theirs} for {amount}"


def _words(felt: Felt, winners: Sequence[int], beaten: int | None) -> tuple[str, str]:
    """The large words of a hand's picture, and those below."""
    made = made_of(felt.chairs[winners[0]]) if winners else ""
    if not made:
        return "Takes it down", "without a showdown"
    head = f"{made[:1].upper()}{made[1:]}"
    if beaten is None:
        others = len(winners) - 1
        return head, f"shared with {_many(others, 'other')}" if others else "wins at the showdown"
    return head, f"beats {_of(felt.name(beaten))} {made_of(felt.chairs[beaten])}"


def _description(felt: Felt, marks: Sequence[str], where: str) -> str:
    out = [named(felt.name(seat)) for seat, chair in enumerate(felt.chairs) if chair.start and not chair.stack]
    board = f" The board: {listed_words(card_name(card) for card in felt.board)}." if felt.board else ""
    gone = f" {listed_words(out)} {'is' if len(out) == 1 else 'are'} out." if out else ""
    best = f"{listed_words(marks)}. " if marks else ""
    return f"{best}{where}.{board}{gone}"


def _winners(felt: Felt) -> list[int]:
    """Who won most, with those who won with the same; side pots that went with less are passed over."""
    paid = sorted((seat for seat, chair in enumerate(felt.chairs) if chair.won), key=lambda at: -felt.chairs[at].won)
    return [seat for seat in paid if felt.chairs[seat].ranking == felt.chairs[paid[0]].ranking]


def _beaten(felt: Felt, winners: Sequence[int]) -> int | None:
    """Whom the winner beat at the showdown: of those who were left the one who paid most."""
    left = [seat for seat in felt.live if not felt.chairs[seat].won and felt.chairs[seat].ranking]
    return max(left, key=lambda seat: felt.chairs[seat].committed, default=None)


def made_of(chair: Chair) -> str:
    """What a hand makes, as short as it can be said: "pair of kings", "ace high"; "" where nobody had to show."""
    kind, _, rest = chair.ranking.partition(", ")
    return f"{rest.split(',')[0]} high" if kind == "high card" else kind


def _with(made: str) -> str:
    return made if made.startswith(("two", "three", "four")) else f"a {made}" if made[:1] not in "ae" else f"an {made}"


def _of(name: str) -> str:
    return f"{name}'s"


def _rival(felt: Felt, seat: int, avatars: Mapping[int, str]) -> Rival:
    return Rival(felt.name(seat), avatars.get(felt.bots[seat], ""), felt.chairs[seat].cards)


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
