"""Prepares the branding that an event file sets, such as colours and a logo, for pages and pictures."""

from pathlib import Path

from broadcast.media.library import Unusable, prepare_logo
from broadcast.web.brand import Brand, write_brand
from server.config.event_brand import BrandingPlan
from server.errors import Refusal


def prepare_brand(path: Path, plan: BrandingPlan | None) -> Brand | None:
    """Makes a `Brand` of `plan`, the branding section of the event file at `path`. Returns None if `plan` is None.
    Re-encodes the logo. Raises Refusal if the logo cannot be shown.
    """
    if plan is None:
        return None
    try:
        logo = prepare_logo(plan.logo) if plan.logo else b""
    except Unusable as why:
        raise Refusal(f"{path}, branding.logo: {why}") from None
    return Brand(plan.ground, plan.ink, plan.accent, plan.title, plan.sponsor, logo)


def update_branding(path: Path, plan: BrandingPlan | None, media: Path) -> None:
    """Copies the branding of the event file at `path` to the folder `media`, which pages and pictures read.

    If `plan` is None, removes the branding that an earlier event left in `media`. Raises OSError, or Refusal if the
    logo cannot be shown.
    """
    write_brand(media, prepare_brand(path, plan))
