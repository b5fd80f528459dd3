// Made by `python -m assets.make.guide` from the server's own structs.

export type Street = "preflop" | "flop" | "turn" | "river";

export type Act = "fold" | "check" | "call" | "bet" | "raise";

export type Fault = "" | "timeout" | "malformed" | "illegal" | "disconnected";

export type DecidedBy = "chips" | "earned";

export type Control = "started" | "paused" | "held" | "speed" | "governed" | "card" | "graphics" | "sound" | "stage_end" | "unseen" | "chat" | "media" | "view" | "thoughts";

export type Cue = "next" | "replay" | "best" | "reading";

export type Mark = "Upset" | "Bad beat" | "Big pot" | "High hand" | "All-in showdown" | "Elimination" | "Hero call" | "Bluff";

export type Role = "" | "favourite" | "at risk" | "bluffing" | "patient";

export type ZoomLevel = "table" | "group" | "duel";

export type SceneName = "starting" | "table" | "standings" | "finalists" | "duel" | "statistics" | "champion" | "replay" | "blinds" | "comparison" | "certainty" | "matrix" | "reading";

export type WinSize = "nod" | "win" | "burst" | "screen";

export type CardName = "" | "break" | "technical";

export type View = "" | "table" | "held";

/** What a bot has spent on its language model since its last report. Nobody can check these reports. */
export interface Account {
  tokens?: number;
  cost_millionths?: number;
}

/** A seat acted after `think_ms` and paid `amount`. The seat's bet on this street is now `bet`. If the bot did not choose the action, `fault` says why, such as "timeout". */
export interface ActionTaken {
  type: "action_taken";
  seat: number;
  act: Act;
  amount: number;
  bet: number;
  all_in: boolean;
  think_ms: number;
  fault: Fault;
  declared?: "all_in";
}

/** One seat's share of a pot. */
export interface Award {
  seat: number;
  amount: number;
}

/** A seat got back the part of its bet that nobody called. */
export interface BetReturned {
  type: "bet_returned";
  seat: number;
  amount: number;
}

/** The bets of the street went into the pots. `pots` are all pots as they are now. */
export interface BetsCollected {
  type: "bets_collected";
  pots: Pot[];
}

/** A seat paid `amount` for a blind or an ante. */
export interface BlindPosted {
  type: "blind_posted";
  seat: number;
  blind: "ante" | "small" | "big";
  amount: number;
  all_in: boolean;
}

/** A bot that takes part. `name` and `player` are shortened to fit. `particle` is a picture that flies when the bot wins. `wins` is the number of games won in a series of separate games. `gone` says in which hand an absent bot left, such as "game 2, hand 17", and is "" for other bots. */
export interface Bot {
  bot: number;
  name: string;
  player: string;
  avatar: string;
  particle: string;
  sound: string;
  sound_ms: number;
  rating: number;
  version: string;
  stack: number;
  place: number;
  presence: "" | "here" | "lost";
  gone: string;
  wins: number;
}

/** A bot has connected. */
export interface BotConnected {
  type: "bot_connected";
  bot: number;
}

/** A bot has lost its connection, for this `reason`. */
export interface BotDisconnected {
  type: "bot_disconnected";
  bot: number;
  reason: string;
}

/** A bot is out of chips or unseated. `place` is its place in the tournament. */
export interface BotEliminated {
  type: "bot_eliminated";
  bot: number;
  seat: number;
  place: number;
}

/** A bot's rating after a game (`rating`) and before the game (`was`), in hundredths of a point. */
export interface BotRated {
  type: "bot_rated";
  game: number;
  bot: number;
  rating: number;
  was: number;
}

