"use strict";
// Follows a guest's table: each line has sentences for whoever watches, and the events they are made of.
(() => {
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

  const card = (name) => get("cards").content.querySelector(`[data-card="${name}"]`).firstChild.cloneNode(true);

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
    source.onopen = () => (state.textContent = state.dataset.follows);
    source.onmessage = ({ data, lastEventId }) => {
      if (Number(lastEventId) <= last) return;
      last = Number(lastEventId);
      say(JSON.parse(data));
    };
    source.addEventListener("over", () => {
      source.close();
      state.textContent = state.dataset.over;
    });
    source.onerror = () => {
      state.textContent = state.dataset.lost;
      if (source.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
    };
  };
  follow();
})();
