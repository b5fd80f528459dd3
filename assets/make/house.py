"""Makes the guide's page about the folders, with a drawing of the folders as a house. A floor may import only lower
floors.

A test checks that every source folder is drawn once, in the order in which folders may import one another.
"""

from collections.abc import Iterator
from html import escape

FLOORS: dict[str, dict[str, str]] = {
    "The rules": {
        "server/game": "cards, hands, tournaments: no clock, no file, no network",
        "server/equity": "exact chances, and the luck of the board",
    },
    "The ground": {
        "server/system": "what differs between systems",
        "server/text": "strangers' text and JSON",
        "server": "shuffle, terminal, paths",
        "server/journal": "recordings on disk",
        "server/bots/dialects": "what all dialects share",
        "server/hand_histories": "PHH and PokerStars text",
        "server/contests": "what a contest is",
        "server/contests/*": "rules, messages, dialect",
        "server/config": "settings and event files",
    },
    "Bots": {
        "server/bots/transports": "TCP, HTTP, standard output",
        "server/bots/sandbox": "boxes for programs",
        "server/bots/sandbox/docker": "boxes made by Docker",
        "server/bots/sandbox/bubblewrap": "boxes without Docker",
        "server/bots": "a bot and its time limit",
        "server/bots/house": "our own bots",
    },
    "Contests": {
        "server/submissions": "what contestants submit",
        "server/tournament": "deals hands, runs stages",
        "server/registration": "POST /register",
        "server/season": "a UPAC season",
        "server/season/uploads": "bots sent during a season",
        "server/verify": "proofs of recordings",
        "server/workers": "games on other machines",
    },
    "The web": {
        "broadcast/web/connections": "sockets under limits",
        "broadcast/web": "access, limits, files",
        "broadcast/guide": "this guide",
        "broadcast/media": "pictures and sounds made safe",
    },
    "The show": {
        "broadcast/on_air": "what viewers receive",
        "broadcast/odds": "who is better, how surely",
        "broadcast/commentary/claims/speech": "reads sentences of bots",
        "broadcast/commentary/claims/kinds": "what bots can be wrong about",
        "broadcast/commentary/claims": "checks what bots say",
        "broadcast/commentary/statistics": "how every bot has played",
        "broadcast/commentary/deals": "compares the tables of a deal",
        "broadcast/commentary/storylines": "sentences about many hands",
        "broadcast/commentary": "captions, drama, standings",
        "broadcast/show": "what is shown, and when",
        "broadcast/voice": "speaks captions",
    },
    "Around the show": {
        "broadcast/film": "replays and highlights",
        "broadcast/live": "keeps the show so far",
        "broadcast/video": "clips, subtitles",
        "broadcast/obs": "OBS",
        "broadcast/desk": "the control desk",
        "broadcast/booth": "the commentators' page",
        "broadcast/archive": "the search of recordings",
        "broadcast/recordings": "pages of recordings",
        "broadcast/api": "the API, remote control, metrics",
        "broadcast/publish": "the show on any host",
        "broadcast": "joins the pages",
    },
    "Server and broadcast": {
        "server/app": "shared by its subfolders",
        "server/app/recordings": "opens any recording",
        "server/app/results": "places and prizes",
        "server/app/decisions": "what a bot decided and did wrong",
        "server/app/studio": "the studio's process",
        "server/app/mcp": "seats for agents, by MCP",
        "server/app/sparring": "bots against bots",
        "server/app/evening": "runs one evening",
        "server/app/practice/games": "a process per practice game",
        "server/app/practice": "registers and shows practice games",
        "server/app/season": "a season's pages",
        "server/app/clips": "clips of hands",
        "server/app/mind": "a bot that asks a model",
        "server/app/probe": "tries a bot in all situations",
        "server/app/check": "checks of submissions",
        "server/app/venue": "what every venue shares",
        "server/contests/*/venue": "how a contest's bots join",
    },
    "The command line": {
        "server/command_line": "parses the arguments",
        "server/commands/authors": "commands for authors of bots",
        "server/commands": "one file for each command",
    },
}
"""What is in each folder of each floor. The lowest floor comes first."""

