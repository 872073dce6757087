"use strict";
// Follows a guest's table: each line is an object with sentences for whoever watches.
(() => {
  const told = document.getElementById("told");
  const state = document.getElementById("watching");
  let list = null;
  const say = (line) => {
    if (line.type === "hello") told.replaceChildren();
    if (line.type === "hello" || line.events?.some(({ event }) => event === "deal")) list = null;
    for (const words of line.words) {
      if (list === null) told.prepend((list = document.createElement("ol")));
      const item = document.createElement("li");
      item.textContent = words;
      list.append(item);
    }
  };
  let last = 0;
  const follow = () => {
    const source = new EventSource(`lines?after=${last}`);
    source.onopen = () => (state.textContent = "Connected.");
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
