// The deals of the match that are over, as a list to choose from: by declarer, contract, fault and swing.

import { Component } from "preact";
import { say } from "./language";
import type { Deal, Match } from "./match";
import { type Place, faults } from "./place";
import { type Review, mistakesIn } from "./reviews";
import { Who } from "./names";
import type { View } from "./sight";
import { dealNumber, nameOf, signed } from "./words";

interface Props extends View {
  review: Review | null;
  go: (to: Place) => void;
  /** Shows all deals of the match. */
  show: () => void;
}

interface Filter {
  /** A seat or `none`; empty for any, as is a contract. */
  declarer: string;
  contract: string;
  fault: boolean;
  /** The least that some seat won or lost. */
  swing: number;
}

const SWINGS = [5, 10, 20, 50];

export class Deals extends Component<Props, Filter> {
  override state: Filter = { declarer: "", contract: "", fault: false, swing: 0 };

  /** A match may have a thousand deals: their list is drawn anew only where it is another one. */
  override shouldComponentUpdate(next: Props, filter: Filter) {
    const { at, sight, review } = this.props;
    return (
      filter !== this.state ||
      next.at.deal !== at.deal ||
      next.at.seat !== at.seat ||
      next.review !== review ||
      next.sight.settledDeals !== sight.settledDeals
    );
  }

  override render({ match, at, sight, review, go, show }: Props, filter: Filter) {
    const over = match.deals.map((deal, index) => ({ deal, index })).filter(({ index }) => sight.settled(index));
    const all = sight.settled(match.deals.length - 1);
    const found = over.filter(({ deal }) => fits(deal, filter));
    return (
      <section class="deals panel" aria-label={say("the-deals")}>
        <h2>{say("deals")}</h2>
        <div class="filter">
          <Choice label={say("filter-declarer")} options={declarers(match)} choose={(declarer) => this.setState({ declarer })} />
          <Choice label={say("filter-contract")} options={contracts(match)} choose={(contract) => this.setState({ contract })} />
          <Choice
            label={say("filter-swing")}
            options={SWINGS.map((least) => [String(least), say("swing-or-more", { count: least })])}
            choose={(swing) => this.setState({ swing: Number(swing) })}
          />
          <label>
            <input
              type="checkbox"
              checked={filter.fault}
              onChange={(event) => this.setState({ fault: event.currentTarget.checked })}
            />{" "}
            {say("filter-fault")}
          </label>
        </div>
        <p>
          {over.length > 0
            ? say(all ? "deals-found" : "deals-found-so-far", { found: found.length, count: over.length })
            : say("deals-later")}
        </p>
        {!all && sight.seat === null && (
          <button type="button" onClick={show}>
            {say("show-all-deals")}
          </button>
        )}
        <ol hidden={found.length === 0}>
          {found.map(({ deal, index }) => (
            <li>
              <button
                type="button"
                aria-current={index === at.deal ? "true" : undefined}
                onClick={() => go({ ...at, deal: index, ply: 0 })}
              >
                <Outline match={match} deal={deal} mistakes={review ? mistakesIn(review.deals[index]!, deal).length : 0} />
              </button>
            </li>
          ))}
        </ol>
      </section>
    );
  }
}

function Outline({ match, deal, mistakes }: { match: Match; deal: Deal; mistakes: number }) {
  const { result } = deal;
  return (
    <>
      <span class="ply">{dealNumber(deal.deal)}</span>
      <span>{result.contract === null ? say("no-contract") : say("game", { game: result.contract })}</span>
      {result.declarer === null ? <span /> : <Who match={match} player={result.declarer} />}
      <span class="marks">
        {faults(deal).length > 0 && <span class="fault">{say("mark-fault")}</span>}
        {mistakes > 0 && (
          <span class="mistake">
            <span aria-hidden="true">✗ {mistakes}</span>
            <span class="hidden">{say("clear-mistakes", { count: mistakes })}</span>
          </span>
        )}
      </span>
      <span class="paid">{result.payments.map(signed).join(" ")}</span>
    </>
  );
}

function Choice({ label, options, choose }: { label: string; options: [string, string][]; choose: (word: string) => void }) {
  return (
    <label>
      {label}{" "}
      <select onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{say("any")}</option>
        {options.map(([word, text]) => (
          <option value={word}>{text}</option>
        ))}
      </select>
    </label>
  );
}

function fits(deal: Deal, { declarer, contract, fault, swing }: Filter): boolean {
  const { result } = deal;
  return (
    (!declarer || declarer === String(result.declarer ?? "none")) &&
    (!contract || contract === result.contract) &&
    (!fault || faults(deal).length > 0) &&
    Math.max(...result.payments.map(Math.abs)) >= swing
  );
}

function declarers(match: Match): [string, string][] {
  const seats = match.bots.map((_, seat): [string, string] => [String(seat), `${seat} ${nameOf(match, seat)}`]);
  return [...seats, ["none", say("none")]];
}

function contracts({ rules }: Match): [string, string][] {
  const passed = rules.all_pass === "table" ? "table" : "thrown_in";
  return [...rules.auction.contracts, passed].map((contract) => [contract, say("game", { game: contract })]);
}
