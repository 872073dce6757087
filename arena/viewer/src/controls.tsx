// The buttons, for who has no keyboard, and the slider over the deal's moments.

import type { ComponentChildren } from "preact";
import { type Action, type Controls, DEALS, FAULTS, HELP, MISTAKES, RESULT, STEPS, looks } from "./actions";
import { say } from "./language";
import { faults, last, tricks } from "./place";
import { Language, Setting } from "./setting";
import type { Settings } from "./settings";
import type { View } from "./sight";

/** Each button's picture, in a square of 16. */
const PICTURES: Record<string, string> = {
  PageUp: "M2 3h2v10H2zM9 3v10L4 8zM14 3v10L9 8z",
  Home: "M4 3h2v10H4zM12 3v10L6 8z",
  ArrowUp: "M8 3v10L2 8zM14 3v10L8 8z",
  ArrowLeft: "M11 3v10L5 8z",
  " ": "M4 2v12l9-6z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  ArrowRight: "M5 3v10l6-5z",
  ArrowDown: "M8 3v10l6-5zM2 3v10l6-5z",
  End: "M10 3h2v10h-2zM4 3v10l6-5z",
  PageDown: "M12 3h2v10h-2zM7 3v10l5-5zM2 3v10l5-5z",
};

/** What most readers need; all else is behind the last button. */
export function Buttons({ playing, page }: { playing: boolean; page: Controls }) {
  return (
    <div class="buttons" onMouseDown={(event) => event.preventDefault()}>
      <div role="group" aria-label={say("step")}>
        {STEPS.map((action) => (
          <Button action={action} page={page}>
            <Picture name={action.key === " " && playing ? "pause" : action.key} />
          </Button>
        ))}
      </div>
      <div role="group" aria-label={say("deals")}>
        {DEALS.filter(({ key }) => key.startsWith("Page")).map((action) => (
          <Button action={action} page={page}>
            <Picture name={action.key} />
          </Button>
        ))}
        <button type="button" popovertarget="more" aria-label={say("more")}>
          ⋯
        </button>
      </div>
    </div>
  );
}

/** Other controls. */
export function More({ match, at, sight, reviewed, page, settings, set }: View & {
  /** Whether the page has a review. */
  reviewed: boolean;
  page: Controls;
  settings: Settings;
  set: (settings: Settings) => void;
}) {
  return (
    <div id="more" class="more panel" popover="auto" role="dialog" aria-label={say("more")}>
      <Group words={say("look-from")}>
        {looks(match).map((action, number) => {
          const seat = number === 0 ? null : number - 1;
          return (
            <Button action={action} page={page} pressed={at.seat === seat}>
              {seat === null ? say("all-seats") : <span class={`chip seat-${seat}`}>{seat}</span>}
            </Button>
          );
        })}
      </Group>
      <Group words={say("a-deal")}>
        {DEALS.filter(({ key }) => !key.startsWith("Page")).map((action) => (
          <Button action={action} page={page}>
            <Picture name={action.key} />
          </Button>
        ))}
        <Button action={RESULT} page={page} pressed={sight.settled(at.deal)}>
          {say("result")}
        </Button>
      </Group>
      <Group words={say("fault")}>
        {FAULTS.map((action, forward) => (
          <Button action={action} page={page}>
            {say(forward ? "next" : "before")}
          </Button>
        ))}
      </Group>
      {reviewed && (
        <Group words={say("mistake")}>
          {MISTAKES.map((action, forward) => (
            <Button action={action} page={page}>
              {say(forward ? "next" : "before")}
            </Button>
          ))}
        </Group>
      )}
      <Setting name="deck" settings={settings} set={set} />
      <Language />
      <Button action={HELP[0]!} page={page}>
        {say("keys")}
      </Button>
    </div>
  );
}

function Group({ words, children }: { words: string; children: ComponentChildren }) {
  return (
    <div role="group" aria-label={words}>
      <span aria-hidden="true">{words}</span>
      <span>{children}</span>
    </div>
  );
}

/** The moments of a deal; where its end must not be known, as many as deals have. */
export function momentsOf({ match, deal, at, sight }: View): number {
  return sight.settled(at.deal) ? last(deal) : Math.max(3 * (match.rules.play.tricks + 2), sight.come(at.deal) + 1);
}

interface Slides extends View {
  /** How many moments it is long. */
  most: number;
  /** What happened at this moment. */
  told: string;
  go: (ply: number) => void;
}

/** Where the end of the deal must not be known, the slider leads to the end. */
export function Slider({ deal, at, sight, most, told, go }: Slides) {
  const come = sight.come(at.deal);
  const marks = (plies: number[], kind: string) =>
    plies
      .filter((ply) => ply <= come)
      .map((ply) => <i class={kind} style={{ left: `${most ? (100 * ply) / most : 0}%` }} />);
  return (
    <div class="slider">
      <input
        type="range"
        min={0}
        max={most}
        value={at.ply}
        aria-label={say("moment-of-deal")}
        aria-valuetext={`${at.ply}: ${told}`}
        onInput={(event) => go(Math.min(Number(event.currentTarget.value), last(deal)))}
      />
      <div class="ticks" aria-hidden="true">
        {marks(tricks(deal), "trick-mark")}
        {marks(faults(deal), "fault-mark")}
      </div>
    </div>
  );
}

function Picture({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={PICTURES[name]!} />
    </svg>
  );
}

function Button({ action, page, pressed, children }: { action: Action; page: Controls; pressed?: boolean; children: ComponentChildren }) {
  return (
    <button
      type="button"
      data-key={action.key}
      title={`${action.does} (${action.cap})`}
      aria-label={action.does}
      aria-pressed={pressed}
      onClick={() => action.run(page)}
    >
      {children}
    </button>
  );
}
