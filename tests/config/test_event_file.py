"""An event file describes a contest. All mistakes in the file are reported together, each by its line and key."""

import re
import time
from datetime import date, datetime
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.config.event_brand import BrandingPlan
from server.config.event_file import EveningPlan, read_event
from server.config.event_format import DealsPlan
from server.config.event_keys import KEYS
from server.config.event_reader import line_of, lines_of
from server.config.event_show import VoicePlan, find_voice_program
from server.contests import CONTESTS
from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.venue.open_registration import length_warning
from server.errors import EventFaults
from server.game.prizes import standard_prizes
from server.game.rules import Level
from server.journal.studio_link import BotReport, ShowItem
from tests.support.event_schema import schema_faults
from tests.support.source_files import ROOT

EXAMPLE = ROOT / "assets" / "event.toml"
OTHER_CONTESTS = ROOT / "assets" / "event-contests.toml"
REQUIRED_KEYS = 'name = "Friday at the Saloon"\ndate = 2026-11-21\n'
ADA = '[[entries]]\nplayer = "Ada"\nfolder = "ada"\n'
FOLDER = '[[entries]]\nplayer = "{}"\nfolder = "{}"\n'
REMOTE = '[[entries]]\nplayer = "{}"\nremote = true\nbot = "{}"\nsecret = "0123456789abcdef"\n'
ARENA = REQUIRED_KEYS + 'contest = "arena"\nbot_networks = ["10.0.0.0/8", "192.168.1.7"]\n'
URL_BOT = '[[entries]]\nplayer = "Ada"\nurl = "http://10.1.2.3:31010/"\n'
ACPC_BOT = '[[entries]]\nplayer = "Ada"\nremote = true\nbot = "Alice"\n'
PROGRAM = '[[entries]]\nplayer = "{0}"\nbot = "{0} bot"\ncommand = "python3 bot.py {{server}} {{port}}"\n'
PROGRAMS = PROGRAM.format("Ada") + PROGRAM.format("Doc")
WORKERS = '[workers]\nscheduler = "tcp://127.0.0.1:8786"\n'
SAME_CARDS = "[format]\nsame_cards = true\n"


def read(tmp_path: Path, text: str) -> EveningPlan:
    """Reads `text` as an event file. Beside the file are eve.zip and the folders ada, doc and doc/sheriff."""
    (tmp_path / "doc" / "sheriff").mkdir(parents=True, exist_ok=True)
    (tmp_path / "ada").mkdir(exist_ok=True)
    (tmp_path / "eve.zip").write_bytes(b"")
    (tmp_path / "event.toml").write_text(text, encoding="utf-8")
    plan = read_event(tmp_path / "event.toml")
    assert not schema_faults(text), "the JSON Schema that text editors use must accept the text, too"
    return plan


def find_faults(tmp_path: Path, text: str) -> tuple[str, ...]:
    with pytest.raises(EventFaults) as refused:
        read(tmp_path, text)
    return refused.value.faults


def test_name_date_and_entries_are_enough(tmp_path: Path) -> None:
    plan = read(tmp_path, REQUIRED_KEYS + ADA)
    assert (plan.name, plan.date) == ("Friday at the Saloon", date(2026, 11, 21))
    assert (plan.mode, plan.contest, plan.finish_by, plan.publish_to) == ("tournament", "quick-draw", 0, "")
    assert [(entry.player, entry.folder, entry.remote) for entry in plan.entries] == [("Ada", tmp_path / "ada", False)]
    assert (plan.host, plan.pages_port, plan.register_port) == ("127.0.0.1", 8000, 5000)
    assert (plan.buy_in_cents, plan.seed, plan.pace, plan.start, plan.runner) == (500, b"", 1.0, "desk", "auto")
    assert (plan.control_token, plan.view_token) == ("", ""), "an empty token tells the show to generate one"
    publishing_plan = read(tmp_path, REQUIRED_KEYS + 'data = "kept"\n[publish]\nto = "site"\n' + ADA)
    assert publishing_plan.media == tmp_path / "kept" / "media"
    assert publishing_plan.journal == tmp_path / "kept" / "recordings" / "2026-11-21-friday-at-the-saloon.jsonl"
    assert publishing_plan.publish_to == str(tmp_path / "site"), "a relative path must begin at the event file's folder"
    for name, slug in (("Señor's  5th: Río!", "-senor-s-5th-rio"), ("決闘", ""), ("../../etc", "-etc")):
        assert read(tmp_path, f'name = "{name}"\ndate = 2026-11-21\n{ADA}').slug == f"2026-11-21{slug}"
    for text in ((REQUIRED_KEYS + ADA).replace("\n", "\r\n"), "\ufeff" + REQUIRED_KEYS + ADA):
        assert read(tmp_path, text).name == plan.name, "Windows line ends and a byte order mark must be accepted"
    for line in ('mode = "practice"', 'contest = "enova"', 'contest = "upac"'):
        assert read(tmp_path, f"{REQUIRED_KEYS}{line}\n").entries == (), "practice, Enova and UPAC need no entries"


