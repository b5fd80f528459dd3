"""The page on which players hand in their bots, follow them through build and test game, and have them play."""

import asyncio
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates
from starlette.requests import ClientDisconnect

from broadcast.app import HOUSE
from server.front.season_book import Player, Upload
from server.front.season_keys import badge_of, opens
from server.front.season_pages import log_file
from server.front.season_uploads import MOST_BYTES, Declined, Taken, Uploads
from server.front.season_visitors import PAGE_HEADERS, badge_in, is_operator, remember, visitor
from server.submissions.forms import BadForm, Form, read_form

AT_ONCE = 4
"""Uploads that are being received."""
SECONDS = 60.0
"""The whole upload must be here by then."""
FORM_BYTES = MOST_BYTES + (64 << 10)
KEPT_ON_PAGE = 10
"""Versions of a player's bot, the latest."""
LOGS = ("public", "defender")
"""Of a test game; both sides are the same bot."""


def upload_router(uploads: Uploads) -> APIRouter:
    """All of it."""
    page = _UploadPage(uploads)
    router = APIRouter()
    router.add_api_route("/upload", page.form, response_class=HTMLResponse)
    router.add_api_route("/upload", page.hand_in, methods=["POST"], response_class=HTMLResponse)
    router.add_api_route("/upload/enter", page.enter, methods=["POST"], response_class=HTMLResponse)
    router.add_api_route("/upload/activate", page.activate, methods=["POST"], response_class=HTMLResponse)
    router.add_api_route("/upload/tests/{number:int}/{log}.log", page.log)
    return router


class _UploadPage:
    """One season's."""

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads
        self._receiving = 0
        self._templates = Jinja2Templates(HOUSE / "broadcast" / "templates")

    async def form(self, request: Request) -> Response:
        """The form, and for a player its versions and how far they are."""
        return self._page(request, visitor(request, self._uploads.ledger.book))

    async def hand_in(self, request: Request) -> Response:
        """Takes a bot, or says what is wrong with it."""
        name = ""
        try:
            form = await self._received(request)
            name = form.fields.get("player", "")
            taken = await self._uploads.hand_in(
                name, form.fields.get("secret", "").strip(), form.files.get("bot", b""), badge=badge_in(request)
            )
        except BadForm as error:
            return JSONResponse({"error": f"{error}."}, 400)
        except (Declined, OSError) as error:
            player = visitor(request, self._uploads.ledger.book)
            return self._page(request, player, refusal=_declined(error), name=name)
        answer = self._page(request, taken.player, taken=taken)
        remember(request, answer, taken.badge)
        return answer

    async def enter(self, request: Request) -> Response:
        """Lets a player back in by name and secret."""
        fields = await _fields(request)
        if "player" not in fields:
            return JSONResponse({"error": "The form must have a player."}, 400)
        secret, player = fields.get("secret", ""), self._uploads.named(fields["player"])
        if player is None or not opens(badge_of(secret), player.seal):
            refusal = Declined(403, "There is no player of that name with that secret.")
            return self._page(request, None, refusal=refusal, name=fields["player"])
        answer = RedirectResponse("/upload", 303)
        remember(request, answer, badge_of(secret))
        return answer

    async def activate(self, request: Request) -> Response:
        """Has a version play from the next game on."""
        book = self._uploads.ledger.book
        number = (await _fields(request)).get("upload", "")
        if not (number.isascii() and number.isdigit() and len(number) < 9):
            return JSONResponse({"error": "The form must have the number of an upload."}, 400)
        player, upload = visitor(request, book), book.uploads.get(int(number))
        if upload is None or player is None or upload.player != player.number:
            return self._page(request, player, refusal=Declined(403, "This is not a bot of yours."))
        if book.seed or not upload.ready:
            why = "The season is over." if book.seed else "It can play only after its test game."
            return self._page(request, player, refusal=Declined(409, why))
        await self._uploads.stable.activate(upload)
        return RedirectResponse("/upload", 303)

    async def log(self, request: Request, number: int, log: str) -> Response:
        """A log of the test game, for the owner and the operator."""
        book = self._uploads.ledger.book
        upload, player = book.uploads.get(number), visitor(request, book)
        if upload is None or log not in LOGS:
            return PlainTextResponse("There is no such log.\n", 404)
        if not (is_operator(request) or (player is not None and player.number == upload.player)):
            return PlainTextResponse("The logs of a test game are for the bot's owner only.\n", 403)
        files = self._uploads.store.test(number)
        return log_file(files.public if log == "public" else files.defender)

    # -- the body

    async def _received(self, request: Request) -> Form:
        """The form that was sent. Raises BadForm, Declined."""
        if self._receiving >= AT_ONCE:
            raise Declined(503, "Others are sending their bots at this moment. Try again in a minute.")
        self._receiving += 1
        try:
            async with asyncio.timeout(SECONDS):
                return read_form(request.headers.get("content-type", ""), await _body(request))
        except TimeoutError:
            raise Declined(408, f"The upload took longer than {SECONDS:g} s.") from None
        finally:
            self._receiving -= 1

    # -- the page

    def _page(
        self,
        request: Request,
        player: Player | None,
        *,
        refusal: Declined | None = None,
        taken: Taken | None = None,
        name: str = "",
    ) -> Response:
        book, stable = self._uploads.ledger.book, self._uploads.stable
        mine = [book.uploads[number] for number in reversed(player.uploads[-KEPT_ON_PAGE:])] if player else []
        about = {
            "season": book,
            "you": player,
            "versions": [(upload, stable.progress(upload), stable.lines(upload.number)) for upload in mine],
            "busy": any(_is_on_its_way(upload) for upload in mine),
            "refusal": refusal,
            "taken": taken,
            "name": name[:100],
            "most": MOST_BYTES >> 20,
        }
        status = refusal.status if refusal else 200
        return self._templates.TemplateResponse(request, "upload.html", about, status, headers=PAGE_HEADERS)


def _declined(error: Declined | OSError) -> Declined:
    if isinstance(error, Declined):
        return error
    return Declined(503, f"The bot cannot be kept ({error.strerror}). Try again in a minute.")


def _is_on_its_way(upload: Upload) -> bool:
    return not upload.fault and not upload.ready


async def _body(request: Request) -> bytes:
    """Raises Declined for one that is too long or breaks off."""
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > FORM_BYTES:
                raise Declined(413, f"The archive is larger than {MOST_BYTES >> 20} MB.")
    except ClientDisconnect:
        raise BadForm("The upload broke off") from None
    return bytes(body)


async def _fields(request: Request) -> dict[str, str]:
    """The first of each field of a short form; the guard has limited it."""
    try:
        found = parse_qs((await request.body()).decode(errors="replace"), max_num_fields=20)
    except ValueError:
        return {}
    return {key: values[0] for key, values in found.items()}
