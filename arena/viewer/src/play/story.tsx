// Beside the table: what happened in this deal, and what its game pays.

import { Component, createRef } from "preact";
import { counted } from "../words";
import type { Table } from "./state";
import { stakes } from "./table";

/** The deal in sentences, spoken as they come. */
export class Story extends Component<{ table: Table }> {
  private readonly log = createRef<HTMLDivElement>();

  override componentDidUpdate() {
    const log = this.log.current!;
    log.scrollTop = log.scrollHeight;
  }

  override render({ table }: { table: Table }) {
    return (
      <section class="story" aria-label="This deal">
        <h2>What happened</h2>
        <div ref={this.log} class="log" role="log" aria-label="What happened" tabIndex={0}>
          {table.told.map((line, number) => (
            <p key={`${table.dealt?.deal} ${number}`}>{line}</p>
          ))}
        </div>
      </section>
    );
  }
}

const LEVELS = ["all tricks", "91 points or more", "61 to 90 points", "31 to 60 points", "30 points or fewer", "no trick"];
const SMALL = ["no trick: made", "a trick: lost"];

/** What the declarer wins from each opponent, or pays to each. */
export function Worth({ table }: { table: Table }) {
  const { hello, contract, declarer } = table;
  if (contract === null || hello === null) return null;
  if (declarer === null)
    return contract === "table" ? (
      <p class="note">
        {hello.rules.table.settlement === "most_tricks_pays"
          ? `Whoever takes the most tricks pays ${counted(hello.rules.table.stake, "stake")} to each other player.`
          : `Whoever takes the fewest tricks is paid ${counted(hello.rules.table.stake, "stake")} by each other player.`}
      </p>
    ) : null;
  const paid = hello.rules.scoring[contract] ?? [];
  const levels = contract === "small_solo" ? SMALL : LEVELS;
  return (
    <section aria-label="What it pays">
      <h2>What it pays</h2>
      <table class="pays">
        <thead>
          <tr>
            <th scope="col" class="text">
              the declarer has
            </th>
            <th scope="col">from each other</th>
          </tr>
        </thead>
        <tbody>
          {levels.map((level, place) => (
            <tr>
              <th scope="row">{level}</th>
              <td>{stakes(paid[place] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
