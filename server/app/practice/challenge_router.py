"""The routes of challenges: an author makes one on its own page, and the other author sees what it is about."""

import time

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from msgspec import Struct

from broadcast.web.access import PRIVATE
from broadcast.web.routes import Json, JsonError, Route, WantsJson
from broadcast.web.templates import page_templates
from server.app.forms import read_fields
from server.app.practice.challenges import MEET_SECONDS
from server.app.practice.guests import Guests
from server.app.practice.invitations import Invitation, Invitations
from server.app.practice.own_pages import OwnPages
from server.app.practice.own_router import page_behind
from server.contests import CONTESTS
from server.registration.register import TEST_GAME_SIZES, TEST_HAND_COUNTS, Refused
from server.token_bucket import TokenBucket

MOST_A_MINUTE = 60
"""Challenges that are made or withdrawn in a minute; each is written to the disk at once."""


class Made(Struct, frozen=True):
    """A challenge that was made: its code, the address of its page, and until when it can be taken (since 1970)."""

    code: str
    url: str
    until: int
    seats: int
    hands: int


def challenge_router(pages: OwnPages, guests: Guests, invitations: Invitations, contest: str) -> APIRouter:
    """`POST /practice/own/LINK/challenges`, also as JSON with `?json`, and the page `/practice/challenge/CODE`."""
    router = APIRouter(route_class=Route)
    templates = page_templates()
    budget = TokenBucket(MOST_A_MINUTE, MOST_A_MINUTE / 60, time.monotonic)

    def page(request: Request, status: int = 200, **about: object) -> Response:
        return templates.TemplateResponse(request, "contests/challenge.html", about, status, dict(PRIVATE))

    @router.post("/practice/own/{token}/challenges", response_model=Made | None)
    async def challenge(request: Request, token: str, as_json: WantsJson) -> Response:
        """Makes a challenge of so many `seats` and `hands`, or with `withdraw` takes back one of that code."""
        name = page_behind(pages, guests, token).name
        try:
            if not budget.spend(1):
                raise Refused(429, f"more than {MOST_A_MINUTE} challenges a minute are too many, try again in a minute")
            fields = read_fields(await request.body())
            client = request.client.host if request.client else ""
            made = _changed(invitations, fields, token, name, client)
        except Refused as refusal:
            if as_json:
                raise JsonError(refusal.status, refusal.text, PRIVATE) from None
            return page(request, refusal.status, words=_sentence(refusal.text))
        if as_json:
            return Json(made and _made(made, str(request.base_url)), headers=PRIVATE)
        return RedirectResponse(f"/practice/own/{token}#challenges", 303, dict(PRIVATE))

    @router.get("/practice/challenge/{code}")
    async def look(request: Request, code: str) -> Response:
        """What a challenge is about, and how to take it."""
        try:
            invitation = invitations.found(code)
        except Refused as refusal:
            return page(request, refusal.status, words=_sentence(refusal.text))
        return page(
            request,
            invitation=invitation,
            title=CONTESTS[contest].format.title,
            form=CONTESTS[contest].practice_form,
            minutes=f"{MEET_SECONDS / 60:g}",
        )

    return router


def _changed(invitations: Invitations, fields: dict[str, str], token: str, name: str, client: str) -> Invitation | None:
    """Makes or withdraws what the form says; None where it was withdrawn. Raises Refused, OSError."""
    if code := fields.get("withdraw"):
        if not invitations.found(code).is_by(token):
            raise Refused(404, "this page has no challenge of that code")
        invitations.remove(code)
        return None
    seats = _number(fields, "seats", TEST_GAME_SIZES, TEST_GAME_SIZES[0])
    hands = _number(fields, "hands", TEST_HAND_COUNTS, TEST_HAND_COUNTS[-1])
    return invitations.invite(token, name, seats, hands, client)


def _made(made: Invitation, base: str) -> Made:
    return Made(made.code, f"{base.rstrip('/')}{made.path}", made.until, made.seats, made.hands)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _number(fields: dict[str, str], key: str, allowed: range, default: int) -> int:
    text = fields.get(key, str(default)).strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= 3 and int(text) in allowed):
        raise Refused(400, f"{key} must be a whole number from {allowed[0]} to {allowed[-1]}")
    return int(text)
