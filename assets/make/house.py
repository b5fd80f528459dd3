"""Makes the guide's pages about the folders and about all files, and a drawing of the folders as a house. A folder may
import only folders on lower floors, and folders that are listed before it on its own floor.

A test checks that every source folder is drawn once, and that folders import only what they may import.
"""

import ast
import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

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
        "server/commands": "most other commands",
    },
}
"""The floors of the house, the lowest floor first. Each folder of a floor has a description of its content."""

FILES_BY_QUESTION: dict[str, dict[str, str]] = {
    "Rules of the game": {
        "side pots, who wins them, and odd chips": "server/game/showdown.py",
        "which seat acts next": "server/game/betting.py::_next_actor",
        "when a bet that nobody called goes back": "server/game/betting.py",
        "the smallest and largest raise": "server/game/betting.py::_raise_range server/contests/*/rules.py",
        "what becomes of a raise outside these limits": (
            "server/game/betting.py::_raise_total server/contests/*/rules.py"
        ),
        "what becomes of such a raise in ACPC": "server/contests/acpc/dialect.py::_read_action",
        "how a bet is checked against the contest's rules": "server/game/betting.py",
        "whether an all-in below a full raise reopens the betting": (
            "server/game/betting.py::_raise_range server/game/hand.py::_apply_raise"
        ),
        "what a late or wrong answer costs at the table": "server/game/betting.py::fault_decision server/game/rules.py",
        "whether a fault costs a bot one decision, the rest of the game, or the game": (
            "server/game/rules.py server/contests/*/rules.py server/bots/bot.py"
        ),
        "when the blinds rise": "server/game/rules.py::level_of server/contests/*/rules.py",
        "where the button and the blinds go next": "server/game/hand.py::next_button_and_blind",
        "where the action starts on each street": "server/game/hand.py::action_starts_at",
        "the thinking clock of an exhibition": "server/config/event_exhibition.py server/game/hand.py::next_banks_ms",
        "whose cards are shown at the end of a hand": "server/game/showdown.py::_is_shown",
        "which hand wins, and its name": "server/game/ranking.py server/game/evaluator.py",
        "the name of a hand on screen": "broadcast/commentary/hand_names.py::showdown_name",
        "what a bot may know of a hand": "server/game/view.py",
        "everything that can happen: the events": "server/game/events.py",
        "how a deck is shuffled, sealed and proved": "server/shuffle.py",
        "when the seed is sealed": "server/tournament/director.py server/app/season/season.py",
        "when a deck is sealed": "server/tournament/director.py::_play_hand server/game/betting.py::start_hand",
    },
    "Stages, places and prizes": {
        "which bots play the next game, and in which seats": "server/game/tournament.py::draw_seats",
        "who is out in which place": "server/game/tournament.py::elimination_places",
        "how a stage ranks its bots, and ties": "server/game/tournament.py::rank",
        "the remark on a tie that was decided by lot": "server/app/results/tie_remarks.py",
        "prizes, cents that do not divide, and a player with two bots": "server/game/prizes.py",
        "which of two tied players gets the higher prize": "server/game/tournament.py::rank",
        "Elo ratings": "server/game/ratings.py::rate_game",
        "which bots play the next deal": "server/game/deals.py::choose_group",
        "when a stage of deals ends early": "server/game/deals.py::is_decided",
        "how all tables of a deal get the same cards": "server/tournament/play_deal.py::deal_keys",
    },
    "Contests and event files": {
        "the list of all contests": "server/contests/__init__.py",
        "a contest's blinds, seats, time to think and stages": "server/contests/*/rules.py",
        "a contest's usual buy-in, and which features its evenings may use": "server/contests/*/contest.py",
        "how many bots an Enova tournament may have": "server/contests/enova/venue/registry.py",
        "what a bot is sent, and what its answer means, such as a raise by nothing": "server/contests/*/dialect.py",
        "what a bot reads in a contest's messages": "server/contests/*/wire.py",
        "how the messages to Quick Draw's and Enova's bots are written": "server/contests/*/writer.py",
        "what an event file may contain, and the limits of each value": (
            "server/config/event_keys.py server/config/event_values.py"
        ),
        "how long a stage of deals or a tournament may be": "server/config/event_format.py",
        "how many bots a player may enter": "server/config/event_entries.py",
        "which colours a branding may have": "server/config/event_brand.py",
    },
    "Submissions and media": {
        "how large a submitted bot may be, and which files it may contain": "server/submissions/folder_rules.py",
        "what a zip archive may contain": "server/submissions/zip_archive.py",
        "which instructions of a Dockerfile are allowed": "server/bots/sandbox/dockerfile_rules.py::check_rules",
        "which names and which chat are refused or changed, and how long they may be": "server/text/names_and_chat.py",
        "which invisible characters are taken out of them": "server/text/characters.py",
        "which names look too much alike": "server/text/look_alikes.py",
        "how many bytes a picture's or sound's file may have": "broadcast/media/library.py",
        "which formats a picture may have, and how many pixels": "broadcast/media/images.py",
        "square avatars": "broadcast/media/images.py::make_avatar",
        "how loud and how long a bot's sound is": "broadcast/media/sound_encoding.py::make_win_sound",
        "which avatar, particles and sound a bot has: its own or the default": "static/js/common/addresses.js",
    },
    "Bots and their connections": {
        "how a bot registers": "server/registration/register.py",
        "what happens if a name is already taken: Enova": "server/contests/enova/venue/registry.py::_admit",
        "what happens if a name is already taken: bots in folders": (
            "server/app/evening/entries.py server/config/event_entries.py"
        ),
        "how a bot is asked, and what becomes of a late answer": "server/bots/bot.py server/bots/http_bot.py",
        "how long a bot is left in peace until its late answer comes": "server/bots/owed_answers.py",
        "how often a bot may chat": "server/bots/bot.py",
        "how many seconds a bot may think": "server/contests/*/rules.py",
        "how much longer its first answer may take": "server/bots/late_starting_bot.py",
        "how many bytes of a bot are read in a second": "server/bots/transports/connection.py",
        "the pause between two messages to a bot": "server/bots/transports/tcp.py",
        "how often a bot may reconnect": "server/app/evening/check_in.py",
        "how long a message from a Quick Draw bot may be, and how deep": "server/text/json_stream.py",
        "how long a line of an ACPC or UPAC bot may be": (
            "server/contests/acpc/dialect.py server/contests/upac/dialect.py"
        ),
        "how long an answer of an HTTP bot may be": "server/bots/transports/http.py",
        "the tokens and dollars that a bot may say it spent": "server/bots/dialects/messages.py",
        "how many of a bot's faults are recorded": "server/bots/message_records.py",
        "how house bots decide and chat": "server/bots/house/styles.py",
        "the ladder of house bots, and a bot's place on it": (
            "server/bots/house/ladder.py server/app/results/ladder_place.py"
        ),
    },
    "Boxes": {
        "which kind of box is used if the event file does not say": (
            "server/bots/choose_sandbox.py server/config/event_file.py"
        ),
        "how much memory, processor and disk a bot and its build may use": "server/bots/sandbox/box_limits.py",
        "what a bot in a light box finds in its environment": "server/bots/sandbox/bubblewrap/command.py::_environment",
        "which system calls are forbidden in a light box": "server/bots/sandbox/bubblewrap/seccomp.py",
        "what a bot in a Docker box may do; its image decides the environment": (
            "server/bots/sandbox/docker/container_limits.py"
        ),
        "what a build may reach on the network": "server/bots/sandbox/docker/build_proxy.py",
        "how often a light box's memory is measured": (
            "server/bots/sandbox/bubblewrap/box.py server/bots/sandbox/bubblewrap/meters.py"
        ),
        "what other programs that we start find in their environment": "server/child_environment.py",
        "what differs between operating systems": "server/system",
    },
    "Practice, checks and sparring": {
        "how many practice games an address may have": "server/app/practice/limits.py",
        "how many seats and hands a practice game may have": "server/registration/register.py",
        "how long a port waits for the bot that registered": "server/app/practice/connect_bots.py",
        "who plays against a bot in a practice game": "server/app/practice/practice_server.py::_choose_rivals",
        "whether that is a house bot or the bot of another author": "server/app/practice/matchmaking.py",
        "how many challenges may be open, and for how long": "server/app/practice/open_challenges.py",
        "how long a bot waits for the bot that it has challenged": "server/app/practice/matchmaking.py",
        "which games an author's page keeps, and for how long": "server/app/practice/author_page_store.py",
        "how many practice recordings are kept": "server/config/settings.py",
        "the situations in which probe tries a bot": "server/contests/probe_situations.py",
        "when the result of a sparring match is certain, so that it may end early": "server/app/sparring/result.py",
        "how many bots a sparring match may have": "server/commands/authors/spar.py",
    },
    "Agents and language models": {
        "what an agent can do": "server/app/mcp/tools.py",
        "how an agent is answered if it breaks the rules": (
            "server/bots/dialects/agent.py::move_fault server/app/mcp/seat.py"
        ),
        "how many seats agents may take": "server/app/mcp/admit_agents.py",
        "what slows down guesses at the secrets of these seats": "server/app/mcp/tools.py",
        "how long an agent's call waits for its turn": "server/app/mcp/seat.py",
        "how a language model is asked, and what becomes of its failures": (
            "server/app/mind/mind.py server/app/mind/model.py"
        ),
        "what a language model may spend": "server/app/mind/budget.py",
    },
    "Evenings": {
        "when an evening starts: at a time, by the desk, or when all bots are there": (
            "server/app/evening/evening.py::_wait_for_start"
        ),
        "how long an evening of deals will take": "server/app/evening/trial_deal.py server/app/results/deal_pace.py",
        "how many tables of a deal have bots at a time": (
            "server/app/evening/deal_memory.py server/app/evening/deal_bots.py"
        ),
        "how workers play tables of a deal, and how that is proved": "server/app/evening/deals_on_workers.py",
        "when the next hand may be dealt": "server/tournament/pause_gate.py",
        "how a crashed evening resumes, and which hand is next": (
            "server/tournament/resumable_log.py server/journal/begin_journal.py"
        ),
        "how a half-played hand goes on after a crash": "server/tournament/dealer.py::play_hand",
        "when the studio counts as gone, after how many crashes": "server/app/studio/studio_watch.py",
        "how the studio is started again when it dies": "server/app/studio/supervisor.py",
        "what the studio and the table tell each other": "server/journal/studio_link.py",
    },
    "Seasons and workers": {
        "who plays whom in a season, and the order of the leaderboard": "server/season/pairing.py",
        "how many games a season has": "server/season/scheduler.py::_has_all_games",
        "how many games of a season run at once, and when the next starts": "server/season/scheduler.py",
        "how long a bot may be built": "server/bots/sandbox/box_limits.py server/season/bot_setup.py",
        "how many hands a season's game has": "server/season/play_game.py",
        "how many uploads a player may make": "server/season/uploads/uploads.py",
        "how many uploads run at once, and how slow they may be": "server/app/season/upload_forms.py",
        "who waits until the operator lets them in": (
            "server/season/uploads/senders.py server/season/uploads/newcomers.py"
        ),
        "which results of a season are public": "server/app/season/public_view.py",
        "which game of a season is shown next": "server/app/season/show.py",
        "which games and bots a machine can take as a worker": "server/workers/abilities.py",
        "what a worker accepts of the files that it is sent": "server/workers/workplace.py",
        "which machines trust one another as workers": "server/workers/certificates.py",
        "how workers are asked and sent files, and what becomes of their work when they die": (
            "server/workers/work_dispatcher.py"
        ),
    },
    "Recordings and proof": {
        "a recording's lines, their checksums, when they are on disk, and a line that a crash cut off": (
            "server/journal/journal.py"
        ),
        "that an event is on disk before anybody sees it": "server/journal/bus.py::publish",
        "who may read the file of a recording": "server/journal/journal.py",
        "how a game waits while the disk is full": "server/tournament/resumable_log.py",
        "what verify proves, as a list": "server/verify/claims.py",
        "what verify says of rules that differ from the rule book": "server/verify/contest_progress.py",
        "whether prizes and final places are right": "server/verify/contest_progress.py::check_end",
        "whether decks follow from the sealed seed": "server/verify/contest_progress.py server/verify/recording.py",
        "what verify proves about seats, blinds and places": "server/verify/games.py",
        "what the page in the browser proves": "static/js/verify/claims.js",
        "published hands as recordings": "server/hand_histories/import_hands.py",
        "what becomes of hole cards that a published hand does not show": "server/hand_histories/engine_replay.py",
        "how a search finds hands in recordings": "broadcast/archive/queries.py",
        "how much disk the films of recordings may take": "broadcast/archive/archive.py",
    },
    "What the show tells, and when": {
        "what keeps hole cards from viewers": "broadcast/show/show_queue.py",
        "how long each moment stays on screen": "broadcast/show/hold_times.py",
        "how long the show waits for the next hand before it fills the time": "broadcast/show/hold_times.py",
        "how close the picture zooms in, and which bot gets viewers' attention": "broadcast/show/attention.py",
        "how the show ends on time (the governor)": "broadcast/show/finish_estimator.py",
        "which marked hands are replayed, and when": "broadcast/show/replays.py",
        "at which moment the show cuts to a replay": "broadcast/show/showrunner.py::_next_group",
        "how much of each deal the show tells": "broadcast/show/deal_lengths.py",
        "which table of a deal the show tells": "broadcast/show/main_table.py",
        "what keeps the other tables of a deal off the air": "broadcast/on_air/deal_tables.py",
        "how Pause stops the show": "broadcast/show/playback.py",
        "where a restarted studio goes on with the show": (
            "broadcast/show/showrunner.py::_recall broadcast/on_air/diary.py"
        ),
        "where a muted bot's new lines are left out": "broadcast/show/showrunner.py::_unmuted",
        "the schedule, and its expected times": "broadcast/live/contest_plan.py",
        "which thoughts go on air, which part of each, and when the show waits for them": (
            "broadcast/show/thoughts.py broadcast/commentary/thought_excerpt.py"
        ),
    },
    "Commentary and odds": {
        "the captions of a hand, and their words": (
            "broadcast/commentary/hand_captions.py broadcast/commentary/hand_caption_phrases.py"
        ),
        "how dramatic a hand was, and which marks it earns": "broadcast/commentary/drama.py",
        "when a hand is a bluff": "broadcast/commentary/drama.py::_bluffers broadcast/commentary/belief.py",
        "what follows a game: standings, statistics or nothing": (
            "broadcast/commentary/commentary.py broadcast/commentary/contest_state.py::standings_events"
        ),
        "what is at stake for the bot to act": "broadcast/commentary/stakes.py",
        "how often statistics and reading scores are shown": "broadcast/commentary/commentary.py",
        "how often a stage of deals shows standings and who beats whom": "broadcast/commentary/deals/deal_facts.py",
        "where a deal was decided": "broadcast/commentary/deals/comparison.py",
        "which storyline is told next, and how far apart they are": "broadcast/commentary/storylines/storyline.py",
        "which comebacks, streaks and rivalries become storylines, and their texts": (
            "broadcast/commentary/storylines"
        ),
        "how long a storyline stays on air": "broadcast/show/commentator_aids.py",
        "VPIP and the other statistics": "broadcast/commentary/statistics/hand_counts.py",
        "which bots stand out in the statistics": "broadcast/commentary/statistics/notices.py",
        "when words of a thought are a claim": "broadcast/commentary/claims/speech/sentences.py",
        "whom a thought speaks of, and what they did": (
            "broadcast/commentary/claims/speech/people.py broadcast/commentary/claims/speech/verbs.py"
        ),
        "which claims are checked, and how": "broadcast/commentary/claims/checker.py broadcast/commentary/claims/kinds",
        "whether a hand is the nuts, as a bot claims": "broadcast/commentary/claims/kinds/made_hand.py::_has_nuts",
        "which hands beat a bot, as it claims": "broadcast/commentary/claims/kinds/beaten.py",
        "how near the real chance an estimate must be": "broadcast/commentary/claims/claim.py",
        "chances to win": "server/equity/equity.py::equities",
        "what is luck of the board, and why it may decide": "server/equity/luck.py",
        "luck, and what a bot earned": "broadcast/odds/earned.py",
        "how certain a result is": "broadcast/odds/certainty.py",
        "title odds, from chips and from deals": "broadcast/odds/title_odds.py broadcast/odds/deal_scores.py",
        "which captions are spoken": "broadcast/voice/spoken_captions.py",
        "which thoughts of bots are spoken": "broadcast/voice/voice.py",
        "with which voice": "broadcast/voice/bot_voices.py",
        "how fast and how long the voice speaks": "broadcast/voice/speaker.py",
        "which program speaks if the event file names none": "server/config/event_show.py",
    },
    "The picture and its sounds": {
        "which scene is on screen: the table, a replay, statistics": "broadcast/on_air/picture.py",
        "which scene is on screen: standings, duel, finalists, champion": "broadcast/on_air/picture_tournament.py",
        "the scenes, for how long they interrupt the table, and which OBS scene shows each": (
            "broadcast/on_air/scenes.py"
        ),
        "who speaks, and for how long a chat or thought stays": "broadcast/on_air/picture_speech.py",
        "where the lines of a muted bot leave the picture": "broadcast/on_air/picture.py::_control_set",
        "how large a win is shown": "broadcast/on_air/picture_hand.py::win_size",
        "how many particles a win throws": (
            "static/js/overlay/effects/particles.js static/js/overlay/effects/cue-player.js"
        ),
        "which events have sounds and effects": "static/js/overlay/cues.js",
        "when a sound is played, and how loud": "static/js/overlay/effects/sound-rules.js",
        "how sounds are mixed, limited, and lowered while somebody speaks": "static/js/overlay/effects/mixer.js",
        "where the seats are on screen": "static/js/overlay/scenes/layout.js",
        "a seat's poster": "static/js/overlay/seat/poster.js static/js/overlay/seat/seat.js",
        "the colours of a theme, of cards, and of the lines in charts": "static/css/common/tokens.css",
        "which of these colours a bot's line has": "static/js/overlay/parts/chart.js static/js/replay/panels/graphs.js",
        "how amounts of chips are written": "static/js/common/format.js::chips",
        "what the picture shows while its connection is broken": (
            "static/js/overlay/screen.js static/js/overlay/scenes/cover.js"
        ),
        "after how many seconds it shows that": "static/js/overlay/transport.js",
    },
    "Viewers and pages": {
        "how viewers get the show, and what becomes of slow ones": "broadcast/on_air/viewers.py",
        "what a new viewer gets, and how a viewer gets what it missed": "broadcast/on_air/air_log.py::catch_up",
        "how a page notices a restarted studio": "static/js/overlay/store.js broadcast/on_air/air_log.py",
        "how much of a show can be rewound": "broadcast/live/channel.py",
        "when a page connects again": "static/js/overlay/transport.js static/js/desk/socket.js",
        "which visitors get a connection when the server is full": "broadcast/web/connections/limits.py",
        "how many requests an address may send": "broadcast/web/connections/limits.py",
        "who may open the desk, and what a token allows": "broadcast/web/access.py",
        "which machines may read the metrics without a token": "broadcast/api/metrics.py",
        "which pages of other sites may read the API, and how large a request may be": (
            "broadcast/web/request_checks.py"
        ),
        "the API's routes": "broadcast/api/show_api.py broadcast/api/recordings_api.py",
        "the fields of the API's answers": "broadcast/api/answer_types.py",
        "the page at `/watch` and of replays": "broadcast/templates/recordings/replay.html static/js/replay",
        "how a replay goes from table to table of a deal": "static/js/replay/film/tables.js",
    },
    "The desk and OBS": {
        "the words and keys of the desk's buttons": "static/js/desk/buttons.js",
        "what the buttons of the control desk do": "broadcast/desk/buttons.py server/tournament/control_values.py",
        "which buttons are refused, and when": "broadcast/desk/desk.py",
        "how another program presses the desk's buttons": "broadcast/api/remote.py",
        "what undo reverts at the desk": "broadcast/desk/log_and_undo.py",
        "the desk's health lights": "broadcast/desk/health_lights.py",
        "when OBS switches scenes": "broadcast/obs/control.py::_follow_show",
        "what else OBS is asked": "broadcast/obs/requests.py",
        "which requests OBS must support": "broadcast/obs/control.py::_is_useful",
        "OBS's address and password": ("server/config/event_file.py server/app/studio/show_outputs.py::obs_control"),
    },
    "Films and publishing": {
        "which hands are highlights, and how long the reels of an evening are": "broadcast/film/highlights.py",
        "what the subtitles say": "broadcast/video/subtitles.py broadcast/film/timeline.py",
        "how quickly the films of the best hands are played": "broadcast/film/reel_film.py",
        "the sentences between the parts of these films": "broadcast/film/reel_sentences.py",
        "the size and frame rate of clips": "broadcast/video/frames.py",
        "films of hands as MP4": "server/app/clips/filming.py::film_clip broadcast/video/ffmpeg.py",
        "the size, frame rate and codec of these films": "broadcast/video/ffmpeg.py broadcast/video/frames.py",
        "shows and recordings in a bucket": "broadcast/publish/destination.py",
        "what the file of a hand contains, on a site or in a film": "broadcast/film/segments.py",
        "how far a published show is behind, and how often it is renewed": "broadcast/publish/live_files.py",
        "which show may publish to a destination": "broadcast/publish/destination_lease.py",
        "how long a recording waits to be published while its show is live": "broadcast/publish/site.py",
    },
}
"""Questions that a newcomer may have, by area. Each question has the files that answer it, in reading order. In a long
file, the function after `::` answers the question.
"""

