"""Scripted shows. The overlay's last picture of each show is compared with a stored screenshot (a golden picture)."""

from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from typing import Any

from broadcast.on_air.events import CaptionSpoken, OnAirEntry, StorylineTold, ThoughtShown, TroubleShown
from broadcast.on_air.shared_types import Checked
from server.game.events import PotAwarded, TournamentEnded
from tests.overlay.support.scripted_deals import Deals, play_deal_with_differing_bets, play_one_deal
from tests.overlay.support.scripted_show import NAMES, Script

WIDE_NAMES = (
    "W" * 30,
    "Ж" * 30,
    "שריף הזהב של העיירה הישנה",
    "الشريف الذهبي للبلدة القديمة",
    "德克萨斯州的快枪手和他的老马",
    "Jo",
)
TROUBLE = "The disk of the card room is full. The hand is safe and goes on as soon as there is room again."
THOUGHT = (
    "…because the flop has two hearts and with my two pair I am ahead of every worse king, so a raise here makes him "
    "pay for the draw he has…"
)
CHECKED_CLAIMS = (Checked(9, 32, right=True), Checked(45, 53, right=False, truth="has: king high"))
UNEVEN_STACKS = (4350, 3300, 6120, 2200, 11900, 3480)
TWO_SHORT_STACKS = (4350, 2100, 6020, 2200, 11900, 3480)
FOUR_ALL_IN = "fold fold raise:5000 fold fold call fold fold call fold call fold"
FINALISTS = (3, 2, 6, 5, 4, 1)


def start_trials(speed: float = 0) -> Script:
    """A show of twelve bots, all connected, at the start of its first stage, The Trials."""
    return Script(speed=speed).connect().stage()


def play_six(acts: str = "", stacks: Sequence[int] = UNEVEN_STACKS, **hand: Any) -> Script:
    return start_trials().game(stacks=stacks).hand(acts, **hand)


def one_table(names: Sequence[str] = NAMES, stack: int = 5000, stacks: Sequence[int] = ()) -> Script:
    """A game of all bots with equal stacks, or with `stacks`."""
    return Script(names, stack=stack).connect().stage(games=1, advance=0).game(range(1, len(names) + 1), stacks)


def play_twelve() -> Script:
    return one_table().hand("call raise:350 fold call call fold fold call call call fold call call raise:900 call")


def play_betting() -> Script:
    return play_six("call raise:350 fold call call call call raise:900 fold call")


def let_tess_win(speed: float = 0, events: int | None = None) -> Script:
    """Two-Pair Tess wins both pots and busts Doc Holobyte. Only the hand's events before index `events` are aired."""
    acts = "fold raise:2100 raise:3480 fold call fold call"
    return start_trials(speed).game(stacks=TWO_SHORT_STACKS).hand(acts, events=events)


def shared_duel() -> Script:
    """Two bots share the pot in which a third bot lost its last chips."""
    holes = {3: "2s 3s", 2: "As Qd", 4: "Ac Qc"}
    acts = "raise:2200 call fold fold fold call down"
    return play_six(acts, TWO_SHORT_STACKS, holes=holes, board="Kd Kh Ts 9c 4s").eliminate(3, 9)


def let_all_chat() -> Script:
    return play_six("call raise:350 fold").chat(
        (1, "I have math on my side."),
        (2, "beep. boop. pay me."),
        (3, "I once folded a royal flush to a man with a better hat, and I would do it again tomorrow, so help me."),
        (4, "Yeehaw!"),
        (5, "No me gusta."),
        (6, "Two pair is a way of life."),
    )


def play_heads_up() -> Script:
    script = Script(NAMES[:2]).connect().stage("Rated game", games=1, hands=100, advance=0)
    return script.game((1, 2), (6300, 3700)).hand("call call raise:600 call raise:900")


def start_second_game() -> Script:
    first = start_trials().game((9, 8, 7, 10, 11, 12)).hand("fold fold fold fold fold").end_game()
    return first.game(stacks=UNEVEN_STACKS)


