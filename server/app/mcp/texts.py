"""Makes `/llms.txt` and `/skill.md` from a page of the guide.

Each text alone tells an agent how to play. The agent needs to know only the server's address.
"""

from server.paths import GUIDE

EXAMPLE = "http://localhost:5000"
"""The address in the guide's page. The server replaces this address with its own address."""
_FOR_ORGANISERS = "\n## For organisers\n"
"""The heading of the page's last part, which agents do not need."""
_SUMMARY = "Sit at a poker table and play, by MCP, on the High Noon server at {base}."


def llms_text(base: str) -> str:
    """The page `/llms.txt` of the server at `base`, such as "http://localhost:5000"."""
    title, _, body = _read_page(base).partition("\n")
    files = f"## Files\n\n- [Skill]({base}/skill.md): this page as a skill\n"
    return f"{title}\n\n> {_SUMMARY.format(base=base)}\n{body}\n{files}"


def skill_text(base: str) -> str:
    """The page `/skill.md` of the server at `base`."""
    about = _SUMMARY.format(base=base)
    return f"---\nname: high-noon-poker\ndescription: {about}\n---\n\n{_read_page(base)}"


def _read_page(base: str) -> str:
    page = (GUIDE / "agents.md").read_text(encoding="utf-8")
    return page.partition(_FOR_ORGANISERS)[0].replace(EXAMPLE, base)
