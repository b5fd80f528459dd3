"""Writes the commentary of a show: captions, statistics, standings, what is at stake, and marks of hands such as
"Bluff". Uses only what has been on air. No I/O.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from broadcast.commentary.awards import Awards
from broadcast.commentary.contest_state import ContestState, title_odds_events
from broadcast.commentary.deals.deal_teller import DealTeller
from broadcast.commentary.drama import drama_of
from broadcast.commentary.event_captions import EventCaptions
from broadcast.commentary.hand_captions import HandCaptions
from broadcast.commentary.stakes import stakes_events
from broadcast.commentary.statistics.notices import MIN_HANDS
from broadcast.commentary.statistics.statistics import Statistics, significance_text
from broadcast.commentary.storylines.figures import FigureLog, Figures
from broadcast.commentary.storylines.storyline import IMPORTANCES, Storyline, StorylineHistory, TalkingPoints
from broadcast.commentary.storylines.storylines import Storylines
from broadcast.commentary.won_pots import WonPots
from broadcast.on_air import events as on_air
from broadcast.on_air.picture_state import State
from broadcast.on_air.scenes import SCENES
from broadcast.on_air.table_state import HandOdds, TableEntry, TableState
from server.game import events
from server.game.events import Event
from server.text.grammar import count_text, out_of

CLAIMS_PER_READING, READING_HANDS = 30, 6
"""A bot's reading score says how many claims in its thoughts were true: how well it reads the table. The scores go on
air between games, each time the bots have made CLAIMS_PER_READING more claims. In a stage of only one game, they go on
air between hands, after CLAIMS_PER_READING more claims and READING_HANDS more hands.
"""
STATISTICS_EVERY = 10
"""Statistics go on air each time this many hands of a game have been played, and at the end of the game."""

STORYLINE_EVENTS = (
    events.TournamentOpened, events.StageStarted, events.GameStarted, events.HandStarted, events.HandEnded,
    events.BotEliminated, events.GameEnded, events.StageEnded, events.BotConnected, events.BotDisconnected,
    events.BotWithdrawn, events.DealEnded,
)  # fmt: skip
"""After any of these events, the storylines (sentences such as "Doc has led for 9 hands") are computed again."""


class Commentary:
    """Follows the entries that go on air, and returns the events that the commentary adds after each entry."""

    def __init__(self) -> None:
        self._table = TableState()
        self._odds = HandOdds()
        self._pots = WonPots()
        self._hand_captions = HandCaptions(self._pots)
        self._event_captions = EventCaptions()
        self._statistics = Statistics()
        self._claims_at_last_reading = self._hands_at_last_reading = 0
        """How many claims and hands had been counted when the reading scores were last on air."""
        self._awards = Awards()
        self._contest = ContestState()
        self._deals: DealTeller | None = None
        """Writes the commentary of a stage of deals, in which several tables play the same cards. It is None in other
        stages.
        """
        self.storylines = Storylines()
        self._storyline_history = StorylineHistory()
        self._figures = FigureLog()
        self._true_storylines: tuple[Storyline, ...] | None = None
        """All storylines that are true now, or None if they must be computed. `hands_since_told` is not yet set in
        them.
        """
        self._current_statistics: on_air.StatisticsChanged | None = on_air.StatisticsChanged(())
        """The statistics for commentators, or None if they must be computed."""
        self._sounds_ms: dict[int, int] = {}
        """How long each bot's win sound is, keyed by the bot."""
        self._hand_entries: list[TableEntry] = []
        self._odds_by_entry: dict[int, on_air.EquitiesChanged] = {}

    def events_after(self, entry: TableEntry, chances: Sequence[on_air.EquitiesChanged] = ()) -> list[Event]:
        """Returns the events to put on air right after `entry`.

        `chances` are the bots' chances to win the hand after `entry`. They go on air after the returned events.
        """
        before = self._table.hand
        self._apply(entry, chances)
        event, table = entry.event, entry.table
        scenes = {name: text for name, each in SCENES.items() if each.caption and (text := each.caption(before, event))}
        text = self._event_captions.caption_for(event, table) or self._hand_captions.caption_for(
            event, table, self._odds
        )
        deal_caption = self._deals.caption(entry) if self._deals else None
        text = next(iter(scenes.values()), "") or (text if deal_caption is None else deal_caption)
        deal_events = self._deals.events_after(entry) if self._deals else []
        if is_reading := not scenes and self._is_time_for_reading(event):
            text = self._reading_caption
        story = None if scenes or is_reading else self._choose_storyline(event, deal_events)
        text = story.text if story else text
        added: list[Event] = [*map(on_air.SceneShown, scenes), *([on_air.CaptionSpoken(text)] if text else [])]
        added += [on_air.StorylineTold(story.bots[0], story.text)] if story and story.bots and not self._deals else []
        title_odds = title_odds_events(self._contest, event)
        added += [*stakes_events(self._contest, event), *title_odds]
        if isinstance(event, events.HandShown):
            name = self._pots.name_of(event.seat, table)
            added += [on_air.HandNamed(event.seat, name)] if name != event.ranking else []
        if is_over := isinstance(event, events.HandEnded):
            added += self._mark_events()
            self._end_hand(title_odds)
            added += [on_air.HandTold(self._pots.summary(table))] if self._pots.won_pots else []
        if isinstance(event, events.GameEnded) or (is_over and table.hand.hand % STATISTICS_EVERY == 0):
            added.append(self._statistics.on_air_event)
        if isinstance(event, events.GameEnded):
            added += self._contest.standings_events()
        if isinstance(event, events.StageEnded):
            added += self._closing_events()
        added += deal_events
        if is_reading:  # the reading scores replace the scene that a stage of deals would show now
            added = [each for each in added if not isinstance(each, on_air.SceneShown)]
            added += [self._statistics.on_air_event] if isinstance(event, events.HandStarted) else []
            added += [on_air.SceneShown("reading")]
        return added

    def reading_events(self) -> list[Event]:
        """Returns the events that put the reading scores on air when the operator asks for them, or when a pause must
        be filled. Returns [] if the bots have made no claims.
        """
        if not self._statistics.reading_counts.claims:
            return []
        self._record_reading()
        caption = on_air.CaptionSpoken(self._reading_caption)
        return [self._statistics.on_air_event, caption, on_air.SceneShown("reading")]

    def _is_time_for_reading(self, event: Event) -> bool:
        """Whether the reading scores go on air with `event`. If so, records that they are on air.

        The scores go on air at the start of a game if the bots have made enough new claims. In a stage of deals, the
        bots must also have played READING_HANDS hands since the last time.

        In a stage of only one game, the scores also go on air at the start of a hand, if there are enough new claims
        and READING_HANDS more hands. At the end of that game, the scores go on air if the bots have made
        CLAIMS_PER_READING claims in all.
        """
        stage, reading = self._contest.tournament.stage, self._statistics.reading_counts
        is_single = stage is not None and stage.games == 1 and not stage.deals
        has_played = self._statistics.hands >= self._hands_at_last_reading + READING_HANDS
        if isinstance(event, events.GameEnded) and is_single:
            is_time = reading.claims >= CLAIMS_PER_READING
        elif isinstance(event, events.GameStarted):
            is_time = self.has_new_reading and (has_played or self._deals is None)
        else:
            is_time = self.has_new_reading and has_played and is_single and isinstance(event, events.HandStarted)
        if is_time:
            self._record_reading()
        return is_time

    @property
    def has_new_reading(self) -> bool:
        """Whether the bots have made enough claims since the reading scores were last on air."""
        return self._statistics.reading_counts.claims >= self._claims_at_last_reading + CLAIMS_PER_READING

    def _record_reading(self) -> None:
        self._claims_at_last_reading, self._hands_at_last_reading = (
            self._statistics.reading_counts.claims,
            self._statistics.hands,
        )

    @property
    def _reading_caption(self) -> str:
        reading = self._statistics.reading_counts
        were = "was" if reading.false_claims == 1 else "were"
        return f"Of {count_text(reading.claims, 'claim')} in the bots' thoughts, {reading.false_claims:,} {were} false."

    def _choose_storyline(self, event: Event, deal_events: Sequence[Event]) -> Storyline | None:
        """Returns the storyline that replaces the caption of a new game or hand, or None.

        In a stage of deals, a storyline appears only at the start of a game, and only if `deal_events` show a scene
        with the results so far.
        """
        is_time = bool(deal_events) if isinstance(event, events.GameStarted) else self._deals is None
        if not (is_time and isinstance(event, events.GameStarted | events.HandStarted)):
            return None
        seated = [bot for bot, stack in zip(self._table.bots, event.stacks, strict=False) if stack]
        return self._storyline_history.choose(self.storylines.for_show(), self.storylines.facts.hands_played, seated)

    @property
    def talking_points(self) -> TalkingPoints:
        """The storylines, statistics and showdowns that commentators can use now."""
        facts = self.storylines.facts
        if self._current_statistics is None:
            self._current_statistics = self._statistics.on_air_event
        if self._true_storylines is None:
            figures = Figures(self._current_statistics, self._figures.extreme_luck, self._figures.title_odds)
            offered = [*self.storylines.for_show(), *self.storylines.for_commentators(figures)]
            self._true_storylines = tuple(sorted(offered, key=lambda line: IMPORTANCES.index(line.importance)))
        lines = (
            replace(line, hands_since_told=self._storyline_history.hands_since(line, facts.hands_played))
            for line in self._true_storylines
        )
        return TalkingPoints(
            tuple(lines), facts.showdowns, self._current_statistics, facts.last_hand, facts.hands_played
        )

    def announce(self, line: Storyline) -> None:
        """Records that the commentators have announced a storyline, so that it is not repeated soon."""
        self._storyline_history.announce(line, self.storylines.facts.hands_played)

    def _end_hand(self, title_odds: Sequence[on_air.TitleOddsChanged]) -> None:
        """Records the figures of a finished hand and the title odds after it."""
        self._figures.end_hand(self.storylines.facts.last_hand, self._statistics.luck)
        for changed in title_odds:
            self._figures.record_titles(changed)

    def _closing_events(self) -> list[Event]:
        """Returns the closing statistics with the awards, and a caption on how much the results prove.

        Returns [] if this is not the last stage, if it is a stage of deals, or if too few hands have been played.
        """
        stage = self._contest.tournament.stage
        if self._deals or (stage and stage.advance) or self._statistics.hands < MIN_HANDS:
            return []
        counted = self._statistics.closing_event()
        awards = self._awards.choose(counted.rows)
        return [on_air.CaptionSpoken(significance_text(counted, self._table.names)), replace(counted, awards=awards)]

    def sounds_ms(self) -> dict[int, int]:
        """Returns how long each bot's sound is, in milliseconds, keyed by the bot's seat in the current game."""
        return {seat: self._sounds_ms[bot] for seat, bot in enumerate(self._table.bots)}

    def _apply(self, entry: TableEntry, chances: Sequence[on_air.EquitiesChanged]) -> None:
        event, self._table = entry.event, entry.table
        if isinstance(event, events.TournamentOpened):
            self._sounds_ms = {entrant.bot: entrant.sound_ms for entrant in event.entrants}
        if isinstance(event, events.StageStarted):
            self._figures.begin_stage()
        if isinstance(event, STORYLINE_EVENTS):
            self._true_storylines = None
        if isinstance(event, events.HandEnded | events.NoteGiven):
            self._current_statistics = None
        if isinstance(event, events.HandStarted):
            self._hand_entries, self._odds_by_entry, self._odds = [], {}, HandOdds()
        for change in chances:
            self._odds_by_entry[len(self._hand_entries)] = change
            self._odds = self._odds.after(change)
        self._hand_entries.append(entry)
        self._pots.apply(event, self._table)
        self._statistics.apply(event, self._table)
        self._awards.apply(entry, self._odds)
        self._contest.apply(event)
        self.storylines.apply(event, self._table)
        if isinstance(event, events.StageStarted):
            facts = self.storylines.facts.deals
            self._deals = DealTeller(facts) if facts else None

    def _mark_events(self) -> list[Event]:
        """Returns the marks of the finished hand, and a caption for the most important mark that has a caption."""
        drama = drama_of(self._hand_entries, self._odds_by_entry)
        caption = next((text for marked in drama.marks if (text := self._hand_captions.describe_mark(marked))), "")
        added: list[Event] = [on_air.CaptionSpoken(caption)] if caption else []
        number = self._table.hand.hand
        marks = [each for each in drama.marks if each.mark != "Elimination" or not self._deals]
        return [*added, *(on_air.HighlightMarked(each.mark, number, each.seats, drama.score) for each in marks)]


def describe_on_air(picture: State) -> str:
    """Returns what is on air, in words for the operator: "The Trials, game 3 of 15, hand 4 of 6"."""
    stage, game, hand, replay = picture.stage, picture.game, picture.hand, picture.replay
    if replay:
        return f"hand {replay.hand} again"
    if picture.is_over:
        return "the champion"
    if picture.scene == "statistics":
        return "the statistics"
    if not stage or not game:
        return f"{stage.title}, line-up" if stage else "before the start"
    parts = [stage.title]
    if stage.games != 1:
        parts.append(f"{'deal' if stage.deals else 'game'} {out_of(game.game - stage.first_game + 1, stage.games)}")
    if picture.scene in ("comparison", "certainty", "matrix"):
        parts.append(f"the {picture.scene}")
    elif picture.scene == "reading":
        parts.append("the reading scores")
    elif game.over:
        parts.append("leaderboard" if stage.games != 1 else "over")
    elif hand:
        parts.append(f"hand {out_of(hand.hand, game.hands)}")
    return ", ".join(parts)