def leave_last_two() -> Script:
    """Four of six bots have folded in a big pot. One of the other two bots is bluffing."""
    script = start_second_game().hand("raise:1200 fold call fold fold fold call raise:1800")
    return script.chat((4, "You have kings? I have the sun in my eyes and a pair of fives."))


def show_storyline() -> Script:
    text = "The Bluffin' Bandit has won five of the last six pots for which he went to the showdown."
    return play_six().put(CaptionSpoken(text), StorylineTold(4, text))


def show_thought_on_the_flop() -> Script:
    """A thought with a wrong claim and three estimates of the chance to win: one fair, one far off, and one close."""
    text = "I have two pair and I am 20% to win. No, I am 80% to win, or 5% to win."
    checked_claims = (
        Checked(7, 15, right=False, truth="has: king high"),
        Checked(25, 35, right=True, truth="real: 3%", estimate=True),
        Checked(46, 56, right=False, truth="real: 3%", estimate=True),
        Checked(61, 70, right=True, truth="real: 3%", estimate=True, close=True),
    )
    return play_betting().put(ThoughtShown(4, text, checked_claims, 1, 1))


def twelve_running_out() -> Script:
    """Four of twelve bots are all in. One of the four is offline, and two will most likely split the pot."""
    script, holes = one_table().disconnect(9), {8: "Qd Js", 11: "Qh Jc"}
    return script.hand(FOUR_ALL_IN, holes=holes, board="Kh Tc 9c 4s 3s", events=-15)


def five_side_pots() -> Script:
    """Six of seven bots are all in for different amounts. The main pot and all five side pots have nine digits."""
    stacks = (999999999, 100000000, 200000000, 300000000, 400000000, 500000000, 987654321)
    script = one_table(NAMES[:7], 500000000, stacks)
    return script.hand("raise:300000000 raise:400000000 raise:500000000 raise:987654321 call call call", events=25)


def show_standings() -> Script:
    script = start_trials()
    stacks = dict.fromkeys(range(1, 13), 5000)
    swings = (900, -400, 1300, -700, 450, -1550)
    for game in range(1, 12):
        seats = tuple((game * 5 + step * (1 + game % 3 * 2)) % 12 + 1 for step in range(6))
        seats = tuple(dict.fromkeys((*seats, *range(1, 13))))[:6]
        script.game(seats, tuple(stacks[bot] for bot in seats))
        for place, bot in enumerate(seats):
            stacks[bot] = max(0, stacks[bot] + swings[(place + game) % 6])
        script.stacks = [stacks[bot] for bot in seats]
        script.end_game()
    return script


def title_odds() -> Script:
    """Standings with odds for the title. In this stage, bots keep their chips from game to game."""
    script = Script(contest="enova").connect()
    script.stage("The Tables", games=0, hands=8, advance=8, next_title="The Last Table")
    stacks = dict.fromkeys(range(1, 13), 5000)
    for game in range(1, 6):
        seats = tuple((game * 5 + step) % 12 + 1 for step in range(6))
        script.game(seats, tuple(stacks[bot] for bot in seats), hands=8)
        for hand in range(4):
            script.play_by_pattern(hand + game)
        stacks |= dict(zip(seats, script.stacks, strict=True))
        script.end_game()
    return script


def show_standings_with_award() -> Script:
    """The standings after three games, with a chart of chips and an award."""
    script = start_trials()
    for game in range(1, 4):
        script.game(tuple(range(game, game + 6)), (5000,) * 6)
        for hand in range(4):
            script.play_by_pattern(hand)
        script.end_game()
    return script.later(2500)


def show_reading_scores(names: Sequence[str] = NAMES[:6], hands: int = 12) -> Script:
    """The reading scores (how true bots' thoughts were) at the start of game 2. All bots gave thoughts in game 1."""
    script = Script(names).connect().stage(games=2, advance=0)
    seats = range(1, len(names) + 1)
    script.game(seats)
    for hand in range(hands):
        script.play_by_pattern(hand).think()
        script.stacks = [5000] * len(names)
    return script.end_game().game(seats)