_SCRIPT_HEADER = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
_SCRIPT_CONSTANT = re.compile(r"^(?:export )?const ([A-Z][A-Z0-9_]+) = ", re.MULTILINE)
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


def _room(folder: str, about: str, x: int, y: int, rooms_on_floor: int) -> Iterator[str]:
    width = _PICTURE_WIDTH - 2 * _MARGIN if rooms_on_floor == 1 else _ROOM_WIDTH
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
    where = "\n".join(
        f"### {area}\n\n| what | files, in this order |\n|---|---|\n"
        + "".join(f"| {what} | `{'`, `'.join(files.split())}` |\n" for what, files in rows.items())
        for area, rows in FILES_BY_QUESTION.items()
    )
    return f"""# The folders

A folder may import itself and the folders on lower floors, but no folder on a higher floor; a test checks this. So the
rules of the game do not depend on the show, and only the two top floors join the server and the broadcast.

![The folders, floor upon floor](../../assets/pictures/house.svg)

Within a floor, a folder may import the folders that stand above it in [the table](#all-folders) of all folders. A
contest is on two floors. Its rules and messages are on the ground, so that pages and proofs can import them. Its venue
is on a top floor, and the contest's description imports the venue on demand.

## Where to look

Here is where each of these is decided. [All files](files.md) says in a line or two what every file does.

{where}
## All folders

| folder | what is in it |
|---|---|
{floors}

The JavaScript of the pages is in `static/js`, and their style sheets are in `static/css`. Both have the same folders:
`overlay` for the show, `front` for the page at `/`, `bot`, `booth`, `desk`, `replay` and `report` for the pages of
these names, `ograf` for graphics, `pages` for all other pages, and `common` for shared parts. Scripts also have the
folders `lists`, `verify`, `clip`, and `occasional` for scenes that few shows have. `tests` has
folders for the parts of the program, and some of its own: `support` for what they share, `data` for recordings,
`end_to_end` for whole evenings, `judge` for a second referee, `house` for rules about the code, and `bench` for
benchmarks. `assets` has fonts, pictures, sounds and starter bots, and `assets/make` has the programs that made them.
"""


