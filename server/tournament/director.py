"""Runs a tournament from its opening to the final results: draws seats, lets the dealer play hands, eliminates bots.

A function called the gate waits until the next hand may be dealt. This module uses bots and the bus, which records
events. It knows nothing about connections and the show.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol

from msgspec.structs import replace

from server.bots.absent_bot import AbsentBot
from server.equity.luck import luck_at_table
from server.game import events
from server.game.deals import deal_rules, deal_seat_orders
from server.game.formats import Format, StagePlan
from server.game.hand import Hand, next_button_and_blind
from server.game.prizes import final_placings
from server.game.ratings import rate_game
from server.game.tournament import (
    busted_bots,
    deck_game_of,
    evolve,
    next_stage,
    open_tournament,
    stacks_after_forfeit,
    start_stage,
)
from server.journal.bus import Bus
from server.shuffle import commitment, deck_name, deck_of, key_of, named_shuffler
from server.tournament.dealer import SeatedBot, Table
from server.tournament.play_deal import (
    Deal,
    DealRoom,
    DealTable,
    PlayTable,
    deal_keys,
    recorded_tables,
    split_into_writes,
)
from server.tournament.resumable_log import ResumableLog

Gate = Callable[[], Awaitable[object]]
"""A function that waits until the next hand may be dealt."""


async def always_open() -> None:
    """A gate that lets the next hand be dealt at once, for games that do not wait for a show."""


ChooseTable = Callable[[Sequence[Sequence[events.Event]]], int]
"""A function that chooses which table of a deal (the same cards at several tables) the show covers. It gets the events
at each table, and returns the number of the chosen table. This table is recorded first.
"""


class ConnectedBot(SeatedBot, Protocol):
    """A bot that is connected to this tournament."""

    @property
    def id(self) -> int:
        """The bot's number in the tournament."""


