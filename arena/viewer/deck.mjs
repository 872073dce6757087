// The deck, drawn for this project: one SVG with the suits, the courts, and the pips of all other cards as symbols.

/** The suits, in a square of 16. */
const SUITS = {
  C: "M8 1a3.4 3.4 0 0 1 2.9 5.2A3.4 3.4 0 1 1 9 12l1 3H6l1-3a3.4 3.4 0 1 1-1.9-5.8A3.4 3.4 0 0 1 8 1Z",
  S: "M8 1C9.5 4.2 14.5 6 14.5 9.6A3.1 3.1 0 0 1 9 11.6L10 15H6l1-3.4A3.1 3.1 0 0 1 1.5 9.6C1.5 6 6.5 4.2 8 1Z",
  H: "M8 14.5C5 11.5 1.2 8.8 1.2 5.2A3.5 3.5 0 0 1 8 4a3.5 3.5 0 0 1 6.8 1.2C14.8 8.8 11 11.5 8 14.5Z",
  D: "M8 .8 13.4 8 8 15.2 2.6 8Z",
};

/** Where pips stand on a face of 60 by 90: columns at 12, 30 and 48, rows by their height. */
const PIPS = {
  A: [[30, 45, 34]],
  7: [...rows(14, 45, 76), [30, 29.5]],
  8: [...rows(14, 45, 76), [30, 29.5], [30, 60.5]],
  9: [...rows(12, 34, 56, 78), [30, 45]],
  T: [...rows(12, 34, 56, 78), [30, 23], [30, 67]],
};

const SKIN = "#f1cfae";
const DARK = "#1d1f1e";
const GOLD = "#dfa42b";
const WHITE = "#fffefa";

