// This script runs in a window, and in the pages of a show that the window embeds. In each page, tests control time,
// timers and painting, and list what is visible. In the window, tests open pages and let time pass.
(() => {
  const later = window.setTimeout.bind(window);
  const window0 = window.top;
  window0.showTime ??= 0;
  const timers = new Map();
  const intervals = [];
  let [number, hidden, asleep, frames] = [1, false, false, new Map()];
  performance.now = () => window0.showTime;
  window.setTimeout = (work, ms = 0) => {
    timers.set(++number, { at: window0.showTime + ms, work });
    return number;
  };
  window.clearTimeout = (which) => timers.delete(which);
  window.setInterval = (work) => {
    intervals.push(work);
    return ++number;
  };
  window.requestAnimationFrame = (work) => {
    frames.set(++number, work);
    return number;
  };
  window.cancelAnimationFrame = (which) => frames.delete(which);
  // A page whose name starts with "opens" is closed after one comparison, before particles could fly. So the page need
  // not prepare any in idle time.
  if (window.frameElement?.id.startsWith("opens")) window.requestIdleCallback = () => 0;
  Object.defineProperty(document, "hidden", { get: () => hidden });

  function tick() {
    for (const [which, { at, work }] of [...timers]) if (at <= window0.showTime && timers.delete(which)) work();
    if (hidden) return;
    const due = frames;
    frames = new Map();
    for (const work of due.values()) work(window0.showTime);
  }

  function runIntervals() {
    if (!asleep) for (const work of intervals) work();
  }

  // The server sends heartbeats by its own clock. Here the clock of the test decides when heartbeats arrive.
  const sockets = new Set();
  window.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      sockets.add(this);
    }
  };
  function receiveHeartbeat() {
    const heartbeat = new MessageEvent("message", { data: '{"type":"heartbeat"}' });
    for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.onmessage?.(heartbeat);
  }

  // A sleeping page runs no callback of `setInterval`.
  function sleep(isAsleep) {
    asleep = isAsleep;
  }

  // Counts what is moving. Animations of style sheets do not count, because they always show the newest state.
  function moving() {
    const motions = document.getAnimations().filter((motion) => motion.constructor === Animation);
    return motions.length + document.querySelectorAll(".flight, .particles").length;
  }

  function hide(isHidden) {
    if (isHidden === hidden) return;
    hidden = isHidden;
    document.dispatchEvent(new Event("visibilitychange"));
  }

  async function waitForEntry(seq) {
    while (window.highnoon?.state().seq !== seq) await new Promise((done) => later(done, 1));
  }

  // Ends every motion, and waits for fonts and pictures.
  async function rest() {
    tick();
    for (const motion of document.getAnimations()) motion.finish();
    await document.fonts.ready;
    const coming = [...document.images].filter((image) => !image.complete);
    await Promise.all(coming.map((image) => image.decode().catch(() => 0)));
    tick();
  }

  // Lists the visible elements, one per line, and the source of each SVG. Boxes are in pixels of a 1920x1080 picture.
  function seen() {
    const lines = [];
    const scale = innerWidth / 1920;
    const walk = (node) => {
      if (node.nodeName === "CANVAS" || node.matches(".flights")) return;
      const { display, visibility, opacity, color } = getComputedStyle(node);
      if (display === "none" || visibility === "hidden" || opacity === "0") return;
      const { left, top, width, height } = node.getBoundingClientRect();
      const box = [left, top, width, height].map((side) => Math.round(side / scale));
      const own = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data).join("");
      const marks = [...node.attributes].filter(({ name }) => !["style", "data-fit", "data-of"].includes(name));
      const attributes = marks.map(({ name, value }) => `${name}=${value}`).sort();
      lines.push([node.nodeName, ...attributes, box, opacity, color, own].join(" "));
      if (node.nodeName === "svg") lines.push(node.innerHTML);
      else for (const child of node.children) walk(child);
    };
    walk(document.querySelector(".stage"));
    return lines.join("\n");
  }

  window.page = { tick, runIntervals, receiveHeartbeat, sleep, moving, hide, waitForEntry, rest, seen };
  if (window !== window0) return;

  const all = () => [...document.querySelectorAll("iframe")];
  const of = (name) => document.getElementById(name).contentWindow.page;
  const small = "position:fixed;left:0;top:0;width:480px;height:270px;border:0;visibility:hidden";

  async function open(name, address) {
    document.getElementById(name)?.remove();
    const frame = document.createElement("iframe");
    Object.assign(frame, { id: name, style: small, src: address });
    document.body.append(frame);
    await new Promise((done) => {
      frame.onload = done;
    });
  }

  function pass(ms) {
    for (let left = ms; left > 0; left -= 1000) {
      window.showTime += Math.min(1000, left);
      for (const frame of all()) frame.contentWindow.page.runIntervals();
    }
    for (const frame of all()) frame.contentWindow.page.receiveHeartbeat();
    return window.showTime;
  }

  // The page called "hides" stands for a slow machine: it paints only every other frame.
  async function play(seq, frames) {
    await Promise.all(all().map((frame) => frame.contentWindow.page.waitForEntry(seq)));
    for (let frame = 0; frame < frames; frame += 1) {
      window.showTime += 16;
      for (const each of all()) if (each.id !== "hides" || frame % 2) each.contentWindow.page.tick();
    }
  }

  async function look(name, seq) {
    const page = of(name);
    await page.waitForEntry(seq);
    page.hide(false);
    await page.rest();
    return page.seen();
  }

  window.pages = { open, of, pass, play, look };
})();
