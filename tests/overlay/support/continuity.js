// This script runs in a window, and in the pages of a show that the window embeds. In each page, tests control time,
// timers and painting, and list what is visible. In the window, tests open pages and let time pass.
(() => {
  const realSetTimeout = window.setTimeout.bind(window);
  const topWindow = window.top;
  topWindow.showTime ??= 0;
  const timers = new Map();
  const intervals = [];
  let [lastId, hidden, asleep, frameCallbacks] = [1, false, false, new Map()];
  performance.now = () => topWindow.showTime;
  window.setTimeout = (callback, ms = 0) => {
    timers.set(++lastId, { at: topWindow.showTime + ms, callback });
    return lastId;
  };
  window.clearTimeout = (id) => timers.delete(id);
  window.setInterval = (callback) => {
    intervals.push(callback);
    return ++lastId;
  };
  window.requestAnimationFrame = (callback) => {
    frameCallbacks.set(++lastId, callback);
    return lastId;
  };
  window.cancelAnimationFrame = (id) => frameCallbacks.delete(id);
  // A page whose name starts with "opens" is closed after one comparison, before particles (small pictures) could fly.
  // So such a page prepares no particles in idle time.
  if (window.frameElement?.id.startsWith("opens")) window.requestIdleCallback = () => 0;
  Object.defineProperty(document, "hidden", { get: () => hidden });

  function tick() {
    for (const [id, { at, callback }] of [...timers]) if (at <= topWindow.showTime && timers.delete(id)) callback();
    if (hidden) return;
    const dueCallbacks = frameCallbacks;
    frameCallbacks = new Map();
    for (const callback of dueCallbacks.values()) callback(topWindow.showTime);
  }

  function runIntervals() {
    if (!asleep) for (const callback of intervals) callback();
  }

  // The server sends heartbeats by its own clock. When a test lets time pass, `receiveHeartbeat` adds one.
  const sockets = new Set();
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
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
    while (window.highnoon?.state().seq !== seq) await new Promise((done) => realSetTimeout(done, 1));
  }

  // Ends every motion, and waits for fonts and pictures.
  async function finishMotions() {
    tick();
    for (const motion of document.getAnimations()) motion.finish();
    await document.fonts.ready;
    const loadingImages = [...document.images].filter((image) => !image.complete);
    await Promise.all(loadingImages.map((image) => image.decode().catch(() => 0)));
    tick();
  }

  // Lists the visible elements, one per line, and the source of each SVG. Boxes are in pixels of a 1920x1080 picture.
  function listVisible() {
    const lines = [];
    const scale = innerWidth / 1920;
    const walk = (node) => {
      if (node.nodeName === "CANVAS" || node.matches(".flights")) return;
      const { display, visibility, opacity, color } = getComputedStyle(node);
      if (display === "none" || visibility === "hidden" || opacity === "0") return;
      const { left, top, width, height } = node.getBoundingClientRect();
      const box = [left, top, width, height].map((side) => Math.round(side / scale));
      const ownText = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data).join("");
      const attrs = [...node.attributes].filter(({ name }) => !["style", "data-fit", "data-of"].includes(name));
      const attributeTexts = attrs.map(({ name, value }) => `${name}=${value}`).sort();
      lines.push([node.nodeName, ...attributeTexts, box, opacity, color, ownText].join(" "));
      if (node.nodeName === "svg") lines.push(node.innerHTML);
      else for (const child of node.children) walk(child);
    };
    walk(document.querySelector(".stage"));
    return lines.join("\n");
  }

  window.page = { tick, runIntervals, receiveHeartbeat, sleep, moving, hide, waitForEntry, finishMotions, listVisible };
  if (window !== topWindow) return;

  const allFrames = () => [...document.querySelectorAll("iframe")];
  const of = (name) => document.getElementById(name).contentWindow.page;
  const frameStyle = "position:fixed;left:0;top:0;width:480px;height:270px;border:0;visibility:hidden";

  async function open(name, address) {
    document.getElementById(name)?.remove();
    const frame = document.createElement("iframe");
    Object.assign(frame, { id: name, style: frameStyle, src: address });
    document.body.append(frame);
    await new Promise((done) => {
      frame.onload = done;
    });
  }

  function pass(ms) {
    for (let left = ms; left > 0; left -= 1000) {
      window.showTime += Math.min(1000, left);
      for (const frame of allFrames()) frame.contentWindow.page.runIntervals();
    }
    for (const frame of allFrames()) frame.contentWindow.page.receiveHeartbeat();
    return window.showTime;
  }

  // The page called "hides" stands for a slow machine: it paints only every other frame.
  async function play(seq, frames) {
    await Promise.all(allFrames().map((frame) => frame.contentWindow.page.waitForEntry(seq)));
    for (let frame = 0; frame < frames; frame += 1) {
      window.showTime += 16;
      for (const each of allFrames()) if (each.id !== "hides" || frame % 2) each.contentWindow.page.tick();
    }
  }

  async function look(name, seq) {
    const page = of(name);
    await page.waitForEntry(seq);
    page.hide(false);
    await page.finishMotions();
    return page.listVisible();
  }

  window.pages = { open, of, pass, play, look };
})();