/** A court card looks at the reader from a square bust; what is not given a colour has its suit's. */
const COURTS = {
  K: `
    <path fill="#6f5d4c" d="M15 30c-2 12 0 22 4 27h26c4-5 6-15 4-27Z"/>
    <path d="M0 90c0-17 8-28 22-33h20c14 5 22 16 22 33Z"/>
    <path fill="${WHITE}" d="M17 59q15 13 30 0l6 4q-8 16-21 16T11 63Z"/>
    <path fill="${DARK}" d="M20 66l1.500 3 1.500-3ZM30.500 71l1.500 3 1.500-3ZM41 66l1.500 3 1.500-3Z"/>
    <path fill="${SKIN}" d="M21 27h22v15q0 11-11 11T21 42Z"/>
    <path fill="#6f5d4c" d="M19 36c0 20 4 29 13 29s13-9 13-29c-2 6-6 6-13 6s-11 0-13-6Z"/>
    <path fill="${SKIN}" d="M27.500 46h9l-4.500 3Z"/>
    <circle cx="27" cy="34" r="1.700" fill="${DARK}"/><circle cx="37" cy="34" r="1.700" fill="${DARK}"/>
    <path fill="${GOLD}" d="M16 28 12 8l11 8 9-14 9 14 11-8-4 20Z"/>
    <circle cx="12" cy="7" r="3" fill="${GOLD}"/><circle cx="32" cy="3" r="3" fill="${GOLD}"/><circle cx="52" cy="7" r="3" fill="${GOLD}"/>
    <path d="M32 15l4 5-4 5-4-5Z"/>
    <path fill="${DARK}" d="M16 26h32v2.500H16Z"/>`,
  Q: `
    <path fill="#a8702e" d="M32 10C14 10 13 26 14 40l-3 34h10l2-20h18l2 20h10l-3-34c1-14 0-30-18-30Z"/>
    <path d="M4 90c0-17 8-28 20-32h16c12 4 20 15 20 32Z"/>
    <path fill="${SKIN}" d="M27 46h10v11q-5 6-10 0Z"/>
    <path fill="${SKIN}" d="M21.500 28h21v12q0 11-10.500 11T21.500 40Z"/>
    <path fill="#a8702e" d="M21 34q9-4 11-10 2 6 11 10V24H21Z"/>
    <circle cx="27.500" cy="37" r="1.600" fill="${DARK}"/><circle cx="36.500" cy="37" r="1.600" fill="${DARK}"/>
    <path fill="none" stroke="#b3392f" stroke-width="1.800" stroke-linecap="round" d="M29 44.500q3 2 6 0"/>
    <path fill="${GOLD}" d="M17 24q15-12 30 0l-1.500 4q-13.500-9-27 0Z"/>
    <g fill="${WHITE}" stroke="${DARK}" stroke-width=".7"><circle cx="18" cy="22" r="4"/><circle cx="25" cy="16.500" r="4"/><circle cx="39" cy="16.500" r="4"/><circle cx="46" cy="22" r="4"/></g>
    <circle cx="32" cy="14" r="5.500"/><circle cx="32" cy="14" r="2" fill="${GOLD}"/>
    <path fill="none" stroke="${DARK}" stroke-width="1.200" d="M13.500 50l7 4m-7.500 4 7 4m-7.500 4 7 4M50.500 50l-7 4m7.500 4-7 4m7.500 4-7 4"/>
    <circle cx="32" cy="69" r="6" fill="${GOLD}"/><circle cx="32" cy="69" r="2.800"/>
    <path fill="none" stroke="${WHITE}" stroke-width="2" d="M8 86l6-5 6 5 6-5 6 5 6-5 6 5 6-5 6 5"/>`,
  J: `
    <path fill="#c58a35" d="M18 24c-3 10-3 18 0 24h28c3-6 3-14 0-24Z"/>
    <path d="M3 90c0-17 8-28 21-32h16c13 4 21 15 21 32Z"/>
    <path fill="${SKIN}" d="M27 46h10v10l-5 6-5-6Z"/>
    <path fill="${WHITE}" d="M24 56l8 8 8-8 5 3-13 15-13-15Z"/>
    <path fill="${SKIN}" d="M21.500 26h21v14q0 11-10.500 11T21.500 40Z"/>
    <path fill="#c58a35" d="M21 32q8 1 22-5v-5H21Z"/>
    <circle cx="27.500" cy="37" r="1.700" fill="${DARK}"/><circle cx="36.500" cy="37" r="1.700" fill="${DARK}"/>
    <path fill="none" stroke="#9c5a44" stroke-width="1.800" stroke-linecap="round" d="M29.500 45h5"/>
    <path d="M10 26C10 12 22 7 34 8s20 6 20 14q-22-5-44 4Z"/>
    <path fill="${GOLD}" d="M10 27q22-10 44-5v4q-22-5-43 5Z"/>
    <path fill="${WHITE}" stroke="${DARK}" stroke-width=".8" d="M46 20C46 8 54 2 63 1c0 10-5 17-14 20Z"/>
    <path fill="none" stroke="${DARK}" stroke-width=".8" d="M47 20Q53 11 60 4"/>
    <path fill="${GOLD}" d="M30 78h4v12h-4ZM30.500 70h3v3h-3Z"/>`,
};

/** All 26 cards: pips in a square of 16 each, courts in a bust of 64 by 90. */
export function deck() {
  const suits = Object.entries(SUITS).map(([suit, path]) => symbol(`suit-${suit}`, "0 0 16 16", `<path d="${path}"/>`));
  const courts = Object.entries(COURTS).map(([rank, drawn]) => symbol(`court-${rank}`, "0 0 64 90", drawn.replace(/\s*\n\s*/g, "")));
  const faces = Object.keys(SUITS).flatMap((suit) =>
    Object.entries(PIPS)
      .filter(([rank]) => suit === "D" || !"78".includes(rank))
      .map(([rank, pips]) => symbol(`pips-${rank}${suit}`, "0 0 60 90", pips.map((pip) => use(suit, ...pip)).join(""))),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" class="deck" aria-hidden="true">${[...suits, ...courts, ...faces].join("")}</svg>`;
}

function rows(...heights) {
  return heights.flatMap((y) => [
    [13, y],
    [47, y],
  ]);
}

function symbol(id, box, drawn) {
  return `<symbol id="${id}" viewBox="${box}">${drawn}</symbol>`;
}

/** A pip around its middle; those of the lower half stand on their heads. */
function use(suit, x, y, size = 18) {
  const turned = y > 45 ? ` transform="rotate(180 ${x} ${y})"` : "";
  return `<use href="#suit-${suit}" x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}"${turned}/>`;
}
