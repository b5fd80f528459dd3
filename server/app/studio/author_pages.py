"""`/own/LINK`: what the author of a bot is told during an event, of games that have been on air and no others."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, Response
from msgspec import Struct, to_builtins
from msgspec.structs import asdict

from broadcast.web.private_pages import PRIVATE, same_link
from broadcast.web.templates import page_templates
from server.app.decisions.decisions import Decision, decisions_of
from server.app.decisions.event_notes import author_link, read_notes
from server.app.decisions.hands import hands_of, plain_hands
from server.app.decisions.kept import KeptDecisions, busy
from server.bots.sandbox.runner import Limits, Usage
from server.game.events import ActionTaken, Event, GameEnded, GameStarted, HandStarted, StageStarted, TurnStarted

LIVE = "/watch?channel=main&hand="
_PAGES = page_templates()


class AiredGame(Struct):
    """A game of a bot that has been on air: what it won in chips, its answer times, the first hand in the show."""

    game: int
    stage: str
    first_hand: int
    """Counted over all hands of the show, from 1."""
    hands: int = 0
    won: int = 0
    limit_ms: int = 0
    times: list[int] = []
    faults: int = 0
    """Turns without a valid answer in time."""

    @property
    def slowest(self) -> int:
        """The slowest answer, in milliseconds; 0 without any."""
        return max(self.times, default=0)


def aired_games(events: Sequence[Event], bot: int) -> list[AiredGame]:
    """The games of a bot that are over, in events that have been on air."""
    found: list[AiredGame] = []
    on: AiredGame | None = None
    stage, seat, hands, stack = "", -1, 0, 0
    for event in events:
        match event:
            case StageStarted(title=stage):
                pass
            case GameStarted(seats=seats) if bot in seats:
                seat = seats.index(bot)
                on, stack = AiredGame(event.game, stage, hands + 1), event.stacks[seat]
            case GameStarted():
                on, seat = None, -1
            case HandStarted():
                hands += 1
                if on:
                    on.hands += 1
            case TurnStarted() if on and event.seat == seat:
                on.limit_ms = event.think_ms
            case ActionTaken() if on and event.seat == seat:
                on.times.append(event.think_ms)
                on.faults += bool(event.fault)
            case GameEnded(stacks=stacks) if on:
                on.won = stacks[seat] - stack
                found.append(on)
                on = None
            case _:
                pass
    return found


class AuthorPages:
    """The pages of all authors; `on_air` gives the events that viewers have seen."""

    def __init__(
        self,
        secret: str,
        names: Callable[[], Mapping[int, str]],
        folder: Path,
        on_air: Callable[[], Sequence[Event]],
        watch: str = LIVE,
    ) -> None:
        """The links follow from `secret` and the `names` of the bots; the notes of their games are in `folder`.

        A hand can be watched at the address `watch` with the number of the hand behind it.
        """
        self._secret = secret
        self._names = names
        self._folder = folder
        self._on_air = on_air
        self._watch = watch
        self._decisions = KeptDecisions()

    def bot(self, link: str) -> tuple[int, str]:
        """The number and name of the bot that a link is of. Raises HTTPException (404)."""
        for bot, name in self._names().items():
            if same_link(author_link(self._secret, bot, name), link):
                return bot, name
        raise HTTPException(404)

    def games(self, bot: int) -> list[AiredGame]:
        """The games of a bot that have been on air, the latest last."""
        return aired_games(self._on_air(), bot)

    def look(self, request: Request, link: str) -> Response:
        """All games of a bot that have been on air, the latest first."""
        bot, name = self.bot(link)
        games = self.games(bot)
        notes = read_notes(self._folder, bot, games[-1].game) if games else None
        usage = notes.usage if notes else Usage()
        if "json" in request.query_params:
            told = {"name": name, "games": to_builtins(games), "usage": asdict(usage)}
            return JSONResponse(told, headers=PRIVATE)
        about = {
            "name": name,
            "link": link,
            "games": games[::-1],
            "watch": self._watch,
            "usage": usage,
            "limits": Limits(),
        }
        return _PAGES.TemplateResponse(request, "contests/own_event.html", about, headers=dict(PRIVATE))

    async def game(self, request: Request, link: str, number: int) -> Response:
        """One game hand by hand."""
        bot, _ = self.bot(link)
        games = await asyncio.to_thread(self.games, bot)
        played = next((game for game in games if game.game == number), None)
        if played is None:
            raise HTTPException(404)
        decisions = await self._decisions.of((bot, number), lambda: decisions_of(self._on_air(), bot, number))
        if decisions is None:
            return busy()
        return await asyncio.to_thread(self._hand_by_hand, request, link, played, decisions)

    def _hand_by_hand(self, request: Request, link: str, played: AiredGame, decisions: Sequence[Decision]) -> Response:
        bot, name = self.bot(link)
        notes = read_notes(self._folder, bot, played.game)
        transcript = notes.transcript if notes else None
        hands = hands_of(decisions, notes.faults if notes else (), transcript)
        if "json" in request.query_params:
            return JSONResponse(plain_hands(hands, transcript), headers=PRIVATE)
        about: dict[str, Any] = {
            "name": name,
            "words": f"Game {played.game}, {played.stage}: {played.won:+,} chips in {played.hands} hands.",
            "back": f"/own/{link}",
            "watch": f"{self._watch}{played.first_hand}",
            "hands": hands,
            "transcript": transcript,
        }
        return _PAGES.TemplateResponse(request, "contests/own_game.html", about, headers=dict(PRIVATE))


def author_router(pages: AuthorPages) -> APIRouter:
    """`/own/LINK` and `/own/LINK/N` with a game by its number, both also as JSON with `?json`; one after the other."""
    router = APIRouter(prefix="/own")
    one = asyncio.Lock()

    @router.get("/{link}")
    async def look(request: Request, link: str) -> Response:
        """All games of a bot."""
        async with one:
            return await asyncio.to_thread(pages.look, request, link)

    @router.get("/{link}/{number:int}")
    async def game(request: Request, link: str, number: int) -> Response:
        """One game."""
        async with one:
            return await pages.game(request, link, number)

    return router
