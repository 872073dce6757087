// The solver of open hands, asked as `arena/review/solver.py` asks it; `solver.c` has its method.

import type { Rules, Seat } from "../match";
import type { Outcomes } from "../reviews";
import { type Card, type Cards, points } from "./cards";
import type { Situation } from "./situation";
import type { World } from "./worlds";

const VALUE = 0;
const EACH_CARD = 1;
const EACH_DISCARD = 2;
const STAKES = 1;
const TABLE = 4;
const SETTLEMENTS = ["most_tricks_pays", "most_points_pays", "fewest_tricks_collects"];
const TOTALS = 121;
const NO_CARD = -1;
/** Of the answer: status, positions searched, number of rows; then cards, stakes and points of each. */
const HEAD = 3;
const ROW = 3;

interface Exports {
  memory: WebAssembly.Memory;
  buffer(): number;
  answer(): number;
  solve(): void;
}

export class Solver {
  private readonly exports: Exports;

  /** `outcomes` are what the contract of the deal may pay, null where there is none. */
  constructor(
    wasm: Uint8Array<ArrayBuffer>,
    private readonly rules: Rules,
    private readonly outcomes: Outcomes | null,
  ) {
    this.exports = new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports as unknown as Exports;
  }

  /** What some cards or discards are worth in a world to the seat that is asked, by their sets; without sets, all of them. */
  each(asked: Situation, world: World, sets: Cards[]): Map<Cards, number> {
    return new Map(this.ask(asked.kind === "discard" ? EACH_DISCARD : EACH_CARD, asked, world, sets));
  }

  /** What playing on is worth in a world to the seat that is asked. */
  value(asked: Situation, world: World): number {
    return this.ask(VALUE, asked, world, [])[0]![1];
  }

  private ask(task: number, asked: Situation, world: World, sets: Cards[]): [cards: Cards, stakes: number][] {
    const { memory, buffer, answer, solve } = this.exports;
    const question = [...this.question(task, asked, world), sets.length, ...sets];
    new Int32Array(memory.buffer, buffer(), question.length).set(question);
    solve();
    const rows = new Int32Array(memory.buffer, answer(), HEAD)[2]!;
    const found = new Int32Array(memory.buffer, answer() + 4 * HEAD, rows * ROW);
    return Array.from({ length: rows }, (_, row) => {
      const [cards, level] = found.subarray(row * ROW);
      const { outcomes, rules } = this;
      return [cards!, outcomes === null ? level! * rules.table.stake : outcomes.paid[level!]![asked.seat]!];
    });
  }

  /** The question as `solver.c` lays it out, but for the sets at its end. */
  private question(task: number, asked: Situation, world: World): number[] {
    const { active, declarer, seat, completed, trick } = asked;
    const { play, table } = this.rules;
    const place = (of: Seat) => active.indexOf(of);
    const hero = place(declarer ?? seat);
    const taken = active.map((each) => asked.points[each]!);
    if (declarer !== null) taken[hero]! += points(world.discards);
    const { no_tricks, all_tricks, levels } = this.outcomes ?? { no_tricks: 0, all_tricks: 0, levels: [] };
    return [
      task,
      declarer === null ? TABLE : STAKES,
      hero,
      ...active.map((each) => world.hands[each]!),
      place(asked.kind === "discard" ? active[0]! : asked.turn),
      play.tricks - completed,
      trick.length,
      ...[...trick, NO_CARD, NO_CARD, NO_CARD].slice(0, 3),
      Number(asked.talonLed),
      ...this.talonToPlay(asked, world),
      ...active.map((each) => asked.tricks[each]!),
      ...taken,
      SETTLEMENTS.indexOf(table.settlement),
      0, // no limit of positions,
      0, // and all levels are told apart
      no_tricks,
      all_tricks,
      ...Array.from({ length: TOTALS }, (_, total) => levels.findLast(([from]) => from <= total)?.[1] ?? 0),
    ];
  }

  /** The talon's cards still to be laid to this trick and to the next. */
  private talonToPlay({ contract, completed, talonLed }: Situation, { talon }: World): [Card, Card] {
    if (contract !== "table" || this.rules.table.talon === "unused") return [NO_CARD, NO_CARD];
    return [talonLed ? NO_CARD : (talon[completed] ?? NO_CARD), talon[completed + 1] ?? NO_CARD];
  }
}
