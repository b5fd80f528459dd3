"""`/own/LINK`: the page of a bot's author during an evening, with the games that have been on air."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from msgspec import Struct

from broadcast.web.access import PRIVATE_HEADERS, is_same_link
from broadcast.web.answers import JSON, Answer, AnswerCache, compressed_answer
from broadcast.web.routes import Route, WantsJson
from broadcast.web.templates import page_templates
from server.app.decisions.author_reports import ProgramEnd, author_link, end_path, read_end, read_report, report_path
from server.app.decisions.decisions import decisions_of
from server.app.decisions.game_review import GameReview, HandReviews
from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.runner import Usage
from server.game import events
from server.game.events import Event

LIVE_HAND_ADDRESS = "/watch?channel=main&hand="
_TEMPLATES = page_templates()


class AiredGame(Struct):
    """A bot's game that has been on air: the chips that the bot won, its answer `times`, and its faults. `limit_ms` is
    the time limit of its latest turn. All times are in milliseconds.
    """

    game: int
    stage: str
    first_hand: int
    """The number of the game's first hand. Hands are numbered from 1 through the whole show."""
    hands: int = 0
    won: int = 0
    limit_ms: int = 0
    times: list[int] = []
    faults: int = 0
    """How many turns ended without a valid answer in time while the bot was connected."""
    missed_turns: int = 0
    """How many turns the bot missed because it had disconnected."""

    @property
    def slowest(self) -> int:
        """The time of the slowest answer in milliseconds, or 0 without answers."""
        return max(self.times, default=0)


class AuthorGames:
    """Collects the finished games that have been on air, for the bots' authors."""

    def __init__(self) -> None:
        self._hand_count = 0
        self._stage = ""
        self._opening_events: list[Event] = []
        """The events that come first in the replay of any game: the opening and the stages of the contest."""
        self._current_games: list[tuple[int, AiredGame]] = []
        """The bots of the current game in seat order, each with its `AiredGame`."""
        self._stacks: tuple[int, ...] = ()
        self._game = 0
        self._games_by_bot: dict[int, list[AiredGame]] = {}
        self._events_by_game: dict[int, list[Event]] = {}

    def games_of_bot(self, bot: int) -> Sequence[AiredGame]:
        return self._games_by_bot.get(bot, ())

    def events_of(self, game: int) -> list[Event]:
        """Returns the events for a replay of game number `game`, which is over: the contest's opening and stages, then
        the events of the game.
        """
        return [*self._opening_events, *self._events_by_game[game]]

    def apply(self, event: Event) -> None:
        if self._current_games or isinstance(event, events.GameStarted):
            self._apply_in_game(event)
        if isinstance(event, events.TournamentOpened | events.StageStarted):
            self._opening_events.append(event)
            self._stage = event.title if isinstance(event, events.StageStarted) else ""

    def _apply_in_game(self, event: Event) -> None:
        match event:
            case events.GameStarted(game=number):
                self._game, self._stacks = number, event.stacks
                self._events_by_game[number] = []
                first_hand = self._hand_count + 1
                self._current_games = [(bot, AiredGame(number, self._stage, first_hand)) for bot in event.seats]
            case events.HandStarted():
                self._hand_count += 1
                for _, game in self._current_games:
                    game.hands += 1
            case events.TurnStarted(seat=seat):
                self._current_games[seat][1].limit_ms = event.think_ms
            case events.ActionTaken(seat=seat):
                aired_game = self._current_games[seat][1]
                aired_game.times.append(event.think_ms)
                is_gone = event.fault == "disconnected"
                aired_game.missed_turns += is_gone
                aired_game.faults += bool(event.fault) and not is_gone
        self._events_by_game[self._game].append(event)
        if isinstance(event, events.GameEnded):
            for (bot, game), start, end in zip(self._current_games, self._stacks, event.stacks, strict=True):
                game.won = end - start
                self._games_by_bot.setdefault(bot, []).append(game)
            self._current_games = []


class AuthorsBot(Struct, frozen=True):
    """What a bot's author sees. `games` are the bot's games that have been on air, the latest last. `usage` is the
    bot's use of memory and processor time, and `ended` says how the bot's program ended.
    """

    name: str
    games: Sequence[AiredGame]
    usage: Usage
    ended: ProgramEnd