FILES_BY_QUESTION = {
    "side pots, who wins them, and odd chips": "server/game/showdown.py",
    "which seat acts next": "server/game/betting.py::_next_actor",
    "whose cards are shown at the end of a hand": "server/game/showdown.py::_is_shown",
    "which hand wins, and its name": "server/game/ranking.py",
    "what a bot may know of a hand": "server/game/view.py",
    "where the button and the blinds go next": "server/game/hand.py::next_button_and_blind",
    "which bots play the next game, and in which seats": "server/game/tournament.py::draw_seats",
    "who is out in which place": "server/game/tournament.py::elimination_places",
    "how a stage ranks its bots, and ties": "server/game/tournament.py::rank",
    "prizes, and a player with two bots": "server/game/prizes.py",
    "which bots play the next deal": "server/game/deals.py::choose_group",
    "when a stage of deals ends early": "server/game/deals.py::is_decided",
    "everything that can happen: the events": "server/game/events.py",
    "how a deck is shuffled, sealed and proved": "server/shuffle.py",
    "when a deck is sealed": "server/tournament/director.py::_play_hand server/game/betting.py::start_hand",
    "how all tables of a deal get the same cards": "server/tournament/play_deal.py::deal_keys",
    "a contest's blinds, seats, time to think and stages": "server/contests/*/rules.py",
    "the list of all contests": "server/contests/__init__.py",
    "what an event file may contain, and the limits of each value": "server/config/event_keys.py",
    "how a bot registers": "server/registration/register.py",
    "how large a submission may be, and what it may contain": "server/submissions/folder_rules.py",
    "what a zip archive may contain": "server/submissions/zip_archive.py",
    "how large a submitted bot may be": "server/submissions/folder_rules.py",
    "the smallest raise, and what becomes of a raise outside the limits": "server/game/betting.py::_raise_range "
    "server/game/rules.py server/contests/*/rules.py",
    "how a bet is checked against the contest's rules": "server/game/betting.py",
    "what a late or wrong answer costs at the table": "server/game/betting.py::fault_decision server/game/rules.py",
    "Elo ratings": "server/game/ratings.py::rate_game",
    "how a bot is asked, and what becomes of a late answer": "server/bots/bot.py server/bots/http_bot.py",
    "how many seconds a bot may think": "server/contests/*/rules.py",
    "how long an evening of deals will take": "server/app/evening/trial_deal.py server/app/results/deal_pace.py",
    "how many tables of a deal have bots at a time": "server/app/evening/deal_memory.py",
    "how workers play tables of a deal, and how that is proved": "server/app/evening/deals_on_workers.py",
    "the thinking clock of an exhibition": "server/config/event_exhibition.py server/game/hand.py::next_banks_ms",
    "how many bytes of a bot are read in a second": "server/bots/transports/connection.py",
    "how long a message of a Quick Draw bot may be, and how deep": "server/text/json_stream.py",
    "how long a line of an ACPC or UPAC bot may be": "server/contests/acpc/dialect.py server/contests/upac/dialect.py",
    "how long an answer of an HTTP bot may be": "server/bots/transports/http.py",
    "how a language model is asked, and what becomes of its failures": "server/app/mind/mind.py "
    "server/app/mind/model.py",
    "what a bot reads in a contest's messages": "server/contests/*/wire.py",
    "which instructions of a Dockerfile are allowed": "server/bots/sandbox/dockerfile_rules.py::check_rules",
    "what a bot in a light box finds in its environment": "server/bots/sandbox/bubblewrap/command.py::_environment",
    "what other programs that we start find in theirs": "server/child_environment.py",
    "which system calls are forbidden in a light box": "server/bots/sandbox/bubblewrap/seccomp.py",
    "what a bot in a Docker box may do; its image decides the environment": (
        "server/bots/sandbox/docker/container_limits.py"
    ),
    "how much memory, processor and disk a bot and its build may use": "server/bots/sandbox/box_limits.py",
    "what a build may reach on the network": "server/bots/sandbox/docker/build_proxy.py",
    "how many of a bot's faults are recorded": "server/bots/message_records.py",
    "how house bots decide and chat": "server/bots/house/styles.py",
    "the ladder of house bots, and a bot's place on it": (
        "server/bots/house/ladder.py server/app/results/ladder_place.py"
    ),
    "how many practice games an address may have": "server/app/practice/limits.py",
    "who plays against a bot in a practice game": "server/app/practice/practice_server.py::_choose_rivals",
    "the situations in which probe tries a bot": "server/contests/probe_situations.py",
    "when a sparring match is certain": "server/app/sparring/result.py",
    "what an agent can do": "server/app/mcp/tools.py",
    "what a language model may spend": "server/app/mind/budget.py",
    "who plays whom in a season": "server/season/pairing.py",
    "which results of a season are public": "server/app/season/public_view.py",
    "what a worker accepts of the files that it is sent": "server/workers/workplace.py",
    "how workers are asked and sent files, and what becomes of their work when they die": (
        "server/workers/work_dispatcher.py"
    ),
    "a recording's lines, their checksums, and when they are on disk": "server/journal/journal.py",
    "what differs between operating systems": "server/system",
    "what verify proves, as a list": "server/verify/claims.py",
    "whether decks follow from the sealed seed": "server/verify/contest_progress.py server/verify/recording.py",
    "what verify proves about seats, blinds and places": "server/verify/games.py",
    "what the page in the browser proves": "static/js/verify/claims.js",
    "published hands as recordings": "server/hand_histories/import_hands.py",
    "how a crashed evening resumes": "server/journal/begin_journal.py server/tournament/resumable_log.py",
    "how a half-played hand goes on after a crash": "server/tournament/dealer.py::play_hand",
    "what happens when the studio dies": "server/app/studio/supervisor.py server/app/studio/studio_watch.py",
    "where a restarted studio goes on with the show": "broadcast/on_air/diary.py broadcast/show/showrunner.py::_recall",
    "when the next hand may be dealt": "server/tournament/pause_gate.py",
    "what keeps hole cards from viewers": "broadcast/show/show_queue.py",
    "how close the picture zooms in, and which bot gets viewers' attention": "broadcast/show/attention.py",
    "how long each moment stays on screen": "broadcast/show/hold_times.py",
    "how the show ends on time (the governor)": "broadcast/show/finish_estimator.py",
    "how much of each deal the show tells": "broadcast/show/deal_lengths.py",
    "which marked hands are replayed, and when": "broadcast/show/replays.py",
    "which hands are highlights": "broadcast/film/highlights.py",
    "how quickly the films of the best hands are played": "broadcast/film/reel_film.py",
    "the sentences between the parts of these films": "broadcast/film/reel_sentences.py",
    "who speaks, and for how long": "broadcast/on_air/picture_speech.py",
    "the captions of a hand, and their words": "broadcast/commentary/hand_captions.py "
    "broadcast/commentary/hand_caption_phrases.py",
    "which captions are spoken": "broadcast/voice/spoken_captions.py",
    "the schedule, and its expected times": "broadcast/live/contest_plan.py",
    "how large a win is shown": "broadcast/on_air/picture_hand.py::win_size",
    "which scene is on screen: the table, a replay, statistics": "broadcast/on_air/picture.py",
    "which scene is on screen: standings, duel, finalists, champion": "broadcast/on_air/picture_tournament.py",
    "the scenes, and which OBS scene shows each": "broadcast/on_air/scenes.py",
    "how a viewer gets what it missed": "broadcast/on_air/air_log.py",
    "which visitors get a connection when the server is full": "broadcast/web/connections/limits.py",
    "how viewers get the show, and what becomes of slow ones": "broadcast/on_air/viewers.py",
    "who may open the desk, and what a token allows": "broadcast/web/access.py",
    "which pages of other sites may read the API": "broadcast/web/request_checks.py",
    "VPIP and the other statistics": "broadcast/commentary/statistics/hand_counts.py",
    "chances to win": "server/equity/equity.py::equities",
    "what is luck of the board, and why it may decide": "server/equity/luck.py",
    "which thoughts go on air, which part of each, and when the show waits for them": "broadcast/show/thoughts.py "
    "broadcast/commentary/thought_excerpt.py",
    "when words of a thought are a claim": "broadcast/commentary/claims/speech/sentences.py",
    "whom a thought speaks of, and what they did": "broadcast/commentary/claims/speech/people.py "
    "broadcast/commentary/claims/speech/verbs.py",
    "which claims are checked, and how": "broadcast/commentary/claims/checker.py broadcast/commentary/claims/kinds",
    "how dramatic a hand was, and which marks it earns": "broadcast/commentary/drama.py",
    "luck, and what a bot earned": "broadcast/odds/earned.py",
    "how certain a result is": "broadcast/odds/certainty.py",
    "title odds, from chips and from deals": "broadcast/odds/title_odds.py broadcast/odds/deal_scores.py",
    "what is at stake for the bot to act": "broadcast/commentary/stakes.py",
    "which storyline is told next": "broadcast/commentary/storylines/storyline.py",
    "from when on a comeback, a streak or a rivalry is a storyline, and its words": "broadcast/commentary/storylines",
    "which table of a deal the show tells": "broadcast/show/main_table.py",
    "what keeps the other tables of a deal off the air": "broadcast/on_air/deal_tables.py",
    "how a replay goes from table to table of a deal": "static/js/replay/film/tables.js",
    "where a deal was decided": "broadcast/commentary/deals/comparison.py",
    "which names and which chat are refused or changed": "server/text/names_and_chat.py",
    "which names look too much alike": "server/text/look_alikes.py",
    "the API's routes": "broadcast/api/show_api.py broadcast/api/recordings_api.py",
    "a seat's poster": "static/js/overlay/seat/poster.js static/js/overlay/seat/seat.js",
    "square avatars": "broadcast/media/images.py::make_avatar",
    "how loud a bot's sound is": "broadcast/media/sound_encoding.py::make_win_sound",
    "which sound a win plays: the bot's own or the default": "static/js/common/addresses.js::winSoundOf",
    "which events have sounds and effects": "static/js/overlay/cues.js",
    "when a sound is played, and how loud": "static/js/overlay/effects/sound-rules.js",
    "where the seats are on screen": "static/js/overlay/scenes/layout.js",
    "the colours of a theme": "static/css/common/tokens.css",
    "which colours a branding may have": "server/config/event_brand.py",
    "the words and keys of the desk's buttons": "static/js/desk/buttons.js",
    "what the buttons of the control desk do": "broadcast/desk/buttons.py server/tournament/control_values.py",
    "the page at `/watch` and of replays": "broadcast/templates/recordings/replay.html static/js/replay",
    "where a muted bot's new lines are left out": "broadcast/show/showrunner.py::_unmuted",
    "where the lines of a muted bot leave the picture": "broadcast/on_air/picture.py::_control_set",
    "how Pause stops the show": "broadcast/show/playback.py",
    "what undo reverts at the desk": "broadcast/desk/log_and_undo.py",
    "the desk's health lights": "broadcast/desk/health_lights.py",
    "films of hands as MP4": "server/app/clips/filming.py::film_clip broadcast/video/ffmpeg.py",
    "when OBS switches scenes": "broadcast/obs/control.py::_follow_show",
    "what else OBS is asked": "broadcast/obs/requests.py",
    "shows and recordings in a bucket": "broadcast/publish/destination.py",
    "which show may publish to a destination": "broadcast/publish/destination_lease.py",
    "how a search finds hands in recordings": "broadcast/archive/queries.py",
}
"""Questions that a newcomer may have, each with the files to open, in this order. For a long file, the name of the
function is added.
"""

