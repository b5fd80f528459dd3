/**
 * `fetch` that gives up: a network that is gone may never say so, and whatever waits for it would wait for ever.
 */

/** So long until an answer begins, and until all of it is there. */
const [BEGINS_MS, WHOLE_MS] = [5000, 60_000];

/**
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response>} rejected where no answer begins in time; reading the rest of a late one fails
 */
export async function answerFrom(address, how = {}) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), BEGINS_MS);
  const answer = await fetch(address, { ...how, signal: patience.signal }).finally(() => clearTimeout(timer));
  setTimeout(() => patience.abort(), WHOLE_MS);
  return answer;
}