/** How a bot has played so far on air, in numbers of hands, chips and milliseconds. Some counts come with the number of chances, such as `three_bets` with `three_bet_chances`. The glossary defines all counts. */
export interface BotStatistics {
  bot: number;
  hands?: number;
  vpip?: number;
  pfr?: number;
  bets?: number;
  calls?: number;
  showdowns?: number;
  showdowns_won?: number;
  all_ins?: number;
  luck?: number;
  biggest_pot?: number;
  biggest_with?: string;
  answers?: number;
  think_ms?: number;
  faults?: number;
  vpip_chances?: number;
  pfr_chances?: number;
  three_bets?: number;
  three_bet_chances?: number;
  three_bet_folds?: number;
  three_bet_fold_chances?: number;
  c_bets?: number;
  c_bet_chances?: number;
  c_bet_folds?: number;
  c_bet_fold_chances?: number;
  flops?: number;
  aggressive?: number;
  aggressive_chances?: number;
  won?: number;
  earned?: number | null;
  low?: number | null;
  high?: number | null;
  words?: number;
  reading?: ReadingScores | null;
}

/** The organiser withdrew the bot from the tournament, or the bot withdrew itself. */
export interface BotWithdrawn {
  type: "bot_withdrawn";
  bot: number;
  reason: string;
}

/** Estimates of winning of about the same size, such as 60 % to 70 %. The means are from 0 to 1. `said` is the mean of the estimates. `real` is the mean of the real chances, computed from all bots' cards. */
export type Calibration = [estimates: number, said: number, real: number];

/** A caption about what has just happened. */
export interface CaptionSpoken {
  type: "caption_spoken";
  text: string;
}

/** A seat's chances to win and to tie on the current board, in tenths of a percent. */
export interface Chance {
  seat: number;
  win: number;
  tie: number;
}

/** A line of a bot's chat, a bot's thought, or a storyline `about` the bot. The line was sent at `at_ms`, and is shown from `from_ms` to `to_ms`. Only a thought has the last four fields. `checked` are its checked claims, and `street` is the street that the thought is about. The bot's thoughts so far contain `claims` claims, of which `false_claims` were false. */
export interface Chat {
  seq: number;
  at_ms: number;
  bot: number;
  text: string;
  from_ms: number;
  to_ms: number;
  about: boolean;
  checked?: Checked[];
  street?: Street;
  claims?: number;
  false_claims?: number;
}

/** A bot's chat, made safe to show. */
export interface ChatSent {
  type: "chat_sent";
  bot: number;
  text: string;
}

/** A checked claim in a thought: its place in the text, whether the claim is `right`, and the truth if it is wrong. `start` and `end` are positions in characters (code points). `truth` is short, such as "has: one pair", or "" if the claim is right. A bot's `estimate` of its chance to win is checked, too. For an estimate, `truth` is the real chance as it is shown at the seat, such as "real: 35%". An estimate is `right` if it is at most 20 percentage points off. It is also `close` if it is at most 10 points off, or at most 2 points if the real chance is 0 or 100 %. */
export interface Checked {
  start: number;
  end: number;
  right: boolean;
  truth: string;
  estimate?: boolean;
  close?: boolean;
}

/** The operator set a control to `value`. `was` is the control's earlier value, so that the change can be undone. `bot` is 0 for controls that are the same for all bots. The journal's `ControlSet` events are numbered from 1. If this event undoes an earlier change, `undoes` is the earlier event's number, otherwise 0. */
export interface ControlSet {
  type: "control_set";
  control: Control;
  value: boolean | number | string;
  was: boolean | number | string;
  bot: number;
  operator: string;
  undoes: number;
}

/** The operator gave a cue. "next" lets a waiting show go on, "replay" shows the last hand, "best" shows the best hands, and "reading" shows how true the bots' comments are. */
export interface CueGiven {
  type: "cue_given";
  cue: Cue;
  operator: string;
}

/** The comparison of a deal: what the bots made of the same cards. All tables of the deal have been played, and the main table has been on air. */
export interface DealCompared {
  type: "deal_compared";
  deal: DealComparison;
}