class AuthorPages:
    """The pages of all bots' authors, each behind a secret link."""

    def __init__(
        self,
        secret: str,
        names: Callable[[], Mapping[int, str]],
        folder: Path,
        games: AuthorGames,
        watch_path: str = LIVE_HAND_ADDRESS,
    ) -> None:
        """Links are derived from `secret` and the bots' `names`.

        The folder `folder` has the reports on all games, and `games` has the games that viewers have seen. The replay
        of a hand is at the address `watch_path` followed by the hand's number.
        """
        self._secret = secret
        self._names = names
        self._folder = folder
        self._games = games
        self._watch_path = watch_path
        self._cache = AnswerCache()

    def bot_of_link(self, link: str) -> tuple[int, str]:
        """Returns the number and the name of the bot whose page has this link. Raises HTTPException (404)."""
        for bot, name in self._names().items():
            if is_same_link(author_link(self._secret, bot, name), link):
                return bot, name
        raise HTTPException(404)

    def router(self) -> APIRouter:
        """The routes `/own/LINK` and `/own/LINK/N` (game number N). With `?json`, they answer in JSON."""
        router = APIRouter(route_class=Route)
        router.add_api_route("/own/{link}", self.look, response_model=AuthorsBot)
        router.add_api_route("/own/{link}/{number:int}", self.game, response_model=HandReviews)
        return router

    async def look(self, request: Request, link: str, as_json: WantsJson) -> Response:
        """All games of a bot that have been on air, the latest first."""
        bot, name = self.bot_of_link(link)
        games = self._games.games_of_bot(bot)
        end = end_path(self._folder, bot)
        state = len(games), end.stat().st_mtime_ns if end.exists() else 0
        make = partial(self._overview, request, bot, name, link, tuple(games), as_json=as_json)
        return (await self._cache.get((bot, name, as_json), state, make)).response_for(request)

    def _overview(
        self, request: Request, bot: int, name: str, link: str, games: Sequence[AiredGame], *, as_json: bool
    ) -> Answer:
        report = read_report(self._folder, bot, games[-1].game) if games else None
        usage, ended = report.usage if report else Usage(), read_end(self._folder, bot)
        if ended.game > (games[-1].game if games else 0):
            ended = ProgramEnd()  # the game in which the bot ended has not been on air yet
        if as_json:
            return compressed_answer(msgspec.json.encode(AuthorsBot(name, games, usage, ended)), JSON, PRIVATE_HEADERS)
        values = {
            "request": request,
            "name": name,
            "link": link,
            "games": games[::-1],
            "watch": self._watch_path,
            "usage": usage,
            "ended": ended,
            "limits": Limits(),
        }
        return compressed_answer(
            _TEMPLATES.get_template("contests/own_event.html").render(values).encode(), headers=PRIVATE_HEADERS
        )

    async def game(self, request: Request, link: str, number: int, as_json: WantsJson) -> Response:
        """One game of a bot, hand by hand."""
        bot, name = self.bot_of_link(link)
        aired_game = next((game for game in self._games.games_of_bot(bot) if game.game == number), None)
        if aired_game is None:
            raise HTTPException(404)
        make = partial(
            self._hand_by_hand, request, (bot, name), link, aired_game, self._games.events_of(number), as_json=as_json
        )
        is_written = report_path(self._folder, bot, number).is_file()
        return (await self._cache.get((bot, name, as_json, number), is_written, make)).response_for(request)

    def _hand_by_hand(
        self,
        request: Request,
        bot_and_name: tuple[int, str],
        link: str,
        aired: AiredGame,
        events: Sequence[Event],
        *,
        as_json: bool,
    ) -> Answer:
        bot, name = bot_and_name
        report = read_report(self._folder, bot, aired.game)
        values = {
            "request": request,
            "name": name,
            "words": f"Game {aired.game}, {aired.stage}: {aired.won:+,} chips in {aired.hands} hands.",
            "back": f"/own/{link}",
            "watch": f"{self._watch_path}{aired.first_hand}",
        }
        decisions = list(decisions_of(events, bot, aired.game))
        game = GameReview(decisions, report.faults, report.transcript) if report else GameReview(decisions)
        return game.answer(values, PRIVATE_HEADERS, as_json=as_json)
