// What a reader has chosen for every table: how fast others play, the deck, and sound. This browser keeps it.

/** Whether the reader wants as little to move as can be. */
export const STILL = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How long each step of others is looked at before the next, and a trick that was taken. */
export interface Pace {
  step_ms: number;
  trick_ms: number;
}

export const PACES: Record<string, Pace> = {
  calmly: { step_ms: 700, trick_ms: 2000 },
  briskly: { step_ms: 350, trick_ms: 1000 },
  "at once": { step_ms: 0, trick_ms: 0 },
};

/** What can be chosen, the usual first. */
export const CHOICES = {
  pace: ["calmly", "briskly", "at once"],
  deck: ["four colours", "classic", "large index"],
  sound: ["on", "off"],
} as const;

export type Settings = Record<keyof typeof CHOICES, string>;

export function keptSettings(): Settings {
  const settings: Settings = { pace: CHOICES.pace[0], deck: CHOICES.deck[0], sound: STILL ? "off" : "on" };
  for (const [name, choices] of Object.entries(CHOICES) as [keyof Settings, readonly string[]][]) {
    const kept = read(name);
    if (kept !== null && choices.includes(kept)) settings[name] = kept;
  }
  show(settings);
  return settings;
}

export function keep(settings: Settings) {
  show(settings);
  try {
    for (const [name, chosen] of Object.entries(settings)) localStorage.setItem(`zole:${name}`, chosen);
  } catch {
    // Without a store a choice is kept for this visit.
  }
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(`zole:${name}`);
  } catch {
    return null;
  }
}

/** The deck is chosen for the whole document. */
function show({ deck }: Settings) {
  const { classList } = document.documentElement;
  classList.toggle("classic", deck === "classic");
  classList.toggle("large", deck === "large index");
}
