"""The routes of the authors' own pages: all games of a bot, and one game hand by hand."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, Response
from msgspec import to_builtins

from broadcast.web.answers import KeptAnswers
from broadcast.web.private_pages import PRIVATE, same_link
from broadcast.web.squeezed import JSON, Answer, squeezed
from broadcast.web.templates import page_templates
from server.app.decisions.decisions import Decision, decisions_of
from server.app.decisions.faults import OwnFault
from server.app.decisions.hands import hands_of, plain_hands
from server.app.decisions.transcript import read_transcript, transcript_of
from server.app.practice.guests import Guests
from server.app.practice.invitations import Invitations
from server.app.practice.own_games import BINS_MS, OwnGame, OwnPage, totals_of
from server.app.practice.own_pages import OwnPages
from server.app.results.place import Place, place_of
from server.config.settings import Settings
from server.journal.journal import JournalDamaged, read_journal

_PAGES = page_templates()


def page_behind(pages: OwnPages, guests: Guests, token: str) -> OwnPage:
    """The page that a link leads to, also before the first game is over. Raises HTTPException (404)."""
    on = [guest for guest in guests.latest if same_link(guest.own, token)]
    page = pages.page(token) or (OwnPage(on[0].name) if on else None)
    if page is None:
        raise HTTPException(404)
    return page


def own_router(pages: OwnPages, guests: Guests, invitations: Invitations, settings: Settings) -> APIRouter:
    """`/practice/own/LINK` and `/practice/own/LINK/N` with a game by its number, both also as JSON with `?json`."""
    router = APIRouter(prefix="/practice/own")
    kept = KeptAnswers()

    @router.get("/{token}")
    async def look(request: Request, token: str) -> Response:
        """All games of a bot, the latest first."""
        page = page_behind(pages, guests, token)
        on = [guest for guest in guests.latest if same_link(guest.own, token) and not guest.over]
        games = [(number, game, _when(game)) for number, game in enumerate(page.games, 1)]
        labels = [*(f"up to {_short(ms)}" for ms in BINS_MS), f"over {_short(BINS_MS[-1])}"]
        totals, place = totals_of(page), place_of(page.rungs)
        about = {
            "page": page, "token": token, "games": games[::-1], "on": on, "totals": totals,
            "place": place, "invitations": invitations.open_of(token),
            "expired": invitations.expired_of(token), "base": str(request.base_url).rstrip("/"),
            "bars": list(zip(labels, totals.bars, strict=True)), "most": max(1, *totals.bars),
        }  # fmt: skip
        return _answer(
            request,
            "contests/own.html",
            about,
            lambda: {**to_builtins(page), "totals": to_builtins(totals), "ladder": _place(place)},
        )

    @router.get("/{token}/{number}")
    async def game(request: Request, token: str, number: int) -> Response:
        """One game hand by hand: every decision, what was wrong, every message."""
        page = page_behind(pages, guests, token)
        if not 1 <= number <= len(page.games):
            raise HTTPException(404)
        played = page.games[number - 1]
        path = settings.recordings / f"{played.recording}.jsonl"
        if not path.is_file():
            raise HTTPException(404)
        as_json = "json" in request.query_params
        written = transcript_of(settings.data, played.recording, played.bot)

        def told() -> Answer:
            transcript = read_transcript(written)
            faults = [fault for fault in played.faults if isinstance(fault, OwnFault)]
            hands = hands_of(_decisions(path, played.bot), faults, transcript)
            if as_json:
                return squeezed(msgspec.json.encode(plain_hands(hands, transcript)), JSON, PRIVATE)
            about = {
                "name": page.name,
                "words": f"The game of {_when(played)}: place {played.place} of {played.of}.",
                "back": f"/practice/own/{token}",
                "watch": f"/replay/{quote(played.recording)}",
                "hands": hands,
                "transcript": transcript,
            }
            return squeezed(_PAGES.get_template("contests/own_game.html").render(about).encode(), headers=PRIVATE)

        return (await kept.of((token, played.recording, as_json), written.is_file(), told)).to(request)

    return router


def _place(place: Place) -> dict[str, Any]:
    """The place on the ladder as JSON has it."""
    best, worst = place.between or (None, None)
    return {**to_builtins(place), "best": best, "worst": worst, "words": place.words}


def _decisions(path: Path, bot: int) -> list[Decision]:
    """The decisions of that bot; none where the recording cannot be read."""
    try:
        return list(decisions_of((entry.event for entry in read_journal(path).entries), bot))
    except (OSError, JournalDamaged, LookupError, ValueError):
        return []


def _answer(request: Request, template: str, about: dict[str, Any], plainly: Callable[[], Any]) -> Response:
    """A page, or the same as JSON where that is asked for."""
    if "json" in request.query_params:
        return JSONResponse(plainly(), headers=PRIVATE)
    return _PAGES.TemplateResponse(request, template, about, headers=dict(PRIVATE))


def _when(game: OwnGame) -> str:
    return f"{datetime.fromtimestamp(game.begun, UTC):%Y-%m-%d %H:%M} UTC"


def _short(ms: int) -> str:
    return f"{ms / 1000:g} s" if ms >= 1000 else f"{ms} ms"
