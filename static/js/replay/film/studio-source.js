/**
 * The source of a live film: the files and the connection of a studio (the program that makes the show).
 *
 * @import { Listener } from "../../overlay/transport.js"
 * @import { ShowSchedule } from "../../common/types.js"
 * @import { Outline, Segment } from "./film.js"
 * @typedef {"live" | "waiting" | "paused" | "over"} ShowState the state of a show. "waiting": the show waits for the
 *   table, for example while a bot thinks
 * @typedef {{ epoch: string, now_utc_ms: number, at_ms: number, speed: number, state: ShowState, last: number,
 *   first: number, open: number, since: number, outline: Outline, schedule: ShowSchedule,
 *   recording?: string, goes_on?: boolean, blocks?: number }} ChannelIndex the index of a channel. `epoch` identifies
 *   the numbering of the entries: a restarted studio has another epoch. `last` is the number of the last entry. `first`
 *   is the number of the first hand that is still available, and `open` the number of the hand in progress. The hands
 *   in `outline` begin with number `since`. Earlier hands are in files, the blocks. The number of these files is
 *   `blocks`. `recording` is the name of the show's recording. Only an index that is published after the show has this
 *   name. `goes_on` means that another contest follows
 * @typedef {{ drop: () => void, again: () => void }} Connection `drop` ends the connection as a broken network would.
 *   `again` replaces the connection
 * @typedef {{
 *   index: (since: number, cache?: RequestCache) => Promise<ChannelIndex>,
 *   open: (epoch: string) => Promise<Segment>,
 *   segment: (epoch: string, number: number) => Promise<Segment>,
 *   follow: (listener: Listener) => Connection,
 * }} FilmSource the source of a channel. `index` returns at least the hands from number `since` on. `open` returns the
 *   segment that is still growing. `segment` returns a finished segment. `follow` sends the listener every entry
 *   after the listener's position
 */

import { fromRoot } from "../../common/addresses.js";
import { connectToShow } from "../../overlay/transport.js";
import { blockNames, fetchJson, fetchSegment, joinBlocks } from "./fetched.js";

/** @type {(channel: string) => FilmSource} */
export function studioSource(channel) {
  const address = fromRoot(`live/${encodeURIComponent(channel)}`);
  return {
    index: async (since, cache) => {
      const index = await fetchJson(`${address}/index.json${since ? `?since=${since}` : ""}`, cache);
      return joinBlocks(index, await Promise.all(blockNames(index).map((name) => fetchJson(`${address}/${name}`))));
    },
    open: (epoch) => fetchSegment(`${address}/${epoch}/open.json`, 0),
    segment: (epoch, number) => fetchSegment(`${address}/${epoch}/${number}.seg`, number),
    follow: (listener) => connectToShow(channel, listener),
  };
}
