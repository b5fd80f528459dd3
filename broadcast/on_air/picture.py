"""The picture after each entry, as plain JSON values: the twin of `static/js/overlay/reducer.js`, field by field.

Pure, and quick enough to fold a season. No clock, no socket, no pace; what must never be seen never comes here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from broadcast.on_air.events import (
    CaptionSpoken,
    EquitiesChanged,
    HighlightMarked,
    PaceChanged,
    ReplayEnded,
    ReplayStarted,
    StandingsChanged,
    StatisticsChanged,
    TroubleShown,
)
from server.game import events
from server.game.events import Event
from server.text.grammar import short_name

State = dict[str, Any]
"""The picture: JSON values only, shared between states, never changed in place."""

CHAT_KEPT = 8
HISTORY_KEPT = 120
MARKS_KEPT = 20


def opening() -> State:
    """The picture before the first entry."""
    return {
        "seq": 0,
        "at_ms": 0,
        "scene": "starting",
        "tournament": {"contest": "", "title": "", "starting_stack": 0, "prizes_cents": []},
        "bots": {},
        "stage": None,
        "game": None,
        "hand": None,
        "seats": [],
        **_swept(),
        "chat": [],
        "standings": {"rows": [], "advance": 0},
        "statistics": {"rows": [], "notices": []},
        "marks": [],
        "history": {},
        "caption": "",
        "placings": [],
        "duel": None,
        "replay": None,
        "desk": {
            "card": "",
            "graphics": True,
            "sound": True,
            "chat_off": [],
            "media_off": [],
            "speed": 1.0,
            "trouble": "",
        },
    }


def fold(state: State, seq: int, at_ms: int, hold_ms: int, event: Event) -> State:
    """The picture after the entry. Events that show nothing change only its number and time."""
    step = _STEPS.get(type(event))
    changes = step(state, event) if step else {}
    after = {**state, **changes, "seq": seq, "at_ms": at_ms}
    if isinstance(event, events.ChatSent):
        said = {"seq": seq, "at_ms": at_ms, "bot": event.bot, "text": event.text}
        after["chat"] = [*state["chat"], said][-CHAT_KEPT:]
    return after


# -- tournament ------------------------------------------------------------------------------------


def _tournament_opened(state: State, event: events.TournamentOpened) -> State:
    extra = {"stack": event.starting_stack, "place": 0, "presence": "", "wins": 0}
    return {
        **opening(),
        "tournament": {
            "contest": event.contest,
            "title": event.title,
            "starting_stack": event.starting_stack,
            "prizes_cents": list(event.prizes_cents),
        },
        "bots": {str(entrant.bot): {**_plain(entrant), **_names(entrant), **extra} for entrant in event.entrants},
        "desk": state["desk"],
    }


def _names(entrant: events.Entrant) -> State:
    return {"name": short_name(entrant.name), "player": short_name(entrant.player)}


def _bot_connected(state: State, event: events.BotConnected) -> State:
    return _with_bot(state, event.bot, presence="here")


def _bot_lost(state: State, event: events.BotDisconnected | events.BotWithdrawn) -> State:
    return _with_bot(state, event.bot, presence="lost")


def _stage_started(state: State, event: events.StageStarted) -> State:
    return {
        **_swept(),
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
        "bots": _with_stacks(state["bots"], event.bots, event.stacks, wins=0),
        "history": {
            str(bot): [0 if event.series else stack] for bot, stack in zip(event.bots, event.stacks, strict=True)
        },
    }


def _game_started(state: State, event: events.GameStarted) -> State:
    return {
        **_swept(),
        "scene": "table",
        "game": {"game": event.game, "hands": event.hands, "over": False},
        "hand": None,
        "seats": [_seat(bot, stack) for bot, stack in zip(event.seats, event.stacks, strict=True)],
        "bots": _with_stacks(state["bots"], event.seats, event.stacks, place=0),
    }


def _game_ended(state: State, event: events.GameEnded) -> State:
    bots = _with_win(_with_stacks(state["bots"], _sitting(state), event.stacks), event.ranking)
    counted = "wins" if state["stage"] and state["stage"]["series"] else "stack"
    return {
        **_duel_over(state),
        "bots": bots,
        "history": _grown(state["history"], bots, counted),
        "game": state["game"] and {**state["game"], "over": True},
    }


def _bot_eliminated(state: State, event: events.BotEliminated) -> State:
    seats = [{**seat, "place": event.place} if seat["bot"] == event.bot else seat for seat in state["seats"]]
    changes = {**_with_bot(state, event.bot, place=event.place), "seats": seats}
    if event.bot not in _sitting(state):
        return changes
    loser = _sitting(state).index(event.bot)
    if state["seats"][loser]["unseated"]:  # Nobody has beaten it.
        return changes
    duel = {"bot": event.bot, "place": event.place, "by": _takers(state, loser)}
    return {**changes, "scene": "duel", "duel": duel}


def _game_forfeited(state: State, event: events.GameForfeited) -> State:
    chips = sum(seat["stack"] for seat in state["seats"])
    seats = [
        {**seat, "stack": 0, "fault": event.fault} if at == event.seat else {**seat, "stack": chips}
        for at, seat in enumerate(state["seats"])
    ]
    return {"seats": seats, "bots": _with_stacks(state["bots"], _sitting(state), [seat["stack"] for seat in seats])}


def _bot_rated(state: State, event: events.BotRated) -> State:
    return _with_bot(state, event.bot, rating=event.rating)


def _stage_ended(state: State, event: events.StageEnded) -> State:
    return {**_duel_over(state), "bots": _with_stacks(state["bots"], event.ranking, event.stacks)}


def _tournament_ended(_state: State, event: events.TournamentEnded) -> State:
    return {"scene": "champion", "placings": [_plain(placing) for placing in event.placings]}


# -- hand ------------------------------------------------------------------------------------------


def _hand_started(state: State, event: events.HandStarted) -> State:
    return {
        **_swept(),
        "scene": "replay" if state["replay"] else "table",
        "hand": {
            "hand": event.hand,
            "button": event.button,
            "small_blind": event.small_blind,
            "big_blind": event.big_blind,
            "ante": event.ante,
            "street": "preflop",
            "over": False,
        },
        "caption": "",
        "seats": [
            {**_seat(seat["bot"], stack), "dealt_in": stack > 0, "place": seat["place"]}
            for seat, stack in zip(state["seats"], event.stacks, strict=False)
        ],
    }


def _blind_posted(state: State, event: events.BlindPosted) -> State:
    seat = state["seats"][event.seat]
    changes = {
        "stack": seat["stack"] - event.amount,
        "committed": seat["committed"] + event.amount,
        "all_in": event.all_in,
    }
    if event.blind != "ante":
        changes |= {"bet": seat["bet"] + event.amount, "blind": event.blind}
    return {"turn": None, "pot": state["pot"] + event.amount, "seats": _with_seat(state, event.seat, changes)}


def _hole_dealt(state: State, event: events.HoleDealt) -> State:
    return {"seats": _with_seat(state, event.seat, {"cards": list(event.cards)})}


def _turn_started(_state: State, event: events.TurnStarted) -> State:
    return {
        "turn": {
            "seat": event.seat,
            "to_call": event.to_call,
            "min_raise_to": event.min_raise_to,
            "max_raise_to": event.max_raise_to,
            "think_ms": event.think_ms,
        }
    }


def _action_taken(state: State, event: events.ActionTaken) -> State:
    seat = state["seats"][event.seat]
    changes = {
        "stack": seat["stack"] - event.amount,
        "bet": event.bet,
        "committed": seat["committed"] + event.amount,
        "folded": event.act == "fold",
        "all_in": event.all_in,
        "act": event.act,
        "fault": event.fault,
    }
    return {"turn": None, "pot": state["pot"] + event.amount, "seats": _with_seat(state, event.seat, changes)}


def _seat_vacated(state: State, event: events.SeatVacated) -> State:
    stack = state["seats"][event.seat]["stack"] - event.amount
    return {"seats": _with_seat(state, event.seat, {"stack": stack, "folded": True, "unseated": True})}


def _bet_returned(state: State, event: events.BetReturned) -> State:
    seat = state["seats"][event.seat]
    changes = {
        "stack": seat["stack"] + event.amount,
        "bet": seat["bet"] - event.amount,
        "committed": seat["committed"] - event.amount,
        "all_in": seat["all_in"] and event.amount == 0,
    }
    return {"pot": state["pot"] - event.amount, "seats": _with_seat(state, event.seat, changes)}


def _bets_collected(state: State, event: events.BetsCollected) -> State:
    return {
        "pots": [{"amount": pot.amount, "seats": list(pot.seats)} for pot in event.pots],
        "seats": [{**seat, "bet": 0} if seat["bet"] else seat for seat in state["seats"]],
    }


def _street_dealt(state: State, event: events.StreetDealt) -> State:
    return {
        "hand": state["hand"] and {**state["hand"], "street": event.street},
        "board": [*state["board"], *event.cards],
        "seats": [
            seat if seat["all_in"] or seat["folded"] else {**seat, "act": "", "fault": ""} for seat in state["seats"]
        ],
    }


def _hand_shown(state: State, event: events.HandShown) -> State:
    changes = {"cards": list(event.cards), "ranking": event.ranking, "best": list(event.best)}
    return {"turn": None, "seats": _with_seat(state, event.seat, changes)}


def _pot_awarded(state: State, event: events.PotAwarded) -> State:
    won: dict[int, int] = {}
    lit: dict[str, None] = {}
    for award in event.awards:
        won[award.seat] = won.get(award.seat, 0) + award.amount
        lit |= dict.fromkeys(state["seats"][award.seat]["best"])
    share = {"pot": event.pot, "amount": event.amount, "awards": [_plain(award) for award in event.awards]}
    return {
        "turn": None,
        "pot": state["pot"] - event.amount,
        "awards": [*state["awards"], share],
        "lit": list(lit),
        "seats": [{**_paid(seat, won.get(at, 0)), **_no_chance()} for at, seat in enumerate(state["seats"])],
    }


def _hand_ended(state: State, event: events.HandEnded) -> State:
    return {
        "turn": None,
        "hand": state["hand"] and {**state["hand"], "over": True},
        "bots": _with_stacks(state["bots"], _sitting(state), event.stacks),
        "seats": [{**seat, "stack": stack} for seat, stack in zip(state["seats"], event.stacks, strict=False)],
    }


# -- on air ----------------------------------------------------------------------------------------


def _standings_changed(state: State, event: StandingsChanged) -> State:
    playing = state["game"] and not state["game"]["over"]
    return {
        "scene": state["scene"] if playing else "standings",
        "standings": {"rows": [_plain(row) for row in event.rows], "advance": event.advance},
    }


def _statistics_changed(_state: State, event: StatisticsChanged) -> State:
    rows, notices = event.rows, event.notices
    return {"statistics": {"rows": [_plain(row) for row in rows], "notices": [_plain(each) for each in notices]}}


def _highlight_marked(state: State, event: HighlightMarked) -> State:
    mark = {
        "mark": event.mark,
        "game": state["game"]["game"] if state["game"] else 0,
        "hand": event.hand,
        "bots": [state["seats"][seat]["bot"] for seat in event.seats],
        "score": event.score,
    }
    return {"marks": [*state["marks"], mark][-MARKS_KEPT:]}


def _caption_spoken(_state: State, event: CaptionSpoken) -> State:
    return {"caption": event.text}


def _equities_changed(state: State, event: EquitiesChanged) -> State:
    known = {chance.seat: {"win": chance.win, "tie": chance.tie} for chance in event.chances}
    return {"seats": [{**seat, **known.get(at, _no_chance())} for at, seat in enumerate(state["seats"])]}


def _replay_started(state: State, event: ReplayStarted) -> State:
    return {
        **event.picture,
        **_swept(),
        "scene": "replay",
        "hand": None,
        "seats": [{**_seat(seat["bot"], seat["stack"]), "place": seat["place"]} for seat in event.picture["seats"]],
        "caption": event.told,
        "replay": {"hand": event.hand, "before": state["replay"]["before"] if state["replay"] else state},
        "desk": state["desk"],
    }


def _replay_ended(state: State, _event: ReplayEnded) -> State:
    return {**state["replay"]["before"], "desk": state["desk"]} if state["replay"] else {}


# -- the desk --------------------------------------------------------------------------------------


def _control_set(state: State, event: events.ControlSet) -> State:
    desk = state["desk"]
    if event.control in ("card", "graphics", "sound"):
        return {"desk": {**desk, event.control: event.value}}
    if event.control in ("chat", "media"):
        listed = f"{event.control}_off"
        others = {*desk[listed]} - {event.bot}
        return {"desk": {**desk, listed: sorted(others if event.value else {*others, event.bot})}}
    return {}


def _pace_changed(state: State, event: PaceChanged) -> State:
    return {"desk": {**state["desk"], "speed": event.speed}}


def _trouble_shown(state: State, event: TroubleShown) -> State:
    return {"desk": {**state["desk"], "trouble": event.text}}


# -- pieces ----------------------------------------------------------------------------------------


def _swept() -> State:
    """What a new hand sweeps off the table."""
    return {"turn": None, "board": [], "pot": 0, "pots": [], "awards": [], "lit": [], "duel": None}


def _duel_over(state: State) -> State:
    """Whoever lost a duel has been seen to lose it."""
    return {"scene": "table", "duel": None} if state["scene"] == "duel" else {}


def _takers(state: State, loser: int) -> list[int]:
    """The bots that won the last pot the seat's chips were in: they had it covered."""
    staked = [at for at, pot in enumerate(state["pots"]) if loser in pot["seats"]]
    shares = [share["awards"] for share in state["awards"] if share["pot"] in staked[-1:]]
    return [state["seats"][award["seat"]]["bot"] for awards in shares for award in awards]


