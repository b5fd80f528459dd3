"""Turns a page of the guide from Markdown into HTML: headings with anchors, links within the guide, and tables,
listings and pictures that scroll, by keyboard as well.

Only for our own pages; HTML in them is shown as text.
"""

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup
from msgspec import Struct

CLONE = "../../"
"""Precedes files of the clone in pages of `broadcast/guide`; in the guide such files lie beside the pages."""


class Heading(Struct, frozen=True):
    """A heading of a page, of level 1 to 6, and its anchor."""

    level: int
    anchor: str
    text: str


class Rendered(Struct, frozen=True):
    """A page as HTML; its first heading is the title. `links` are its addresses as the guide writes them."""

    html: Markup
    headings: tuple[Heading, ...]
    links: tuple[str, ...]

    @property
    def title(self) -> str:
        """The text of the first heading."""
        return self.headings[0].text


def rendered(markdown: str) -> Rendered:
    """The page of this Markdown text. Raises ValueError if it does not begin with a heading."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("table_open", _table_open)
    reader.add_render_rule("table_close", _table_close)
    reader.add_render_rule("heading_close", _heading_close)
    reader.add_render_rule("fence", _fence)
    tokens = reader.parse(markdown)
    if not tokens or tokens[0].type != "heading_open":
        raise ValueError("a page begins with its title, a heading")
    headings = tuple(_named(tokens))
    links = tuple(_relinked(tokens))
    _align(tokens)
    _let_scroll(tokens)
    return Rendered(Markup(reader.renderer.render(tokens, reader.options, {})), headings, links)  # noqa: S704 (our own)


def anchor(text: str) -> str:
    """The anchor of a heading as on GitHub, so that links work there too."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _named(tokens: Sequence[Token]) -> list[Heading]:
    """Gives the headings their anchors, numbered where a text repeats, and returns them."""
    found: list[Heading] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            text = "".join(part.content for part in tokens[at + 1].children or ())
            same = sum(anchor(heading.text) == anchor(text) for heading in found)
            name = f"{anchor(text)}-{same}" if same else anchor(text)
            token.attrSet("id", name)
            tokens[at + 2].meta["anchor"] = name
            found.append(Heading(int(token.tag[1]), name, text))
    return found


def _relinked(tokens: Sequence[Token]) -> list[str]:
    """Points links and pictures to the guide's own files, and returns their addresses."""
    found = []
    for part in (part for token in tokens for part in token.children or ()):
        name = {"link_open": "href", "image": "src"}.get(part.type)
        if name:
            address = re.sub(r"^(\w[\w-]*)\.md(?=#|$)", r"\1.html", str(part.attrs[name]).removeprefix(CLONE))
            part.attrSet(name, address)
            found.append(address)
    return found


def _align(tokens: Sequence[Token]) -> None:
    """Gives aligned cells a class, as the content security policy forbids style attributes."""
    for token in tokens:
        if token.type in ("th_open", "td_open") and "style" in token.attrs:
            token.attrs = {"class": str(token.attrs["style"]).removeprefix("text-align:")}


def _let_scroll(tokens: Sequence[Token]) -> None:
    """Lets the keyboard scroll paragraphs that are one picture, and makes empty header cells plain cells."""
    for token, inner, close in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.type == "th_open" and not inner.content:
            token.tag = close.tag = "td"
        if token.type == "paragraph_open" and [part.type for part in inner.children or ()] == ["image"]:
            token.attrSet("tabindex", "0")


def _fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return renderer.fence(tokens, at, options, env).replace("<pre>", '<pre tabindex="0">', 1)


def _table_open(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, _: Any) -> str:
    return '<div class="wide" tabindex="0">' + renderer.renderToken(tokens, at, options, {})


def _table_close(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, _: Any) -> str:
    return renderer.renderToken(tokens, at, options, {}).rstrip() + "</div>\n"


def _heading_close(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, _: Any) -> str:
    name = tokens[at].meta["anchor"]
    link = (
        "" if tokens[at].tag == "h1" else f' <a class="anchor" href="#{name}" aria-label="Link to this section">#</a>'
    )
    return link + renderer.renderToken(tokens, at, options, {})
