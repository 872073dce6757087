// The table as one sits at it: the others, the trick, what both sides have.

import { Card } from "../card";
import { Who } from "../seat";
import { counted, pointsOf, poolsIn, said, signed } from "../words";
import type { Seat } from "./lines";
import type { Table } from "./state";
import { game, named, names } from "./words";

interface Props {
  table: Table;
  /** What the bots are called, by seat, where the page was told. */
  players?: string[] | undefined;
}

export function PlayTable({ table, players: called }: Props) {
  const { dealt, hello } = table;
  const players = hello!.players;
  const others = Array.from({ length: players - 1 }, (_, place) => ((dealt?.seat ?? 0) + 1 + place) % players);
  return (
    <section class="table" aria-label="The table">
      <div class={`others of-${others.length}`}>
        {others.map((seat) => (
          <Other table={table} seat={seat} players={called} />
        ))}
      </div>
      <Middle table={table} />
    </section>
  );
}

function Other({ table, seat, players }: Props & { seat: Seat }) {
  const held = table.held[seat] ?? 0;
  return (
    <div class="hand" role="group" aria-label={names(table)[seat]}>
      <Plate table={table} seat={seat} players={players} />
      {held > 0 && (
        <span class="backs" role="img" aria-label={counted(held, "card")}>
          {Array.from({ length: held }, () => (
            <span class="card back" />
          ))}
        </span>
      )}
    </div>
  );
}

/** Who a seat is, what it is in this deal, and what it has. */
export function Plate({ table, seat, players }: Props & { seat: Seat }) {
  const { dealt, declarer, words } = table;
  const word = words[seat] ?? "";
  const badges = [
    seat === dealt?.dealer && "dealer",
    seat === dealt?.active[0] && "forehand",
    seat === declarer && "declarer",
    dealt !== null && !dealt.active.includes(seat) && "sits out",
    table.contract === null && word !== "" && `says: ${said(word)}`,
  ].filter((badge) => badge !== false);
  return (
    <p class="plate">
      <Who match={{ bots: names(table) }} player={seat} />
      {players?.[seat] && <bdi class="called">{players[seat]}</bdi>}
      {badges.map((badge) => (
        <span class={`badge ${badge}`}>{badge}</span>
      ))}
      <span class="count">
        {dealt?.active.includes(seat) && table.contract !== null && (
          <span>
            {counted(table.points[seat] ?? 0, "point")}, {counted(table.tricks[seat] ?? 0, "trick")}
          </span>
        )}
        <span class="stakes">{stakes(table.totals[seat] ?? 0)}</span>
      </span>
    </p>
  );
}

/** Stakes in words. */
export function stakes(count: number): string {
  return `${signed(count)} ${Math.abs(count) === 1 ? "stake" : "stakes"}`;
}

function Middle({ table }: Props) {
  const { trick, winner, dealt } = table;
  const heading = winner === null ? game(table) : `Trick to ${named(table, winner)}`;
  const sideOf = (seat: Seat) => (seat - (dealt?.seat ?? 0) + table.held.length) % table.held.length;
  return (
    <div class="middle">
      <div class="trick" role="group" aria-label="The trick">
        <h2>{heading}</h2>
        <div class="laid">
          {dealt !== null && table.contract === null && (
            <div class="store">
              <span>
                <Card card={null} />
                <Card card={null} />
              </span>
              talon
            </div>
          )}
          {trick.map(({ seat, card }, number) => (
            <div
              key={card}
              class={`placed from-${seat === "talon" ? "talon" : sideOf(seat)}${winner === seat ? " winner" : ""}`}
            >
              <Card card={card} last={number === trick.length - 1 && winner === null} />
              <Who match={{ bots: names(table) }} player={seat} />
            </div>
          ))}
        </div>
      </div>
      <p class="sides">{[sides(table), pools(table)].filter(Boolean).map((line) => `${line}. `)}</p>
    </div>
  );
}

/** What both sides have taken and need. */
function sides(table: Table): string {
  const { declarer, points, tricks, contract, discards, dealt } = table;
  if (declarer === null) return table.talonPoints ? `The talon has ${counted(table.talonPoints, "point")}` : "";
  const mine = declarer === dealt!.seat;
  if (contract === "small_solo")
    return `The declarer has ${counted(tricks[declarer]!, "trick")} and may take none`;
  const own = points[declarer]! + (mine ? pointsOf(discards) : 0);
  const theirs = points.reduce((total, count, seat) => total + (seat === declarer ? 0 : count), 0);
  if (mine) {
    const aside = discards.length > 0 ? ", with the cards laid aside" : "";
    return `You have ${own} of 120 points${aside}; you need 61. The others have ${theirs}`;
  }
  const aside = contract === "ordinary" ? ", without the cards laid aside," : "";
  const others = dealt!.active.includes(dealt!.seat) ? "Your side has" : "The defenders have";
  return `The declarer has ${own} of 120 points${aside} and needs 61. ${others} ${theirs}`;
}

function pools(table: Table): string {
  const open = poolsIn({ bots: names(table) }, table.pools);
  return open && `Pools: ${open}`;
}