/** What the bots made of a deal, in which several tables play the same cards. The main table, the one on air, is first. The bots in `seat` are compared, in hand `hand` of the deal. `position` is what a poker player calls that seat, such as "under the gun" or "in the big blind". These bots have the same `cards`. At the deciding point on `street`, after the same betting, they did different things. Of the bots that acted differently there, `best` and `worst` are the two whose scores differ most. `held` lists the bots that came to the deciding point, then the other bots in that seat, each group best first. If all tables played `alike`, there is nothing to compare, and the seat is -1. `board` is the longest board of this hand at any table. */
export interface DealComparison {
  deal: number;
  tables: TableOfDeal[];
  alike: boolean;
  hand: number;
  seat: number;
  street: Street;
  cards: string[];
  board: string[];
  held: SeatHeld[];
  best: number;
  worst: number;
  position: string;
}

/** Deal number `deal` of the stage is over at all tables. `won` is how many chips each of `bots` won at all tables together. If bots are ranked by earned chips, `luck` is how many of these chips were luck of the board. Otherwise `luck` is left out. `decided` says whether it is now certain enough which bot is best. If so, the stage ends early. */
export interface DealEnded {
  type: "deal_ended";
  deal: number;
  bots: number[];
  won: number[];
  decided?: boolean;
  luck?: number[];
}

/** The operator's settings that pages need. `trouble` says why the show has to wait. `back` says when the break will be over. `storyline` is the commentators' text, shown instead of the caption. For the bots in `chat_off`, no chat is shown. For those in `media_off`, the default picture and sound are used. `view` overrules the focus. `kept` is the focus that the view "held" keeps. When the next hand starts, `kept` becomes the whole table. `thoughts` is false while no thoughts are shown. */
export interface Desk {
  card: CardName;
  graphics: boolean;
  sound: boolean;
  chat_off: number[];
  media_off: number[];
  speed: number;
  trouble: string;
  back?: string;
  storyline?: string;
  view: View;
  kept?: Focus;
  thoughts?: boolean;
}

/** A bot that is out, and the bots that took its last chips. */
export interface Duel {
  bot: number;
  place: number;
  by: number[];
}

/** When the current game, its stage and the whole show are expected to end, or None if unknown. */
export interface Ends {
  game?: Moment | null;
  stage?: Moment | null;
  show?: Moment | null;
}

/** A bot entered in this tournament. `avatar`, `particle` (a picture that flies when the bot wins) and `sound` are files for the show. "" is the default file. `sound_ms` is how many milliseconds the sound lasts. */
export interface Entrant {
  bot: number;
  name: string;
  player: string;
  avatar: string;
  particle: string;
  sound: string;
  sound_ms: number;
  rating: number;
  version?: string;
}

/** The chances to win and to tie of all hands that have not folded. The list is empty once only one hand is left. */
export interface EquitiesChanged {
  type: "equities_changed";
  chances: Chance[];
}

/** A bot did something wrong, such as sending a message that was refused. `detail` says what. */
export interface FaultNoted {
  type: "fault_noted";
  bot: number;
  fault: Fault;
  detail: string;
}

/** How far the picture is zoomed in, and which bot has the viewers' attention. If the picture does not show the whole table, it shows only `seats`. `seat` has the viewers' attention, and `role` says why. `seat` is None if no seat has a role. The bot to act and the winner need no role, because the picture always highlights them. */
export interface Focus {
  near: ZoomLevel;
  seats: number[];
  seat: number | null;
  role: Role;
}

/** How far the picture is zoomed in from now on, which seat has the viewers' attention, and why (`role`). A zoomed picture shows only `seats`. The focus ends when the next hand starts. At a `silent` moment, bots' words wait, and the caption is spoken only for people who cannot see the picture. */
export interface FocusChanged {
  type: "focus_changed";
  near: ZoomLevel;
  seats: number[];
  seat: number | null;
  role: Role;
  silent: boolean;
}

/** The current game. Between games, this is the last game. */
export interface Game {
  game: number;
  hands: number;
  over: boolean;
}

/** A game is over. `stacks` are chips by seat. In a series, the first bot in `ranking` won. A game without a hand has no winner. If stacks are equal, a shuffle with the last deck's key decides the order. */
export interface GameEnded {
  type: "game_ended";
  game: number;
  stacks: number[];
  ranking?: number[];
  luck?: number[];
}

