"""The sources of pages: text never becomes markup; pages have no inline script and load nothing from other sites."""

import re

from tests.support.source_files import text_files

MAKES_MARKUP = (
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|srcdoc|DOMParser|createContextualFragment)\b"
    r"|\bdocument\.write|\beval\(|\bnew Function\b|\b[a-z]+\.on[a-z]+ *= *[\"']"
)


def test_strangers_text_never_becomes_markup() -> None:
    scripts = [(path, text) for path, text in text_files() if path.suffix == ".js" and path.is_relative_to("static/js")]
    assert len(scripts) > 100
    assert not [
        f"{path}: {found.group()}" for path, text in scripts for found in re.finditer(MAKES_MARKUP, _code(text))
    ]


def test_pages_have_no_inline_script_and_load_nothing_from_other_sites() -> None:
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\bstyle=|\son\w+=|javascript:|\|\s*safe\b|https?://")
    pages = [(path, text) for path, text in text_files() if path.is_relative_to("broadcast/templates")]
    html = [(path, text) for path, text in pages if path.suffix == ".html"]
    assert html
    assert not [f"{path}: {found.group()}" for path, text in html for found in inline.finditer(text)]
    elsewhere = re.compile(r"url\(\s*[\"']?(?:\w+:)?//")
    assert not [path for path, text in text_files() if path.suffix == ".css" and elsewhere.search(text)]


def _code(text: str) -> str:
    """A script without its comments."""
    return re.sub(r"^\s*//.*$", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), flags=re.MULTILINE)
