// What each answer to the current request was worth, and what reviews a deal that has not been.

import { compose, say } from "./language";
import type { Deal, Moment } from "./match";
import { Words } from "./moves";
import { type Review, type Valued, type Verdict, isMistake, verdictAt } from "./reviews";
import type { Sight, View } from "./sight";
import { mean, size } from "./words";

/** More answers than these are shown on request. */
const MOST = 10;

export function Worth({ match, review, deal, at, sight }: View & { review: Review }) {
  const reviewed = review.deals[at.deal]!;
  const moment = deal.moments[at.ply - 1];
  const verdict = moment !== undefined && sight.judges(moment.seat) ? verdictAt(reviewed, at.ply) : null;
  const { only } = review;
  const others = moment !== undefined && only.length > 0 && !only.includes(match.bots[moment.seat]!);
  const left = reviewed.verdicts === null || others;
  return (
    <section class="worth panel" aria-label={say("review")}>
      <h2>{say("review")}</h2>
      {verdict !== null && <Answers moment={moment!} verdict={verdict} open={sight.judgesOpen} />}
      {verdict !== null && verdict.given !== verdict.best && review.command !== "" && sight.seat === null && (
        <p class="faint">
          {compose("save-as-test", { command: <code class="pasted">{save(review, deal, at.ply, verdict.best)}</code> })}
        </p>
      )}
      {verdict === null && (
        <p class="faint">
          {left && review.command !== "" && sight.seat === null ? missing(review) : why(moment, sight)}
        </p>
      )}
    </section>
  );
}

/** The command that keeps the position as a test. */
function save({ command }: Review, { deal }: Deal, ply: number, best: string): string {
  return `${command.replace("arena review", "arena save")} --deal ${deal + 1} --ply ${ply} --expect ${best}`;
}

/** For who sees all. */
function missing({ command, only }: Review) {
  if (only.length > 0) return compose("reviewed-for-only", { bots: <bdi>{only.join(", ")}</bdi> });
  return compose("not-reviewed", { command: <code>{command}</code> });
}

function why(moment: Moment | undefined, sight: Sight): string {
  if (moment === undefined) return say("value-appears-here");
  if (!sight.judges(moment.seat)) return say("hangs-on-hidden", { seat: String(sight.seat) });
  return say(sight.seat === null ? "no-choice" : "no-choice-of-seat");
}

interface Judged {
  moment: Moment;
  verdict: Verdict;
  /** Whether what was worth what with open hands may be shown. */
  open: boolean;
}

function Answers({ moment, verdict, open }: Judged) {
  const answers = verdict.answers.toSorted(([, one], [, other]) => other - one);
  const shown = answers.filter(([answer], place) => place < MOST || answer === verdict.given || answer === verdict.best);
  return (
    <>
      <Summary moment={moment} verdict={verdict} open={open} />
      <Table moment={moment} verdict={verdict} open={open} answers={shown} />
      {shown.length < answers.length && (
        <details>
          <summary>{say("all-answers", { count: answers.length })}</summary>
          <Table moment={moment} verdict={verdict} open={open} answers={answers} />
        </details>
      )}
    </>
  );
}

/** What the answer cost, in words and numbers. */
function Summary({ moment, verdict, open }: Judged) {
  const { given, best, loss, error, open_loss, worlds, exact } = verdict;
  const better = <Words ask={moment.ask} text={best} />;
  return (
    <>
      <p class="judged">
        {isMistake(verdict) ? (
          compose("clear-mistake", { mark: <b class="mistake">{say("clear-mistake-mark")}</b>, better })
        ) : given === best ? (
          say("no-better")
        ) : (
          compose("perhaps-better", { better })
        )}
      </p>
      <p>
        {compose(
          "it-cost",
          {
            loss: (
              <>
                <data value={loss}>{size(loss, 2)}</data>
                {!exact && (
                  <>
                    {" ± "}
                    <data value={error}>{size(error, 2)}</data>
                  </>
                )}
              </>
            ),
            revealed: <data value={open_loss}>{size(open_loss, whole(open_loss))}</data>,
          },
          { among: among(worlds, exact), open: open ? "yes" : "no" },
        )}
      </p>
    </>
  );
}

/** What a value is the mean over. */
function among(worlds: number, exact: boolean): string {
  if (exact && worlds === 1) return say("among-known");
  return say(exact ? "among-all" : "among-some", { count: worlds });
}

/** Decimals of what one deal was worth: whole stakes, but before a table game quarters. */
function whole(stakes: number): number {
  return Number.isInteger(stakes) ? 0 : 2;
}

function Table({ moment, verdict, open, answers }: Judged & { answers: Valued[] }) {
  return (
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">
              {say("column-answer")}
            </th>
            <th scope="col">{say("column-known")}</th>
            {open && <th scope="col">{say("column-open")}</th>}
            <th scope="col" class="text">
              <span class="hidden">{say("given-or-best")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {answers.map(([answer, known, revealed]) => (
            <tr class={answer === verdict.given ? "given" : ""} data-answer={answer}>
              <th scope="row">
                <Words ask={moment.ask} text={answer} />
              </th>
              <td>
                <data value={known}>{mean(known, 2)}</data>
              </td>
              {open && (
                <td>
                  <data value={revealed}>{mean(revealed, whole(revealed))}</data>
                </td>
              )}
              <td class="text">{[answer === verdict.given && say("given"), answer === verdict.best && say("best")].filter(Boolean).join(" ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