@pytest.mark.parametrize(("lines", "values"), [
    *((f"buy_in = {written}", {"buy_in_cents": 500}) for written in ("5", "5.0", '"$5.00"')),
    ("", {"game_ports": range(0), "obs_address": "", "api_for_all": False}),
    ('[ports]\ngames = "20000-20199"', {"game_ports": range(20000, 20200)}),
    ("[api]\nreaders = \"near\"", {"api_for_all": False}),
    ("[api]\nreaders = \"everybody\"", {"api_for_all": True}),
    ("[obs]", {"obs_address": "127.0.0.1:4455"}),
    ('[obs]\naddress = "studio.local:4456"\npassword = "six shooter"',
     {"obs_address": "studio.local:4456", "obs_password": "six shooter"}),
    ('seed = "2a"', {"seed": bytes(31) + b"\x2a"}),
    *((f'[publish]\nto = "{bucket}"', {"publish_to": bucket}) for bucket in ("s3://show", "gs://show/friday", "az://x")),
    ('contest = "upac"\n[season]\ninvitations = "class-of-2026"', {"season_invitations": ("class-of-2026",)}),
    ('contest = "upac"\n[season]\ninvitations = ["first-ten", "the-rest"]',
     {"season_invitations": ("first-ten", "the-rest")}),
])  # fmt: skip
def test_keys_set_the_values_of_the_plan(lines: str, values: dict[str, object], tmp_path: Path) -> None:
    plan = read(tmp_path, f"{REQUIRED_KEYS}{lines}\n{ADA}")
    assert {key: getattr(plan, key) for key in values} == values


def test_notes_and_run_of_show_are_read(tmp_path: Path) -> None:
    bots = '[[bots]]\nbot = "Tess"\nsay = "too-pair TESS"\nnotes = "Won the cup."\n'
    show_items = '[[run_of_show]]\nat = "19:00"\nwhat = "Opening"\n[[run_of_show]]\nwhat = "Prizes"\n'
    plan = read(tmp_path, REQUIRED_KEYS + bots + show_items + ADA)
    assert plan.bots == (BotReport("Tess", "too-pair TESS", "Won the cup."),)
    assert plan.run_of_show == (ShowItem("Opening", "19:00"), ShowItem("Prizes"))
    bots = '[[bots]]\nbot = "Tess"\n[[bots]]\nbot = "Tess"\nnotes = "%s"\n[[run_of_show]]\nat = "soon"\n' % ("x" * 401)
    assert find_faults(tmp_path, REQUIRED_KEYS + bots + ADA) == (
        'event.toml line 6, bots[2].bot: "Tess" already has a [[bots]]',
        "event.toml line 7, bots[2].notes: should be one line of at most 400 characters",
        'event.toml line 8, run_of_show[1].what: is missing; write what = "Opening"',
        'event.toml line 9, run_of_show[1].at: should be a time of day such as 20:15, not the text "soon"',
    )


def test_voice_is_off_unless_the_file_has_one(tmp_path: Path) -> None:
    (tmp_path / "speak").write_text("#!/bin/sh\n")
    (tmp_path / "speak").chmod(0o755)
    assert read(tmp_path, REQUIRED_KEYS + ADA).voice is None
    for command in ('"cat -u {words}"', '["cat", "-u", "{words}"]'):
        voice = read(tmp_path, f"{REQUIRED_KEYS}[voice]\ncommand = {command}\n{ADA}").voice
        assert voice
        assert (voice.command, voice.heard_by) == (("cat", "-u", "{words}"), "all")
        assert Path(find_voice_program(voice).command[0]).is_file()
    voice = read(tmp_path, f'{REQUIRED_KEYS}[voice]\ncommand = "./speak"\nheard_by = "describe"\n{ADA}').voice
    assert voice
    assert (Path(voice.command[0]), voice.heard_by) == (tmp_path / "speak", "describe")
    with pytest.raises(ValueError, match=r"is not a program on this machine: no-such-program$"):
        find_voice_program(VoicePlan(("no-such-program", "--loud")))
    for line in ('mode = "practice"', 'contest = "upac"'):
        (fault,) = find_faults(tmp_path, f'{REQUIRED_KEYS}{line}\n[voice]\ncommand = "cat"\n{ADA}')
        assert fault == "event.toml line 4, voice: is for the show of an evening: practice games and seasons have none"


