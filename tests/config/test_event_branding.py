"""The branding in an event file stays within its limits, and its colours have enough contrast."""

import re
from pathlib import Path

import pytest

from server.config.event_brand import BrandingPlan, contrast
from server.config.event_file import read_event
from server.errors import EventFaults
from tests.support.source_files import ROOT

EVENT = 'name = "A"\ndate = 2026-11-21\nmode = "practice"\n[branding]\n'
TOO_FAINT = "has a contrast of {} : 1; at least {} : 1 is needed to read it (WCAG 2.2)"
FAULTS = {
    'ground = "#000000"': "branding: has nothing to show: write a title, a sponsor or a logo",
    'title = "A"\nink = "red"': 'branding.ink: should be a colour such as "#d8a648", not the text "red"',
    'logo = "none.svg"': 'branding.logo: there is no file "none.svg" in {}',
    'logo = "large.png"': 'branding.logo: "large.png" is larger than 1 MB',
    f'title = "{"x" * 41}"': "branding.title: should be one line of at most 40 characters",
    f'sponsor = "{"x" * 61}"': "branding.sponsor: should be one line of at most 60 characters",
    'title = "A"\nground = "#ffffff"\nink = "#777777"\naccent = "#b25d00"': "branding.ink: ink #777777 on ground "
    "#ffffff " + TOO_FAINT.format(4.4, 4.5),
    'title = "A"\nground = "#FFF4D9"': "branding.ground: ink #fff4d9 on ground #fff4d9 " + TOO_FAINT.format(1, 4.5),
    'title = "A"\naccent = "#3b2414"': "branding.accent: accent #3b2414 on ground #1f1209 " + TOO_FAINT.format(1.2, 3),
    'title = "A"\nground = "#ffffff"\nink = "#000000"\naccent = "#0050a0"': "branding.accent: accent #0050a0 on the "
    "western theme's lower third #1f1209 " + TOO_FAINT.format(2.3, 3),
    "colour = 1": "branding.colour: there is no such key; the keys are title, sponsor, logo, ground, ink, accent",
}


def read(tmp_path: Path, lines: str) -> BrandingPlan | None:
    (tmp_path / "large.png").write_bytes(bytes(1_000_001))
    (tmp_path / "logo.svg").write_text("<svg/>")
    (tmp_path / "event.toml").write_text(f"{EVENT}{lines}\n")
    return read_event(tmp_path / "event.toml").branding


def test_branding_has_the_files_values_and_takes_missing_colours_from_the_lower_third(tmp_path: Path) -> None:
    plan = read(tmp_path, 'title = "City Poker Cup"\nsponsor = "A bank"\nlogo = "logo.svg"\nground = "#0F2D4F"')
    assert plan == BrandingPlan("City Poker Cup", "A bank", tmp_path / "logo.svg", ground="#0f2d4f")
    assert read(tmp_path, 'title = "A"') == BrandingPlan("A")


@pytest.mark.parametrize("lines", FAULTS, ids=[why.partition(":")[0] for why in FAULTS.values()])
def test_branding_that_cannot_be_shown_or_read_is_refused_with_the_reason(lines: str, tmp_path: Path) -> None:
    with pytest.raises(EventFaults) as refused:
        read(tmp_path, lines)
    assert any(fault.endswith(FAULTS[lines].format(tmp_path)) for fault in refused.value.faults), refused.value.faults


def test_contrast_is_computed_as_wcag_defines_it() -> None:
    """On white, #767676 is the lightest grey with enough contrast; #777777 has too little."""
    assert contrast("#ffffff", "#000000") == contrast("#000000", "#ffffff") == 21
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#777777", "#777777") == 1


def test_accent_needs_contrast_on_the_lower_third_of_every_theme(tmp_path: Path) -> None:
    tokens = (ROOT / "static" / "css" / "common" / "tokens.css").read_text()
    bands = re.findall(r"--band: (#\w{6});", tokens)
    with pytest.raises(EventFaults) as refused:
        read(tmp_path, 'title = "A"\naccent = "#000000"')
    assert len(bands) == 2
    assert sorted(re.findall(r"third (#\w+)", "\n".join(refused.value.faults))) == sorted(bands)
