// Names of players who sit at one table: short, and still different from each other.

import { say } from "./language";
import type { Match, Player } from "./match";

export interface Named {
  seat: number;
  name: string;
}

/** The initials of a seat: a letter of its name, with a second sign where another name begins with the same letter. */
export function initials(names: string[], seat: number): string {
  const name = names[seat]!;
  const first = letter(name);
  const alike = names.filter((other, each) => each !== seat && letter(other) === first);
  if (alike.length === 0) return first;
  const number = /\d+$/.exec(name)?.[0];
  if (number !== undefined) return first + number.slice(-2);
  const signs = [...name];
  const apart = signs.find((sign, place) => place > 0 && /[\p{L}\p{N}]/u.test(sign) && alike.every((other) => [...other][place] !== sign));
  return first + (apart ?? "");
}

function letter(name: string): string {
  return [...name][0]!.toUpperCase();
}

/** The most letters of a name's end that are kept in sight. */
const MOST_END = 6;

/** A name that is cut in its middle where it is too long, if its end tells it from the others. */
export function ShortName({ name, others }: { name: string; others: string[] }) {
  const signs = [...name];
  const common = Math.max(0, ...others.map((other) => commonStart(signs, [...other])));
  const end = common >= 3 ? signs.slice(Math.max(common, signs.length - MOST_END)).join("") : "";
  const start = end === "" ? name : name.slice(0, -end.length);
  return (
    <bdi class="name" title={name}>
      <span>{start}</span>
      {end}
    </bdi>
  );
}

function commonStart(one: string[], other: string[]): number {
  const end = one.findIndex((sign, place) => sign !== other[place]);
  return end < 0 ? one.length : end;
}

/** Who is meant: a seat's number in its colour, with its bot's name. */
export function Who({ match, player }: { match: Pick<Match, "bots">; player: Player }) {
  if (player === "talon") return <span class="who">{say("talon")}</span>;
  return (
    <span class="who">
      <span class={`chip seat-${player}`}>{player}</span>
      <bdi title={match.bots[player]}>{match.bots[player]}</bdi>
    </span>
  );
}