class Director:
    """Runs one tournament from its opening to the final results. Every event goes through the bus.

    If the bus already contains a part of the tournament, the director resumes it with the same seed and the recorded
    decisions.
    """

    def __init__(
        self,
        contest_format: Format,
        entrants: Sequence[events.Entrant],
        *,
        seed: bytes,
        bus: Bus,
        gate: Gate = always_open,
        prizes_cents: Sequence[int] = (),
        games_before: int = 0,
        is_stage_cut: Callable[[], bool] = lambda: False,
        on_trouble: Callable[[str], object] = lambda _: None,
        choose_main_table: ChooseTable = lambda _: 0,
        tables_at_once: int = 1,
    ) -> None:
        """Opens or resumes the tournament. The first game has the number `games_before` + 1.

        At most `tables_at_once` tables of a deal are played at the same time. `choose_main_table` chooses the table
        that is recorded first.

        `is_stage_cut` returns whether the stage must end now. When the game has to wait, `on_trouble` is called with
        the reason. When the game continues, `on_trouble` is called with "". Raises OSError if the journal cannot be
        written, Diverged if the bus contains another tournament.
        """
        opened = bus.entries[0].event if bus.entries else None
        if isinstance(
            opened, events.TournamentOpened
        ):  # an earlier version, with older rules, may have made the recording
            contest_format = replace(contest_format, rules=replace(contest_format.rules, edition=opened.rules.edition))
        self._contest_format = contest_format
        self._entrants = {entrant.bot: entrant for entrant in entrants}
        self._bots: dict[int, SeatedBot] = {bot: AbsentBot() for bot in self._entrants}
        self._table_bots: dict[tuple[int, int], SeatedBot] = {}
        """The bots that play at only one table of each deal, keyed by table number and bot number."""
        self._deal_room = DealRoom(tables_at_once)
        self._play_table: PlayTable | None = None
        self._choose_main_table = choose_main_table
        self._seed = seed
        self._gate = gate
        self._is_stage_cut = is_stage_cut
        self._table: Table | None = None
        self._is_over = False
        self._pending_chats: list[events.ChatSent] = []
        """Chats that have not been passed on to the table yet."""
        self._log = ResumableLog(bus, on_trouble)
        self._opening = events.TournamentOpened(
            contest_format.contest,
            contest_format.title,
            contest_format.rules,
            contest_format.starting_stack,
            tuple(entrants),
            commitment(seed),
            tuple(prizes_cents),
        )
        self._tournament = replace(open_tournament(self._opening), games=games_before)
        self._log.open(self._opening)
        for entry in bus.entries:
            if isinstance(entry.event, events.BotWithdrawn):
                self._tournament = evolve(self._tournament, entry.event)

    def add_bot(self, bot: ConnectedBot) -> None:
        """Lets an entrant's bot play from the entrant's next game on. An entrant without a bot always folds."""
        self._bots[bot.id] = bot
        self.record_bot_event(events.BotConnected(bot.id))

    def add_table_bot(self, table: int, bot: ConnectedBot) -> None:
        """Seats an instance of an entrant's bot at table `table` (from 0) of each deal. Tables share no instances."""
        is_new = not any(number == bot.id for _, number in self._table_bots)
        self._table_bots[table, bot.id] = bot
        if is_new:
            self.record_bot_event(events.BotConnected(bot.id))

    def delegate_deals(self, play_table: PlayTable, bots: Iterable[int]) -> None:
        """Lets `play_table` play each table of each deal. Records that the bots with the numbers `bots` take part."""
        self._play_table = play_table
        for bot in bots:
            self.record_bot_event(events.BotConnected(bot))

    def record_table_event(self, table: int, event: events.Event) -> None:
        """Keeps an event that a bot at table number `table` has caused, until the whole deal is written."""
        if not self._is_over:
            self._deal_room.add_bot_event(table, event)

    def withdraw(self, bot: int, reason: str) -> None:
        """Withdraws an entrant before the first stage. The bot does not play, and gets the lowest free place."""
        assert self._tournament.may_withdraw(bot), "a bot may be withdrawn only before the first stage, and only once"
        withdrawal = events.BotWithdrawn(bot, reason)
        self._log.record(withdrawal)
        self._tournament = evolve(self._tournament, withdrawal)

    def record_bot_event(self, event: events.Event) -> None:
        """Writes an event that a bot may cause at any time, and passes chats on to the table. Does nothing after the
        end of the tournament.

        Chats that arrive together are written together, because all bots wait for each write to disk.
        """
        if self._is_over:
            return
        if not isinstance(event, events.ChatSent):
            self._log.record(event)
            return
        self._log.defer(event)
        if not self._pending_chats:
            asyncio.get_running_loop().call_soon(self._pass_on_chats)
        self._pending_chats.append(event)

    def _pass_on_chats(self) -> None:
        chats, self._pending_chats = self._pending_chats, []
        if not self._is_over:
            self._log.record()
        for chat in chats:
            if self._table is not None:
                self._table.notify(chat)

    async def record(self, event: events.Event) -> None:
        """Writes an event that belongs before the first stage. Waits while the disk is full. Raises the same errors as
        `run`.
        """
        await self._log.write([event])

    async def run(self) -> events.TournamentEnded:
        """Plays all stages, and returns the last event.

        Raises OSError if the disk fails permanently, Diverged if the journal contains different events.
        """
        try:
            while stage := next_stage(self._contest_format, self._tournament):
                await self._play_stage(*stage)
            end_event = events.TournamentEnded(final_placings(self._opening, self._tournament), self._seed.hex())
            await self._write(end_event)
            return end_event
        finally:
            self._is_over = True

    async def _play_stage(self, number: int, plan: StagePlan) -> None:
        plan = replace(plan, decided_by=self._decided_by(plan))
        await self._write(start_stage(self._contest_format, self._tournament, number, plan))
        while not (self._tournament.is_stage_over(plan) or await self._wait_or_end_stage(number)):
            await (self._play_deal(plan) if plan.deals else self._play_game(number, plan))
        key = key_of(self._seed, f"stage {number}")
        await self._write(self._tournament.end_stage(plan.advance, key.hex(), named_shuffler(key)))

    def _decided_by(self, plan: StagePlan) -> events.DecidedBy:
        """Returns how the bots of the stage that starts now are ranked: by the chips that they won, or by these chips
        minus luck (what the community cards were worth).

        A resumed stage keeps the way of ranking that was recorded at its start. A later stage of deals is ranked like
        the stage before it. Only the first stage of deals follows `plan`. So a tournament keeps its way of ranking even
        if an earlier version of this program started it.
        """
        next_recorded = self._log.next_recorded
        stage_start = next_recorded if isinstance(next_recorded, events.StageStarted) else self._tournament.stage
        return (stage_start.decided_by or "chips") if stage_start and stage_start.deals else plan.decided_by

    async def _play_game(self, stage: int, plan: StagePlan) -> None:
        game = self._tournament.games + 1
        key = key_of(self._seed, f"game {game}")
        seats = self._tournament.draw_seats(plan, named_shuffler(key))
        stacks = list(self._tournament.starting_stacks(seats))
        draw_key, repeated_game = key.hex() if plan.draws_seats else "", self._tournament.game_to_repeat(plan)
        started = events.GameStarted(game, plan.hands, seats, tuple(stacks), draw_key, repeated_game)
        await self._write(started)
        entrants = tuple(self._entrants[bot] for bot in seats)
        bots = tuple(self._bots[bot] for bot in seats)
        self._table = Table(self._contest_format.rules, game, entrants, bots, self._log)
        hand, big_blind_seat, deck_key = 0, len(seats) - 2, b""
        while not (self._tournament.is_game_over(plan, hand, stacks) or await self._wait_or_end_stage(stage)):
            hand += 1
            button, big_blind_seat = next_button_and_blind(self._contest_format.rules, big_blind_seat, stacks)
            deck_key = key_of(self._seed, deck_name(deck_game_of(started), hand))
            stacks, final_hand = await self._play_hand(self._table, hand, button, stacks, deck_key)
            big_blind_seat = final_hand.big_blind_seat(big_blind_seat)
        shuffle = named_shuffler(deck_key) if hand else None
        await self._write(self._tournament.end_game(stacks, shuffle))
        for rated in rate_game(self._entrants, started, stacks):
            await self._write(rated)

    async def _play_deal(self, plan: StagePlan) -> None:
        """Plays the same cards at all tables of a deal. Then writes each table's events, one table after the other."""
        tournament, game = self._tournament, self._tournament.games + 1
        key = key_of(self._seed, f"game {game}")
        seat_orders = deal_seat_orders(tournament.draw_seats(plan, named_shuffler(key)))
        stacks = tournament.starting_stacks(seat_orders[0])
        rules = deal_rules(self._contest_format.rules, len(tournament.deal_scores) + 1)
        deal = Deal(rules, game, plan.hands, stacks, deal_keys(self._seed, game, plan.hands))
        recorded_by_seats = recorded_tables(self._log.events_to_repeat)
        tables = await self._play_tables(deal, seat_orders, recorded_by_seats)
        first_seats = next(iter(recorded_by_seats), None)
        first_table = (
            seat_orders.index(first_seats)
            if first_seats in seat_orders
            else self._choose_main_table([table.log.events for table in tables])
        )
        for table in (*tables[first_table:], *tables[:first_table]):
            luck: tuple[int, ...] = ()
            if plan.decided_by == "earned":  # computing luck would block the event loop for too long
                luck = await asyncio.to_thread(luck_at_table, table.seats, table.log.events)
            await self._write_table(plan, table, stacks, key.hex() if table is tables[first_table] else "", luck)
        await self._write(self._tournament.end_deal())

    async def _play_tables(
        self,
        deal: Deal,
        seat_orders: Sequence[tuple[int, ...]],
        recorded_by_seats: Mapping[tuple[int, ...], Sequence[events.Event]],
    ) -> list[DealTable]:
        """Plays a deal at one table for each of `seat_orders`. For each seat order, `recorded_by_seats` has the table's
        events that were recorded before a crash.
        """
        entrants = [tuple(self._entrants[bot] for bot in seats) for seats in seat_orders]
        recorded_by_table = [recorded_by_seats.get(seats, ()) for seats in seat_orders]
        if play_table := self._play_table:
            async with asyncio.TaskGroup() as group:
                table_tasks = [
                    group.create_task(play_table(deal, table, seated, recorded))
                    for table, (seated, recorded) in enumerate(zip(entrants, recorded_by_table, strict=True))
                ]
            return [task.result() for task in table_tasks]
        bots = [
            tuple(self._table_bots.get((table, bot), self._bots[bot]) for bot in seats)
            for table, seats in enumerate(seat_orders)
        ]
        return await self._deal_room.play(deal, list(zip(entrants, bots, recorded_by_table, strict=True)))

    async def _write_table(
        self, plan: StagePlan, table: DealTable, stacks: tuple[int, ...], draw_key: str, luck: tuple[int, ...]
    ) -> None:
        game, repeated_game = self._tournament.games + 1, self._tournament.game_to_repeat(plan)
        await self._write(events.GameStarted(game, plan.hands, table.seats, stacks, draw_key, repeated_game))
        for table_events, bot_events in split_into_writes(table.log.events):
            for index, event in enumerate(table_events):
                table_events[index] = replace(event, game=game) if isinstance(event, events.GameForfeited) else event
                self._tournament = evolve(self._tournament, table_events[index])
            await self._log.write(table_events, bot_events)
        await self._write(self._tournament.end_game(table.stacks, None, luck))

    async def _wait_or_end_stage(self, stage: int) -> bool:
        """Waits until the next hand may be dealt. Returns whether the operator has ended the stage."""
        next_recorded = self._log.next_recorded
        if next_recorded is None:
            await self._gate()
        if not (self._is_stage_cut() if next_recorded is None else isinstance(next_recorded, events.StageCut)):
            return False
        await self._write(events.StageCut(stage))
        return True

    async def _play_hand(
        self, table: Table, hand: int, button: int, stacks_before: list[int], key: bytes
    ) -> tuple[list[int], Hand]:
        """Plays a hand and eliminates bots without chips. Returns the stacks after the hand, and its final state."""
        final_hand = await table.play_hand(hand, button, stacks_before, deck_of(key))
        stacks_after = [seat.stack for seat in final_hand.seats]
        seats = [entrant.bot for entrant in table.entrants]
        for bot, place in self._tournament.elimination_places(
            busted_bots(seats, stacks_before, stacks_after), named_shuffler(key)
        ):
            await self._write(events.BotEliminated(bot, seats.index(bot), place))
        if final_hand.forfeiting_seat < 0:
            return stacks_after, final_hand
        await self._write(events.GameForfeited(table.game, final_hand.forfeiting_seat, final_hand.fault))
        return list(stacks_after_forfeit(final_hand.forfeiting_seat, stacks_after)), final_hand

    async def _write(self, event: events.Event) -> None:
        self._tournament = evolve(self._tournament, event)
        await self._log.write([event])
