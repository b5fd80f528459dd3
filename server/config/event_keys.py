"""Which keys an event file may have, table by table, and an example of each that must be there."""

KEYS = {
    "": (
        "name", "date", "mode", "contest", "buy_in", "prizes", "seed", "pace", "finish_trials_by", "start", "runner",
        "build_network", "registries", "bot_addresses", "bot_networks", "host", "hosts", "ports", "data", "table",
        "season", "tokens", "obs", "publish", "voice", "workers", "entries", "bots", "run_of_show",
    ),
    "table": (
        "starting_stack", "blinds", "hands_per_level", "most_hands", "duplicate", "answer_seconds", "hand_seconds",
        "rounds", "max_hands_per_round",
    ),
    "season": ("games", "pause_seconds", "invitations", "at_once"),
    "workers": ("scheduler", "certificates"),
    "ports": ("pages", "register", "games"),
    "tokens": ("control", "view"),
    "obs": ("address", "password"),
    "publish": ("to",),
    "bots": ("bot", "say", "notes"),
    "run_of_show": ("what", "at"),
    "voice": ("command", "heard_by"),
    "entries": ("player", "folder", "remote", "bot", "secret", "url", "version"),
}  # fmt: skip
EXAMPLES = {
    "name": 'name = "Friday at the Saloon"',
    "date": "date = 2026-11-21",
    "player": 'player = "Ada"',
    "folder": 'folder = "bots/ada"',
    "url": 'url = "http://127.0.0.1:3001"',
    "what": 'what = "Opening"',
    "bot": 'bot = "Billy the Kid"',
    "secret": "a secret word of 16 characters or more",
}