def _plain(fact: msgspec.Struct) -> State:
    return msgspec.structs.asdict(fact)


def _seat(bot: int, stack: int) -> State:
    return {
        "bot": bot,
        "stack": stack,
        "bet": 0,
        "committed": 0,
        "blind": "",
        "cards": [],
        "dealt_in": False,
        "folded": False,
        "all_in": False,
        "act": "",
        "fault": "",
        "won": 0,
        "ranking": "",
        "best": [],
        "place": 0,
        "unseated": False,
        **_no_chance(),
    }


def _no_chance() -> State:
    """There is nothing to say about a seat's chances."""
    return {"win": None, "tie": None}


def _sitting(state: State) -> list[int]:
    return [seat["bot"] for seat in state["seats"]]


def _with_bot(state: State, bot: int, **changes: object) -> State:
    bots, key = state["bots"], str(bot)
    return {"bots": {**bots, key: {**bots[key], **changes}} if key in bots else bots}


def _with_stacks(bots: State, numbers: Iterable[int], stacks: Iterable[int], **changes: int) -> State:
    after = {**bots}
    for bot, stack in zip(map(str, numbers), stacks, strict=False):
        if bot in after:
            after[bot] = {**after[bot], "stack": stack, **changes}
    return after


def _with_win(bots: State, ranking: Sequence[int]) -> State:
    """The first of a game's ranking has won it."""
    winner = str(ranking[0]) if ranking else ""
    return {**bots, winner: {**bots[winner], "wins": bots[winner]["wins"] + 1}} if winner in bots else bots


