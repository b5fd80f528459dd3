"""Makes the guide's page for Python programs, from the docstrings of the functions and classes that other programs may
import.
"""

import ast
import inspect
from types import ModuleType

from server import shuffle
from server.equity import equity
from server.game import betting, cards, decisions, hand, ranking, rules
from server.journal import journal
from server.verify import claims, file

PUBLIC_NAMES: dict[str, dict[ModuleType, tuple[str, ...]]] = {
    "Recordings": {
        journal: ("read_journal", "parse_journal", "Recording", "Header", "Entry", "JournalDamaged"),
        file: ("verdict_on",),
        claims: ("Verdict", "Claim"),
    },
    "Cards and hands": {
        cards: ("parse_cards", "check_cards", "Deck"),
        ranking: ("strength", "category", "best_five", "ranking_name"),
        shuffle: ("fresh_seed", "parse_seed", "commitment", "key_of", "deck_of"),
        equity: ("equities", "Equity"),
    },
    "The table": {
        rules: ("Rules", "Level", "level_of"),
        decisions: ("Fold", "Call", "RaiseTo", "AllIn", "PostBlind", "IllegalAction"),
        betting: ("start_hand", "take_turn"),
        hand: ("Hand", "Seat", "evolve"),
    },
}
"""The names that other programs may import, by chapter of the page and by module."""
EXAMPLE = """
from pathlib import Path

from server.journal.journal import read_journal
from server.verify.file import verdict_on

recording = Path("tests/data/contests/quick-draw.jsonl")
assert verdict_on(recording).holds
for entry in read_journal(recording).entries:
    print(entry.at_ms, entry.event)
"""


def page() -> str:
    """Returns the page as Markdown."""
    chapters = "\n".join(f"## {title}\n\n{_chapter(modules)}" for title, modules in PUBLIC_NAMES.items())
    return f"""# For Python programs

`pipx install` or `pip install` of High Noon installs the packages `server` and `broadcast`. Other programs may import
the names on this page; all other names may change with any version. The functions here need no running server and open
no socket. Cards are texts of two characters, such as `"Ah"`; chips and milliseconds are whole numbers. The classes
inside recordings are on the page on [events](events.md).

```python
{EXAMPLE.strip()}
```

{chapters}"""


def _chapter(modules: dict[ModuleType, tuple[str, ...]]) -> str:
    return "\n".join(_describe(module, name) for module, names in modules.items() for name in names)


def _describe(module: ModuleType, name: str) -> str:
    (node,) = (each for each in ast.parse(inspect.getsource(module)).body if getattr(each, "name", "") == name)
    head = f"### {name}\n\n`from {module.__name__} import {name}`\n\n"
    if isinstance(node, ast.ClassDef):
        written = _fields(node)
    else:
        assert isinstance(node, ast.FunctionDef), f"{name} is neither a class nor a function"
        written = _signature(node)
    code = f"```python\n{written}\n```\n\n" if written else ""
    return f"{head}{code}{ast.get_docstring(node) or ''}\n"


def _fields(node: ast.ClassDef) -> str:
    """Returns the source of a class's fields. A comment above each field describes it. Without fields, returns ""."""
    lines: list[str] = []
    for line, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(line, ast.AnnAssign):
            about = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            lines += [*(f"# {each}" for each in str(about).splitlines()), ast.unparse(line)]
    return "\n".join(lines)


def _signature(node: ast.FunctionDef) -> str:
    """Returns the first line of a function's source, without the colon."""
    empty = ast.FunctionDef(node.name, node.args, [ast.Pass()], [], node.returns)
    return ast.unparse(ast.fix_missing_locations(empty)).rpartition(":\n")[0]
