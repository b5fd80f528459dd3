"""Renders a page of the guide from Markdown to HTML.

Headings get anchors, and links point within the guide. Readers can scroll wide tables, listings and pictures, also by
keyboard. HTML in the Markdown is shown as text. This module is only for this program's own pages.
"""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from msgspec import Struct

CLONE = "../../"
"""The prefix of links from `broadcast/guide` to other files of the clone. The HTML has these links without the prefix.
"""
_HTML_REPLACEMENTS = {
    "<table>": '<div class="wide" tabindex="0"><table>',
    "</table>": "</table></div>",
    "<pre>": '<pre tabindex="0">',
    "<p>(<img [^>]*>)</p>": r'<p tabindex="0">\1</p>',
    r' style="text-align:(\w+)"': r' class="\1"',
    "<th( [^>]*)?></th>": r"<td\1></td>",
    r'(<(h[2-6]) id="([^"]*)">.*)(</\2>)': r'\1 <a class="anchor" href="#\3" aria-label="Link to this section">#</a>\4',
}
"""Replacements in the HTML. Wide parts take the keyboard focus, so that they can be scrolled by keyboard. Classes
replace inline styles, which the content security policy forbids. Empty header cells become plain cells. Headings link
to themselves. The text of a page cannot match these patterns, because the text is escaped.
"""


class Heading(Struct, frozen=True):
    """A heading of a page, with its level, 1 to 6, and its anchor."""

    level: int
    anchor: str
    text: str


class GuidePage(Struct, frozen=True):
    """A page as HTML. The first heading is the title. `links` are all addresses in links and pictures."""

    html: Markup
    headings: tuple[Heading, ...]
    links: tuple[str, ...]

    @property
    def title(self) -> str:
        """The text of the first heading."""
        return self.headings[0].text


def render_page(markdown: str) -> GuidePage:
    """Renders a page of Markdown. Raises ValueError if the page does not begin with a heading."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(markdown)
    if not tokens or tokens[0].type != "heading_open":
        raise ValueError("a page begins with its title, a heading")
    headings, links = tuple(_add_anchors(tokens)), tuple(_redirect_links(tokens))
    html = str(reader.renderer.render(tokens, reader.options, {}))
    for pattern, replacement in _HTML_REPLACEMENTS.items():
        html = re.sub(pattern, replacement, html)
    return GuidePage(Markup(html), headings, links)  # noqa: S704 (our text)


def anchor(text: str) -> str:
    """Returns the anchor of a heading. GitHub makes the same anchor, so links work there, too."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _add_anchors(tokens: Sequence[Token]) -> list[Heading]:
    """Gives each heading its anchor, with a number if the text repeats, and returns the headings."""
    found: list[Heading] = []
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            text = "".join(part.content for part in tokens[index + 1].children or ())
            same = sum(anchor(heading.text) == anchor(text) for heading in found)
            name = f"{anchor(text)}-{same}" if same else anchor(text)
            token.attrSet("id", name)
            found.append(Heading(int(token.tag[1]), name, text))
    return found


def _redirect_links(tokens: Sequence[Token]) -> list[str]:
    """Points links and pictures to the guide's files, and returns their addresses."""
    found = []
    for part in (part for token in tokens for part in token.children or ()):
        name = {"link_open": "href", "image": "src"}.get(part.type)
        if name:
            address = re.sub(r"^(\w[\w-]*)\.md(?=#|$)", r"\1.html", str(part.attrs[name]).removeprefix(CLONE))
            part.attrSet(name, address)
            found.append(address)
    return found
