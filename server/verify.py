"""Prove a recording from itself: hands are dealt again from the revealed decks, draws and prizes worked out anew.

Reads entries only; whether the file was altered is the journal's to say.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from server.game.cards import Deck
from server.game.decide import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, IllegalAction, RaiseTo
from server.game.events import (
    ActionTaken,
    BetReturned,
    BetsCollected,
    BlindPosted,
    BotEliminated,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandShown,
    HandStarted,
    HoleDealt,
    PotAwarded,
    StageEnded,
    StageStarted,
    StreetDealt,
    TournamentEnded,
    TournamentOpened,
    TurnStarted,
)
from server.game.hand import next_blind
from server.game.tournament import StagePlan, draw_seats, eliminated, evolve, open_tournament, place_all, rank
from server.journal import Entry
from server.shuffle import commitment, deck_of, dice, hand_name, key_of

_OF_A_HAND = (
    HandStarted, BlindPosted, HoleDealt, TurnStarted, ActionTaken, BetReturned, BetsCollected, StreetDealt,
    HandShown, PotAwarded, HandEnded,
)  # fmt: skip


class Refuted(ValueError):
    """The recording contradicts itself; the text names the entry and what does not fit."""


class Proof(Struct):
    """What was proved of a recording."""

    entries: int = 0
    games: int = 0
    hands: int = 0
    draws: int = 0
    finished: bool = False
    """Whether the tournament came to its end, so that seed, places and prizes were proved too."""
    unfinished_hand: bool = False
    """Whether the last hand breaks off; its deck is not revealed, so it proves nothing."""


def verify(entries: Iterable[Entry]) -> Proof:
    """What `entries` prove. Raises Refuted at the first that does not fit."""
    checker: _Checker | None = None
    for entry in entries:
        try:
            if isinstance(entry.event, TournamentOpened) and checker is None:
                checker = _Checker(entry.event)
            elif checker is None:
                raise Refuted("the recording does not begin with the opening of a tournament")
            else:
                checker.take(entry.event)
        except (Refuted, IllegalAction, ValueError, KeyError, IndexError) as error:
            raise Refuted(f"entry {entry.seq}: {error}") from None
        checker.proof.entries += 1
    if checker is None:
        raise Refuted("the recording is empty")
    checker.proof.unfinished_hand = bool(checker.hand)
    return checker.proof


class _Checker:
    def __init__(self, opened: TournamentOpened) -> None:
        self.opened = opened
        self.proof = Proof()
        self.tournament = open_tournament(opened)
        self.hand: list[Event] = []
        self.stacks: list[int] = []
        self.big = 0
        self.owed: list[tuple[int, int]] = []
        self.keys: dict[str, bytes] = {}

    def take(self, event: Event) -> None:
        if isinstance(event, _OF_A_HAND):
            self._hand_event(event)
            return
        if (
            self.owed
            and not isinstance(event, BotEliminated)
            and isinstance(event, GameStarted | GameEnded | StageEnded)
        ):
            raise Refuted(f"bot {self.owed[0][0]} has lost its last chip, but was not retired")
        match event:
            case GameStarted():
                self._check_draw(event)
                self.stacks, self.big = list(event.stacks), len(event.seats) - 2
            case GameEnded(stacks=stacks):
                _same("the stacks at the end of the game", list(stacks), self.stacks)
            case BotEliminated(bot=bot, place=place):
                _same("the next bot to retire and its place", (bot, place), self.owed.pop(0) if self.owed else None)
            case StageEnded():
                self._check_ranking(event)
            case TournamentEnded():
                self._check_end(event)
            case TournamentOpened():
                raise Refuted("the tournament is opened twice")
            case _:
                pass
        self.tournament = evolve(self.tournament, event)

    # -- a hand

    def _hand_event(self, event: Event) -> None:
        if bool(self.hand) == isinstance(event, HandStarted):
            raise Refuted("a hand begins within a hand" if self.hand else "something of a hand happens outside one")
        self.hand.append(event)
        if isinstance(event, HandEnded):
            self._check_hand(self.hand, event)
            self.hand = []

    def _check_hand(self, events: Sequence[Event], ended: HandEnded) -> None:
        started, game = events[0], self.tournament.game
        assert isinstance(started, HandStarted), "hands are collected from their start"
        if game is None:
            raise Refuted("a hand is dealt outside a game")
        key = bytes.fromhex(ended.deck_key)
        deck = deck_of(key)
        _same("the commitment to the deck", started.deck_commitment, deck.commitment)
        _same("the stacks before the hand", list(started.stacks), self.stacks)
        button, self.big = next_blind(self.opened.rules, self.big, self.stacks)
        _same("the button", started.button, button)
        replayed = self._replayed(started, deck, events)
        for number, (recorded, right) in enumerate(zip(events, replayed, strict=False), 1):
            _same(f"event {number} of the hand", recorded, right)
        _same("the number of the hand's events", len(events), len(replayed))
        _same("the chips in play", sum(ended.stacks), sum(self.stacks))
        self._note_busted(game, ended)
        self.keys[hand_name(game.game, started.hand)] = key
        self.proof.hands += 1

    def _replayed(self, started: HandStarted, deck: Deck, recorded: Sequence[Event]) -> list[Event]:
        """The hand played again: same deck, same decisions."""
        hand, events = start_hand(self.opened.rules, started.hand, started.button, started.stacks, deck)
        for taken in (event for event in recorded if isinstance(event, ActionTaken)):
            hand, following = take_turn(hand, _decision(taken), think_ms=taken.think_ms, fault=taken.fault)
            events += following
        return events

    def _note_busted(self, game: GameStarted, ended: HandEnded) -> None:
        after = list(ended.stacks)
        busted = [(bot, had) for bot, had, has in zip(game.seats, self.stacks, after, strict=True) if had and not has]
        self.owed = eliminated(self.tournament, busted)
        self.stacks = after

    # -- draws, places, money

    def _check_draw(self, event: GameStarted) -> None:
        records = self.tournament.records
        _same("the stacks at the start of the game", list(event.stacks), [records[bot].stack for bot in event.seats])
        _same("the number of the game", event.game, self.tournament.games + 1)
        self.proof.games += 1
        if not event.draw_key:
            return
        key = bytes.fromhex(event.draw_key)
        plan = StagePlan("", 0, event.hands, seats=len(event.seats))
        _same("the seats drawn", event.seats, draw_seats(self.tournament, plan, dice(key)))
        self.keys[f"game {event.game}"] = key
        self.proof.draws += 1

    def _check_ranking(self, event: StageEnded) -> None:
        key = bytes.fromhex(event.draw_key)
        _same("the ranking", event.ranking, rank(self.tournament, dice(key)))
        left = tuple(self.tournament.records[bot].stack for bot in event.ranking)
        _same("the stacks at the end of the stage", event.stacks, left)
        stage = self.tournament.stage
        riders = tuple(bot for bot, stack in zip(event.ranking, left, strict=True) if stack)
        _same(
            "the bots that ride on", event.advancing, riders[: stage.advance if isinstance(stage, StageStarted) else 0]
        )
        self.keys[f"stage {event.stage}"] = key

    def _check_end(self, event: TournamentEnded) -> None:
        seed = bytes.fromhex(event.seed)
        _same("the commitment to the seed", self.opened.seed_commitment, commitment(seed))
        for name, key in self.keys.items():
            _same(f"the dice of {name}", key.hex(), key_of(seed, name).hex())
        records = self.tournament.records
        ranking = sorted(records, key=lambda bot: records[bot].place)
        players = {entrant.bot: entrant.player for entrant in self.opened.entrants}
        stacks = {bot: record.stack for bot, record in records.items()}
        _same("the final table", event.placings, place_all(ranking, stacks, players, self.opened.prizes_cents))
        self.proof.finished = True


def _decision(taken: ActionTaken) -> Decision:
    match taken.act:
        case "fold":
            return Fold()
        case "check" | "call":
            return Call()
        case _:
            return RaiseTo(taken.bet)


def _same(what: str, recorded: object, right: object) -> None:
    if recorded != right:
        raise Refuted(f"{what} should be {right}, but the recording says {recorded}")
