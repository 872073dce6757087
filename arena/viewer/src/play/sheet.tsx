// The paper beside the table: the deals as players write them down, what happened in this one, what it pays.

import { Component, createRef } from "preact";
import { say } from "../language";
import { capital, dealNumber, poolsIn, signed } from "../words";
import { AboutTable } from "./about";
import type { Result, Rules } from "./lines";
import type { Session } from "./session";
import type { Table, Written } from "./state";
import { ShortName } from "../names";
import { named, names, sentence } from "./words";

export function Sheet({ session }: { session: Session }) {
  const { table, about, guest, watching, finished } = session;
  return (
    <aside id="sheet" class="sheet" popover="auto" aria-label={say("score-sheet")}>
      <button type="button" class="closes" popovertarget="sheet" popovertargetaction="hide" aria-label={say("close")}>
        ✕
      </button>
      <div class="match">
        <Deals table={table} />
        <Story table={table} />
        <Pays table={table} />
      </div>
      {guest && !watching && !finished && <AboutTable about={about!} />}
    </aside>
  );
}

/** A row for each deal that is over: what it paid each seat, and below that what the seat has in all. */
class Deals extends Component<{ table: Table }> {
  /** Once it is shown, or it or its rows have another height, the list shows its last lines. */
  private readonly resized = new ResizeObserver(([changed]) => {
    const list = changed!.target.closest<HTMLElement>(".scroll")!;
    list.scrollTop = list.scrollHeight;
    cover(list);
  });
  private readonly watch = (rows: Element | null) => {
    if (rows) for (const each of [rows, rows.closest(".scroll")!]) this.resized.observe(each);
  };

