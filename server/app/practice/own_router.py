"""The routes of the authors' own pages: all games of a bot, and one game hand by hand."""

from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import Response
from msgspec.structs import asdict

from broadcast.web.access import PRIVATE, same_link
from broadcast.web.answers import Answer, KeptAnswers
from broadcast.web.routes import Json, Route, WantsJson
from broadcast.web.templates import local_time, page_templates
from server.app.decisions.decisions import Decision, decisions_of
from server.app.decisions.faults import OwnFault
from server.app.decisions.hands import OwnGame, OwnHands
from server.app.decisions.transcript import read_transcript, transcript_of
from server.app.practice.guests import Guests
from server.app.practice.invitations import Invitations
from server.app.practice.own_games import BINS_MS, OwnPage, Totals, totals_of
from server.app.practice.own_pages import OwnPages
from server.app.results.place import Place, place_of
from server.config.settings import Settings
from server.journal.journal import JournalDamaged, read_journal

_PAGES = page_templates()


class OwnPageJson(OwnPage, frozen=True, kw_only=True):
    """The page with what follows from its games."""

    totals: Totals
    ladder: Place


def page_behind(pages: OwnPages, guests: Guests, token: str) -> OwnPage:
    """The page that a link leads to, also before the first game is over. Raises HTTPException (404)."""
    on = [guest for guest in guests.latest if same_link(guest.own, token)]
    page = pages.page(token) or (OwnPage(on[0].name) if on else None)
    if page is None:
        raise HTTPException(404)
    return page


def own_router(pages: OwnPages, guests: Guests, invitations: Invitations, settings: Settings) -> APIRouter:
    """`/practice/own/LINK` and `/practice/own/LINK/N` with a game by its number, both also as JSON with `?json`."""
    router = APIRouter(prefix="/practice/own", route_class=Route)
    kept = KeptAnswers()

    async def behind(token: str) -> OwnPage:
        return page_behind(pages, guests, token)

    @router.get("/{token}", response_model=OwnPageJson)
    async def look(
        request: Request, token: str, page: Annotated[OwnPage, Depends(behind)], as_json: WantsJson
    ) -> Response:
        """All games of a bot, the latest first."""
        on = [guest for guest in guests.latest if same_link(guest.own, token) and not guest.over]
        games = [(number, game, local_time(game.begun)) for number, game in enumerate(page.games, 1)]
        labels = [*(f"up to {_short(ms)}" for ms in BINS_MS), f"over {_short(BINS_MS[-1])}"]
        totals, place = totals_of(page), place_of(page.rungs)
        about = {
            "page": page, "token": token, "games": games[::-1], "on": on, "totals": totals,
            "place": place, "invitations": invitations.open_of(token),
            "expired": invitations.expired_of(token), "base": str(request.base_url).rstrip("/"),
            "bars": list(zip(labels, totals.bars, strict=True)), "most": max(1, *totals.bars),
        }  # fmt: skip
        if as_json:
            return Json(OwnPageJson(**asdict(page), totals=totals, ladder=place), headers=PRIVATE)
        return _PAGES.TemplateResponse(request, "contests/own.html", about, headers=dict(PRIVATE))

    @router.get("/{token}/{number:int}", response_model=OwnHands)
    async def game(
        request: Request, token: str, number: int, page: Annotated[OwnPage, Depends(behind)], as_json: WantsJson
    ) -> Response:
        """One game hand by hand: every decision, what was wrong, every message."""
        if not 1 <= number <= len(page.games):
            raise HTTPException(404)
        played = page.games[number - 1]
        path = settings.recordings / f"{played.recording}.jsonl"
        if not path.is_file():
            raise HTTPException(404)
        written = transcript_of(settings.data, played.recording, played.bot)

        def told() -> Answer:
            faults = [fault for fault in played.faults if isinstance(fault, OwnFault)]
            about = {
                "name": page.name,
                "words": f"The game of {local_time(played.begun)}: place {played.place} of {played.of}.",
                "back": f"/practice/own/{token}",
                "watch": f"/replay/{quote(played.recording)}",
            }
            own = OwnGame(_decisions(path, played.bot), faults, read_transcript(written))
            return own.answer(about, PRIVATE, as_json=as_json)

        return (await kept.of((token, played.recording, as_json), written.is_file(), told)).to(request)

    return router


def _decisions(path: Path, bot: int) -> list[Decision]:
    """The decisions of that bot; none where the recording cannot be read."""
    try:
        return list(decisions_of((entry.event for entry in read_journal(path).entries), bot))
    except (OSError, JournalDamaged, LookupError, ValueError):
        return []


def _short(ms: int) -> str:
    return f"{ms / 1000:g} s" if ms >= 1000 else f"{ms} ms"
