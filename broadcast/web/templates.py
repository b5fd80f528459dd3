"""The templates of our pages, and how they show times."""

from datetime import UTC, datetime, timedelta

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.templating import Jinja2Templates

from server.paths import TEMPLATES, root_path


def page_templates() -> Jinja2Templates:
    """The templates of our pages, with their globals; `root_path` is "/", or behind a proxy "/poker/"."""
    templates = Jinja2Templates(TEMPLATES)
    templates.env.globals["clock"] = _clock
    templates.env.filters["local_time"] = local_time
    templates.env.globals["root_path"] = f"{root_path()}/"
    return templates


def strict_templates() -> Environment:
    """The templates for pages that are files: an undefined name is an error."""
    loader = FileSystemLoader(TEMPLATES)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def local_time(moment: float | str) -> str:
    """A moment (seconds since 1970, or ISO 8601) in this machine's time zone, such as "2026-11-26 20:15 CET".

    A text without a zone, or that is not a moment, is kept but cut short.
    """
    try:
        at = datetime.fromisoformat(moment) if isinstance(moment, str) else datetime.fromtimestamp(moment, UTC)
        zoned = at.tzinfo and f"{at.astimezone():%Y-%m-%d %H:%M %Z}"
    except (ValueError, OverflowError):
        zoned = ""
    return zoned or str(moment)[:16].replace("T", " ")


def _clock() -> tuple[int, str]:
    """This machine's time zone, used on all pages: minutes ahead of UTC, and its name."""
    now = datetime.now(UTC).astimezone()
    offset = now.utcoffset() or timedelta()
    return int(offset.total_seconds()) // 60, now.tzname() or "UTC"