def test_accent_of_the_branding_must_contrast_with_every_theme(tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_text("<svg/>")
    lines = 'title = "City Poker Cup"\nsponsor = "A bank"\nlogo = "logo.svg"\nground = "#0F2D4F"\n'
    branding = BrandingPlan("City Poker Cup", "A bank", tmp_path / "logo.svg", ground="#0f2d4f")
    assert read(tmp_path, f"{REQUIRED_KEYS}{ADA}[branding]\n{lines}").branding == branding
    tokens = (ROOT / "static" / "css" / "common" / "tokens.css").read_text()
    lower_thirds = re.findall(r"--band: (#\w{6});", tokens)
    faults = find_faults(tmp_path, f'{REQUIRED_KEYS}{ADA}[branding]\ntitle = "A"\naccent = "#000000"\n')
    assert len(lower_thirds) == 2
    assert sorted(re.findall(r"third (#\w+)", "\n".join(faults))) == sorted(lower_thirds)


TOO_FAINT = "has a contrast of {} : 1; at least {} : 1 is needed to read it (WCAG 2.2)"
BRANDING_FAULTS = {
    'ground = "#000000"': "branding: has nothing to show: write a title, a sponsor or a logo",
    'title = "A"\nink = "red"': 'branding.ink: should be a colour such as "#d8a648", not the text "red"',
    'logo = "none.svg"': 'branding.logo: there is no file "none.svg" in {}',
    'logo = "large.png"': 'branding.logo: "large.png" is larger than 1 MB',
    f'title = "{"x" * 41}"': "branding.title: should be one line of at most 40 characters",
    f'sponsor = "{"x" * 61}"': "branding.sponsor: should be one line of at most 60 characters",
    'title = "A"\nground = "#ffffff"\nink = "#777777"\naccent = "#b25d00"': "branding.ink: ink #777777 on ground "
    "#ffffff " + TOO_FAINT.format(4.4, 4.5),
    'title = "A"\nground = "#FFF4D9"': "branding.ground: ink #fff4d9 on ground #fff4d9 " + TOO_FAINT.format(1, 4.5),
    'title = "A"\naccent = "#3b2414"': "branding.accent: accent #3b2414 on ground #1f1209 " + TOO_FAINT.format(1.2, 3),
    'title = "A"\nground = "#ffffff"\nink = "#000000"\naccent = "#0050a0"': "branding.accent: accent #0050a0 on the "
    "western theme's lower third #1f1209 " + TOO_FAINT.format(2.3, 3),
    "colour = 1": "branding.colour: there is no such key; the keys are title, sponsor, logo, ground, ink, accent",
}


@pytest.mark.parametrize("lines", BRANDING_FAULTS, ids=[fault.partition(":")[0] for fault in BRANDING_FAULTS.values()])
def test_unreadable_branding_is_refused_with_the_reason(lines: str, tmp_path: Path) -> None:
    (tmp_path / "large.png").write_bytes(bytes(1_000_001))
    faults = find_faults(tmp_path, f"{REQUIRED_KEYS}{ADA}[branding]\n{lines}\n")
    assert any(fault.endswith(BRANDING_FAULTS[lines].format(tmp_path)) for fault in faults), faults


def test_percentages_divide_what_fixed_prizes_leave(tmp_path: Path) -> None:
    for line in ("", 'prizes = "house"\n'):
        assert read(tmp_path, REQUIRED_KEYS + line + ADA).prizes_for(12) == standard_prizes(6000)
    plan = read(tmp_path, REQUIRED_KEYS + 'prizes = ["62.5%", "37.5 %", "$10"]\n' + ADA)
    assert plan.prizes_for(7) == (1563, 937, 1000)
    assert sum(read(tmp_path, ARENA + "buy_in = 5\n" + URL_BOT).prizes_for(12)) == 6000


@pytest.mark.parametrize(("written", "moment"), [
    ("20:15", "2026-11-21T20:15"),
    ('"20:15"', "2026-11-21T20:15"),
    ("00:30", "2026-11-22T00:30"),
    ("2026-11-23T01:00:00", "2026-11-23T01:00"),
    ('"20:15+05:30"', "2026-11-21T14:45Z"),
    ("20:15Z", "2026-11-21T20:15Z"),
    ('"00:30-04:00"', "2026-11-22T04:30Z"),
])  # fmt: skip
def test_trials_end_in_the_evening_or_night_in_any_time_zone(written: str, moment: str, tmp_path: Path) -> None:
    plan = read(tmp_path, f"{REQUIRED_KEYS}finish_trials_by = {written}\n{ADA}")
    assert plan.finish_by == datetime.fromisoformat(moment).timestamp()


def test_run_of_show_is_in_the_time_zone_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        plan = read(tmp_path, f'{REQUIRED_KEYS}[[run_of_show]]\nat = "19:00+01:00"\nwhat = "Opening"\n{ADA}')
    finally:
        monkeypatch.undo()
        time.tzset()
    assert plan.run_of_show == (ShowItem("Opening", "23:30"),)


def test_entry_is_a_folder_an_archive_a_remote_bot_or_a_url(tmp_path: Path) -> None:
    remote = REMOTE.format("Wyatt", "Wyatt Burp") + REMOTE.format("Wyatt", "Sundance")
    plan = read(tmp_path, REQUIRED_KEYS + ADA + FOLDER.format("Eve", "eve.zip") + remote)
    assert [entry.remote for entry in plan.entries] == [False, False, True, True]
    assert plan.entries[2].bot == "Wyatt Burp"
    assert f'"{plan.entries[2].secret}"' in remote
    plan = read(tmp_path, ARENA + URL_BOT + '[[entries]]\nplayer = "Doc"\nbot = "Doc 2"\nurl = "127.0.0.1:5001"\n')
    assert [entry.url for entry in plan.entries] == ["http://10.1.2.3:31010", "http://127.0.0.1:5001"]
    assert [entry.bot for entry in plan.entries] == ["Ada", "Doc 2"], "a bot without a name must get the player's name"
    assert plan.bot_networks == ("10.0.0.0/8", "192.168.1.7/32")


def test_organiser_sets_chips_blinds_and_length_where_the_contest_allows(tmp_path: Path) -> None:
    table = '[table]\nstarting_stack = 500\nblinds = ["1/2", "2/4/1"]\nhands_per_level = 10\nmost_hands = 720\n'
    contest = read(tmp_path, ARENA + table + URL_BOT).contest_format
    assert contest.starting_stack == 500
    assert contest.rules.levels == (Level(1, 2), Level(2, 4, 1))
    assert (contest.rules.hands_per_level, contest.stages[-1].hands) == (10, 720)
    assert contest.rules.refused_checks, "all other rules must be as in the rule book"
    (stage,) = read(tmp_path, f"{ARENA}[table]\nrounds = 5\nmax_hands_per_round = 720\n{URL_BOT}").contest_format.stages
    assert (stage.series, stage.games, stage.hands) == (True, 5, 720)
    plan = read(tmp_path, ARENA + URL_BOT)
    assert plan.contest_format == replace(ARENA_FORMAT, title="Friday at the Saloon"), "the default is one game"
    assert plan.prizes_for(12) == (), "by default, only Quick Draw has a buy-in"


def test_organiser_sets_stack_blinds_length_and_times_of_an_acpc_match(tmp_path: Path) -> None:
    acpc, bots = REQUIRED_KEYS + 'contest = "acpc"\n', ACPC_BOT + ACPC_BOT.replace("A", "B")
    table = 'starting_stack = 5000\nblinds = ["10/20"]\nmost_hands = 30\nanswer_seconds = 2\nhand_seconds = 3\n'
    match = read(tmp_path, f"{acpc}[table]\n{table}{bots}").contest_format
    assert match.title == "Friday at the Saloon"
    assert (match.rules.hand_cap, match.rules.levels) == (5000, (Level(10, 20),))
    assert (match.starting_stack, match.stages[0].hands) == (30 * 5000, 30)
    assert (match.rules.think_ms, match.rules.time_bank_ms) == (2000, 30 * 3000)
    match = read(tmp_path, f"{acpc}[table]\nmost_hands = 5\nduplicate = true\n{bots}").contest_format
    assert (match.stages[0].duplicate, match.starting_stack) == (True, 6 * 5 * 20_000), "chips must last for 6 matches"
    assert read(tmp_path, acpc + bots).contest_format == replace(ACPC_FORMAT, title="Friday at the Saloon")


def test_exhibition_replaces_the_time_limits_of_every_contest(tmp_path: Path) -> None:
    for contest, bots in (("quick-draw", ADA), ("arena", URL_BOT), ("enova", URL_BOT), ("acpc", ACPC_BOT)):
        keys = f'{REQUIRED_KEYS}contest = "{contest}"\n'
        rules = read(tmp_path, f"{keys}[exhibition]\nseconds = 40\nbank = 300\n{bots}").contest_format.rules
        assert (rules.think_ms, rules.time_bank_ms, rules.exhibition_bank_ms) == (40_000, UNSET, 300_000)
        rules = read(tmp_path, f"{keys}[exhibition]\n{bots}").contest_format.rules
        assert (rules.think_ms, rules.exhibition_bank_ms) == (30_000, 120_000)
        assert read(tmp_path, keys + bots).contest_format.rules == CONTESTS[contest].format.rules


@pytest.mark.parametrize("contest", CONTESTS)
def test_every_contest_can_be_played_with_the_same_cards(contest: str, tmp_path: Path) -> None:
    head = f'{REQUIRED_KEYS}contest = "{contest}"\n'
    groups, final = read(tmp_path, head + SAME_CARDS + PROGRAMS).contest_format.stages
    seats = CONTESTS[contest].format.stages[-1].seats
    assert (groups.deals, groups.advance, groups.seats) == (60, seats, seats)
    # With a `sure_percent` of 0, the final never ends early.
    assert (final.deals, final.hands, final.sure_percent, final.advance) == (60, 1, 0, 0)
    assert groups.minutes == final.minutes == 15, "the default is 5 minutes plus 10 seconds per deal"
    assert groups.decided_by == final.decided_by == "earned"
    own_keys = 'deals = 90\nhands = 3\ncertain = 97\nseats = 2\nminutes = 9\ndecided_by = "chips"\n'
    groups, final = read(tmp_path, head + SAME_CARDS + own_keys + PROGRAMS).contest_format.stages
    assert (groups.deals, groups.advance, groups.sure_percent) == (90, 2, 0)
    assert (final.deals, final.hands, final.seats, final.sure_percent) == (90, 3, 2, 97)
    assert groups.minutes == final.minutes == 9
    assert groups.decided_by == final.decided_by == "chips"


MISPLACED_KEYS = [
    ("arena", SAME_CARDS + URL_BOT, "entries[1]: each table needs its own instance of the bot: write a command"),
    ("quick-draw", SAME_CARDS + PROGRAMS.replace("{server} ", ""), "entries[1].command: has no {server}"),
    ("quick-draw", PROGRAMS, "entries[1].command: is only for [format] with same_cards = true"),
    ("upac", SAME_CARDS + "seats = 6\n" + PROGRAMS, 'format.seats: is 6; a table of "upac" has at most 2 seats'),
    ("acpc", SAME_CARDS + "[table]\nduplicate = true\n" + PROGRAMS,
     "table.duplicate: cannot be combined with same_cards"),
    ("quick-draw", SAME_CARDS + "deals = 20\ncertain = 97\n" + PROGRAMS, "format.certain: needs more than 20 deals"),
    ("quick-draw", SAME_CARDS + "minutes = 5\n" + PROGRAMS,
     "format.minutes: is too short for 60 deals: their show takes at least 6 minutes"),
    ("quick-draw", SAME_CARDS + 'decided_by = "luck"\n' + PROGRAMS, 'format.decided_by: should be "earned" or "chips"'),
    ("arena", SAME_CARDS + PROGRAM.format("Ada"), "entries: has one bot"),
    ("quick-draw", SAME_CARDS + WORKERS + PROGRAMS,
     "workers: play only bots in folders, but entries[1] has no folder"),
    ("quick-draw", WORKERS + ADA, 'workers: play only seasons of "upac", and formats with same_cards = true'),
    ("upac", "[exhibition]\n", "exhibition: is for evenings"),
    ("acpc", "[exhibition]\n[table]\nanswer_seconds = 5\n" + ACPC_BOT,
     "table.answer_seconds: cannot be set beside [exhibition]"),
    ("arena", "".join(URL_BOT.replace("Ada", f"P{n}").replace("31010", str(n)) for n in range(1, 14)),
     'entries: has 13 bots; the table of "arena" has 12 seats'),
    ("arena", URL_BOT + 'bot = "%s"\n' % ("n" * 101), "at most 100 characters"),
    ("arena", '[[entries]]\nplayer = "Ada"\nfolder = "ada"\n', 'entries[1].folder: is not for "arena"'),
    ("enova", '[[entries]]\nplayer = "Ada"\nbot = "Foy"\n', 'entries[1].url: is missing; write url = "http://'),
    ("quick-draw", URL_BOT, 'entries[1].url: is for "enova" and "arena"'),
    ("arena", URL_BOT + URL_BOT, "entries[2].url: is the same as in entries[1]"),
    ("arena", '[[entries]]\nplayer = "A"\nurl = "https://a:1"\n', "entries[1].url: should begin with http://"),
    ("arena", '[[entries]]\nplayer = "A"\nurl = "http://a"\n', "entries[1].url: should be an address with a port"),
    ("arena", URL_BOT + 'secret = "0123456789abcdef"\n', "entries[1].secret: cannot be combined with url"),
    ("arena", '[table]\nblinds = ["2/1"]\n' + URL_BOT, 'table.blinds: has "2/1": a small blind is at least 1'),
    ("arena", '[table]\nblinds = ["1/2", "2/4"]\n' + URL_BOT, "table.blinds: has more than one level"),
    ("arena", "[table]\nhands_per_level = 5\n" + URL_BOT, "table.hands_per_level: needs blinds of your own"),
    ("enova", "[table]\nrounds = 3\n" + URL_BOT, 'table.rounds: is for "arena"'),
    ("arena", "[table]\nmax_hands_per_round = 9\n" + URL_BOT, "without rounds, the limit is most_hands"),
    ("arena", "[table]\nrounds = 2\nmost_hands = 9\n" + URL_BOT, "with rounds, the limit is max_hands_per_round"),
    ("upac", '[season]\ninvitations = ["class-of-2026", "short"]\n', "season.invitations: should be a code, or a list"),
    ("upac", "[table]\nstarting_stack = 200\n", 'in "upac" the rule book sets chips and blinds'),

    ("quick-draw", "[table]\nduplicate = true\n" + ADA, "table.duplicate: is for matches"),
    ("arena", "[season]\ngames = 5\n" + URL_BOT, 'season: is for "upac"'),
    ("acpc", ACPC_BOT + 'secret = "0123456789abcdef"\n', "has its own port"),
    ("acpc", '[ports]\ngames = "20000-20000"\n' + ACPC_BOT + ACPC_BOT.replace("A", "B"),
     "ports.games: has 1; 2 bots"),

]  # fmt: skip


@pytest.mark.parametrize(("contest", "text", "fault"), MISPLACED_KEYS, ids=[fault for _, _, fault in MISPLACED_KEYS])
def test_key_that_does_not_apply_to_the_contest_is_a_fault(contest: str, text: str, fault: str, tmp_path: Path) -> None:
    assert fault in "\n".join(find_faults(tmp_path, f'{REQUIRED_KEYS}contest = "{contest}"\n{text}'))


def test_organiser_is_warned_of_an_endless_contest(tmp_path: Path) -> None:
    enova = REQUIRED_KEYS + 'contest = "enova"\n'
    for table in ("most_hands = 200\n", "starting_stack = 30\n", 'blinds = ["1/2", "4/8"]\nhands_per_level = 20\n'):
        assert not length_warning(read(tmp_path, f"{enova}[table]\n{table}").contest_format)
    assert "stacks of 100 and blinds that stay at 1/2" in length_warning(read(tmp_path, enova).contest_format)


@pytest.mark.parametrize(("line", "expected"), [
    ('pice = "fast"', "pice: there is no such key; did you mean"),
    ("moustache = true", "moustache: there is no such key; the keys are name, date"),
    ("buy_in = 5.005", "buy_in: should be dollars such as 5 or 5.50, not the number 5.005"),
    ("buy_in = 10001", "buy_in: should be at most 10000 dollars, not 10001"),
    ('prizes = ["50%", "20%"]', "prizes: has parts that add up to 70 %, not to 100 %"),
    ('prizes = ["50%", 50]', 'prizes: has the number 50 for place 2: write "20%" or "$5"'),
    ('buy_in = 0\nprizes = ["$5"]', "prizes: promises dollars, but buy_in is 0"),
    ("finish_trials_by = 25:00", 'finish_trials_by: should be a time of day such as 20:15, not the text "25:00"'),
    ('seed = "xyz"', "seed: should be \"fresh\", or a rehearsal's seed: a seed is hexadecimal digits"),
    ('contest = "bridge"', 'contest: should be "quick-draw" or "enova" or'),
    ('hosts = ["300.1.1.1"]', "hosts: should be an address"),
    ('bot_addresses = ["192.168.1.20", 7]', "bot_addresses: should be a text in quotation marks, not the number 7"),
    ('data = "event.toml"', 'data: should be a folder, but "event.toml" is a file'),
    ("ports = 5000", "ports: should be a table with pages and register and games, not the number 5000"),
    ('ports.games = "9-8"', 'ports.games: should be two ports, 1 to 65535, such as "20000-20199"'),
    ("ports.pages = 5000", "ports.pages: should differ from ports.register (5000)"),
    ("ports = { pags = 1 }", 'ports.pags: there is no such key; did you mean "pages"?'),
    ('tokens.control = "sesame"', "tokens.control: should have at least 16 characters: letters without"),
    ('tokens = { control = "open-sesame-please", view = "open-sesame-please" }', "tokens.view: should differ from"),
    ("[voice]\ncommand = \"cat '\"", "voice.command: is not a command: No closing quotation"),
    ("[voice]\ncommand = []", 'voice.command: should be a command such as "espeak-ng --stdin --stdout"'),
    ('[voice]\ncommand = "cat"\nthoughts = true', "voice.thoughts: needs espeak-ng"),
    ('[voice]\ncommand = "cat"\nheard_by = "me"', 'voice.heard_by: should be "all" or "describe", not the text "me"'),
    *((f'[obs]\naddress = "{address}"', "obs.address: should ")
      for address in ("127.0.0.1", "ws://127.0.0.1:4455", ":4455", "studio.local:0", "a:99999")),
    *((f'[publish]\nto = "{to}"', "publish.to: should be a folder, or s3:") for to in ("http://show", "s3://")),
])  # fmt: skip
def test_mistake_is_named_by_line_and_key(line: str, expected: str, tmp_path: Path) -> None:
    (fault,) = find_faults(tmp_path, REQUIRED_KEYS + line + "\n" + ADA)
    assert fault.startswith(f"event.toml line {2 + line.count(chr(10)) + 1}, {expected}")


@pytest.mark.parametrize(("entries", "line", "expected"), [
    (FOLDER.format("Doc", "bots/doc"), 8, 'entries[2].folder: there is no folder "bots/doc" in '),
    (FOLDER.format("Ada", "doc"), 7, 'entries[2].player: "Ada" already has entries[1]; put all bots of a player'),
    (FOLDER.format("ADA", "doc"), 7, 'entries[2].player: "ADA" looks like "Ada" of entries[1]'),
    (FOLDER.format("Doc", "."), 8, "entries[2].folder: overlaps the folder of entries[1]"),
    (FOLDER.format("D\\u202eoc", "doc"), 7, "entries[2].player: cannot be shown as a name: it must not contain"),
    ('[[entries]]\nfolder = "doc"\n', 6, 'entries[2].player: is missing; write player = "Ada"'),
    ('[[entries]]\nplayer = "Doc"\n', 6, 'entries[2].folder: is missing; write folder = "bots/ada"'),
    (FOLDER.format("Doc", "doc") + 'bot = "Doc"\n', 9, "entries[2].bot: is only for remote = true"),
    (FOLDER.format("Doc", "doc") + "pace = 2\n", 9, 'entries[2].pace: there is no "pace" here: it belongs above'),
    (REMOTE.format("Doc", "d") + 'folder = "doc"\n', 11, "entries[2].folder: a remote bot has no folder here"),
    (REMOTE.format("Doc", "d").replace("f", "ö"), 10, "entries[2].secret: should have at least 16 characters: letters"),
    (REMOTE.format("Doc", "d") + REMOTE.format("Eve", "D"), 14, 'entries[3].bot: "D" looks like "d" of entries[2]'),
    ((REMOTE.format("Doc", "d") + REMOTE.format("Eve", "e")).replace("remote", "mcp"), 15,
     "entries[3].secret: is the same as in entries[2]: an agent finds its seat by its secret"),
    (REMOTE.format("Doc", "d").replace("remote", "mcp = true\nremote"), 9,
     "entries[2].remote: cannot be combined with mcp: an agent joins by itself"),
    ("".join(REMOTE.format("Doc", name) for name in "abcd"), 22, 'entries[5].player: "Doc" has more than 3 bots'),
])  # fmt: skip
def test_mistake_in_an_entry_is_named_by_line_and_key(entries: str, line: int, expected: str, tmp_path: Path) -> None:
    (fault,) = find_faults(tmp_path, REQUIRED_KEYS + ADA + entries)
    assert fault.startswith(f"event.toml line {line}, {expected}")


def test_all_mistakes_are_reported_at_once_from_top_to_bottom(tmp_path: Path) -> None:
    text = 'pace = "fast"\nport = 5000\n\n[[entries]]\nplayer = "Doc"\nfolder = "gone"\nsecrt = 1\n'
    faults = find_faults(tmp_path, text)
    places = "; ".join(fault.removeprefix("event.toml").partition(":")[0].strip(", ") for fault in faults)
    assert places == "date; name; line 1, pace; line 2, port; line 6, entries[1].folder; line 7, entries[1].secrt"


@pytest.mark.parametrize(("text", "expected"), [
    ('name = "Friday\n', "event.toml line 1: not valid TOML: "),
    ("name = 1\nname = 2\n", "event.toml line 2: not valid TOML: Cannot overwrite a value"),
    ("name =", "event.toml: not valid TOML: Invalid value"),
    ("entries = 3\n" + REQUIRED_KEYS, "event.toml line 1, entries: should be written as [[entries]]"),
    (REQUIRED_KEYS, "event.toml, entries: is missing; write one [[entries]] for each player"),
])  # fmt: skip
def test_invalid_toml_and_missing_entries_are_refused(text: str, expected: str, tmp_path: Path) -> None:
    assert find_faults(tmp_path, text)[0].startswith(expected)
    (tmp_path / "event.toml").write_bytes(b'name = "Se\xf1or"\n')
    with pytest.raises(EventFaults, match="not UTF-8"):
        read_event(tmp_path / "event.toml")


def test_each_key_is_found_on_its_line() -> None:
    text = 'a = [\n "]", # ]\n "b = 1",\n]\nb = """\nc = 1\n"""\n\n"d" . e = {}\n[f]\ng = 1\n[[h.i]]\nj = 2\n[[h.i]]\n'
    lines = lines_of(text)
    assert lines == {"a": 1, "b": 5, "d.e": 9, "f": 10, "f.g": 11, "h.i[1]": 12, "h.i[1].j": 13, "h.i[2]": 14}
    expected = {"f.g": 11, "f.x": 10, "h.i[1].x": 12, "h.i[9]": 0, "x": 0, "a": 1}
    assert {key: line_of(lines, key) for key in expected} == expected, "a missing key has the line of its TOML table"


def test_examples_are_valid_and_show_every_key_with_its_real_default() -> None:
    plan = read_event(EXAMPLE)
    assert (plan.slug, plan.prizes_for(12)) == ("2026-11-21-friday-at-the-saloon", standard_prizes(6000))
    comments = re.findall(r"^# (pace|start|seed|runner|host|mode|contest) = (\S+)", EXAMPLE.read_text(), re.MULTILINE)
    assert len(comments) == 7
    defaults = {key: getattr(plan, key) for key, _ in comments} | {"seed": "fresh", "pace": "1"}
    assert defaults == {key: value.strip('"') for key, value in comments}
    arena = read_event(OTHER_CONTESTS)
    assert (arena.contest, arena.contest_format.starting_stack) == ("arena", 2000)
    assert (len(arena.levels), len(arena.entries)) == (3, 2)
    text = EXAMPLE.read_text() + OTHER_CONTESTS.read_text()
    keys = [key for keys in KEYS.values() for key in keys if key not in KEYS]
    assert not [key for key in keys if not re.search(rf"^(?:# *)?{key} = ", text, re.MULTILINE)]


def test_every_line_that_the_example_comments_out_is_valid(tmp_path: Path) -> None:
    text = re.sub(r"^# (?=\[|[a-z_]+ = )", "", EXAMPLE.read_text(), flags=re.MULTILINE)
    text = re.sub(r'^prizes = "house".*\n', "", text, flags=re.MULTILINE)
    (tmp_path / "submissions" / "ada").mkdir(parents=True)
    (tmp_path / "submissions" / "doc.zip").write_bytes(b"")
    (tmp_path / "logo.svg").write_bytes(b"")
    command_part, remote_part, other_entries = text.partition("# Or a bot that runs elsewhere")
    (tmp_path / "event.toml").write_text(command_part)
    plan = read_event(tmp_path / "event.toml")
    assert plan.deals_plan == DealsPlan(90, 8, 97, 4, 20)
    assert plan.entries[2].command == "python3 bee.py {server}"
    command = '[[entries]]\nplayer = "Bee"'
    without_same_cards = command_part.replace("same_cards = true ", "same_cards = false").partition(command)[0]
    (tmp_path / "event.toml").write_text(without_same_cards + remote_part + other_entries)
    plan = read_event(tmp_path / "event.toml")
    assert [entry.player for entry in plan.entries] == ["Ada", "Doc", "Wyatt", "Sal"]
    assert plan.prizes_for(12) == (3000, 2000, 1000)