def start_final() -> Script:
    script = show_standings()
    ranking = tuple(range(1, 13))
    return script.end_stage(ranking, (5000,) * 12).final(FINALISTS)


def late_in_the_final(hands: int, acts: str, stacks: Sequence[int] = ()) -> Script:
    """Plays the final. In the first `hands` hands, all fold to the big blind. Then bots play a hand as `acts` says."""
    script = start_final().game(FINALISTS, stacks, hands=24)
    for _ in range(hands):
        script.hand("fold fold fold fold fold")
    return script.hand(acts)


def play_final_hand() -> Script:
    return late_in_the_final(14, "call raise:350 fold call call call call raise:900 fold call")


def show_final_statistics() -> Script:
    """A whole contest up to the statistics that are shown just before its champion."""
    script = copy(_play_contest(games=5, hands=6, last_hands=24))
    ended = next(at for at, entry in enumerate(script.entries) if isinstance(entry.event, TournamentEnded))
    script.entries = script.entries[:ended]
    return script


def play_short_contest(speed: float = 0) -> tuple[OnAirEntry, ...]:
    """A whole contest: the stages The Trials and High Noon, and a champion. Bots act by a fixed pattern."""
    return tuple(_play_contest(speed, games=2, hands=3, last_hands=5).entries)


@cache
def _play_contest(speed: float = 0, *, games: int, hands: int, last_hands: int) -> Script:
    script = start_trials(speed)
    stacks = dict.fromkeys(range(1, 13), 5000)
    for game in range(1, games + 1):
        seats = [bot for bot in sorted(stacks, key=lambda bot: (bot * 5 + game * 7) % 12) if stacks[bot]][:6]
        _play(script, seats, stacks, hands)
    ranking = sorted(stacks, key=lambda bot: -stacks[bot])
    script.end_stage(ranking, [stacks[bot] for bot in ranking])
    finalists = ranking[:6]
    stacks = dict.fromkeys(finalists, 5000)
    script.final(finalists)
    _play(script, finalists, stacks, last_hands)
    ranking = sorted(stacks, key=lambda bot: -stacks[bot])
    script.end_stage(ranking, [stacks[bot] for bot in ranking], advancing=0)
    return script.crown(ranking, [stacks[bot] for bot in ranking])


def _play(script: Script, seats: list[int], stacks: dict[int, int], hands: int) -> None:
    script.game(seats, tuple(stacks[bot] for bot in seats), hands=hands)
    for hand in range(hands):
        if sum(stack > 0 for stack in script.stacks) < 2:
            break
        before = list(script.stacks)
        script.play_by_pattern(hand)
        script.chat((seats[hand % len(seats)], f"That was hand {hand + 1}."))
        for seat, stack in enumerate(script.stacks):
            if before[seat] and not stack:
                script.eliminate(seat, 1 + sum(other > 0 for other in script.stacks))
    script.end_game()
    stacks.update(zip(seats, script.stacks, strict=True))


