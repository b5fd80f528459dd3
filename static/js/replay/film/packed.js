/** JSON that a host gives as it lies there: gzipped, whether or not it says so. No DOM. */

const GZIP = [0x1f, 0x8b];

/**
 * @param {Response} answer
 * @returns {Promise<{ body: any, sum: string }>} the JSON, and the SHA-256 of its text; "" where the browser keeps
 *   that function for https
 */
export async function unpacked(answer) {
  let bytes = await answer.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first === GZIP[0] && second === GZIP[1]) {
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = await new Response(plain).arrayBuffer();
  }
  return { body: JSON.parse(new TextDecoder().decode(bytes)), sum: await sumOf(bytes) };
}

/** @param {ArrayBuffer} bytes */
async function sumOf(bytes) {
  if (!globalThis.crypto?.subtle) return "";
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
