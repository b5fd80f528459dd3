"""Serves the pages for the authors of bots: the page with all games of a bot, one game hand by hand, and challenges."""

import time
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from msgspec import Struct
from msgspec.structs import asdict

from broadcast.web.access import PRIVATE_HEADERS, is_same_link
from broadcast.web.answers import Answer, AnswerCache
from broadcast.web.routes import Json, JsonError, Route, WantsJson
from broadcast.web.templates import local_time, page_templates
from server.app.bot_registration import read_fields
from server.app.decisions.decisions import Decision, decisions_of
from server.app.decisions.faults import FaultReport
from server.app.decisions.game_review import GameReview, HandReviews
from server.app.decisions.transcript import read_transcript, transcript_path
from server.app.practice.game_summaries import BINS_MS, PracticePage, Totals, compute_totals
from server.app.practice.matchmaking import MEET_SECONDS
from server.app.practice.open_challenges import Challenge, OpenChallenges
from server.app.practice.practice_server import PracticeServer
from server.app.results.ladder_place import Place, compute_place
from server.contests import CONTESTS
from server.journal.journal import JournalDamaged, read_journal
from server.registration.register import TEST_GAME_SIZES, TEST_HAND_COUNTS, RegistrationRefused
from server.token_bucket import TokenBucket

_TEMPLATES = page_templates()
MAX_PER_MINUTE = 60
"""At most this many challenges may be made or withdrawn per minute, because each change is written to disk."""


class PracticePageJson(PracticePage, frozen=True, kw_only=True):
    """An author's page, with statistics of its games and the bot's place on the ladder of house bots."""

    totals: Totals
    ladder: Place


def find_page(server: PracticeServer, token: str) -> PracticePage:
    """Returns the author's page with the link that ends in `token`. If a guest (a bot that practises) has this link but
    no stored page, returns a page without games. Raises HTTPException (404) if there is no such page.
    """
    current_guests = [guest for guest in server.guests.latest if is_same_link(guest.page_token, token)]
    page = server.practice_pages.page(token) or (PracticePage(current_guests[0].name) if current_guests else None)
    if page is None:
        raise HTTPException(404)
    return page


def practice_page_router(server: PracticeServer) -> APIRouter:
    """The routes `/practice/own/LINK` and `/practice/own/LINK/N` (game number N). With `?json`, they answer in JSON."""
    router = APIRouter(prefix="/practice/own", route_class=Route)
    guests, challenges, settings = server.guests, server.challenges, server.settings
    cache = AnswerCache()

    async def page_of_token(token: str) -> PracticePage:
        return find_page(server, token)

    @router.get("/{token}", response_model=PracticePageJson)
    async def look(
        request: Request, token: str, page: Annotated[PracticePage, Depends(page_of_token)], as_json: WantsJson
    ) -> Response:
        """All games of a bot, the latest first."""
        current_guests = [guest for guest in guests.latest if is_same_link(guest.page_token, token) and not guest.over]
        games = [(number, game, local_time(game.begun)) for number, game in enumerate(page.games, 1)]
        labels = [*(f"up to {_time_text(ms)}" for ms in BINS_MS), f"over {_time_text(BINS_MS[-1])}"]
        totals, place = compute_totals(page), compute_place(page.rungs)
        values = {
            "page": page, "token": token, "games": games[::-1], "on": current_guests, "totals": totals,
            "place": place, "challenges": challenges.list_for(token, expired=False),
            "expired": challenges.list_for(token, expired=True), "base": str(request.base_url).rstrip("/"),
            "bars": list(zip(labels, totals.bars, strict=True)), "most": max(1, *totals.bars),
        }  # fmt: skip
        if as_json:
            return Json(PracticePageJson(**asdict(page), totals=totals, ladder=place), headers=PRIVATE_HEADERS)
        return _TEMPLATES.TemplateResponse(request, "contests/own.html", values, headers=dict(PRIVATE_HEADERS))

    @router.get("/{token}/{number:int}", response_model=HandReviews)
    async def game(
        request: Request,
        token: str,
        number: int,
        page: Annotated[PracticePage, Depends(page_of_token)],
        as_json: WantsJson,
    ) -> Response:
        """One game, hand by hand: every decision, every fault, every message."""
        if not 1 <= number <= len(page.games):
            raise HTTPException(404)
        summary = page.games[number - 1]
        path = settings.recordings / f"{summary.recording}.jsonl"
        if not path.is_file():
            raise HTTPException(404)
        transcript = transcript_path(settings.data, summary.recording, summary.bot)

        def answer() -> Answer:
            faults = [fault for fault in summary.faults if isinstance(fault, FaultReport)]
            values = {
                "request": request,
                "name": page.name,
                "words": f"The game of {local_time(summary.begun)}: place {summary.place} of {summary.of}.",
                "back": f"/practice/own/{token}",
                "watch": f"/replay/{quote(summary.recording)}",
            }
            game_review = GameReview(_read_decisions(path, summary.bot), faults, read_transcript(transcript))
            return game_review.answer(values, PRIVATE_HEADERS, as_json=as_json)

        key = (token, summary.recording, as_json)
        return (await cache.get(key, transcript.is_file(), answer)).response_for(request)

    return router