_ROOMS_PER_ROW = 3
_ROOM_WIDTH, _ROOM_HEIGHT, _GAP, _MARGIN, _TITLE_HEIGHT = 236, 54, 8, 16, 30
_PICTURE_WIDTH = _ROOMS_PER_ROW * (_ROOM_WIDTH + _GAP) - _GAP + 2 * _MARGIN


def drawing() -> str:
    """Returns the drawing as SVG, with the lowest floor at the bottom."""
    parts: list[str] = []
    y = _GAP
    for title, folders in reversed(FLOORS.items()):
        rows = -(-len(folders) // _ROOMS_PER_ROW)
        height = _TITLE_HEIGHT + rows * (_ROOM_HEIGHT + _GAP) + _GAP
        parts += _floor(title, folders, y, height)
        y += height + _GAP
    size = f'viewBox="0 0 {_PICTURE_WIDTH} {y}" font-family="DejaVu Sans, Arial, sans-serif"'
    return "\n  ".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts]) + "\n</svg>\n"


def _floor(title: str, folders: dict[str, str], y: int, height: int) -> Iterator[str]:
    yield f'<rect x="0" y="{y}" width="{_PICTURE_WIDTH}" height="{height}" rx="6" fill="#fbeecb" stroke="#d9c9a8"/>'
    yield f'<text x="{_MARGIN}" y="{y + 21}" font-size="15" font-weight="bold" fill="#7e120e">{title}</text>'
    for index, (folder, about) in enumerate(folders.items()):
        row, column = divmod(index, _ROOMS_PER_ROW)
        left, top = _MARGIN + column * (_ROOM_WIDTH + _GAP), y + _TITLE_HEIGHT + row * (_ROOM_HEIGHT + _GAP)
        yield from _room(folder, about, left, top, len(folders))