/** A seat lost the game because of `fault`. The other seat gets all chips. */
export interface GameForfeited {
  type: "game_forfeited";
  game: number;
  seat: number;
  fault: Fault;
}

/** A game of at most `hands` hands starts. If `hands` is 0, there is no limit. `seats` are the bots in seat order. The seats were drawn with `draw_key`, unless `draw_key` is "". */
export interface GameStarted {
  type: "game_started";
  game: number;
  hands: number;
  seats: number[];
  stacks: number[];
  draw_key: string;
  dealt_as?: number;
}

/** The current hand. Between hands, this is the last hand of the game. */
export interface Hand {
  hand: number;
  button: number;
  small_blind: number;
  big_blind: number;
  ante: number;
  street: Street;
  over: boolean;
}

/** A hand is over. `stacks` are the final chips by seat. `deck_key` proves the commitment in `HandStarted`. */
export interface HandEnded {
  type: "hand_ended";
  stacks: number[];
  deck_key: string;
}

/** The name of a hand that was just shown. The name includes the kicker if the kicker decides who wins. This name replaces the name in the recording. */
export interface HandNamed {
  type: "hand_named";
  seat: number;
  ranking: string;
}

/** A seat's cards are shown. At a showdown, `ranking` is the hand's name, and `best` is its best five cards. */
export interface HandShown {
  type: "hand_shown";
  seat: number;
  cards: string[];
  ranking: string;
  best: string[];
}

/** A hand starts. `stacks` are the chips by seat before the blinds. A seat with 0 chips gets no cards. `deck_commitment` is the SHA-256 of the deck's key. In an exhibition, `banks_ms` is the time left in each seat's time bank. In other contests, `banks_ms` is left out. */
export interface HandStarted {
  type: "hand_started";
  hand: number;
  button: number;
  small_blind: number;
  big_blind: number;
  ante: number;
  stacks: number[];
  deck_commitment: string;
  banks_ms?: number[];
}

/** A text about how a hand ended: each pot, who won it, and with which cards. */
export interface HandTold {
  type: "hand_told";
  text: string;
}

/** A hand with a mark (why it is worth remembering, such as "Bad beat"), and the bots that earned the mark. */
export interface Highlight {
  mark: Mark;
  game: number;
  hand: number;
  bots: number[];
  score: number;
}

/** The hand on air has earned a mark, such as "Bluff". `seats` are the seats that earned the mark. `score` is the hand's drama, from 0 to 100. */
export interface HighlightMarked {
  type: "highlight_marked";
  mark: Mark;
  hand: number;
  seats: number[];
  score: number;
}

/** A seat got its hole cards. */
export interface HoleDealt {
  type: "hole_dealt";
  seat: number;
  cards: string[];
}

/** A line of a schedule: a game, or a whole later stage. `title` is the stage's title. JSON omits empty fields. */
export interface Item {
  title: string;
  state: "played" | "on" | "to come";
  game?: number;
  games?: number;
  bots?: number[];
  hand?: number;
  began?: number;
  begins?: Moment | null;
  deals?: boolean;
}

/** The forced bets of a blind level, in chips. */
export interface Level {
  small: number;
  big: number;
  ante: number;
}

/** The caption of this moment is spoken. `sound` is the name of a file in /media that lasts `ms` milliseconds. Lines that `describe` the picture are only for pages with `?voice=describe`. If `bot` is set, the sound is not the caption, but this bot's thought, which is on screen. The sound of a thought begins after the spoken caption, and ends when the thought leaves the screen. */
export interface LineSpoken {
  type: "line_spoken";
  sound: string;
  ms: number;
  describe?: boolean;
  bot?: number;
}

/** An expected time: the most likely time, then the earliest and the latest time in most shows. Times are in milliseconds since 1970, rounded to minutes. Encoded as an array. */
export type Moment = [likely: number, earliest: number, latest: number];

/** The next blinds, in chips, and when they are expected if the game lasts that long. */
export interface NextBlinds {
  small: number;
  big: number;
  begins: Moment | null;
}

