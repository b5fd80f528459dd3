"""The messages of the contest UPAC: lines of words on a bot's standard input and output."""

from server.contests.contest import Message, Mistake, Protocol

_CARD = "[2-9TJQKA][shcd]"
_CARDS = f"{_CARD} {_CARD}"
_CHIPS = "(?:[0-9]|[1-9][0-9]|100)"

PROTOCOL = Protocol(
    """\
A bot is a program. It reads lines from standard input and writes its actions to standard output, one line each. Flush
what you write. What the bot writes to standard error is kept for its author. A card is a rank and a suit: `Tc` is the
ten of clubs.

Two bots play a game of at most 100 rounds; each starts with 50 chips. A bot has one second for each action. The first
action gets five extra seconds for starting the program.

Two traps: every line on standard output is an action or begins with `# thought`, `# tokens` or `# cost`, so print
debugging output to standard error. And the pushed chips in `STACK` are totals for the whole round; the flop does not
reset them.
""",
    (
        Message("START", "server", "START (SB|BB)", (), "A round begins; you are the small blind or the big blind."),
        Message("PREFLOP", "server", f"PREFLOP {_CARDS}", (), "Your two cards."),
        Message("FLOP", "server", f"FLOP {_CARDS} {_CARD}", (), "Three cards for both."),
        Message("TURN", "server", f"TURN {_CARD}", (), "The fourth card for both."),
        Message("RIVER", "server", f"RIVER {_CARD}", (), "The last card for both."),
        Message(
            "STACK",
            "server",
            f"STACK {_CHIPS} {_CHIPS} {_CHIPS} {_CHIPS}",
            (),
            "It is your turn: the chips that you have pushed in this round, the chips that you have pushed plus your "
            "stack, and the same two numbers for the other bot. Write an action.",
        ),
        Message("F", "bot", "F", ("F",), "Folds."),
        Message("C", "bot", "C", ("C",), "Calls, or checks if there is nothing to call."),
        Message(
            "R",
            "bot",
            "R[0-9]{1,20}",
            ("R6", "R0"),
            "First matches the other bot's bet, then pushes that many more chips; `R0` is a call. A number that is too "
            "large is reduced to what both bots can pay.",
        ),
        Message(
            "# thought",
            "bot",
            "# thought: .*",
            (),
            "If you like, just before an action: `# thought: He is weak.`, your reason in words. The audience sees its "
            "first 200 characters after the round; the other bot never does. Other servers take this line for a wrong "
            "action.",
        ),
        Message(
            "# tokens",
            "bot",
            "# tokens: [0-9]+",
            (),
            "For a language model, with a thought: `# tokens: 812`, the tokens that it has used since its last "
            "thought. The results show them.",
        ),
        Message(
            "# cost",
            "bot",
            r"# cost: [0-9]+(?:\.[0-9]+)?",
            (),
            "What these tokens have cost, in dollars: `# cost: 0.0042`.",
        ),
        Message("END FOLD", "server", "END FOLD (SB|BB)", (), "The round is over: that bot has folded."),
        Message(
            "END SHOWDOWN",
            "server",
            f"END SHOWDOWN (TIE {_CARDS}|WINNER (SB|BB) (HIDDEN|SHOWN {_CARDS}))",
            (),
            "The round is over: who has won, and the other bot's cards if you may see them. The loser shows them "
            "only if it was the last to raise.",
        ),
    ),
    (
        Mistake("CALL", "an action is F, C, or R followed by a whole number", "an action is `F`, `C` or `R<n>`"),
        Mistake("R", "an action is F, C, or R followed by a whole number", "a raise has a number"),
        Mistake("R-1", "an action is F, C, or R followed by a whole number", "a number has only digits"),
        Mistake("R2.5", "an action is F, C, or R followed by a whole number", "chips are whole"),
    ),
    """\
A bot loses the whole game, 0 to 100, if it writes a line that is not an action, writes no action in time, or exits. A
second line before the next `STACK` does not count, and is recorded against your bot.
""",
)
