"""Computes what the events of a tournament change in the picture: bots, stages, games, standings and marks.

`static/js/overlay/reducer-tournament.js` does the same in the browser, field by field. `FRESH_TABLE` clears the last
hand from the table. No I/O.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from broadcast.on_air import picture_state
from broadcast.on_air.events import (
    DealCompared,
    HighlightMarked,
    PairsCompared,
    StandingsChanged,
    StatisticsChanged,
    TitleOddsChanged,
)
from broadcast.on_air.picture_state import FRESH_TABLE, Bot, Seat, State, with_seat, with_stacks
from server.game import events
from server.game.events import Event
from server.text.grammar import short_name

HISTORY_KEPT = 120
"""The maximum number of games in the chart of a bot's chips."""
TITLE_ODDS_KEPT = 60
"""The maximum number of values in the chart of a bot's title odds."""
MARKS_KEPT = 20
"""The maximum number of marked hands. A mark, such as "Bad beat", says why a hand is worth remembering."""


def _tournament_opened(state: State, event: events.TournamentOpened) -> State:
    return State(
        tournament=picture_state.Tournament(event.contest, event.title, event.starting_stack, event.prizes_cents),
        bots={entrant.bot: _bot_of(entrant, event.starting_stack) for entrant in event.entrants},
        desk=state.desk,
    )


def _bot_connected(state: State, event: events.BotConnected) -> State:
    return _with_bot(state, event.bot, presence="here", gone="")


def _bot_lost(state: State, event: events.BotDisconnected | events.BotWithdrawn) -> State:
    """Records the hand in which the bot left, or the last hand if the bot left between hands."""
    stage, game, hand = state.stage, state.game, state.hand
    where = f"hand {hand.hand}" if hand else "the start"
    if hand and game and stage and stage.games != 1:
        where = f"{'deal' if stage.deals else 'game'} {game.game - stage.first_game + 1}, {where}"
    return _with_bot(state, event.bot, presence="lost", gone=where)


def _stage_started(state: State, event: events.StageStarted) -> State:
    series, first = event.series is True, 1 + (state.game.game if state.game else 0)
    has_deals, games = (True, event.deals) if event.deals else (UNSET, event.games)
    stage = picture_state.Stage(
        event.stage, event.title, games or 0, event.hands, event.bots, event.advance, event.next_title, series, first,
        has_deals, event.sure_percent, decided_by=event.decided_by,
    )  # fmt: skip
    return replace(
        state,
        **FRESH_TABLE,
        scene="finalists" if state.stage else "starting",
        stage=stage,
        game=None,
        hand=None,
        seats=(),
        caption="",
        standings=picture_state.Standings(),
        bots=with_stacks(state.bots, event.bots, event.stacks, wins=0),
        history={
            bot: (0 if series or event.deals else stack,) for bot, stack in zip(event.bots, event.stacks, strict=True)
        },
        title_odds={},
        deal=UNSET,
        pairs=UNSET,
    )


def _game_started(state: State, event: events.GameStarted) -> State:
    stage = state.stage
    if stage and stage.deals:
        stage = replace(stage, first_game=event.game - (state.deal.deal if state.deal else 0))
    return replace(
        state,
        **FRESH_TABLE,
        scene="table",
        stage=stage,
        game=picture_state.Game(event.game, event.hands),
        hand=None,
        seats=tuple(Seat(bot, stack) for bot, stack in zip(event.seats, event.stacks, strict=True)),
        bots=with_stacks(state.bots, event.seats, event.stacks, place=0),
    )


def _game_ended(state: State, event: events.GameEnded) -> State:
    bots = with_stacks(state.bots, state.seated_bots, event.stacks)
    winner = event.ranking[0] if event.ranking else 0
    if winner in bots:
        bots[winner] = replace(bots[winner], wins=bots[winner].wins + 1)
    series = state.stage and state.stage.series
    counted = {number: bot.wins if series else bot.stack for number, bot in bots.items()}
    history = {bot: (*past, counted.get(bot, 0))[-HISTORY_KEPT:] for bot, past in state.history.items()}
    if state.stage and state.stage.deals:  # the result that counts is known only after the deal's other tables
        history = state.history
    game = state.game and replace(state.game, over=True)
    return replace(_end_duel(state), bots=bots, history=history, game=game)


def _game_forfeited(state: State, event: events.GameForfeited) -> State:
    chips = sum(seat.stack for seat in state.seats)
    seats = tuple(
        replace(seat, stack=0, fault=event.fault) if index == event.seat else replace(seat, stack=chips)
        for index, seat in enumerate(state.seats)
    )
    return replace(state, seats=seats, bots=with_stacks(state.bots, state.seated_bots, [seat.stack for seat in seats]))


