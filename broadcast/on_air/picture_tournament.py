"""What a tournament's events change in the picture, its bots, stages, games, standings and marks.

The twin of `static/js/overlay/reducer-tournament.js`, field by field. Pure. Each step takes the picture before an
event and gives what is different after it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import to_builtins

from broadcast.on_air.events import HighlightMarked, StandingsChanged, StatisticsChanged, TitleOddsChanged
from broadcast.on_air.picture_state import State, opening, plain, seat_of, sitting, swept, with_stacks
from server.game import events
from server.game.events import Event
from server.text.grammar import short_name

HISTORY_KEPT = 120
"""Games of which a bot's chips are kept, for the chart."""
TITLE_ODDS_KEPT = 60
"""Moments of which a bot's chance to win the title is kept, for the chart."""
MARKS_KEPT = 20


def _tournament_opened(state: State, event: events.TournamentOpened) -> State:
    extra = {"stack": event.starting_stack, "place": 0, "presence": "", "gone": "", "wins": 0}
    return {
        **opening(),
        "tournament": {
            "contest": event.contest,
            "title": event.title,
            "starting_stack": event.starting_stack,
            "prizes_cents": list(event.prizes_cents),
        },
        "bots": {str(entrant.bot): {**plain(entrant), **_shown(entrant), **extra} for entrant in event.entrants},
        "desk": state["desk"],
    }


def _bot_connected(state: State, event: events.BotConnected) -> State:
    return _with_bot(state, event.bot, presence="here", gone="")


def _bot_lost(state: State, event: events.BotDisconnected | events.BotWithdrawn) -> State:
    """It is gone since the hand that is on, or was on last."""
    stage, game, hand = state["stage"], state["game"], state["hand"]
    where = f"hand {hand['hand']}" if hand else "the start"
    if hand and game and stage and stage["games"] != 1:
        where = f"game {game['game'] - stage['first_game'] + 1}, {where}"
    return _with_bot(state, event.bot, presence="lost", gone=where)


def _stage_started(state: State, event: events.StageStarted) -> State:
    return {
        **swept(),
        "scene": "finalists" if state["stage"] else "starting",
        "stage": {
            "stage": event.stage,
            "title": event.title,
            "games": event.games,
            "hands": event.hands,
            "bots": list(event.bots),
            "advance": event.advance,
            "next_title": event.next_title,
            "series": bool(event.series),
            "first_game": 1 + (state["game"]["game"] if state["game"] else 0),
        },
        "game": None,
        "hand": None,
        "seats": [],
        "caption": "",
        "standings": {"rows": [], "advance": 0},
        "bots": with_stacks(state["bots"], event.bots, event.stacks, wins=0),
        "history": {
            str(bot): [0 if event.series else stack] for bot, stack in zip(event.bots, event.stacks, strict=True)
        },
        "title_odds": {},
    }


def _game_started(state: State, event: events.GameStarted) -> State:
    return {
        **swept(),
        "scene": "table",
        "game": {"game": event.game, "hands": event.hands, "over": False},
        "hand": None,
        "seats": [seat_of(bot, stack) for bot, stack in zip(event.seats, event.stacks, strict=True)],
        "bots": with_stacks(state["bots"], event.seats, event.stacks, place=0),
    }


def _game_ended(state: State, event: events.GameEnded) -> State:
    bots = _with_win(with_stacks(state["bots"], sitting(state), event.stacks), event.ranking)
    counted = "wins" if state["stage"] and state["stage"]["series"] else "stack"
    return {
        **_duel_over(state),
        "bots": bots,
        "history": _grown(state["history"], bots, counted),
        "game": state["game"] and {**state["game"], "over": True},
    }


def _game_forfeited(state: State, event: events.GameForfeited) -> State:
    chips = sum(seat["stack"] for seat in state["seats"])
    seats = [
        {**seat, "stack": 0, "fault": event.fault} if at == event.seat else {**seat, "stack": chips}
        for at, seat in enumerate(state["seats"])
    ]
    return {"seats": seats, "bots": with_stacks(state["bots"], sitting(state), [seat["stack"] for seat in seats])}


def _bot_rated(state: State, event: events.BotRated) -> State:
    return _with_bot(state, event.bot, rating=event.rating)


