/**
 * On the page of a show that is over: forwards links to a hand to that hand in the replay, together with the other
 * settings of the address.
 */

const replay = document.querySelector("a[data-replay]");
if (replay instanceof HTMLAnchorElement) {
  const asked = new URLSearchParams(location.search);
  asked.delete("channel");
  replay.search = String(asked);
  if (asked.has("hand")) location.replace(replay.href);
}
