/**
 * Adds time limits to `fetch`. Without them, `fetch` may wait for ever if the network is lost.
 */

/** The time limits for the first byte of an answer, and for the whole answer. */
const [FIRST_BYTE_MS, WHOLE_ANSWER_MS] = [5000, 60_000];

/**
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response>} rejects if the answer begins too late; reading its body fails if the body takes too long
 */
export async function fetchWithTimeout(address, how = {}) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), FIRST_BYTE_MS);
  const answer = await fetch(address, { ...how, signal: limit.signal }).finally(() => clearTimeout(timer));
  setTimeout(() => limit.abort(), WHOLE_ANSWER_MS);
  return answer;
}
