"""Writes thoughts with true and false claims about hands of house bots. Plain counting decides what is true."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

from msgspec import Struct

from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from server.game.cards import DECK, RANKS
from server.game.events import ActionTaken, HandEnded, HandStarted
from server.game.ranking import category, strength
from server.text.grammar import number_in_words
from tests.support.games.house_contests import play_house_contest

WORDS = {rank: number_in_words(int(rank)) for rank in RANKS[1:8]} | {
    "2": "deuce", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip
PLURALS = {rank: f"{word}{'es' if rank == '6' else 's'}" for rank, word in WORDS.items()}
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
BOT_COUNTS = {"quick-draw": 8, "acpc": 3, "upac": 2}
"""The number of bots in a contest. Other contests have 6."""


@cache
def situations(contest: str, seed: int) -> tuple[BotKnowledge, ...]:
    """The knowledge of bots at each of their acts in a contest."""
    reader, action_count, acts = ThoughtReader(), 0, list[BotKnowledge]()
    for entry in play_house_contest(contest, seed, BOT_COUNTS.get(contest, 6)):
        reader.apply(entry.event)
        if isinstance(entry.event, HandStarted):
            action_count = 0
        action_count += isinstance(entry.event, ActionTaken)
        if isinstance(entry.event, HandEnded):
            acts += filter(None, map(reader.knowledge_at, range(1, action_count + 1)))
    return tuple(acts)


class Planted(Struct, frozen=True):
    """The words of a thought from `start` to `end`, and whether their claim is right (None if they claim nothing)."""

    start: int
    end: int
    kind: str
    right: bool | None


class Thought(Struct, frozen=True):
    text: str
    planted: tuple[Planted, ...]


Claim = tuple[str, bool]
"""A sentence that makes a claim, and whether the claim is right."""
Dice = random.Random


def thoughts(situations: Sequence[BotKnowledge], count: int, dice: Dice) -> Iterator[tuple[BotKnowledge, Thought]]:
    for _ in range(count):
        facts, parts = dice.choice(situations), list[tuple[str, str, bool | None]]()
        for kind in dice.sample([*CLAIM_WRITERS], dice.randint(1, 5)):
            claims, is_right = [*CLAIM_WRITERS[kind](facts, dice)], dice.random() < 0.5
            fitting = [claim for claim in claims if claim[1] == is_right] or claims
            parts += [(kind, *dice.choice(fitting))] if fitting and len(parts) < 3 else []
        parts += [("opinion", opinion(dice), None) for _ in range(dice.randint(1, 3))]
        dice.shuffle(parts)
        text, planted = "", []
        for kind, template, right in parts:
            words = template.replace("{act}", facts.chosen_act.act if facts.chosen_act else "fold")
            text += " " if text else ""
            planted.append(Planted(len(text), len(text) + len(words), kind, right))
            text += words
        yield facts, Thought(text, tuple(planted))


def opinion(dice: Dice) -> str:
    """A sentence without any claim about this moment that can be checked."""
    hand = dice.choice(("a set", "two pair", "top pair", "the nut flush", "a straight", "quads", "a flush draw"))
    cards = dice.choice(("ace-king", "pocket queens", "KQ suited", "A-5 of hearts", "AhKh", "pocket aces"))
    street = dice.choice(("flop", "turn", "river"))
    return dice.choice(OPINIONS).format(hand=hand, cards=cards, street=street, number=dice.randint(2, 90))


OPINIONS = (
    "I think he has {hand}.", "He could easily hold {cards} here.", "If he has {hand}, I am in trouble.",
    "I want to represent {hand}.", "Would he really bet {hand} like this?", "Maybe {hand} is in his range.",
    "I will bluff the {street} if he checks.", "Last hand I had {hand} and lost.", "He likes to bet big.",
    "If I had {cards}, I would shove.", "Should I call with {hand}?", "I hope for {hand} on the {street}.",
    "When I make {hand}, I get paid.", "Against {cards} I need help.", "Two hands ago he showed {cards}.",
    "If the pot were {number}, I would call.", "He needs {number}% to call.", "I raise if he checks.",
    "Unless the {street} brings {hand}, I give up.", "I bet he has {cards}.", "I fold, I lose {number}.",
)  # fmt: skip
HAVE = (
    "I have {}.", "I have {} here, so I {{act}}.", "With {}, I {{act}}.", "We have {} now.", "I've got {} and {{act}}.",
    "I hold {}, which is fine.", "Right now I have {}, but the pot is small.", "I only raise because I have {}.",
    "Holding {}, I like a call.", "I have {}; let us see.",
)  # fmt: skip


def have(words: str, dice: Dice) -> str:
    return dice.choice(HAVE).format(words)


def own_cards(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    hole, right = facts.cards, dice.random() < 0.5
    cards = hole if right else tuple(dice.sample([card for card in DECK if card not in hole], 2))
    high, low = sorted(cards, key=lambda card: -RANKS.index(card[0]))
    is_suited = high[1] == low[1]
    are_ranks_right = sorted(card[0] for card in cards) == sorted(card[0] for card in hole)
    if high[0] == low[0]:
        yield have(f"pocket {PLURALS[high[0]]}", dice), are_ranks_right
    elif are_ranks_right == right:
        yield have(f"{WORDS[high[0]]}-{WORDS[low[0]]}{' suited' if is_suited else ''}", dice), right
        yield have(f"{high[0]}{low[0]}{'s' if is_suited else 'o'}", dice), right
        yield have(f"{high[0]}-{low[0]} {'suited' if is_suited else 'offsuit'}", dice), right
    yield have(dice.choice((high + low, f"{high} {low}")), dice), right
    one = dice.choice(cards)
    yield have(f"the {WORDS[one[0]]} of {SUITS[one[1]]}", dice), one in hole


HAND_KINDS_BY_NAME = {
    "two pair": "two pair", "trips": "three of a kind", "a straight": "straight", "a flush": "flush",
    "a full house": "full house", "quads": "four of a kind", "a straight flush": "straight flush",
}  # fmt: skip
"""What bots call their hands, and the kind of each hand, from the weakest to the strongest."""
HAND_KINDS = ["high card", "pair", *HAND_KINDS_BY_NAME.values()]


def made_hand(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    if not facts.board:
        return
    ranks = Counter(card[0] for card in (*facts.cards, *facts.board))
    mine, kind = {card[0] for card in facts.cards}, category(facts.hand_strength)
    own_pairs = {rank for rank in mine if ranks[rank] > 1}
    for name, named_kind in HAND_KINDS_BY_NAME.items():
        if named_kind == kind and (own_pairs or kind.startswith(("flush", "straight"))):
            yield have(name, dice), True
        if kind in HAND_KINDS and HAND_KINDS.index(named_kind) > HAND_KINDS.index(kind):
            yield have(name, dice), False
    board = sorted({card[0] for card in facts.board}, key=RANKS.index)
    if kind in ("pair", "high card") and len(board) == len(facts.board):
        for name, rank in (("top pair", board[-1]), ("bottom pair", board[0])) if len(mine) == 2 else ():
            yield dice.choice((have(name, dice), f"My {name} is vulnerable.")), rank in mine
        if len(mine) == 1:
            yield have("an overpair", dice), max(map(RANKS.index, mine)) > RANKS.index(board[-1])
        some = dice.choice(RANKS)
        yield have(f"a pair of {PLURALS[some]}", dice), some in own_pairs
    if kind == "high card":
        yield "I don't have a pair.", True
        yield f"Just {WORDS[max(mine, key=RANKS.index)]} high.", True
    if kind == "pair" and own_pairs:
        yield "I have no pair.", False


def draws(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    if len(facts.board) not in (3, 4) or facts.hand_strength >> 24 >= 4:
        return
    cards = (*facts.cards, *facts.board)
    suits = Counter(card[1] for card in cards)
    has_flush_draw = any(suits[card[1]] == 4 for card in facts.cards)
    yield dice.choice((have("a flush draw", dice), "My flush draw is strong.")), has_flush_draw
    values = {card: strength((*cards, card)) for card in DECK if card not in cards}
    ranks = {
        card[0] for card, value in values.items() if value >> 24 in (4, 8) and strength((*facts.board, card)) != value
    }
    if (has_flush_draw, len(ranks)) in ((True, 0), (False, 1)):
        yield have("nine outs to the flush" if has_flush_draw else "a gutshot", dice), True
        yield have("thirteen outs to the flush" if has_flush_draw else "an open-ender", dice), False
    if not has_flush_draw and not ranks:
        yield have(dice.choice(("an open-ended straight draw", "a gutshot", "a straight draw")), dice), False


TONES = ("monotone", "two-tone", "rainbow")


def board(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    if not facts.board:
        return
    ranks, suits = ([card[index] for card in facts.board] for index in (0, 1))
    yield dice.choice(("The board is paired.", "This is a paired board.")), len({*ranks}) < len(ranks)
    number, suit = dice.choice((2, 3)), dice.choice("cdhs")
    yield f"There are {number_in_words(number)} {SUITS[suit]} on the board.", suits.count(suit) == number
    yield "No flush is possible.", max(map(suits.count, suits)) < 3
    if len(facts.board) == 3:
        tone = dice.choice(TONES)
        yield f"The flop is {tone}.", TONES[len({*suits}) - 1] == tone
    else:
        rank = dice.choice((ranks[3], dice.choice(RANKS)))
        yield f"The turn was {'an' if rank in '8A' else 'a'} {WORDS[rank]}.", rank == ranks[3]


def price(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    right = dice.random() < 0.5
    pot = facts.pot if right else round(facts.pot * dice.choice((0.3, 1.9, 2.5)) + facts.to_call)
    others = {facts.pot, facts.pot - sum(facts.bets), facts.pot - max(facts.bets), facts.pot + facts.to_call}
    if right or all(abs(pot - other) > 0.25 * other + 2 for other in others):
        yield dice.choice((f"The pot is {pot:,}.", f"There are {pot:,} chips in the pot.")), right
    if not facts.to_call:
        yield "I can check for free.", True
        return
    share = round(100 * facts.to_call / (facts.pot + facts.to_call) + (0 if right else dice.choice((-15, 12, 20, 30))))
    if 0 < share < 100:
        yield dice.choice((f"I need {share}% equity to call.", f"I need about {share} % to call.")), right
    lay = facts.pot / facts.to_call * (1 if right else dice.choice((0.4, 1.6, 2.2)))
    yield f"I'm getting {lay:.1f} to 1 on a call.", right
    cost = facts.to_call if right else facts.to_call * 3
    if right or cost > 1.3 * max(facts.bets):
        yield f"It is {cost:,} to call.", right
    yield "There is nothing to call.", False


def chips(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    stack, right, big_blind = facts.stacks[facts.seat], dice.random() < 0.5, facts.big_blind
    mine = stack / big_blind
    bbs = round(mine) if right else round(mine * dice.choice((0.4, 1.8, 2.5)) + 4)
    bet = (facts.bets[facts.seat] + facts.starting_stacks[facts.seat] - stack) / big_blind
    if mine > 6 and (right or (abs(bbs - mine) > 0.3 * mine + bet + facts.to_call / big_blind)):
        yield dice.choice((f"I have {bbs} big blinds left.", f"I'm {bbs} bb deep.", f"My stack is {bbs}bb.")), right
    others = [facts.starting_stacks[seat] for seat in facts.opponents]
    covers_each = {facts.starting_stacks[facts.seat] > other for other in others}
    if facts.starting_stacks[facts.seat] not in others and len(covers_each) == 1:
        yield "I cover him.", covers_each == {True}
    yield f"The blinds are {facts.small_blind}/{big_blind}.", True
    yield f"The blinds are {big_blind}/{2 * big_blind}.", False


def position(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    yield dice.choice(("I'm on the button.", "On the button, I can raise more.")), facts.button == facts.seat
    yield dice.choice(("I am in the big blind.", "I'm in the big blind and call.")), facts.blinds[1] == facts.seat
    if not facts.board:
        return
    bots_at_start = sum(map(bool, facts.starting_stacks))
    order = [seat for seat in facts.action_order if seat in facts.live]
    yield dice.choice(("We are heads-up.", "It's heads-up now.")), len(facts.live) == 2 or bots_at_start == 2
    yield "I'm first to act.", order[0] == facts.seat
    if facts.seat in (order[0], order[-1]):
        yield "I am in position, so I {act}.", order[-1] == facts.seat
        yield "I'm out of position.", order[0] == facts.seat
    number = dice.randint(1, 5)
    if bots_at_start - 1 != number:
        yield f"I am against {number_in_words(number)} opponent{'s' * (number > 1)}.", number == len(facts.opponents)


def history(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    early = [act for act in facts.acts if act.street == "preflop"]
    raisers = {act.seat for act in early if act.act == "raise"}
    called = any(act.seat == facts.seat and act.act == "call" for act in early)
    for seat in dice.sample(facts.opponents, len(facts.opponents)) if facts.board else ():
        yield f"{facts.names[seat]} raised before the flop.", seat in raisers
        yield f"{facts.names[seat]} raised preflop and I called.", seat in raisers and called
    others = [act for act in facts.acts if act.seat != facts.seat]
    on_flop = {act.act for act in others if act.street == "flop" and act.seat == facts.opponents[0]}
    if on_flop and len(facts.opponents) == 1 and len(facts.board) > 3:
        yield dice.choice(("He checked the flop.", "Villain checked on the flop.")), "check" in on_flop
        if "raise" not in on_flop:
            yield "He bet the flop.", "bet" in on_flop
    now = [act.act for act in others if act.street == facts.street]
    if facts.board:
        yield "It was checked to me.", bool(now) and {*now} == {"check"}
        yield f"Nobody has bet on the {facts.street}.", {*now} <= {"check", "fold"}
    elif now:
        yield dice.choice(("It was folded to me.", "Everyone folded to me.")), {*now} == {"fold"}


def beaten(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    if len(facts.board) != 5:
        return
    unseen = [card for card in DECK if card not in (*facts.cards, *facts.board)]
    kinds = {v >> 24 for two in combinations(unseen, 2) if (v := strength((*two, *facts.board))) > facts.hand_strength}
    yield "Nothing beats me.", not kinds
    if kinds and 8 not in kinds:
        named = ("a high card", "a higher pair", "two pair", "a set", *[*HAND_KINDS_BY_NAME][2:])
        yield f"Only {named[max(kinds)]} beats me.", len(kinds) == 1


def announced(facts: BotKnowledge, dice: Dice) -> Iterator[Claim]:
    if facts.chosen_act:
        act = dice.choice(("fold", "check", "call", "raise", "bet"))
        right = act == facts.chosen_act.act or {act, facts.chosen_act.act} == {"bet", "raise"}
        yield dice.choice((f"I {act}.", f"So I {act} now.", f"{act.capitalize()}.")), right


CLAIM_WRITERS: dict[str, Callable[[BotKnowledge, Dice], Iterator[Claim]]] = {
    "own cards": own_cards, "made hand": made_hand, "draw": draws, "board": board, "price": price, "chips": chips,
    "position": position, "history": history, "beaten": beaten, "announced": announced,
}  # fmt: skip
