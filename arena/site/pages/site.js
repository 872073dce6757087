// The script of a site's pages, which work without it: keeps them live, copies, sends archives.

const all = (where, from = document) => [...from.querySelectorAll(where)];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const data = document.body.dataset;
const said = JSON.parse(data.words);
const { lang } = document.documentElement;

// The cookie keeps the language that the address asked for: links that are passed on ask for none.
const here = new URL(location.href);
if (here.searchParams.has("lang") && document.cookie.split("; ").includes(`language=${lang}`)) {
  here.searchParams.delete("lang");
  history.replaceState(null, "", here);
}

// --- times, in the reader's own zone ---

const region = lang === "en" ? "en-GB" : lang;
const once = (make, made) => () => (made ??= make());
const [past, future, now] = [["always", "short"], ["always", "long"], ["auto", "long"]].map(
  ([numeric, style]) => once(() => new Intl.RelativeTimeFormat(region, { numeric, style })),
);
const short = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const [moment, dated] = [short, { year: "numeric", ...short }].map((it) => once(() => new Intl.DateTimeFormat(region, it)));
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];

function apart(seconds, sign) {
  if (seconds < 5) return now().format(0, "second");
  const [size, unit] = UNITS.find(([size]) => seconds >= size);
  return (sign < 0 ? past : future)().format(sign * Math.floor(seconds / size), unit);
}

function tellTimes() {
  for (const time of all("time")) {
    const at = new Date(time.dateTime);
    const exact = ("year" in time.dataset ? dated : moment)().format(at);
    const sign = "ago" in time.dataset ? -1 : "in" in time.dataset ? 1 : 0;
    if (sign) time.title = exact;
    time.textContent = sign ? apart((sign * (at - Date.now())) / 1000, sign) : exact;
  }
}
setInterval(tellTimes, 10000);

// --- the guided deals are offered until they are done or skipped, as /learn keeps ---

try {
  for (const it of all("[data-offer]")) it.hidden = localStorage.getItem("zole:learnt") !== null;
} catch {
  // Without a store they are offered.
}

// --- a guest's own matches, as this browser keeps them ---

try {
  const [list] = all("#played");
  const since = Date.now() - 30 * 86400000;
  const played = list ? JSON.parse(localStorage.getItem("zole:played") ?? "[]").filter(({ at }) => at > since) : [];
  const shown = (made) => (made > 0 ? `+${made}` : `${made}`.replace("-", "\u2212"));
  for (const { at, day, made, watch } of played) {
    const line = list.querySelector("ol").appendChild(document.createElement("li"));
    const link = Object.assign(document.createElement("a"), { href: watch, textContent: moment().format(at) });
    line.append(link, ` ${shown(made)} `, day ? list.dataset.day : "");
  }
  if (played.length > 0) {
    list.hidden = false;
    list.querySelector("b").textContent = shown(played.reduce((sum, { made }) => sum + made, 0));
  }
} catch {
  // There is no store.
}

// --- live parts: the page is asked for every few seconds ---

const state = document.querySelector(".state");
const LOST_MS = 8000;
let tag = "";
let heard = Date.now();
let timer;

function plain(element) {
  const copy = element.cloneNode(true);
  for (const time of all("time", copy)) time.remove();
  return copy.textContent;
}

/** Takes in a part that is new, marks the rows that say something else, and keeps what is open and in focus. */
function swap(old, fresh) {
  const times = all("time", fresh);
  if (plain(old) === plain(fresh) && all("time", old).length === times.length)
    return all("time", old).forEach((time, at) => time.replaceWith(times[at]));
  const before = new Map(all("[data-key]", old).map((row) => [row.dataset.key, plain(row)]));
  for (const row of all("[data-key]", fresh))
    if (before.size && before.get(row.dataset.key) !== plain(row)) row.classList.add("changed");
  for (const it of all("details[open]", old)) if (it.id) fresh.querySelector(`#${it.id}`)?.setAttribute("open", "");
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const alike = (part) => all(focused.tagName, part).filter((it) => it.href === focused.href);
  const which = focused && alike(old).indexOf(focused);
  old.replaceWith(fresh);
  if (focused) alike(fresh)[which]?.focus({ preventScroll: true });
}