/** A bot's comment on one of its actions in the latest hand, made safe to show. `action` is the number of the action in the hand, from 1. Notes follow `HandEnded`, because they may reveal cards. */
export interface NoteGiven {
  type: "note_given";
  bot: number;
  action: number;
  text: string;
  thought?: string;
  account?: Account;
}

/** A text about something that stands out in the statistics: "Loosest", "Calamity Bayes, 61 % of hands". */
export interface Notice {
  title: string;
  bot: number;
  text: string;
}

/** The outcome of a decision in one case, such as "2nd, 1,300 behind". `rival` is the bot that is ahead, or 0. `title` is the chance to win the title in this case, in tenths of a percent. `title` is None if chips do not decide the title. */
export interface Outcome {
  case: "wins" | "loses" | "shares" | "folds";
  text: string;
  rival?: number;
  title?: number | null;
}

/** The show runs at this speed from now on. At 2, each event stays on screen for half its usual time. */
export interface PaceChanged {
  type: "pace_changed";
  speed: number;
}

/** The chance, in tenths of a percent, that bot `one` is better than bot `other`. */
export type PairChance = [one: number, other: number, chance: number];

/** How likely each bot of the stage is to be better than each other bot. Each pair occurs once. */
export interface PairsCompared {
  type: "pairs_compared";
  chances: PairChance[];
}

/** One bot's line in the final results. The prize goes to the bot's player. */
export interface Placing {
  place: number;
  bot: number;
  stack: number;
  prize_cents: number;
}

/** A pot with its chips and the seats that may win it. The first pot is the main pot. */
export interface Pot {
  amount: number;
  seats: number[];
}

/** A pot that was paid out in this hand. */
export interface PotAward {
  pot: number;
  amount: number;
  awards: Award[];
}

/** Pot number `pot` was paid out. The main pot has number 0. */
export interface PotAwarded {
  type: "pot_awarded";
  pot: number;
  amount: number;
  awards: Award[];
}

/** How true a bot's thoughts were: its claims about what it could know, and its estimates of its chance to win. `brier` is the mean Brier score of its estimates against the real chances, or null without estimates. A lower score is better. A bot that always says 50 % gets about 0.25. `calibration` has a line for each range of ten percentage points, 0-10 % first. The bot reports that it has used `tokens` tokens in all, and has spent `cost_millionths` millionths of a dollar. Nobody can check these numbers. A number that the bot does not report is null. */
export interface ReadingScores {
  thoughts?: number;
  claims?: number;
  false_claims?: number;
  estimates?: number;
  brier?: number | null;
  calibration?: Calibration[];
  hands?: number;
  answers?: number;
  think_ms?: number;
  tokens?: number | null;
  cost_millionths?: number | null;
}

/** A hand that is being shown again, and the picture to which the show returns afterwards. */
export interface Replay {
  hand: number;
  before: State;
}

/** The replay is over: the picture becomes what it was before. */
export interface ReplayEnded {
  type: "replay_ended";
}

/** The events from here to `ReplayEnded` show a hand again. `picture` is the picture with which the replay starts, at the start of the hand or of a later street. `told` is the caption that introduces the replay. After the replay, the picture becomes what it was before. Another replay may follow at once. */
export interface ReplayStarted {
  type: "replay_started";
  hand: number;
  picture: State;
  told: string;
}

/** How a hand is dealt, how bots bet, and how pots are paid. The defaults are standard no-limit hold'em. */
export interface Rules {
  levels: Level[];
  hands_per_level: number;
  think_ms: number;
  time_bank_ms?: number;
  exhibition_bank_ms?: number;
  later_streets_from: "button" | "big_blind";
  heads_up_button_posts: "small" | "big";
  blinds: "posted" | "asked";
  ante_from: "everyone" | "big_blind";
  min_raise: "last_raise" | "one_chip";
  raise_laps: number;
  raise_out_of_range: "refuse" | "refuse_low" | "clamp";
  bet_cap: "stack" | "shortest_stack";
  hand_cap?: number;
  ask_when_all_in: boolean;
  fault_costs: "hand" | "game" | "rest";
  refused_checks: boolean;
  silence_checks?: boolean;
  odd_chips: "first_in_order" | "last_in_order";
  show: "all" | "showdown" | "winners" | "loser_if_aggressor";
  edition?: "2";
}