def _bot_rated(state: State, event: events.BotRated) -> State:
    return _with_bot(state, event.bot, rating=event.rating)


def _bot_eliminated(state: State, event: events.BotEliminated) -> State:
    after = _with_bot(state, event.bot, place=event.place)
    if event.bot not in state.seated_bots:
        return after
    loser = state.seated_bots.index(event.bot)
    after = replace(after, seats=with_seat(state, loser, place=event.place))
    if state.seats[loser].unseated:  # nobody has beaten this bot
        return after
    losers_pots = [index for index, pot in enumerate(state.pots) if loser in pot.seats]
    last_pot = [award.awards for award in state.awards if award.pot in losers_pots[-1:]]
    takers = tuple(state.seats[award.seat].bot for awards in last_pot for award in awards)
    return replace(after, scene="duel", duel=picture_state.Duel(event.bot, event.place, takers))


def _stage_ended(state: State, event: events.StageEnded) -> State:
    return replace(_end_duel(state), bots=with_stacks(state.bots, event.ranking, event.stacks))


def _tournament_ended(state: State, event: events.TournamentEnded) -> State:
    return replace(state, scene="champion", placings=event.placings)


def _standings_changed(state: State, event: StandingsChanged) -> State:
    playing = state.game and not state.game.over
    scene = state.scene if playing else "standings"
    return replace(state, scene=scene, standings=picture_state.Standings(event.rows, event.advance))


def _title_odds_changed(state: State, event: TitleOddsChanged) -> State:
    past = state.title_odds
    odds = {each.bot: (*past.get(each.bot, ()), each.chance)[-TITLE_ODDS_KEPT:] for each in event.chances}
    return replace(state, title_odds=odds)


def _deal_ended(state: State, event: events.DealEnded) -> State:
    return replace(state, stage=replace(state.stage, decided=True)) if state.stage and event.decided else state


def _deal_compared(state: State, event: DealCompared) -> State:
    """Shows the comparison of a deal. The standings, which were on air just before, already include this deal."""
    won = {row.bot: row.stack for row in state.standings.rows}
    history = {bot: (*past, won.get(bot, 0))[-HISTORY_KEPT:] for bot, past in state.history.items()}
    return replace(state, scene="comparison", deal=event.deal, history=history)


def _pairs_compared(state: State, event: PairsCompared) -> State:
    return replace(state, pairs=event.chances)


def _statistics_changed(state: State, event: StatisticsChanged) -> State:
    statistics = picture_state.Statistics(event.rows, event.notices, event.hands, event.crosstable, event.awards)
    return replace(state, statistics=statistics, scene="statistics" if event.closing else state.scene)


def _highlight_marked(state: State, event: HighlightMarked) -> State:
    game, bots = state.game.game if state.game else 0, tuple(state.seats[seat].bot for seat in event.seats)
    mark = picture_state.Highlight(event.mark, game, event.hand, bots, event.score)
    return replace(state, marks=(*state.marks, mark)[-MARKS_KEPT:])


def _bot_of(entrant: events.Entrant, stack: int) -> Bot:
    """Returns the bot of an entrant, with its names shortened to fit."""
    name, player, version = short_name(entrant.name), short_name(entrant.player), entrant.version or ""
    return Bot(**{**asdict(entrant), "name": name, "player": player, "version": version}, stack=stack)


def _end_duel(state: State) -> State:
    return replace(state, scene="table", duel=None) if state.scene == "duel" else state


def _with_bot(state: State, bot: int, **changes: object) -> State:
    if bot not in state.bots:
        return state
    return replace(state, bots={**state.bots, bot: replace(state.bots[bot], **changes)})


TOURNAMENT_STEPS: dict[type[Event], Callable[[State, Any], State]] = {
    events.TournamentOpened: _tournament_opened,
    events.BotConnected: _bot_connected,
    events.BotDisconnected: _bot_lost,
    events.BotWithdrawn: _bot_lost,
    events.StageStarted: _stage_started,
    events.GameStarted: _game_started,
    events.GameEnded: _game_ended,
    events.GameForfeited: _game_forfeited,
    events.DealEnded: _deal_ended,
    events.BotRated: _bot_rated,
    events.BotEliminated: _bot_eliminated,
    events.StageEnded: _stage_ended,
    events.TournamentEnded: _tournament_ended,
    StandingsChanged: _standings_changed,
    TitleOddsChanged: _title_odds_changed,
    StatisticsChanged: _statistics_changed,
    HighlightMarked: _highlight_marked,
    DealCompared: _deal_compared,
    PairsCompared: _pairs_compared,
}
