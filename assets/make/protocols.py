"""Makes the guide's page on each contest's messages, and a JSON Schema of the messages, from their definitions."""

import ast
import inspect
import json
import sys
from collections.abc import Mapping
from types import ModuleType

import msgspec

from assets.make.described import field_table
from assets.make.example_messages import messages_of_a_hand
from server.contests import CONTESTS
from server.contests.contest import Contest, Message, Protocol


def made_files() -> dict[str, str]:
    """Returns the text of the pages and schemas, keyed by their paths in the clone."""
    pages = {f"broadcast/guide/protocol-{each.id}.md": _page(each) for each in CONTESTS.values()}
    schemas = {
        f"assets/schemas/{each.id}.json": _schema(each) for each in CONTESTS.values() if _message_types(each.protocol)
    }
    return pages | schemas


def _page(contest: Contest) -> str:
    protocol, example_messages = contest.protocol, messages_of_a_hand(contest)
    chapters = "\n".join(_message(message, example_messages) for message in protocol.messages)
    rows = "\n".join(f"| `{_cell(each.sent)}` | {each.reported_as} | {each.rule} |" for each in protocol.mistakes)
    return f"""# The messages of {contest.name}

{protocol.about}
{_exhibition_note(contest)}{_schema_link(contest)}{_LINK_TO_RULES}

{chapters}
{_describe_inner_types(protocol)}## Mistakes

| sent | recorded as | because |
|---|---|---|
{rows}

{protocol.after_a_mistake}"""


def _exhibition_note(contest: Contest) -> str:
    if contest.evening_rules.is_season:
        return ""
    return "In an exhibition, the clock in [the event file](event-file.md) replaces these time limits.\n\n"


_LINK_TO_RULES = """\
[The rules](rules.md) list the questions that the contest's document leaves open, and High Noon's
answers."""


def _cell(text: str) -> str:
    """Returns `text` for a table cell, with vertical bars escaped."""
    return text.replace("|", r"\|")


def _schema_link(contest: Contest) -> str:
    if not _message_types(contest.protocol):
        return ""
    where = f"../../assets/schemas/{contest.id}.json"
    return f"For programs there is also [a JSON Schema]({where}), with each message under `$defs`.\n\n"


def _message(message: Message, example_messages: Mapping[str, str]) -> str:
    sender = "to your bot" if message.sender == "server" else "from your bot"
    examples = message.examples or ((example_messages[message.name],) if message.name in example_messages else ())
    shown = "".join(f"```\n{_readable(example)}\n```\n\n" for example in examples)
    about = _describe_struct(message.type) if isinstance(message.type, type) else f"{message.what_next}\n\n"
    then = f"{message.what_next}\n\n" if message.what_next and isinstance(message.type, type) else ""
    return f"## {message.name}\n\n*{sender}*\n\n{about}{shown}{then}"


def _readable(example: str) -> str:
    """Splits a long JSON object or form into lines, with one field per line."""
    if example.startswith("{") and len(example) > 100:
        whole = json.loads(example)
        inner = ",\n".join(
            f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in whole.items()
        )
        return f"{{\n{inner}\n}}"
    return example.replace("&", "&\n") if len(example) > 100 else example


# -- from the definitions ----------------------------------------------------------------------------------------------


def _describe_struct(kind: type) -> str:
    module = sys.modules[kind.__module__]
    node = _class_nodes(module)[kind.__name__]
    parents = [parent for parent in kind.__bases__ if parent is not msgspec.Struct]
    inherited = [
        (_class_nodes(sys.modules[each.__module__])[each.__name__], sys.modules[each.__module__]) for each in parents
    ]
    return f"{ast.get_docstring(node)}\n\n{field_table(node, module, *inherited)}"


def _class_nodes(module: ModuleType) -> dict[str, ast.ClassDef]:
    return {node.name: node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.ClassDef)}


def _message_types(protocol: Protocol) -> list[type]:
    return [message.type for message in protocol.messages if isinstance(message.type, type)]


def _describe_inner_types(protocol: Protocol) -> str:
    """Describes the types that are used inside messages."""
    message_types = _message_types(protocol)
    if not message_types:
        return ""
    module = sys.modules[message_types[-1].__module__]
    module_types = (
        kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__
    )
    inner = [
        kind
        for kind in module_types
        if kind not in message_types and not any(issubclass(one, kind) for one in message_types)
    ]
    if not inner:
        return ""
    return "## Values inside messages\n\n" + "".join(
        f"### {kind.__name__}\n\n{_describe_struct(kind)}" for kind in inner
    )


def _schema(contest: Contest) -> str:
    """Returns a JSON Schema. Its `$defs` describe all messages that are JSON or forms."""
    _, components = msgspec.json.schema_components(_message_types(contest.protocol), ref_template="#/$defs/{name}")
    for component in components.values():
        component["description"] = inspect.cleandoc(component["description"])
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The messages of {contest.name}",
        "$defs": components,
    }
    return f"{json.dumps(whole, indent=2)}\n"
