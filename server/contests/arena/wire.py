"""Lets a program play in the contest Arena: reads the server's requests, and writes answers. No I/O."""

import json

import msgspec
from msgspec import UNSET

from server.bots.dialects.agent import Move
from server.bots.dialects.wire import Choice, LineWire, Opponent, Question, Spot, comment_fields
from server.contests.arena import messages


class _State(messages.GameState, frozen=True, forbid_unknown_fields=False):
    """A state of the game. It may have fields of a later version of the protocol."""


_read = msgspec.json.Decoder(_State).decode


class ArenaWire(LineWire):
    """Reads the requests to one bot, and writes its answers. An Arena bot does not register: the
    organiser or the bot's author tells the server its address.
    """

    action_path = "/action"
    paths = frozenset({"/action", "/health"})

    def read(self, message: bytes) -> Question:
        state = _read(message)
        seats = {player_id: seat for seat, player_id in enumerate(state.players)}
        own_player = state.players[state.current_player]
        spot = Spot(
            hand=state.hand_number,
            street=state.phase,
            you=seats[state.current_player],
            your_cards=own_player.hole_cards,
            board=state.community_cards,
            pot=state.pot,
            to_call=min(state.current_bet - own_player.current_bet, own_player.chips),
            your_chips=own_player.chips,
            your_bet=own_player.current_bet,
            big_blind=state.big_blind,
            others=tuple(
                Opponent(seats[player.player_id], player.chips, player.current_bet, player.state)
                for player in state.players.values()
                if player is not own_player
            ),
            history=tuple(
                f"{done.phase}: seat {seats[done.player_id]} {done.action} {done.amount}"
                for done in state.action_history
                if done.player_id in seats
            ),
            legal=tuple(map(_move, state.valid_actions)),
        )
        return Question(spot, {seats[player.player_id]: player.name for player in state.players.values()})

    def write(self, choice: Choice) -> bytes:
        return json.dumps(
            {"action": choice.action, "amount": choice.amount, **comment_fields(choice)}, ensure_ascii=False
        ).encode()


def _move(valid_action: messages.ValidAction) -> Move:
    if isinstance(valid_action.amount, messages.Range):
        return Move(valid_action.action, UNSET, valid_action.amount.min, valid_action.amount.max)
    return Move(valid_action.action, valid_action.amount)