def _room(folder: str, about: str, x: int, y: int, beside: int) -> Iterator[str]:
    width = _PICTURE_WIDTH - 2 * _MARGIN if beside == 1 else _ROOM_WIDTH
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{_ROOM_HEIGHT}" rx="4" fill="#fffaf0" stroke="#d8a648"/>'
    size = 13 if len(folder) < 27 else 11
    yield f'<text x="{x + 9}" y="{y + 22}" font-size="{size}" font-weight="bold" fill="#24150a">{folder}</text>'
    yield f'<text x="{x + 9}" y="{y + 41}" font-size="12" fill="#4a2f17">{escape(about, quote=False)}</text>'


def page() -> str:
    """Returns the guide's page, which includes the drawing."""
    floors = "\n".join(
        f"| **{title}** | |\n" + "\n".join(f"| `{folder}` | {about} |" for folder, about in folders.items())
        for title, folders in reversed(FLOORS.items())
    )
    where = "\n".join(f"| {what} | `{'`, `'.join(files.split())}` |" for what, files in FILES_BY_QUESTION.items())
    return f"""# The folders

A folder may import itself and the folders on lower floors, but no folder on a higher floor; a test checks this. So the
rules of the game do not depend on the show, and only the two top floors join the server and the broadcast.

![The folders, floor upon floor](../../assets/pictures/house.svg)

Within a floor, a folder may import the folders before it. A contest is on two floors. Its rules and messages are on the
ground, so that pages and proofs can import them. Its venue is on a top floor, and the contest's description imports the
venue on demand.

## Where to look

| what | files, in this order |
|---|---|
{where}

## All folders

| folder | what is in it |
|---|---|
{floors}

The JavaScript of the pages is in `static/js`, and their style sheets are in `static/css`. Both have the same folders:
`overlay` for the show, `front` for the page at `/`, `bot`, `booth`, `desk`, `replay` and `report` for the pages of
these names, `ograf` for graphics, `pages` for all other pages, and `common` for shared parts. Scripts also have the
folders `lists`, `verify`, `clip`, and `occasional` for scenes that few shows have. `tests` has the same folders as the
Python source. `assets` has fonts, pictures, sounds and starter bots, and `assets/make` has the programs that made them.
"""
