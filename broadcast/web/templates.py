"""Loads the templates of our pages, and formats the times in them."""

from datetime import UTC, datetime, timedelta

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.templating import Jinja2Templates

from server.paths import TEMPLATES, root_path


def page_templates() -> Jinja2Templates:
    """Returns the templates of our pages with their globals. The global `root_path` is "/" or, behind a proxy, a prefix
    such as "/poker/".

    Pass the `request` when you render a page of an application. Templates find the branding through it.
    """
    templates = Jinja2Templates(TEMPLATES)
    templates.env.globals["clock"] = _time_zone
    templates.env.filters["local_time"] = local_time
    templates.env.globals["root_path"] = f"{root_path()}/"
    return templates


def strict_templates() -> Environment:
    """Returns the templates for pages that are saved as files. An undefined name in a template is an error."""
    loader = FileSystemLoader(TEMPLATES)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def local_time(moment: float | str) -> str:
    """Formats a moment in this machine's time zone, such as "2026-11-26 20:15 CET".

    `moment` is in seconds since 1970 or in ISO 8601. If a text is not a time, or has no time zone, returns its first 16
    characters.
    """
    try:
        parsed_time = datetime.fromisoformat(moment) if isinstance(moment, str) else datetime.fromtimestamp(moment, UTC)
        zoned = parsed_time.tzinfo and f"{parsed_time.astimezone():%Y-%m-%d %H:%M %Z}"
    except (ValueError, OverflowError):
        zoned = ""
    return zoned or str(moment)[:16].replace("T", " ")


def _time_zone() -> tuple[int, str]:
    """Returns how many minutes this machine's time zone is ahead of UTC, and its name. All pages use this time zone."""
    now = datetime.now(UTC).astimezone()
    offset = now.utcoffset() or timedelta()
    return int(offset.total_seconds()) // 60, now.tzname() or "UTC"