/** A scene interrupts the table until the next event of the hand. */
export interface SceneShown {
  type: "scene_shown";
  scene: SceneName;
}

/** All items (games and later stages) in order, and the `names` of their bots, keyed by number. `played` counts all games that were played, including games that are not listed. `left` is the maximum number of games that can follow, or 0 if unknown. `due` are the bots that have to play before any other bot plays again. `ends` has the expected ends of the current game, its stage and the show. `blinds` are the next blinds. */
export interface Schedule {
  items?: Item[];
  names?: Record<string, string>;
  played?: number;
  left?: number;
  due?: number[];
  ends?: Ends;
  blinds?: NextBlinds | null;
}

/** A seat of the game. `street_bet` is the bet of the seat's last act on this street, even after the chips have gone into the pot. `win` and `tie` are the seat's chances, or None if they are not shown. A seat that folded on an earlier street is `away`. A bot that did not post its blind is `unseated`. */
export interface Seat {
  bot: number;
  stack: number;
  bet: number;
  street_bet: number;
  committed: number;
  blind: "" | "small" | "big";
  cards: string[];
  dealt_in: boolean;
  folded: boolean;
  all_in: boolean;
  act: "" | Act;
  fault: Fault;
  won: number;
  ranking: string;
  best: string[];
  place: number;
  unseated: boolean;
  win: number | null;
  tie: number | null;
  away: boolean;
  bank_ms?: number;
  thought_ms?: number;
}

/** An action of a seat: the street, what the seat did, and its bet on that street afterwards. */
export interface SeatAct {
  street: Street;
  act: Act;
  bet: number;
}

/** How one bot played the seat that is compared across the tables of a deal. Contains the bot's game, its acts in the compared hand, and what it won in the deal. If bots are ranked by chips earned, `luck` is how many of the chips in `won` were luck of the board. Otherwise `luck` is 0. The deciding point is the first at which bots did different things after the same betting. `at` is the index in `acts` of this bot's act there, or -1 if the betting at its table never came to that point. */
export interface SeatHeld {
  bot: number;
  game: number;
  acts: SeatAct[];
  won: number;
  at: number;
  luck: number;
}

/** The bot in this seat is unseated, and its remaining `amount` chips leave the table. */
export interface SeatVacated {
  type: "seat_vacated";
  seat: number;
  amount: number;
}

/** The current stage. If `game` is the current game's number, `game - first_game + 1` is its number in the stage. In a stage of deals, `game - first_game + 1` is the number of the current deal. */
export interface Stage {
  stage: number;
  title: string;
  games: number;
  hands: number;
  bots: number[];
  advance: number;
  next_title: string;
  series: boolean;
  first_game: number;
  deals?: boolean;
  sure_percent?: number;
  decided?: boolean;
  decided_by?: DecidedBy;
}

/** The operator ended the stage early. No more hands of the stage are dealt. */
export interface StageCut {
  type: "stage_cut";
  stage: number;
}

/** A stage is over. `ranking` lists all its bots, best first, with their `stacks`. Ties were decided by lot, with `draw_key`. */
export interface StageEnded {
  type: "stage_ended";
  stage: number;
  ranking: number[];
  stacks: number[];
  advancing: number[];
  draw_key: string;
}

/** A stage starts. `stacks` are the chips of `bots`, in the same order. The best `advance` bots advance to the next stage. In the last stage, `advance` is 0. If `games` or `hands` is 0, there is no limit. `seats` is the maximum number of bots at a table. */
export interface StageStarted {
  type: "stage_started";
  stage: number;
  title: string;
  games: number;
  hands: number;
  bots: number[];
  stacks: number[];
  advance: number;
  seats: number;
  carry: boolean;
  even: boolean;
  next_title: string;
  series?: boolean;
  duplicate?: boolean;
  deals?: number;
  sure_percent?: number;
  lead_needed?: number;
  minutes?: number;
  decided_by?: DecidedBy;
}