def files_page(root: Path) -> str:
    """Returns the guide's page that lists every module and script of the clone `root`, each with its description."""
    sources = ("server", "broadcast", "assets/make", "static/js", ".ci")
    paths = [path for folder in sources for suffix in ("py", "js") for path in (root / folder).rglob(f"*.{suffix}")]
    head = "| file | what it does | its constants |\n|---|---|---|\n"
    sections = "\n".join(
        f"## {folder.relative_to(root)}\n\n{head}{''.join(map(_file_row, sorted(files)))}"
        for folder, files in groupby(sorted(paths, key=lambda path: path.parent), key=lambda path: path.parent)
    )
    return f"""# All files

This page lists the Python modules of the program and the scripts of its pages: the first paragraph of their own
descriptions, and the names of their constants, most of which are limits.
[The folders](house.md) shows which folder may import which, and where to look for the answers to many questions.

{sections}"""


def _file_row(path: Path) -> str:
    """Returns the row of a file, or "" if the file has no description."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        module = ast.parse(text)
        description, names = ast.get_docstring(module) or "", list(_constants(module))
    else:
        header = _SCRIPT_HEADER.search(text)
        description = re.sub(r"^ \* ?", "", header[1], flags=re.MULTILINE).strip() if header else ""
        names = _SCRIPT_CONSTANT.findall(text)
    paragraph = " ".join(re.split(r"\n\s*\n", description.partition("\n@")[0])[0].split()).replace("|", "&#124;")
    return f"| `{path.name}` | {paragraph} | {', '.join(f'`{name}`' for name in names)} |\n" if paragraph else ""


def _constants(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name) and name.id.isupper())
