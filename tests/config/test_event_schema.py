"""Editors find the JSON Schema of event files (a contest's settings) offline. The schema and our reader agree."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.config.event_file import read_event
from server.config.event_keys import CHOICES, KEYS, TABLE_LISTS, TABLES, TOP_KEYS
from server.errors import EventFaults
from tests.support.bots.submission import write_bot
from tests.support.event_schema import schema_faults
from tests.support.program import ROOT, highnoon

TAPLO = shutil.which("taplo", path=str(Path(sys.executable).parent))
"""The path of Taplo, the program that checks TOML files for the editor extension "Even Better TOML"."""
TABLES_AND_KEYS = [(table, key) for table, keys in {"": TOP_KEYS, **TABLES, **TABLE_LISTS}.items() for key in keys]
TEXTS = [
    "", " ", "x", "house", "fresh", "2a", "5", "$5.00", "5.005", "1/2", "2/1", "20:15", "25:00", "20:15:00", "noon",
    "20:15+01:00", "20:15Z", "20:15+1", "2026-11-21T20:15:00", "2026-11-21T20:15:00+01:00", "2026-11-21 20:15",
    "2026-11-21", "20000-20199", "1-2-3", "127.0.0.1:4455", "poker.local", "tls://h:1", "0123456789abcdef", "eight888",
    "ada", "s3://bucket", "y" * 60, "y" * 61, f"{'z' * 199}/" * 2 + "z", f"{'z' * 199}/{'z' * 200}", "two\\nlines",
    *(choice for choices in CHOICES.values() for choice in choices),
]  # fmt: skip
SAMPLE_VALUES = [
    "true", "0", "1", "2", "-1", "5.5", "1000", "1001", "3600", "3601", "10000", "10001", "65535", "65536", "100000",
    "100001", "1000000", "1000001", "[]", "{}", "[1]", "2026-11-21", "2026-11-21T20:15:00", "20:15:00",
    '["1/2"]', '["50%", "50 %"]', '["$5"]', '["x y"]', '["ada"]', '["eight888"]', *(f'"{text}"' for text in TEXTS),
]  # fmt: skip
CONTEST_OF_KEY = {"table": "acpc", "season": "upac", "workers": "upac", "table.rounds": "arena", "entries.url": "arena"}
NEEDED_LINES = {
    "table.blinds": "hands_per_level = 10",
    "table.hands_per_level": 'blinds = ["1/2"]',
    "table.max_hands_per_round": "rounds = 2",
    "entries.player": 'folder = "ada"',
    "entries.folder": 'player = "Ada"',
    "entries.remote": 'player = "Ada"',
    "entries.mcp": 'player = "Ada"\nbot = "Ada"\nsecret = "0123456789abcdef"',
    "entries.secret": 'player = "Wyatt"\nremote = true\nbot = "Wyatt Burp"',
    "entries.bot": 'player = "Wyatt"\nremote = true\nsecret = "0123456789abcdef"',
    "entries.url": 'player = "Ada"',
    "entries.version": 'player = "Ada"\nfolder = "ada"',
    "bots.say": 'bot = "Ada"',
    "bots.notes": 'bot = "Ada"',
    "run_of_show.at": 'what = "Opening"',
}
"""For some keys, the lines that the key's TOML table must also have."""
READER_FAULTS = (
    "should be a text in quotation marks, not 20", "should be a text or a list of texts, not 20",
    "should be a day, without quotation marks", "there is no folder", "there is no file", "cannot be shown as a name",
    "should be a folder, or", "should be an address such as", "should be an address with a port",
    "is too short for 60 deals",
)  # fmt: skip
"""The first words of faults that only the program's reader finds, because JSON Schema cannot express the rules."""


def write_event(table: str, key: str, value: str) -> str:
    name = f"{table}.{key}".lstrip(".")
    contest = CONTEST_OF_KEY.get(name, CONTEST_OF_KEY.get(table, "quick-draw"))
    top_keys = {"name": '"A"', "date": "2026-11-21", "contest": f'"{contest}"'}
    if not table:
        top_keys[key] = value
    lines = [f"{name} = {value}" for name, value in top_keys.items()]
    if table:
        head = f"[[{table}]]" if table in TABLE_LISTS else f"[{table}]"
        lines += [head, f"{key} = {value}", NEEDED_LINES.get(name, "")]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("table", "key"), TABLES_AND_KEYS, ids=[f"{table}.{key}" for table, key in TABLES_AND_KEYS])
def test_schema_and_reader_judge_every_value_alike(table: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    for value in SAMPLE_VALUES:
        text = write_event(table, key, value)
        (tmp_path / "event.toml").write_text(text)
        try:
            read_event(tmp_path / "event.toml")
            faults = []
        except EventFaults as error:
            key_in_fault = f"{table}[1].{key}: " if table in TABLE_LISTS else f"{table}.{key}: ".lstrip(".")
            faults = [fault.partition(key_in_fault)[2] for fault in error.faults if key_in_fault in fault]
        complaints = schema_faults(text)
        if complaints:
            assert faults, f"the reader accepts {key} = {value}, but editors say {complaints}"
        elif faults:
            assert faults[0].startswith(READER_FAULTS), f"editors accept {key} = {value}, but the reader says {faults}"


def test_every_example_matches_the_schema_and_every_key_is_explained() -> None:
    for path in (ROOT / "assets").rglob("*.toml"):
        assert not schema_faults(path.read_text()), path
    schema = json.loads((ROOT / "assets" / "schemas" / "event.json").read_text())
    tables = {"": schema} | {name: schema["properties"][name] for name in (*TABLES, *TABLE_LISTS)}
    properties = {name: table.get("items", table)["properties"] for name, table in tables.items()}
    assert {name: tuple(fields) for name, fields in properties.items()} == dict(KEYS)
    for name, fields in properties.items():
        assert all(field.get("description") for field in fields.values()), name


@pytest.mark.skipif(not TAPLO, reason="taplo, the program inside Even Better TOML, is not installed: pip install taplo")
def test_editor_finds_the_schema_of_a_new_file_offline(tmp_path: Path) -> None:
    write_bot(tmp_path / "submissions" / "Ada")
    event_file = tmp_path / "night" / "friday.toml"
    event_file.parent.mkdir()
    assert highnoon("init", "submissions", "--out", str(event_file), cwd=tmp_path).returncode == 0
    text = event_file.read_text()
    assert text.startswith("#:schema ./event.schema.json\n")
    assert check_with_taplo(event_file) == (0, "")
    complaints_of = {"paec = 2": "'paec' was unexpected", "pace = 2000": "2000 is greater than the maximum of 1000"}
    for wrong_line, complaint in complaints_of.items():
        event_file.write_text(text.replace("# pace = 1 ", f"{wrong_line}  #"))
        status, complaints = check_with_taplo(event_file)
        assert (status, complaint in complaints) == (1, True), complaints


def check_with_taplo(path: Path) -> tuple[int, str]:
    """Runs Taplo on a file, without a network and from the folder "/". Returns Taplo's exit status and complaints."""
    environment = dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), "http://127.0.0.1:9")
    command = [str(TAPLO), "--colors", "never", "lint", "--no-auto-config", str(path)]
    run = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)
    return run.returncode, "\n".join(line for line in run.stderr.splitlines() if " INFO " not in line)