/** How the bot in this seat would stand in each case: if it calls and wins, calls and loses, or folds. */
export interface Stakes {
  seat: number;
  outcomes: Outcome[];
}

/** What is at stake in this seat's decision. Says how the bot would stand if it calls and wins, calls and loses, or folds. */
export interface StakesShown {
  type: "stakes_shown";
  seat: number;
  outcomes: Outcome[];
}

/** A row of the standings. `moved` is how many places the bot rose (+) or fell (-). `place` is 0 while the bot has chips. In a series of separate games, `wins` is the number of games won. In a stage of deals (several tables play the same cards), `stack` is what the bot has won in all deals, and `games` is the number of its deals. `per_deal` is what the bot wins per deal on average. With 95 % confidence, the true average is between `low` and `high`. Both limits are left out until enough deals have been played. */
export interface Standing {
  rank: number;
  bot: number;
  stack: number;
  moved: number;
  games: number;
  place: number;
  wins: number;
  per_deal?: number;
  low?: number;
  high?: number;
}

/** The standings of the stage, best first. The first `advance` bots advance to the next stage. */
export interface Standings {
  rows: Standing[];
  advance: number;
}

/** The standings of the stage, best first. The first `advance` bots advance to the next stage. If `advance` is 0, the page draws no line between bots that advance and other bots. */
export interface StandingsChanged {
  type: "standings_changed";
  rows: Standing[];
  advance: number;
}

/** The picture. Without arguments, it is the picture before the first entry. `win` is the size of this hand's last win, and `lit` are the cards that won the hand's last pot. `wins` is the number of pots won so far in the tournament. */
export interface State {
  seq: number;
  at_ms: number;
  scene: SceneName;
  tournament: Tournament;
  bots: Record<string, Bot>;
  stage: Stage | null;
  game: Game | null;
  hand: Hand | null;
  seats: Seat[];
  board: string[];
  pot: number;
  pots: Pot[];
  awards: PotAward[];
  lit: string[];
  turn: Turn | null;
  focus: Focus;
  stakes: Stakes | null;
  duel: Duel | null;
  win: "" | WinSize;
  wins: number;
  chat: Chat[];
  standings: Standings;
  statistics: Statistics;
  marks: Highlight[];
  history: Record<string, number[]>;
  title_odds: Record<string, number[]>;
  deal?: DealComparison;
  pairs?: PairChance[];
  caption: string;
  placings: Placing[];
  replay: Replay | null;
  desk: Desk;
}

/** How all bots have played in `hands` hands. */
export interface Statistics {
  rows: BotStatistics[];
  notices: Notice[];
  hands: number;
  crosstable: Taken[];
  awards: Notice[];
}

/** How all bots have played in `hands` hands, and what stands out. `crosstable` says for each pair of bots which one has won chips from the other, and how many. In `rows`, a bot's `won` is how many chips the bot took from others, minus the chips that others took from it. The last statistics of a tournament are `closing`, and have the `awards` that the picture shows. */
export interface StatisticsChanged {
  type: "statistics_changed";
  rows: BotStatistics[];
  notices?: Notice[];
  hands?: number;
  crosstable?: Taken[];
  awards?: Notice[];
  closing?: boolean;
}

/** The human commentators' text on the lower third, instead of the caption. The text is "" once its time is over. */
export interface StorylineShown {
  type: "storyline_shown";
  text: string;
}

/** The caption of this moment is a storyline (a fact worth telling) about `bot`. The caption is shown beside the bot's face, like the bot's own words. */
export interface StorylineTold {
  type: "storyline_told";
  bot: number;
  text: string;
}

/** The next board cards were dealt: three on the flop, one on the turn, one on the river. */
export interface StreetDealt {
  type: "street_dealt";
  street: "flop" | "turn" | "river";
  cards: string[];
}

/** A table of a deal: its game, the bots in seat order, and each bot's chips `won` and `luck` (see `SeatHeld`). */
export interface TableOfDeal {
  game: number;
  seats: number[];
  won: number[];
  luck: number[];
}

