"""Turns a page of the guide from Markdown into HTML: headings with anchors, links within the guide, and tables,
listings and pictures that scroll, also by keyboard.

Only for our pages; HTML in them is shown as text.
"""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from msgspec import Struct

CLONE = "../../"
"""In pages of `broadcast/guide`, this precedes files of the clone; in the served guide they lie beside the pages."""
_CHANGES = {
    "<table>": '<div class="wide" tabindex="0"><table>',
    "</table>": "</table></div>",
    "<pre>": '<pre tabindex="0">',
    "<p>(<img [^>]*>)</p>": r'<p tabindex="0">\1</p>',
    r' style="text-align:(\w+)"': r' class="\1"',
    "<th( [^>]*)?></th>": r"<td\1></td>",
    r'(<(h[2-6]) id="([^"]*)">.*)(</\2>)': r'\1 <a class="anchor" href="#\3" aria-label="Link to this section">#</a>\4',
}
"""Changes to the HTML: the keyboard scrolls wide things, classes replace styles, which the content security policy
forbids, empty header cells become plain cells, and headings link to themselves. Text cannot match: it is escaped."""


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
    tokens = reader.parse(markdown)
    if not tokens or tokens[0].type != "heading_open":
        raise ValueError("a page begins with its title, a heading")
    headings, links = tuple(_named(tokens)), tuple(_relinked(tokens))
    html = str(reader.renderer.render(tokens, reader.options, {}))
    for pattern, replacement in _CHANGES.items():
        html = re.sub(pattern, replacement, html)
    return Rendered(Markup(html), headings, links)  # noqa: S704 (our text)


def anchor(text: str) -> str:
    """The anchor of a heading, the same as on GitHub, so that links work there too."""
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
            found.append(Heading(int(token.tag[1]), name, text))
    return found


def _relinked(tokens: Sequence[Token]) -> list[str]:
    """Points links and pictures to the guide's files, and returns their addresses."""
    found = []
    for part in (part for token in tokens for part in token.children or ()):
        name = {"link_open": "href", "image": "src"}.get(part.type)
        if name:
            address = re.sub(r"^(\w[\w-]*)\.md(?=#|$)", r"\1.html", str(part.attrs[name]).removeprefix(CLONE))
            part.attrSet(name, address)
            found.append(address)
    return found