/** Takes in what has changed. */
async function bring() {
  const answer = await fetch("", { cache: "no-cache", headers: { Accept: "text/html" } }).catch(() => null);
  if (answer?.ok) heard = Date.now();
  state.hidden = Date.now() - heard < LOST_MS;
  const now = answer?.headers.get("ETag");
  if (!answer?.ok || now === tag) return;
  tag = now;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const old of all("[data-live]")) {
    const fresh = page.getElementById(old.id);
    if (fresh) swap(old, document.adoptNode(fresh));
  }
  data.every = page.body.dataset.every ?? "";
  ready();
  document.dispatchEvent(new Event("brought"));
}

/** Some time later, so that not all readers ask at once. */
function again() {
  clearTimeout(timer);
  if (!data.every || document.hidden) return;
  timer = setTimeout(() => bring().finally(again), 1000 * data.every * (1 + Math.random() / 4));
}
again();
document.addEventListener("visibilitychange", () => document.hidden || bring().finally(again));

// --- buttons that only a script can serve ---

function ready() {
  tellTimes();
  for (const button of all("[data-copy][hidden]")) {
    button.hidden = false;
    button.onclick = async () => {
      const before = button.textContent;
      const copied = navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = said[await copied.then(() => "copied", () => "copy-by-hand")];
      setTimeout(() => (button.textContent = before), 2000);
    };
  }
  for (const button of all("[data-check][hidden]")) {
    button.hidden = !crypto.subtle;
    button.onclick = async () => {
      const hash = await sha256(new TextEncoder().encode(button.dataset.check));
      const told = hash === button.dataset.is ? "hash-is-right" : "hash-is-wrong";
      button.nextElementSibling.textContent = said[told];
    };
  }
}

/** Sorts a table by the column whose heading is pressed; pressed again, the other way round. */
function sorts(table) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const text = head.classList.contains("text");
    const value = (row) => {
      const { dataset, textContent } = row.cells[column];
      if (text) return textContent;
      const number = parseFloat(dataset.value ?? textContent);
      return Number.isNaN(number) ? -Infinity : number;
    };
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a < b ? -1 : Number(a > b));
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const up = before ? before === "descending" : text || head.classList.contains("best");
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...body.rows].sort((a, b) => compare(value(a), value(b)));
      body.append(...(up ? rows : rows.reverse()));
    });
  });
}
all(".sorts").forEach(sorts);

async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
setTimeout(ready); // apart: a first format takes long

// --- bots for a table: the address keeps the choice ---

const sit = document.querySelector("form.sit");
sit?.addEventListener("change", () => {
  const chosen = new URLSearchParams(all("select", sit).filter(({ value }) => value).map(({ name, value }) => [name, value]));
  history.replaceState(null, "", `?${chosen}`);
});

// --- an archive, dropped or chosen ---

const drop = document.querySelector("#drop");
if (drop) {
  const [field, bar, told] = ["input", "progress", "output"].map((it) => drop.querySelector(it));
  const words = drop.dataset;
  drop.hidden = false;
  /** Tells something, in the page's language or in another. */
  const tell = (text, bad = true, spoken = lang) => {
    told.textContent = text;
    told.lang = spoken;
    told.classList.toggle("bad", bad);
  };
  const send = async (file) => {
    if (!file) return;
    if (file.size > words.most) return tell(words.large.replace("{file}", () => file.name));
    bar.hidden = false;
    bar.value = 0;
    tell(words.sending.replace("{file}", () => file.name), false);
    const bytes = await file.arrayBuffer().catch(() => null);
    if (!bytes) return tell(words.folder);
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/bots");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => (bar.value = loaded / total);
    request.onerror = () => tell(words.broke);
    request.onload = () => {
      bar.hidden = true;
      const { id, error, remedy } = request.response ?? {};
      if (id) return location.assign(`/me/uploads/${id}`);
      if (error) tell([error, remedy].filter(Boolean).join("; "), true, "en");
      else tell(words.answered.replace("{status}", request.status));
    };
    request.send(bytes);
  };
  field.onchange = () => send(field.files[0]);
  for (const name of ["dragover", "dragleave", "drop"])
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop") send(event.dataTransfer.files[0]);
    });
}