/** The chips that bot `by` has won from bot `of` in all hands, minus the chips that `by` has lost to `of`. */
export type Taken = [by: number, of: number, chips: number];

/** The checked claims and estimates of the note that `bot` has just given. The note is about action number `action` of the hand, counted from 1. */
export interface ThoughtChecked {
  type: "thought_checked";
  bot: number;
  action: number;
  checked: Checked[];
}

/** `bot`'s thought about the action of this moment is shown beside the bot's face, like the bot's chat. `text` is the part of the bot's note that says what the bot has, believes and does. Dots stand for what is left out. `checked` are the checked claims and the estimates of winning in `text`. Up to and including this thought, the bot has made `claims` claims, of which `false_claims` were false. */
export interface ThoughtShown {
  type: "thought_shown";
  bot: number;
  text: string;
  checked: Checked[];
  claims: number;
  false_claims: number;
}

/** A bot's chance to win the title, in tenths of a percent. */
export interface TitleChance {
  bot: number;
  chance: number;
}

/** How likely each bot of the stage is to win the title, computed from the chips or from the results of deals. */
export interface TitleOddsChanged {
  type: "title_odds_changed";
  chances: TitleChance[];
}

/** The tournament that is shown. */
export interface Tournament {
  contest: string;
  title: string;
  starting_stack: number;
  prizes_cents: number[];
}

/** The tournament is over. `placings` are the final results, best first. `seed`, in hexadecimal, decided all decks and draws. */
export interface TournamentEnded {
  type: "tournament_ended";
  placings: Placing[];
  seed: string;
}

/** The first event of every journal. `seed_commitment` is the SHA-256 of the secret seed. A recording may be made from a file of published hands. Then `scale` chips of the recording stand for one chip of the file. `scale` is left out if it is 1. */
export interface TournamentOpened {
  type: "tournament_opened";
  contest: string;
  title: string;
  rules: Rules;
  starting_stack: number;
  entrants: Entrant[];
  seed_commitment: string;
  prizes_cents: number[];
  scale?: number;
}

/** A text that says why the show has to wait, or "" once the wait is over. */
export interface TroubleShown {
  type: "trouble_shown";
  text: string;
}

/** Whose turn it is. */
export interface Turn {
  seat: number;
  to_call: number;
  min_raise_to: number;
  max_raise_to: number;
  think_ms: number;
}

/** A seat must act within `think_ms`. The limits of a raise are totals for the street, or 0 if no raise is possible. If `blind` is set, the seat must post that blind, and `to_call` is the blind's amount. */
export interface TurnStarted {
  type: "turn_started";
  seat: number;
  to_call: number;
  min_raise_to: number;
  max_raise_to: number;
  think_ms: number;
  blind?: "" | "small" | "big";
}

export type OnAirEvent =
  | TournamentOpened
  | StageStarted
  | GameStarted
  | GameForfeited
  | GameEnded
  | DealEnded
  | BotRated
  | BotEliminated
  | StageEnded
  | TournamentEnded
  | HandStarted
  | BlindPosted
  | HoleDealt
  | TurnStarted
  | ActionTaken
  | SeatVacated
  | BetReturned
  | BetsCollected
  | StreetDealt
  | HandShown
  | PotAwarded
  | HandEnded
  | BotConnected
  | BotDisconnected
  | BotWithdrawn
  | FaultNoted
  | ChatSent
  | NoteGiven
  | ControlSet
  | CueGiven
  | StageCut
  | StandingsChanged
  | CaptionSpoken
  | LineSpoken
  | HandNamed
  | HandTold
  | EquitiesChanged
  | HighlightMarked
  | StatisticsChanged
  | StakesShown
  | FocusChanged
  | TitleOddsChanged
  | DealCompared
  | PairsCompared
  | PaceChanged
  | SceneShown
  | ReplayStarted
  | ReplayEnded
  | TroubleShown
  | StorylineTold
  | ThoughtShown
  | ThoughtChecked
  | StorylineShown;
