"""Run a tournament: open it, draw seats, have hands dealt, retire the broke, crown the champion.

Knows bots and the bus, no wire and no studio: whoever sets the tempo hands in a gate, awaited before every hand.
"""

from collections.abc import Awaitable, Callable, Sequence

from server.bots.bot import Bot
from server.bus import Bus
from server.dealer import Table
from server.game.events import (
    BotConnected,
    BotEliminated,
    ChatSent,
    Entrant,
    Event,
    GameEnded,
    GameStarted,
    StageEnded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from server.game.hand import next_blind
from server.game.tournament import (
    Contest,
    StagePlan,
    decided,
    draw_seats,
    eliminated,
    evolve,
    open_tournament,
    place_all,
    rank,
    stage_over,
)
from server.shuffle import commitment, deck_of, dice, hand_name, key_of

Gate = Callable[[], Awaitable[None]]


class Director:
    """One tournament from its opening to the final table. Everything it does goes through the bus."""

    def __init__(
        self,
        contest: Contest,
        entrants: Sequence[Entrant],
        *,
        seed: bytes,
        bus: Bus,
        gate: Gate,
        prizes_cents: Sequence[int] = (),
    ) -> None:
        self._contest = contest
        self._entrants = {entrant.bot: entrant for entrant in entrants}
        self._bots: dict[int, Bot] = {}
        self._seed = seed
        self._bus = bus
        self._gate = gate
        self._table: Table | None = None
        self._over = False
        opened = TournamentOpened(
            contest.contest,
            contest.title,
            contest.rules,
            contest.starting_stack,
            tuple(entrants),
            commitment(seed),
            tuple(prizes_cents),
        )
        self._prizes = opened.prizes_cents
        self._tournament = open_tournament(opened)
        bus.publish(opened)

    def welcome(self, bot: Bot) -> None:
        """Takes in an entrant's bot once it is connected."""
        self._bots[bot.id] = bot
        self.hear(BotConnected(bot.id))

    def hear(self, event: Event) -> None:
        """Publishes what a bot did out of turn; chat also goes to the bots at its table. Deaf once all is over."""
        if self._over:
            return
        self._bus.publish(event)
        if isinstance(event, ChatSent) and self._table is not None:
            self._table.tell(event)

    async def run(self) -> TournamentEnded:
        """Plays all stages. Every entrant must have been welcomed."""
        bots = tuple(self._entrants)
        try:
            for number, plan in enumerate(self._contest.stages, 1):
                if plan.advance and len(bots) <= plan.advance:
                    continue  # Everybody rides on: with no more entrants than seats in the finals there are no trials.
                bots = await self._play_stage(number, plan, bots)
            return self._crown()
        finally:
            self._over = True

    async def _play_stage(self, number: int, plan: StagePlan, bots: tuple[int, ...]) -> tuple[int, ...]:
        """Those who ride on, best first."""
        stacks = tuple(self._contest.starting_stack for _ in bots)
        self._publish(StageStarted(number, plan.title, plan.games, plan.hands, bots, stacks, plan.advance))
        while not stage_over(self._tournament, plan):
            await self._play_game(plan)
        key = key_of(self._seed, f"stage {number}")
        ranking = rank(self._tournament, dice(key))
        left = [self._tournament.records[bot].stack for bot in ranking]
        advancing = tuple(bot for bot, stack in zip(ranking, left, strict=True) if stack)[: plan.advance]
        self._publish(StageEnded(number, ranking, tuple(left), advancing, key.hex()))
        return advancing

    async def _play_game(self, plan: StagePlan) -> None:
        game = self._tournament.games + 1
        key = key_of(self._seed, f"game {game}")
        seats = draw_seats(self._tournament, plan, dice(key))
        stacks = [self._tournament.records[bot].stack for bot in seats]
        self._publish(GameStarted(game, plan.hands, seats, tuple(stacks), key.hex() if plan.draw else ""))
        entrants = tuple(self._entrants[bot] for bot in seats)
        self._table = Table(self._contest.rules, game, entrants, tuple(self._bots[bot] for bot in seats))
        big = len(seats) - 2
        for hand in range(1, plan.hands + 1):
            await self._gate()
            button, big = next_blind(self._contest.rules, big, stacks)
            stacks = await self._play_hand(self._table, hand, button, stacks)
            if sum(stack > 0 for stack in stacks) < 2 or decided(self._tournament, plan):
                break
        self._publish(GameEnded(game, tuple(stacks)))

    async def _play_hand(self, table: Table, hand: int, button: int, before: list[int]) -> list[int]:
        """The stacks after the hand; whoever has lost the last chip is out."""
        deck = deck_of(key_of(self._seed, hand_name(table.game, hand)))
        finished = await table.play_hand(hand, button, before, deck, lambda events: self._bus.publish(*events))
        after = [seat.stack for seat in finished.seats]
        seat_of = {entrant.bot: seat for seat, entrant in enumerate(table.entrants)}
        busted = [(bot, before[seat]) for bot, seat in seat_of.items() if before[seat] and not after[seat]]
        for bot, place in eliminated(self._tournament, busted):
            self._publish(BotEliminated(bot, seat_of[bot], place))
        return after

    def _crown(self) -> TournamentEnded:
        records = self._tournament.records
        ranking = sorted(records, key=lambda bot: records[bot].place)
        stacks = {bot: record.stack for bot, record in records.items()}
        players = {bot: entrant.player for bot, entrant in self._entrants.items()}
        placings = place_all(ranking, stacks, players, self._prizes)
        ended = TournamentEnded(placings, self._seed.hex())
        self._publish(ended)
        return ended

    def _publish(self, event: Event) -> None:
        self._tournament = evolve(self._tournament, event)
        self._bus.publish(event)
