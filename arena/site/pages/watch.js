"use strict";
// Follows a guest's table: each line has sentences for whoever watches, and the events they are made of.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven" };
  const SUITS = { C: "clubs", S: "spades", H: "hearts", D: "diamonds" };
  const get = (id) => document.getElementById(id);
  const made = (name, kind, ...inside) => {
    const found = document.createElement(name);
    found.className = kind;
    found.append(...inside);
    return found;
  };
  const names = [...get("players").children].map((it) => it.dataset.name);
  let trick = [];
  let done = false;
  let list = null;
  let last = 0;

  const card = ([rank, suit]) => {
    const sign = document.createElementNS(SVG, "svg");
    const use = document.createElementNS(SVG, "use");
    sign.setAttribute("class", SUITS[suit]);
    use.setAttribute("href", `#${SUITS[suit]}`);
    sign.append(use);
    const found = made("span", `card ${SUITS[suit]}`, made("b", "", rank === "T" ? "10" : rank), sign);
    found.setAttribute("role", "img");
    found.setAttribute("aria-label", `${RANKS[rank]} of ${SUITS[suit]}`);
    return made("span", "slot", found);
  };

  const happened = ({ event, seat, card: name }) => {
    if (event === "deal") [trick, list] = [[], null];
    if (event === "card") [trick, done] = [[...(done ? [] : trick), [seat, name]], false];
    if (event === "trick") done = true;
  };

  const say = (line) => {
    if (line.type === "hello") {
      get("told").replaceChildren();
      [trick, list] = [[], null];
    }
    (line.events ?? []).forEach(happened);
    for (const words of line.words) {
      if (list === null) get("told").prepend((list = made("ol", "told")));
      list.prepend(made("li", "", words));
    }
    const laid = trick.map(([seat, name]) => made("li", "", card(name), made("bdi", "", names[seat] ?? seat)));
    get("trick").replaceChildren(...laid);
  };

  const follow = () => {
    const source = new EventSource(`lines?after=${last}`);
    const state = get("watching");
    source.onopen = () => (state.textContent = "Live: cards come as they are played.");
    source.onmessage = ({ data, lastEventId }) => {
      if (Number(lastEventId) <= last) return;
      last = Number(lastEventId);
      say(JSON.parse(data));
    };
    source.addEventListener("over", () => {
      source.close();
      state.textContent = "The table is over.";
    });
    source.onerror = () => {
      state.textContent = "Not connected. Trying again …";
      if (source.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
    };
  };
  follow();
})();
