"""Describes the fields of classes as Markdown tables, made from the classes' source."""

import ast
import json
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Annotated, Any, get_args, get_origin


def field_table(node: ast.ClassDef, module: ModuleType, *inherited: tuple[ast.ClassDef, ModuleType]) -> str:
    """Returns a Markdown table of the fields of a class: name, type, default, meaning. Without fields, returns "".

    The fields of the `inherited` classes come after the fields of `node`. If all fields are required, the table has no
    column "if missing".
    """
    rows = [row for each in ((node, module), *inherited) for row in _field_rows(*each)]
    if not rows:
        return ""
    columns = [at for at in range(4) if at != 2 or any(row[at] for row in rows)]
    lines = [("field", "type", "if missing", ""), ("---",) * 4, *rows]
    return (
        "".join(f"|{'|'.join(f' {line[at]} ' for at in columns)}|\n".replace(" --- ", "---") for line in lines) + "\n"
    )


def _field_rows(node: ast.ClassDef, module: ModuleType) -> Iterator[tuple[str, str, str, str]]:
    for line, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(line, ast.AnnAssign):
            about = after.value if isinstance(after, ast.Expr) else None
            text = " ".join(str(about.value).split()) if isinstance(about, ast.Constant) else ""
            missing = f"`{_json_default(line.value)}`" if line.value else ""
            yield f"`{ast.unparse(line.target)}`", _describe_annotation(line.annotation, module), missing, text


def _json_default(value: ast.expr) -> str:
    try:
        return json.dumps(ast.literal_eval(value))
    except ValueError:  # the default is not a literal, but for example a call
        return "not written" if ast.unparse(value) == "UNSET" else ast.unparse(value)


def _describe_annotation(annotation: ast.expr, module: ModuleType) -> str:
    """Describes a type as it is written in JSON, such as "list of whole numbers"."""
    return _describe_type(ast.unparse(annotation).replace(" | UnsetType", "").strip("'"), module)


def _describe_type(text: str, module: ModuleType) -> str:
    if text in _WORDS_FOR_TYPES:
        return _WORDS_FOR_TYPES[text]
    if many := re.fullmatch(r"tuple\[(.*), \.\.\.\]", text):
        return f"list of {_PLURAL_WORDS.get(many[1]) or _describe_type(many[1], module)}"
    if table := re.fullmatch(r"dict\[(?:str|int), (.*)\]", text):
        return f"table of {_describe_type(table[1], module)}"
    if " | " in text:
        return " or ".join(_describe_type(part, module) for part in text.split(" | "))
    return _describe_alias(text, module)


def _describe_alias(text: str, module: ModuleType) -> str:
    """Describes a named type, or a list of allowed values."""
    alias: Any = getattr(module, text, None) if text.isidentifier() else None
    if get_origin(alias) is Annotated:
        return str(alias.__metadata__[0].description)
    choices = get_args(alias)
    if text.startswith("Literal"):
        choices = ast.literal_eval(f"[{text[len('Literal[') : -1]}]")
    if choices:
        return " or ".join(f"`{json.dumps(choice)}`" for choice in choices)
    return f"[{text}](#{text.lower()})"


_PLURAL_WORDS = {"int": "whole numbers", "str": "texts", "Card": "cards"}
_WORDS_FOR_TYPES = {
    "int": "whole number",
    "float": "number",
    "str": "text",
    "bool": "true or false",
    "bool | float | str": "true or false, a number or a text",
    "Card": 'card, such as `"As"`',
    "None": "`null`",
    "dict[str, Any]": "object",
}
