"""The page on which players upload bots, see whether they were built and tested, and choose the bot that plays."""

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from broadcast.web.routes import JsonError, Route
from broadcast.web.templates import page_templates
from server.app.season import visitors
from server.app.season.pages import log_file
from server.app.season.public_view import PublicView
from server.app.season.upload_forms import BadForm, FormReceiver, UploadForm
from server.season.player_secrets import badge_of
from server.season.uploads.upload_request import MAX_ARCHIVE_BYTES, RequestRefused, UploadAnswer, UploadRequest
from server.season.uploads.uploads import SEASON_CLOSED, Uploads

LISTED_UPLOADS = 10
"""The page lists a player's latest uploads, at most this many."""
LOGS = ("public", "defender")
"""In a test game, two copies of a bot play. The page shows the public log, and the log of the copy called defender."""


def upload_router(uploads: Uploads, form_receiver: FormReceiver, view: PublicView) -> APIRouter:
    """Returns the routes of the upload page. `view` is the public state of the season."""
    page = _UploadPage(uploads, form_receiver, view)
    router = APIRouter(route_class=Route)
    router.add_api_route("/upload", page.form)
    router.add_api_route("/upload", page.hand_in, methods=["POST"])
    router.add_api_route("/upload/enter", page.enter, methods=["POST"])
    router.add_api_route("/upload/activate", page.activate, methods=["POST"])
    router.add_api_route("/upload/tests/{number:int}/{log}.log", page.log)
    return router


class _UploadPage:
    """One function for each route. A browser's cookie has the player's badge, a hash of the player's secret."""

    def __init__(self, uploads: Uploads, form_receiver: FormReceiver, view: PublicView) -> None:
        self._uploads = uploads
        self._form_receiver = form_receiver
        self._view = view
        self._templates = page_templates()

    async def form(self, request: Request) -> Response:
        """The form, and the visitor's uploads."""
        return self._page(request, badge=visitors.badge_in(request))

    async def hand_in(self, request: Request) -> Response:
        """Accepts an upload, or reports its faults."""
        name, badge = "", visitors.badge_in(request)
        try:
            async with self._form_receiver.receive_form(request, self._uploads.senders.find_by_badge(badge)) as form:
                upload_request = _read_upload(request, form)
                name = upload_request.name
                upload_answer = await self._uploads.accept_upload(upload_request)
        except BadForm as error:
            raise JsonError(400, f"{error}.") from None
        except (RequestRefused, OSError) as error:
            return self._page(request, badge=badge, refusal=refusal_for(error), name=name)
        answer = self._page(request, badge=upload_answer.badge, upload_answer=upload_answer)
        visitors.set_player_cookie(request, answer, upload_answer.badge)
        return answer

    async def enter(self, request: Request, fields: visitors.ShortForm) -> Response:
        """Signs a player in by name and secret."""
        if "player" not in fields:
            raise JsonError(400, "The form must have a player.")
        name, badge = fields["player"][0], badge_of(fields.get("secret", [""])[0])
        if not self._uploads.senders.badge_belongs_to(badge, name):
            refusal = RequestRefused(403, "There is no player of that name with that secret.")
            return self._page(request, refusal=refusal, name=name)
        answer = RedirectResponse("/upload", 303)
        visitors.set_player_cookie(request, answer, badge)
        return answer

    async def activate(self, request: Request, fields: visitors.ShortForm) -> Response:
        """Activates an upload. The upload plays from the player's next game on."""
        standings, badge = self._uploads.ledger.standings, visitors.badge_in(request)
        number = visitors.parse_number(fields.get("upload", [""])[0])
        if not number:
            raise JsonError(400, "The form must have the number of an upload.")
        player, upload = self._uploads.senders.find_by_badge(badge), standings.uploads.get(number)
        if upload is None or player is None or upload.player != player.number:
            return self._page(request, badge=badge, refusal=RequestRefused(403, "This bot is not yours."))
        if standings.seed or not upload.ready:
            why = SEASON_CLOSED if standings.seed else "It can play only after its test game."
            return self._page(request, badge=badge, refusal=RequestRefused(409, why))
        await self._uploads.builds.activate(upload)
        return RedirectResponse("/upload", 303)

    async def log(self, request: Request, number: int, log: str) -> Response:
        """A log of an upload's test game, for its owner and the operator."""
        standings = self._uploads.ledger.standings
        upload, player = standings.uploads.get(number), visitors.find_player(request, standings)
        if upload is None or log not in LOGS:
            return PlainTextResponse("There is no such log.\n", 404)
        if not (visitors.is_operator(request) or (player is not None and player.number == upload.player)):
            return PlainTextResponse("The logs of a test game are for the bot's owner only.\n", 403)
        files = self._uploads.store.test_files(number)
        return log_file(files.public_log if log == "public" else files.defender_log)

    def _page(
        self,
        request: Request,
        *,
        badge: str = "",
        refusal: RequestRefused | None = None,
        upload_answer: UploadAnswer | None = None,
        name: str = "",
    ) -> Response:
        standings, builds = self._uploads.ledger.standings, self._uploads.builds
        player = self._uploads.senders.find_by_badge(badge)
        listed_uploads = (
            [standings.uploads[number] for number in reversed(player.uploads[-LISTED_UPLOADS:])] if player else []
        )
        values = {
            "season": standings,
            "over": bool(self._view.standings.seed),
            "no_more": SEASON_CLOSED,
            "you": player,
            "waits": None if player else self._uploads.newcomers.find_by_badge(badge),
            "operator": visitors.is_operator(request),
            "versions": [(upload, builds.progress(upload), builds.lines(upload.number)) for upload in listed_uploads],
            "busy": any(not upload.fault and not upload.ready for upload in listed_uploads),
            "refusal": refusal,
            "taken": upload_answer,
            "name": name[:100],
            "invitation": request.query_params.get("invitation", "")[:100],
            "once": visitors.fresh_form_mark(),  # identifies the form, in case the browser sends it twice
            "most": MAX_ARCHIVE_BYTES >> 20,
        }
        status = refusal.status if refusal else 200
        answer = self._templates.TemplateResponse(
            request, "season/upload.html", values, status, headers=visitors.PAGE_HEADERS
        )
        visitors.set_browser_cookie(request, answer)
        return answer


def refusal_for(error: RequestRefused | OSError) -> RequestRefused:
    """Returns the refusal to show for an error. After a disk error, the refusal asks the player to try again."""
    if isinstance(error, RequestRefused):
        return error
    return RequestRefused(503, f"The bot cannot be stored ({error.strerror}). Try again in a minute.")


def _read_upload(request: Request, form: UploadForm) -> UploadRequest:
    fields = {key: text.strip() for key, text in form.fields.items()}
    return UploadRequest(
        form.files.get("bot", b""),
        fields.get("player", ""),
        fields.get("secret", ""),
        fields.get("invitation", ""),
        visitors.badge_in(request),
        visitors.form_id(request, fields.get("once", "")),
        visitors.address_of(request),
    )
