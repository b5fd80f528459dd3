"""The log of the ACPC dealer, written from recorded hands: a line for each hand, and the score of each match. Pure."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from server.contests.acpc.betting import Betting
from server.contests.acpc.game_definition import PLAYERS, Game, game_text
from server.game.rules import Level
from server.hand_histories.from_recording import Recorded
from server.hand_histories.phh_reader import BadHistory


def acpc_log(hands: Iterable[Recorded]) -> Iterator[str]:
    """The lines of the log, with their ends. Raises BadHistory for hands that no such log can have."""
    for _, match in groupby(hands, lambda hand: hand.game.game):
        yield from _match(list(match))


def _match(hands: list[Recorded]) -> Iterator[str]:
    first = hands[0]
    game = _game(first)
    title = "_".join(first.opened.title.split()) or "match"
    yield f"# name/game/hands/seed {title} {game.name} {len(hands)} 0\n"
    yield f"#--t_response {first.rules.think_ms}\n"
    if first.rules.time_bank_ms and first.game.hands:
        yield f"#--t_per_hand {first.rules.time_bank_ms // first.game.hands}\n"
    yield from (f"# {line}\n" for line in game_text(game).splitlines())
    score = dict.fromkeys((first.names[seat] for seat in first.players), 0)
    for hand in hands:
        if _game(hand) != game:
            raise BadHistory(
                f"hand {hand.number} is played with other stacks, blinds or players than the hands before it"
            )
        yield f"{state_line(hand)}\n"
        for seat in hand.players:
            score[hand.names[seat]] += _won(hand, seat)
    yield f"SCORE:{'|'.join(map(str, score.values()))}:{'|'.join(map(_plain, score))}\n"


def state_line(hand: Recorded) -> str:
    """ "STATE:hand:betting:cards:won:names", the last three by position. Folded cards are written too."""
    betting = Betting()
    for event in hand.events:
        betting.take(event)
    won = "|".join(str(_won(hand, seat)) for seat in hand.players)
    names = "|".join(_plain(hand.names[seat]) for seat in hand.players)
    cards = betting.cards(hand.hole, hand.players)
    return f"STATE:{hand.started.hand - 1}:{betting.text}:{cards}:{won}:{names}"


def _won(hand: Recorded, seat: int) -> int:
    return hand.ended.stacks[seat] - hand.started.stacks[seat]


def _game(hand: Recorded) -> Game:
    """The game by which a hand was played. Raises BadHistory where no game definition says that."""
    started, rules = hand.started, hand.rules
    stacks = {started.stacks[seat] for seat in hand.players}
    usual = rules.blinds == "posted" and rules.bet_cap == "stack" and rules.later_streets_from == "button"
    if started.ante or not usual or (len(hand.players) == 2 and rules.heads_up_button_posts == "big"):
        raise BadHistory(f"hand {hand.number} is played by rules that the ACPC's log cannot have")
    if len(stacks) > 1 or len(hand.players) not in PLAYERS:
        raise BadHistory(f"hand {hand.number}: in the ACPC's log 2 to 10 players begin each hand with the same stack")
    return Game(len(hand.players), stacks.pop(), Level(started.small_blind, started.big_blind))


def _plain(name: str) -> str:
    """A name without what ends it in the log."""
    return name.replace(":", "_").replace("|", "_")
