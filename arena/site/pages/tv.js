"use strict";
// Shows deals one after the other: each is played by the replay in the frame, which says when it is over.
// Where the frame is hidden, nothing is fetched before a deal is asked for.
(() => {
  const REST_MS = 6000;
  const AGAIN_MS = 1500;
  const SILENT_MS = 30000;
  const screen = document.getElementById("screen");
  const remote = document.getElementById("remote");
  const [pause, onwards, whole] = remote.querySelectorAll("button");
  const set = screen.parentElement;
  const told = remote.querySelector("[role=status]");
  const links = () => [...document.querySelectorAll("#deals a")];
  const place = (link) => link.getAttribute("href");
  const shown = new Set();
  /** Whether a deal is shown only once it is asked for. */
  const waits = "waits" in set.dataset;
  /** Whether deals are what the page is about: then one key is theirs. */
  const alone = !waits && set.closest("main") !== null;
  let current = "";
  let playing = false;
  /** True while the result of a deal that is over is looked at. */
  let resting = false;
  let turn = 0;
  let late;

  const mark = () => {
    for (const link of links())
      if (place(link) === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
  };

  /** Says on a button what it does now: the one thing, or the other. */
  const put = (button, other) => {
    button.dataset.one ??= button.textContent;
    button.textContent = other ? button.dataset.other : button.dataset.one;
  };

  const heard = (now) => {
    playing = now;
    put(pause, playing);
  };

  /** Show a deal; until its replay is there, what was on the screen stays. */
  const show = async (link) => {
    const mine = (turn += 1);
    set.hidden = false;
    clearTimeout(late);
    resting = false;
    current = place(link);
    shown.add(current);
    mark();
    told.textContent = told.dataset.getting;
    const found = await fetch(`${link.pathname}.json`).catch(() => null);
    if (mine !== turn) return;
    told.textContent = "";
    if (!found?.ok) return void (late = setTimeout(next, AGAIN_MS));
    screen.src = `${link.pathname}?tv=${link.hash.slice(1)}${link.hash}&tv`;
    screen.title = link.querySelector(".of").textContent;
    late = setTimeout(next, SILENT_MS);
  };

  /** Show the newest deal that was not shown yet; after the last one, begin again. */
  const next = async () => {
    clearTimeout(late);
    while (document.hidden) await new Promise((seen) => document.addEventListener("visibilitychange", seen, { once: true }));
    const all = links();
    const at = all.findIndex((link) => place(link) === current);
    const found = all.find((link) => !shown.has(place(link))) ?? all[(at + 1) % all.length];
    if (found) void show(found);
  };

  const toggle = () => {
    if (!resting) return screen.contentWindow?.postMessage(playing ? "pause" : "play", location.origin);
    clearTimeout(late);
    if (playing) heard(false);
    else void next();
  };

  const begin = () => {
    mark();
    onwards.hidden = links().length < 2;
    if (current === "" && links().length > 0 && !waits) void next();
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#deals a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void show(link);
    if (waits) pause.focus();
  });
  pause.addEventListener("click", toggle);
  onwards.addEventListener("click", next);
  whole.hidden = !document.fullscreenEnabled;
  whole.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : set.requestFullscreen()));
  document.addEventListener("fullscreenchange", () => put(whole, document.fullscreenElement));
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || !alone || event.target.closest("a, button, summary, iframe")) return;
    event.preventDefault();
    toggle();
  });
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== location.origin || source !== screen.contentWindow) return;
    clearTimeout(late);
    resting = data === "over";
    heard(data !== "paused");
    if (resting) late = setTimeout(next, REST_MS);
  });
  document.addEventListener("brought", begin);
  // The page itself comes first.
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin);
})();
