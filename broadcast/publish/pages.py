"""Renders the pages of a published site (a static copy on a web host) from the server's own templates. All addresses
are relative to the page.

Also makes the file of all bots, which says in which recordings each bot has played. The page of a bot reads this file.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from broadcast.archive.queries import BotRow, RecordingRow, Search
from broadcast.publish.outcome import Outcome
from broadcast.recordings.link_image import Link, LinkText, archive_link_text, recording_link_text, result_link_text
from broadcast.web.brand import Brand
from broadcast.web.templates import page_templates
from server.game.events import Entrant
from server.text.grammar import dollar_text, short_name

BOTS_FILE = "bots/bots.json"
RESULT_PAGES = (("index.html", False, "results.html"), ("results.html", True, "index.html"))
"""Each page with results is published as two files. One file hides the results, and the other file shows them. Each row
has a file's name, whether the file shows results, and the name of the other file.
"""


def bot_address(name: str) -> str:
    """Returns the address of a bot's page, relative to the site's root."""
    return f"bots/index.html?{urlencode({'bot': short_name(name)}, quote_via=quote)}"


class SitePages:
    """Renders the pages of one site. The methods return HTML texts, keyed by their paths on the site."""

    def __init__(self, program: str, address: str = "", brand: Brand | None = None) -> None:
        """`program` is the site's folder of scripts, style sheets and fonts. `brand` is the branding that the pages
        show, if any.

        `address` is the site's address, which link previews need. It is "" if unknown.
        """
        self._program = program
        self._brand = brand
        self._address = f"{address.rstrip('/')}/" if address else ""
        self._templates = page_templates().env
        self._templates.globals["bot_address"] = bot_address

    def front_page(self, rows: Sequence[RecordingRow], live_title: str) -> dict[str, str]:
        """Returns the front page for the time while a show called `live_title` is live. The page has a small live
        picture, and lists the recordings in `rows`.
        """
        values = {
            "shown": {"channel": "main", "epoch": "", "title": live_title},
            "published": "live/main",
            "recordings": rows,
            "serves": lambda *_: False,  # a published site has no server, and so no routes
        }
        return {"index.html": self._render_page("front/front.html", "", values)}

    def list_pages(self, rows: Sequence["PublishedRecording"], live_title: str = "") -> dict[str, str]:
        """Returns the pages that list the recordings. `rows` has the newest recording first. `live_title` is the title
        of a live show, or "" if there is none.

        Without a live show, the pages include the front page, which says how the latest show ended. If that show has no
        champion, the front page is the list of recordings, with the latest show first.
        """
        link = self._link(archive_link_text(len(rows)), "previews.png", "")
        values = {"rows": rows, "count": len(rows), "page_number": 1, "names_being_read": (), "unshowable_files": ()}
        values |= {"search": Search(), "link": link, "live_title": live_title, "latest": None}
        pages = self._render_twice("recordings/recordings.html", "recordings/", values)
        latest = rows[0] if rows else None
        if latest and latest.outcome and latest.entrants and not live_title:
            pages |= self._front_after_show(latest, latest.outcome)
        elif not live_title:
            pages |= self._render_twice("recordings/recordings.html", "", {**values, "latest": latest})
        return pages

    def _front_after_show(self, row: "PublishedRecording", outcome: Outcome) -> dict[str, str]:
        """Returns the front page after a show with a champion."""
        text = replace(result_link_text(row, [], ""), description=outcome.how)
        link = self._link(text, f"previews/{row.name}-won.png", "")
        bots = sorted((each for each in row.entrants if each.place), key=lambda each: each.place)
        values = {"recording": row, "outcome": outcome, "bots": bots, "link": link, "money": dollar_text}
        return {"index.html": self._render_page("front/after.html", "", values)}

    def recording_pages(self, row: RecordingRow, facts: dict[str, Any], version: str) -> dict[str, str]:
        """Returns the pages of one recording. `facts` are the values that the recording's own page shows. `version` is
        the version of the film, the file that the replay loads.
        """
        name = row.name
        link = self._link(recording_link_text(row), f"previews/{name}.png", f"recordings/{quote(name)}/index.html")
        back = f"../../recordings/{quote(name)}/index.html"
        moment = {"hand": 0, "table": 1}
        replay = {"name": name, "recording": row, "page": back, **moment, "version": version, "link": link}
        return {
            f"replay/{name}/index.html": self._render_page("recordings/replay.html", f"replay/{name}/", replay),
            f"verify/{name}/index.html": self._render_proof(f"verify/{name}/", row),
            **self._render_twice("recordings/recording.html", f"recordings/{name}/", {**facts, "link": link}),
        }

    def watch_page(self, title: str) -> dict[str, str]:
        """Returns the page of a live show called `title`."""
        values = {"channel": "main", "epoch": "", "title": title, "published": "../live/main"}
        return {"watch/index.html": self._render_page("recordings/replay.html", "watch/", values)}

    def bot_page(self, live_title: str = "") -> dict[str, str]:
        """Returns the page that shows any bot. `live_title` is the title of a live show, or "" if there is none."""
        live = {"channel": "main", "published": "../live/main"} if live_title else {"channel": "", "published": ""}
        return {
            "bots/index.html": self._render_page(
                "bot/bot.html", "bots/", {**live, "name": "", "epoch": "", "title": live_title}
            )
        }

    def finished_watch_page(self, row: RecordingRow) -> dict[str, str]:
        """Returns the page of a show that is over. The page links to the replay and hides the result."""
        replay = f"../replay/{quote(row.name)}/index.html"
        return {
            "watch/index.html": self._render_page(
                "recordings/over.html", "watch/", {"recording": row, "replay": replay}
            )
        }

    def proof_page(self) -> dict[str, str]:
        """Returns the page that verifies any recording."""
        return {"verify/index.html": self._render_proof("verify/", None)}

    def _render_proof(self, folder: str, row: RecordingRow | None) -> str:
        return self._render_page("recordings/verify.html", folder, {"recording": row, "name": row.name if row else ""})

    def _render_twice(self, template: str, folder: str, values: dict[str, Any]) -> dict[str, str]:
        return {
            f"{folder}{name}": self._render_page(template, folder, {**values, "results": shown, "switched": other})
            for name, shown, other in RESULT_PAGES
        }

    def _render_page(self, template: str, folder: str, values: dict[str, Any]) -> str:
        root = "../" * folder.count("/") or "./"
        site = {"root": root, "program": f"{root}{self._program}/"}  # addresses relative to the page
        return self._templates.get_template(template).render(site=site, brand=self._brand, **values)

    def _link(self, text: LinkText, image: str, path: str) -> Link | None:
        """Returns the link preview of a page. Returns None if the site's address is unknown, because previews need
        absolute addresses.
        """
        if not self._address:
            return None
        return Link(
            text.title, text.description, text.title, f"{self._address}{path}", f"{self._address}{quote(image)}"
        )


class PublishedBot(Struct, frozen=True, omit_defaults=True):
    """A bot of a recording, with its name as shown on pages. `place` is 0 if the bot has no place."""

    name: str
    player: str = ""
    avatar: str = ""
    version: str = ""
    place: int = 0


class PublishedRecording(RecordingRow, frozen=True):
    """The description of a published recording, in a file beside it.

    If an earlier version of this program published the recording, `entrants` may be empty, and `outcome` is missing.
    """

    entrants: tuple[PublishedBot, ...] = ()
    outcome: Outcome | None = None


class _Recording(Struct, frozen=True):
    name: str
    title: str
    begun: str
    bots: int
    hands: int
    played: str


class _KnownBot(Struct):
    """A bot as it was in its latest recording.

    `played` lists the bot's recordings, the latest first. Each row has the recording's number and the bot's place.
    """

    name: str
    player: str
    avatar: str
    version: str
    played: list[tuple[int, int]]


def bots_of(entrants: Sequence[Entrant], rows: Sequence[BotRow]) -> tuple[PublishedBot, ...]:
    """Returns the bots of a recording. `entrants` are from its opening event, and `rows` are from the archive."""
    places = {row.bot: row.place for row in rows}
    return tuple(
        PublishedBot(
            short_name(each.name), short_name(each.player), each.avatar, each.version or "", places.get(each.bot, 0)
        )
        for each in entrants
    )


def encode_known_bots(recordings: Sequence[PublishedRecording]) -> bytes:
    """Returns the file of all bots of `recordings`, as JSON. `recordings` has the latest first."""
    bots: dict[str, _KnownBot] = {}
    for number, recording in enumerate(recordings):
        for each in recording.entrants:
            new = _KnownBot(each.name, each.player, each.avatar, each.version, [])
            bots.setdefault(each.name, new).played.append((number, each.place))
    listed = [_Recording(each.name, each.title, each.begun, each.bots, each.hands, each.played) for each in recordings]
    return msgspec.json.encode({"recordings": listed, "bots": list(bots.values())})