SCENES: dict[str, Callable[[], Script]] = {
    "starting": start_trials,
    "dealt": play_six,
    "betting": play_betting,
    "at_stake": lambda: late_in_the_final(18, "call raise:3100 fold call", (4300, 6900, 3100, 8200, 2600, 4900)),
    "everyone_all_in": lambda: play_six(
        "raise:1500 raise:11900 call call call call", (4350, 700, 6120, 1500, 11900, 3480), events=21
    ),
    "winner": lambda: let_tess_win(events=-1),
    "split": lambda: play_six("down", holes={1: "Kd Qc"}, board="As Ks Qs Js Ts", events=-1),
    "walk": lambda: play_six("fold fold fold fold fold", events=-1),
    "captured": lambda: let_tess_win().eliminate(1, 12),  # The loser's poster says CAPTURED.
    "shared_duel": shared_duel,
    "chatting": let_all_chat,
    "names": lambda: one_table(WIDE_NAMES, stacks=(999999999, 123456, 5000, 88888888, 50, 12345)).hand(
        "call raise:350000 fold"
    ),
    "heads_up": play_heads_up,
    "five_side_pots": five_side_pots,
    "twelve": play_twelve,
    "twelve_running_out": twelve_running_out,
    "last_two": leave_last_two,
    "few_left": lambda: one_table().hand(  # Four of twelve bots see the flop.
        "raise:350 fold call fold call fold call fold fold fold fold fold call raise:600"
    ),
    "stepped_back": lambda: start_second_game().hand(  # Four of six bots see the flop. Three see the turn.
        "call call fold call fold call call call call raise:300 call call fold call raise:400"
    ),
    "story": show_storyline,
    "thinking": lambda: play_betting().put(ThoughtShown(4, THOUGHT, CHECKED_CLAIMS, 118, 13)),
    "thought_on_the_flop": show_thought_on_the_flop,
    "last_two_thinking": lambda: leave_last_two().put(ThoughtShown(4, THOUGHT, CHECKED_CLAIMS, 118, 13)),
    "twelve_thinking": lambda: play_twelve().put(ThoughtShown(9, THOUGHT, CHECKED_CLAIMS)),
    "standings": show_standings,
    "title_odds": title_odds,
    "storied": show_standings_with_award,
    "reading": show_reading_scores,
    "reading_of_two": lambda: show_reading_scores(NAMES[:2], 24),
    "reading_of_nine": lambda: show_reading_scores((*WIDE_NAMES, *NAMES[4:7])),
    "reading_of_twelve": lambda: show_reading_scores(NAMES),
    "finalists": start_final,
    "final_hand": play_final_hand,
    "evening_counted": show_final_statistics,
    "champion": lambda: play_final_hand().crown((6, 2, 3, 1, 4, 5, 7, 8, 9, 10, 11, 12), (21000, 9000, *(0,) * 10)),
    "replay": lambda: let_tess_win().eliminate(1, 12).replay(before=PotAwarded),
    "resting": lambda: show_standings().set("card", "break"),  # The break comes in the middle of The Trials.
    "technical": lambda: play_betting().set("card", "technical"),
    "technical_trouble": lambda: play_betting().set("card", "technical").put(TroubleShown(TROUBLE)),
    "trouble": lambda: play_betting().put(TroubleShown(TROUBLE)),
    "compared": play_one_deal,
    "compared_by_earned": lambda: play_one_deal(decided_by="earned"),
    "compared_by_three": lambda: play_one_deal(("W" * 30, "Two-Pair Tess", "Jo"), 987654, "earned"),
    "compared_by_two": lambda: Deals(NAMES[4:6], stack=123456).deal("raise:123456 call", "fold"),
    "compared_alike": lambda: Deals().deal(*["fold fold fold fold fold"] * 6),
    "compared_elsewhere": play_deal_with_differing_bets,
    "certainty": lambda: Deals().later_deals(24).next_game(),
    "certainty_by_earned": lambda: Deals(decided_by="earned").later_deals(24).next_game(),
    "certainty_decided": lambda: Deals().later_deals(24, decided=True).end_deals(),
    "certainty_early": lambda: play_one_deal().next_game(),
    "certainty_of_two": lambda: Deals(NAMES[4:6], stack=123456).later_deals(23, 40000).next_game(),
    "matrix": lambda: Deals().later_deals(30).next_game(),
    "matrix_of_ten": lambda: Deals(NAMES[:10]).later_deals(30).next_game(),
    "certainty_of_twelve": lambda: Deals(NAMES, decided_by="earned").later_deals(24).next_game(),
    "starting_deals": Deals,
    "champion_of_deals": lambda: Deals().later_deals(24).end_with_champion(),
}
