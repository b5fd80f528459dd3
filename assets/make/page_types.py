"""Makes TypeScript declarations of the data that pages receive, from the server's structs."""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, UnsetType
from msgspec.structs import FieldInfo, fields

from broadcast.live.schedule import Schedule
from broadcast.on_air import events as onair
from broadcast.on_air import picture_state, scenes, shared_types
from server.game import events

TYPES_FILE = "static/js/common/on-air.d.ts"
_PRIMITIVE_TYPES: Mapping[Any, str] = {int: "number", float: "number", str: "string", bool: "boolean", NoneType: "null"}
_SOURCE_MODULES: tuple[ModuleType, ...] = (events, shared_types, onair, scenes, picture_state)


def made_files() -> dict[str, str]:
    """Returns the text of the file of declarations, keyed by the file's path in the clone."""
    on_air = _events_on_air()
    roots: Iterable[type[Struct]] = (picture_state.State, Schedule, *on_air)
    names = [f"export type {name} = {_literal_union(values)};\n" for values, name in _named_values().items()]
    union = "".join(f"\n  | {kind.__name__}" for kind in on_air)
    texts = [*names, *map(_declare, _with_parts(roots)), f"export type OnAirEvent ={union};\n"]
    return {
        TYPES_FILE: "// Made by `python -m assets.make.guide` from the server's own structs.\n\n" + "\n".join(texts)
    }


def _events_on_air() -> list[type[Struct]]:
    added = [kind for kind in vars(onair).values() if isinstance(kind, type) and issubclass(kind, events.Event)]
    return [*get_args(events.JournalEvent), *(kind for kind in added if kind is not events.Event)]


def _with_parts(roots: Iterable[type[Struct]]) -> Iterator[type[Struct]]:
    """Yields `roots` and all structs inside them, each once, sorted by name."""
    found: dict[type[Struct], None] = {}
    pending = [*roots]
    while pending:
        kind = pending.pop()
        if kind not in found:
            found[kind] = None
            pending += (part for hint in get_type_hints(kind).values() for part in _structs_in(hint))
    return iter(sorted(found, key=lambda kind: kind.__name__))


def _structs_in(hint: Any) -> Iterator[type[Struct]]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for part in get_args(hint):
        yield from _structs_in(part)


def _declare(kind: type[Struct]) -> str:
    hints, config = get_type_hints(kind), kind.__struct_config__
    about = f"/** {' '.join((inspect.getdoc(kind) or '').split())} */\n"
    parts = [(each, _type_of(hints[each.name])) for each in fields(kind)]
    if config.array_like:
        return f"{about}export type {kind.__name__} = [{', '.join(f'{each.name}: {text}' for each, text in parts)}];\n"
    tag = f'  type: "{config.tag}";\n' if config.tag else ""
    lines = (f"  {each.name}{'?' if _is_optional(each, kind) else ''}: {text};\n" for each, text in parts)
    return f"{about}export interface {kind.__name__} {{\n{tag}{''.join(lines)}}}\n"


def _is_optional(each: FieldInfo, kind: type[Struct]) -> bool:
    has_default = each.default is not NODEFAULT or each.default_factory is not NODEFAULT
    return UnsetType in get_args(each.type) or (kind.__struct_config__.omit_defaults and has_default)


def _type_of(hint: Any) -> str:
    """Returns the TypeScript type that values of the Python type `hint` have once they are encoded as JSON."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in _PRIMITIVE_TYPES:
        return _PRIMITIVE_TYPES[hint]
    if origin is Literal:
        return _named_values().get(parts) or _literal_union(parts)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(_type_of(part) for part in parts if part is not UnsetType))
    if origin is tuple:
        return _list(parts)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"Record<string, {_type_of(parts[1])}>"
    return str(hint.__name__)


def _list(parts: tuple[Any, ...]) -> str:
    if parts[-1:] != (...,):
        return f"[{', '.join(map(_type_of, parts))}]"
    item = _type_of(parts[0])
    return f"({item})[]" if " " in item else f"{item}[]"


def _literal_union(values: Iterable[object]) -> str:
    return " | ".join(f'"{value}"' for value in values)


def _named_values() -> dict[tuple[object, ...], str]:
    """Returns the server's names for lists of allowed values, keyed by these lists."""
    return {
        get_args(bare): name
        for module in _SOURCE_MODULES
        for name, alias in vars(module).items()
        if get_origin(bare := get_args(alias)[0] if get_origin(alias) is Annotated else alias) is Literal
    }
