/**
 * On the page of a show that is over: who comes by a link to a hand is led on to that hand in the replay, and whatever
 * else the address asks for goes along.
 */

const replay = document.querySelector("a[data-replay]");
if (replay instanceof HTMLAnchorElement) {
  const asked = new URLSearchParams(location.search);
  asked.delete("channel");
  replay.search = String(asked);
  if (asked.has("hand")) location.replace(replay.href);
}