def _read_decisions(path: Path, bot: int) -> list[Decision]:
    """Returns a bot's decisions, or an empty list if the recording cannot be read."""
    try:
        return list(decisions_of((entry.event for entry in read_journal(path).entries), bot))
    except (OSError, JournalDamaged, LookupError, ValueError):
        return []


def _time_text(ms: int) -> str:
    return f"{ms / 1000:g} s" if ms >= 1000 else f"{ms} ms"


class NewChallenge(Struct, frozen=True):
    """A new challenge: its code, the URL of its page, and the time when it expires, in seconds since 1970."""

    code: str
    url: str
    until: int
    seats: int
    hands: int


def challenge_router(server: PracticeServer, contest_id: str) -> APIRouter:
    """The routes `/practice/challenge/CODE` and `POST /practice/own/LINK/challenges` (answers in JSON with `?json`)."""
    router = APIRouter(route_class=Route)
    change_budget = TokenBucket(MAX_PER_MINUTE, MAX_PER_MINUTE / 60, time.monotonic)

    def page(request: Request, status: int = 200, **values: object) -> Response:
        return _TEMPLATES.TemplateResponse(request, "contests/challenge.html", values, status, dict(PRIVATE_HEADERS))

    @router.post("/practice/own/{token}/challenges", response_model=NewChallenge | None)
    async def challenge(request: Request, token: str, as_json: WantsJson) -> Response:
        """Makes a challenge to a game with `seats` seats and `hands` hands, or withdraws the challenge with the code
        `withdraw`.
        """
        name = find_page(server, token).name
        try:
            if not change_budget.spend(1):
                raise RegistrationRefused(
                    429, f"more than {MAX_PER_MINUTE} challenges a minute are too many: try again in a minute"
                )
            fields = read_fields(await request.body())
            client = request.client.host if request.client else ""
            made = _add_or_withdraw(server.challenges, fields, token, name, client)
        except RegistrationRefused as refusal:
            if as_json:
                raise JsonError(refusal.status, refusal.text, PRIVATE_HEADERS) from None
            return page(request, refusal.status, words=_as_sentence(refusal.text))
        if as_json:
            base = str(request.base_url).rstrip("/")
            content = made and NewChallenge(made.code, f"{base}{made.path}", made.until, made.seats, made.hands)
            return Json(content, headers=PRIVATE_HEADERS)
        return RedirectResponse(f"/practice/own/{token}#challenges", 303, dict(PRIVATE_HEADERS))

    @router.get("/practice/challenge/{code}")
    async def look(request: Request, code: str) -> Response:
        """The game of a challenge, and how to accept the challenge."""
        try:
            challenge = server.challenges.find(code)
        except RegistrationRefused as refusal:
            return page(request, refusal.status, words=_as_sentence(refusal.text))
        title, form = CONTESTS[contest_id].format.title, CONTESTS[contest_id].practice_form
        return page(request, challenge=challenge, title=title, form=form, minutes=f"{MEET_SECONDS / 60:g}")

    return router


def _add_or_withdraw(
    challenges: OpenChallenges, fields: dict[str, str], token: str, name: str, client: str
) -> Challenge | None:
    """Makes and returns the challenge that a form describes. If the form has the field `withdraw`, withdraws the
    challenge with that code instead, and returns None. Raises RegistrationRefused, OSError.
    """
    if code := fields.get("withdraw"):
        if not challenges.find(code).is_by(token):
            raise RegistrationRefused(404, "this page has no challenge with that code")
        challenges.remove(code)
        return None
    seats = _read_number(fields, "seats", TEST_GAME_SIZES, TEST_GAME_SIZES[0])
    hands = _read_number(fields, "hands", TEST_HAND_COUNTS, TEST_HAND_COUNTS[-1])
    return challenges.add(token, name, seats, hands, client)


def _as_sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _read_number(fields: dict[str, str], key: str, allowed: range, default: int) -> int:
    text = fields.get(key, str(default)).strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= 3 and int(text) in allowed):
        raise RegistrationRefused(400, f"{key} must be a whole number from {allowed[0]} to {allowed[-1]}")
    return int(text)
