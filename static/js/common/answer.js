/**
 * `fetch` with time limits: a lost network may never report an error, and the caller would wait for ever.
 */

/** The time limits for the first byte of an answer and for all of it. */
const [BEGINS_MS, WHOLE_MS] = [5000, 60_000];

/**
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response>} rejects if no answer begins in time; reading the body of a slow one fails
 */
export async function answerFrom(address, how = {}) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), BEGINS_MS);
  const answer = await fetch(address, { ...how, signal: patience.signal }).finally(() => clearTimeout(timer));
  setTimeout(() => patience.abort(), WHOLE_MS);
  return answer;
}
