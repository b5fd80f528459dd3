/**
 * The types of the messages to pages and of the picture. Types only: nothing here runs, and no browser loads it.
 *
 * Seats count from 0; games, hands and stages from 1; amounts are chips, prizes cents, times milliseconds.
 *
 * @typedef {string} Card "As", "Td", "2c"
 * @typedef {"preflop" | "flop" | "turn" | "river"} Street
 * @typedef {"" | "fold" | "check" | "call" | "bet" | "raise"} Act
 * @typedef {"" | "timeout" | "malformed" | "illegal" | "disconnected"} Fault
 * @typedef {"starting" | "table" | "standings" | "finalists" | "duel" | "statistics" | "champion"
 *   | "replay"} SceneName
 *
 * @typedef {{ bot: number, name: string, player: string, avatar: string, particle: string, sound: string,
 *   sound_ms: number, rating: number, version: string }} Entrant a rating in hundredths of a point; 0: it has none
 * @typedef {{ place: number, bot: number, stack: number, prize_cents: number }} Placing
 * @typedef {{ amount: number, seats: number[] }} Pot
 * @typedef {{ seat: number, amount: number }} Award
 * @typedef {{ seat: number, win: number, tie: number }} Chance in tenths of a percent
 * @typedef {{ rank: number, bot: number, stack: number, moved: number, games: number, place: number,
 *   wins: number }} Standing
 * @typedef {"Upset" | "Bad beat" | "Big pot" | "High hand" | "All-in showdown" | "Elimination" | "Hero call"
 *   | "Bluff"} MarkName
 * @typedef {{ bot: number, hands: number, vpip: number, pfr: number, bets: number, calls: number, showdowns: number,
 *   showdowns_won: number, all_ins: number, luck: number, biggest_pot: number, biggest_with: string, answers: number,
 *   think_ms: number, faults: number, vpip_chances: number, pfr_chances: number, three_bets: number,
 *   three_bet_chances: number, three_bet_folds: number, three_bet_fold_chances: number, c_bets: number,
 *   c_bet_chances: number, c_bet_folds: number, c_bet_fold_chances: number, flops: number, aggressive: number,
 *   aggressive_chances: number, won: number, earned: number | null, low: number | null,
 *   high: number | null, words: number }} BotStatistics
 * @typedef {Partial<BotStatistics> & { bot: number }} StatisticsRow what is left out is 0, "" or null
 * @typedef {[by: number, of: number, chips: number]} Taken what one bot has won from another
 * @typedef {{ title: string, bot: number, text: string }} Notice
 *
 * What the picture is made of:
 *
 * @typedef {Entrant & { stack: number, place: number, presence: "" | "here" | "lost", gone: string,
 *   wins: number }} Bot `wins`: games of a series; `gone`: since when, in words, "" for one that is not
 * @typedef {{ contest: string, title: string, starting_stack: number, prizes_cents: number[] }} Tournament
 * @typedef {{ stage: number, title: string, games: number, hands: number, bots: number[], advance: number,
 *   next_title: string, series: boolean, first_game: number }} Stage
 * @typedef {{ game: number, hands: number, over: boolean }} Game
 * @typedef {{ hand: number, button: number, small_blind: number, big_blind: number, ante: number, street: Street,
 *   over: boolean }} Hand
 * @typedef {{ bot: number, stack: number, bet: number, street_bet: number, committed: number,
 *   blind: "" | "small" | "big", cards: Card[], dealt_in: boolean, folded: boolean, all_in: boolean, act: Act,
 *   fault: Fault, won: number, ranking: string, best: Card[], place: number, unseated: boolean, win: number | null,
 *   tie: number | null }} Seat chances in tenths of a percent; `street_bet`: the bet of its last act on this street,
 *   also once it is in the pot
 * @typedef {{ seat: number, to_call: number, min_raise_to: number, max_raise_to: number, think_ms: number }} Turn
 * @typedef {{ pot: number, amount: number, awards: Award[] }} PotAward
 * @typedef {{ seq: number, at_ms: number, bot: number, text: string, from_ms: number, to_ms: number }} Chat `from_ms`,
 *   `to_ms`: when it is shown
 * @typedef {{ rows: Standing[], advance: number }} Standings
 * @typedef {{ rows: StatisticsRow[], notices: Notice[], hands: number, crosstable: Taken[],
 *   awards: Notice[] }} Statistics
 * @typedef {{ case: "wins" | "loses" | "shares" | "folds", text: string, rival: number, title: number | null }} Outcome
 *   `rival`: the bot whose name ends the text, 0: none; `title`: the chance to win it, in tenths of a percent
 * @typedef {{ seat: number, outcomes: Outcome[] }} Stakes
 * @typedef {{ mark: MarkName, game: number, hand: number, bots: number[], score: number }} Highlight
 *
 * @typedef {{ bot: number, place: number, by: number[] }} Duel who is out, and the bots that took its last chips
 *
 * @typedef {"nod" | "win" | "burst" | "screen"} WinSize
 *
 * @typedef {"" | "break" | "technical"} CardName
 * @typedef {{ card: CardName, graphics: boolean, sound: boolean, chat_off: number[], media_off: number[],
 *   speed: number, trouble: string, storyline?: string, back?: string | undefined }} Desk what the operator has set, as
 *   far as pages must know; `back`: when the break will be over, in words; `storyline`: what the commentators tell in
 *   place of the caption
 * @typedef {{ hand: number, before: State }} Replay the hand that is shown again, and the picture that comes back
 *
 * @typedef {{ seq: number, at_ms: number, scene: SceneName, tournament: Tournament, bots: Record<string, Bot>,
 *   stage: Stage | null, game: Game | null, hand: Hand | null, seats: Seat[], turn: Turn | null, board: Card[],
 *   pot: number, pots: Pot[], awards: PotAward[], lit: Card[], win: WinSize | "", wins: number, chat: Chat[],
 *   standings: Standings,
 *   statistics: Statistics, marks: Highlight[], history: Record<string, number[]>, caption: string,
 *   stakes: Stakes | null, title_odds?: Record<string, number[]>,
 *   placings: Placing[], duel: Duel | null,
 *   replay: Replay | null, desk: Desk }} State `win`: how large the last win of this hand is; `wins`: pots won so far
 *
 * Messages over the WebSocket:
 *
 * @typedef {{ seq: number, at_ms: number, hold_ms: number }} Stamp
 * @typedef {{ type: "tournament_opened", contest: string, title: string, starting_stack: number,
 *   entrants: Entrant[], prizes_cents?: number[] }} TournamentOpened
 * @typedef {{ type: "stage_started", stage: number, title: string, games: number, hands: number, bots: number[],
 *   stacks: number[], advance?: number, next_title?: string, series?: boolean }} StageStarted
 * @typedef {{ type: "game_started", game: number, hands: number, seats: number[], stacks: number[] }} GameStarted
 * @typedef {{ type: "game_ended", game: number, stacks: number[], ranking?: number[] }} GameEnded
 * @typedef {{ type: "game_forfeited", game: number, seat: number, fault: Fault }} GameForfeited
 * @typedef {{ type: "bot_rated", game: number, bot: number, rating: number, was: number }} BotRated in hundredths
 * @typedef {{ type: "seat_vacated", seat: number, amount: number }} SeatVacated
 * @typedef {{ type: "bot_eliminated", bot: number, seat: number, place: number }} BotEliminated
 * @typedef {{ type: "stage_ended", stage: number, ranking: number[], stacks: number[] }} StageEnded
 * @typedef {{ type: "tournament_ended", placings: Placing[] }} TournamentEnded
 * @typedef {{ type: "hand_started", hand: number, button: number, small_blind: number, big_blind: number,
 *   ante: number, stacks: number[] }} HandStarted
 * @typedef {{ type: "blind_posted", seat: number, blind: "ante" | "small" | "big", amount: number,
 *   all_in: boolean }} BlindPosted
 * @typedef {{ type: "hole_dealt", seat: number, cards: Card[] }} HoleDealt
 * @typedef {Turn & { type: "turn_started" }} TurnStarted
 * @typedef {{ type: "action_taken", seat: number, act: Exclude<Act, "">, amount: number, bet: number, all_in: boolean,
 *   think_ms: number, fault?: Fault }} ActionTaken
 * @typedef {{ type: "bet_returned", seat: number, amount: number }} BetReturned
 * @typedef {{ type: "bets_collected", pots: Pot[] }} BetsCollected
 * @typedef {{ type: "street_dealt", street: Street, cards: Card[] }} StreetDealt
 * @typedef {{ type: "hand_shown", seat: number, cards: Card[], ranking?: string, best?: Card[] }} HandShown
 * @typedef {PotAward & { type: "pot_awarded" }} PotAwarded
 * @typedef {{ type: "hand_ended", stacks: number[] }} HandEnded
 * @typedef {{ type: "bot_connected", bot: number }} BotConnected
 * @typedef {{ type: "bot_disconnected" | "bot_withdrawn", bot: number, reason: string }} BotLost
 * @typedef {{ type: "fault_noted", bot: number, fault: Fault, detail: string }} FaultNoted
 * @typedef {{ type: "chat_sent", bot: number, text: string }} ChatSent
 * @typedef {{ type: "note_given", bot: number, action: number, text: string }} NoteGiven
 * @typedef {{ type: "standings_changed", rows: Standing[], advance?: number }} StandingsChanged
 * @typedef {{ type: "caption_spoken", text: string }} CaptionSpoken
 * @typedef {{ type: "line_spoken", sound: string, ms: number, describe?: boolean }} LineSpoken
 * @typedef {{ type: "hand_named", seat: number, ranking: string }} HandNamed
 * @typedef {{ type: "hand_told", text: string }} HandTold
 * @typedef {{ type: "statistics_changed", rows: StatisticsRow[], notices?: Notice[], hands?: number,
 *   crosstable?: Taken[], awards?: Notice[], closing?: boolean }} StatisticsChanged
 * @typedef {{ type: "highlight_marked", mark: MarkName, hand: number, seats: number[],
 *   score: number }} HighlightMarked
 * @typedef {{ type: "equities_changed", chances: Chance[] }} EquitiesChanged
 * @typedef {Pick<Stakes, "seat"> & { type: "stakes_shown",
 *   outcomes: (Pick<Outcome, "case" | "text"> & Partial<Outcome>)[] }} StakesShown
 * @typedef {{ type: "title_odds_changed", chances: { bot: number, chance: number }[] }} TitleOddsChanged
 * @typedef {{ type: "replay_started", hand: number, picture: State, told: string }} ReplayStarted
 * @typedef {{ type: "replay_ended" }} ReplayEnded
 * @typedef {{ type: "pace_changed", speed: number }} PaceChanged
 * @typedef {{ type: "trouble_shown", text: string }} TroubleShown
 * @typedef {{ type: "storyline_shown", text: string }} StorylineShown
 * @typedef {{ type: "control_set", control: string, value: boolean | number | string, was: boolean | number | string,
 *   bot?: number }} ControlSet
 * @typedef {{ type: "cue_given", cue: "next" | "replay" | "best" }} CueGiven
 * @typedef {{ type: "stage_cut", stage: number }} StageCut
 *
 * @typedef {TournamentOpened | StageStarted | GameStarted | GameForfeited | GameEnded | BotRated | BotEliminated
 *   | StageEnded | TournamentEnded | SeatVacated
 *   | HandStarted | BlindPosted | HoleDealt | TurnStarted | ActionTaken | BetReturned | BetsCollected | StreetDealt
 *   | HandShown | PotAwarded | HandEnded | BotConnected | BotLost | FaultNoted | ChatSent | StandingsChanged
 *   | CaptionSpoken | LineSpoken | EquitiesChanged | ReplayStarted | ReplayEnded | PaceChanged | TroubleShown
 *   | ControlSet | StorylineShown | CueGiven | StageCut | HighlightMarked | StatisticsChanged | StakesShown
 *   | TitleOddsChanged | HandNamed | HandTold | NoteGiven} OnAirEvent
 * @typedef {Stamp & OnAirEvent} Entry
 * @typedef {{ type: "welcome", seq: number, at_ms: number, epoch: string, channel: string, speed: number }} Welcome
 * @typedef {{ type: "snapshot", seq: number, at_ms: number, state: State }} Snapshot
 * @typedef {{ type: "heartbeat", seq: number, at_ms: number }} Heartbeat nothing new: the connection stands
 *
 * The schedule of a show that is on, as `broadcast/live/schedule.py` writes it; fields that say nothing are left out.
 *
 * @typedef {[likely: number, earliest: number, latest: number]} Moment milliseconds since 1970
 * @typedef {{ title: string, state: "played" | "on" | "to come", game?: number, games?: number, bots?: number[],
 *   hand?: number, began?: number, begins?: Moment }} ScheduleItem
 * @typedef {{ items?: ScheduleItem[], names?: Record<string, string>, played?: number, left?: number, due?: number[],
 *   ends?: { game?: Moment, stage?: Moment, show?: Moment },
 *   blinds?: { small: number, big: number, begins: Moment | null } }} ShowSchedule
 *
 * Cues: the sounds and animations that the stage plays for an entry. `ms` is how long one may take.
 *
 * @typedef {{ kind: "sound", name: string, bot: number, take?: number, ms?: number, file?: string,
 *   describe?: boolean | undefined }} SoundCue `take`: the same number sounds the same; `ms`: the most it may last; a
 *   "voice" has a `file` in /media, and may be there to `describe` the picture alone
 * @typedef {{ kind: "deal" | "muck" | "act" | "pin", seat: number, ms: number }} SeatCue
 * @typedef {{ kind: "stamp", seat: number, ms: number }} StampCue
 * @typedef {{ kind: "burn", seat: number, ms: number }} BurnCue
 * @typedef {{ kind: "board", from: number, ms: number }} BoardCue
 * @typedef {{ kind: "chips", from: number, to: number, amount: number, ms: number }} ChipsCue seat numbers; POT is -1
 * @typedef {{ kind: "chance", seat: number, ms: number }} ChanceCue `ms`: how long the chance before it stands
 * @typedef {{ kind: "particles", seat: number, bot: number, size: WinSize, ms: number }} ParticlesCue
 * @typedef {{ kind: "duel", ms: number }} DuelCue
 * @typedef {{ kind: "regroup", ms: number }} RegroupCue
 * @typedef {{ kind: "enter", scene: SceneName, ms: number }} EnterCue
 * @typedef {SoundCue | SeatCue | StampCue | BurnCue | BoardCue | ChipsCue | ChanceCue | ParticlesCue
 *   | DuelCue | RegroupCue | EnterCue} Cue
 */

export {};