def _with_seat(state: State, at: int, changes: State) -> list[State]:
    seats = list(state["seats"])
    seats[at] = {**seats[at], **changes}
    return seats


def _grown(history: State, bots: State, counted: str) -> State:
    return {bot: [*past, bots[bot][counted] if bot in bots else 0][-HISTORY_KEPT:] for bot, past in history.items()}


def _paid(seat: State, amount: int) -> State:
    return {**seat, "stack": seat["stack"] + amount, "won": seat["won"] + amount} if amount else seat


_STEPS: dict[type[Event], Callable[[State, Any], State]] = {
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
    events.HandStarted: _hand_started,
    events.BlindPosted: _blind_posted,
    events.HoleDealt: _hole_dealt,
    events.TurnStarted: _turn_started,
    events.ActionTaken: _action_taken,
    events.SeatVacated: _seat_vacated,
    events.BetReturned: _bet_returned,
    events.BetsCollected: _bets_collected,
    events.StreetDealt: _street_dealt,
    events.HandShown: _hand_shown,
    events.PotAwarded: _pot_awarded,
    events.HandEnded: _hand_ended,
    StandingsChanged: _standings_changed,
    CaptionSpoken: _caption_spoken,
    EquitiesChanged: _equities_changed,
    HighlightMarked: _highlight_marked,
    StatisticsChanged: _statistics_changed,
    ReplayStarted: _replay_started,
    ReplayEnded: _replay_ended,
    events.ControlSet: _control_set,
    PaceChanged: _pace_changed,
    TroubleShown: _trouble_shown,
}