def _bot_eliminated(state: State, event: events.BotEliminated) -> State:
    seats = [{**seat, "place": event.place} if seat["bot"] == event.bot else seat for seat in state["seats"]]
    changes = {**_with_bot(state, event.bot, place=event.place), "seats": seats}
    if event.bot not in sitting(state):
        return changes
    loser = sitting(state).index(event.bot)
    if state["seats"][loser]["unseated"]:  # Nobody has beaten it.
        return changes
    duel = {"bot": event.bot, "place": event.place, "by": _takers(state, loser)}
    return {**changes, "scene": "duel", "duel": duel}


def _stage_ended(state: State, event: events.StageEnded) -> State:
    return {**_duel_over(state), "bots": with_stacks(state["bots"], event.ranking, event.stacks)}


def _tournament_ended(_state: State, event: events.TournamentEnded) -> State:
    return {"scene": "champion", "placings": [plain(placing) for placing in event.placings]}


def _standings_changed(state: State, event: StandingsChanged) -> State:
    playing = state["game"] and not state["game"]["over"]
    return {
        "scene": state["scene"] if playing else "standings",
        "standings": {"rows": [plain(row) for row in event.rows], "advance": event.advance},
    }


def _title_odds_changed(state: State, event: TitleOddsChanged) -> State:
    past = state["title_odds"]
    told = {str(each.bot): [*past.get(str(each.bot), []), each.chance][-TITLE_ODDS_KEPT:] for each in event.chances}
    return {"title_odds": told}


def _statistics_changed(state: State, event: StatisticsChanged) -> State:
    statistics = {
        "rows": [to_builtins(row) for row in event.rows],
        "notices": [plain(each) for each in event.notices],
        "hands": event.hands,
        "crosstable": [to_builtins(each) for each in event.crosstable],
        "awards": [plain(each) for each in event.awards],
    }
    return {"statistics": statistics, "scene": "statistics" if event.closing else state["scene"]}


def _highlight_marked(state: State, event: HighlightMarked) -> State:
    mark = {
        "mark": event.mark,
        "game": state["game"]["game"] if state["game"] else 0,
        "hand": event.hand,
        "bots": [state["seats"][seat]["bot"] for seat in event.seats],
        "score": event.score,
    }
    return {"marks": [*state["marks"], mark][-MARKS_KEPT:]}


# -- pieces ----------------------------------------------------------------------------------------


def _shown(entrant: events.Entrant) -> State:
    """What a picture has in its own way: short names, and a version that is always there."""
    version = entrant.version or ""
    return {"name": short_name(entrant.name), "player": short_name(entrant.player), "version": version}


def _duel_over(state: State) -> State:
    """Ends the scene of an elimination."""
    return {"scene": "table", "duel": None} if state["scene"] == "duel" else {}


def _takers(state: State, loser: int) -> list[int]:
    """The bots that won the last pot that the seat had chips in, and so took its last chips."""
    staked = [at for at, pot in enumerate(state["pots"]) if loser in pot["seats"]]
    shares = [share["awards"] for share in state["awards"] if share["pot"] in staked[-1:]]
    return [state["seats"][award["seat"]]["bot"] for awards in shares for award in awards]


def _with_bot(state: State, bot: int, **changes: object) -> State:
    bots, key = state["bots"], str(bot)
    return {"bots": {**bots, key: {**bots[key], **changes}} if key in bots else bots}


def _with_win(bots: State, ranking: Sequence[int]) -> State:
    """Counts a game won for the first of its ranking."""
    winner = str(ranking[0]) if ranking else ""
    return {**bots, winner: {**bots[winner], "wins": bots[winner]["wins"] + 1}} if winner in bots else bots


def _grown(history: State, bots: State, counted: str) -> State:
    return {bot: [*past, bots[bot][counted] if bot in bots else 0][-HISTORY_KEPT:] for bot, past in history.items()}


TOURNAMENT_STEPS: dict[type[Event], Callable[[State, Any], State]] = {
    events.TournamentOpened: _tournament_opened,
    events.BotConnected: _bot_connected,
    events.BotDisconnected: _bot_lost,
    events.BotWithdrawn: _bot_lost,
    events.StageStarted: _stage_started,
    events.GameStarted: _game_started,
    events.GameEnded: _game_ended,
    events.GameForfeited: _game_forfeited,
    events.BotRated: _bot_rated,
    events.BotEliminated: _bot_eliminated,
    events.StageEnded: _stage_ended,
    events.TournamentEnded: _tournament_ended,
    StandingsChanged: _standings_changed,
    TitleOddsChanged: _title_odds_changed,
    StatisticsChanged: _statistics_changed,
    HighlightMarked: _highlight_marked,
}