  override render({ table }: { table: Table }) {
    const { sheet, totals } = table;
    if (totals.length === 0) return null;
    const pools = poolsIn({ bots: names(table) }, table.pools);
    return (
      <section class="deals" aria-label={say("score-sheet")}>
        <h2>{say("score-sheet")}</h2>
        <div class="scroll" tabIndex={0} role="group" aria-label={say("deals-listed")} onScroll={({ currentTarget }) => cover(currentTarget)}>
          <table ref={this.watch} class={totals.length > 3 ? "many" : ""}>
            <thead>
              <tr>
                <th scope="col" class="text">
                  {say("deal")} <small>{say("total-after")}</small>
                </th>
                {names(table, true).map((name, seat, all) => (
                  <th scope="col">
                    <ShortName name={name} others={all.filter((_, other) => other !== seat)} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sheet.map((written) => (
                <tr>
                  <th scope="row">{title(table, written)}</th>
                  {written.totals.map((total, seat) => (
                    <td>
                      {signed(written.result.payments[seat]!)} <small>{signed(total)}</small>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{say("now")}</th>
                {totals.map((total) => (
                  <td class={total > 0 ? "up" : total < 0 ? "down" : ""}>{signed(total)}</td>
                ))}
              </tr>
            </tfoot>
          </table>
        </div>
        {pools && <p class="faint">{say("in-the-pools", { pools })}</p>}
      </section>
    );
  }
}

/** Whether deals lie above the list's heading, which at the list's end covers the one that would show in part. */
function cover(list: HTMLElement) {
  const heading = list.querySelector("thead")!.getBoundingClientRect().bottom;
  const first = [...list.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect()).find(({ bottom }) => bottom > heading);
  const ends = list.scrollTop + list.clientHeight > list.scrollHeight - 1;
  list.toggleAttribute("data-more", list.scrollTop > 0);
  list.style.setProperty("--cover", first && ends && first.top < heading ? `${first.bottom - heading}px` : "0px");
}

/** A deal in a few words: its number, its game, who declared it and with how many points, and whose fault ended it. */
function title(table: Table, { dealt, result }: Written) {
  const { declarer, contract, points, fault } = result;
  const who = declarer !== null && named(table, declarer);
  const count = contract !== "small_solo" && points.declarer;
  return (
    <>
      {dealNumber(dealt.deal)} {contract === null ? say("no-game") : say("game", { game: contract })}
      {who && <small>{[who, count].filter((each) => each !== false).join(", ")}</small>}
      {fault && <small>{`${say("fault")} (${named(table, fault.seat)})`}</small>}
    </>
  );
}

/** The deal in sentences, spoken as they come. */
class Story extends Component<{ table: Table }> {
  private readonly log = createRef<HTMLDivElement>();
  private frame = 0;

  override componentDidMount() {
    new ResizeObserver(() => this.shows()).observe(this.log.current!);
  }

  override componentDidUpdate() {
    cancelAnimationFrame(this.frame); // once a frame, which has its own layout to do
    this.frame = requestAnimationFrame(() => this.shows());
  }

  /** The last lines are shown, and the first of these whole. */
  private shows() {
    const log = this.log.current;
    if (!log?.checkVisibility()) return;
    log.style.paddingBottom = "0";
    const hidden = log.scrollHeight - log.clientHeight;
    const first = [...log.children].find((line) => (line as HTMLElement).offsetTop >= hidden) as HTMLElement | undefined;
    if (hidden > 0 && first) log.style.paddingBottom = `${first.offsetTop - hidden}px`;
    log.scrollTop = log.scrollHeight;
  }

  override render({ table }: { table: Table }) {
    return (
      <section class="story" aria-label={say("this-deal")}>
        <h2>{say("what-happened")}</h2>
        <div ref={this.log} class="log" role="log" aria-label={say("what-happened")} tabIndex={0}>
          {table.told
            .map((event) => sentence(table, event))
            .filter((line) => line !== null)
            .map((line, number) => (
              <p key={`${table.dealt?.deal} ${number}`}>{line}</p>
            ))}
        </div>
      </section>
    );
  }
}

const LEVELS = ["all_tricks", "ge91", "ge61", "from_31", "le30", "no_tricks"];
const SMALL = ["made", "lost"];
const TABLE_PAYS: Record<string, "most-tricks-pay" | "most-points-pay" | "fewest-tricks-win"> = {
  most_tricks_pays: "most-tricks-pay",
  most_points_pays: "most-points-pay",
  fewest_tricks_collects: "fewest-tricks-win",
};

function tablePays({ table: { settlement, stake } }: Rules): string {
  return `${say(TABLE_PAYS[settlement]!, { count: stake })} ${say("table-tie", { settlement, stake })}`;
}

/** What the declarer wins from each opponent, or pays to each. */
function Pays({ table }: { table: Table }) {
  const { hello, contract, declarer } = table;
  if (contract === null || hello === null) return null;
  if (declarer === null)
    return contract === "table" ? <p class="note">{tablePays(hello.rules)}</p> : null;
  return (
    <section aria-label={say("what-it-pays")}>
      <h2>{say("this-game-pays")}</h2>
      <LevelTable kind="pays" rules={hello.rules} games={[[contract, say("from-each")]]} levels={contract === "small_solo" ? SMALL : LEVELS} />
    </section>
  );
}

/** What the declarer of a deal took, or what conceding counts as, and what that pays; empty where no game was declared. */
export function tier({ scoring }: Rules, { contract, level, fault }: Result): string {
  if (contract === null || level === null || fault !== null) return "";
  const shown = level.replace("31_60", "from_31");
  const place = (contract === "small_solo" ? SMALL : LEVELS).indexOf(shown);
  const paid = scoring[contract]?.[place];
  if (paid === undefined) return "";
  return say("tier-paid", { level: capital(say("level", { level: shown })), won: paid > 0 ? "yes" : "no", count: Math.abs(paid) });
}

/** What each game of the rules pays, a column for each. */
export function Levels({ rules }: { rules: Rules }) {
  const games = rules.auction.contracts.filter((game) => rules.scoring[game] && game !== "small_solo");
  return (
    <section>
      <h3>{`${say("what-it-pays")}, ${say("from-each")}`}</h3>
      <LevelTable kind="levels" rules={rules} games={games.map((game) => [game, say("game", { game })])} levels={LEVELS} />
      {rules.all_pass === "table" && (
        <p>
          <b>{capital(say("table-game"))}</b>: {tablePays(rules)}
        </p>
      )}
    </section>
  );
}

/** A column for each game, under its heading. */
function LevelTable({ kind, rules, games, levels }: { kind: string; rules: Rules; games: [string, string][]; levels: string[] }) {
  return (
    <table class={kind}>
      <thead>
        <tr>
          <th scope="col" class="text">
            {say("declarer-takes")}
          </th>
          {games.map(([, heading]) => (
            <th scope="col">{heading}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {levels.map((level, place) => (
          <tr>
            <th scope="row">{say("level", { level })}</th>
            {games.map(([game]) => (
              <td>{signed(rules.scoring[game]?.[place] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Stakes in words. */
export function stakes(count: number): string {
  return say("stakes", { count: Math.abs(count), amount: signed(count) });
}
