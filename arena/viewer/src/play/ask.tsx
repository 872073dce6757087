// What is asked: in words, with a button for each answer that is no card.

import { compose, say } from "../language";
import { Words } from "../moves";
import type { CardName, Choice, Reply, Request } from "./lines";
import type { Session } from "./session";
import type { Table } from "./state";
import { asking, because, button, sentence } from "./words";

interface Props {
  session: Session;
  chosen: CardName[];
  /** Why a tap did nothing. */
  why: string;
  answer: (choice: Choice) => void;
}

export interface Option {
  words: string;
  choice: Choice;
}

/** The answers that have a button. */
export function options(table: Table, request: Request): Option[] {
  const afterBid = table.hello!.rules.auction.talon_decision === "after_bid";
  switch (request.type) {
    case "blind":
      return [
        { words: say("answer-blind", { blind: "no" }), choice: { blind: false } },
        { words: say("answer-blind", { blind: "yes" }), choice: { blind: true } },
      ];
    case "bid":
      return request.legal.map((bid) => ({ words: button(bid, afterBid), choice: { bid } }));
    case "talon":
      return request.legal.map((choice) => ({ words: button(choice, afterBid), choice: { choice } }));
    case "offer":
      return [
        { words: say("answer-play-on"), choice: { accept: false } },
        { words: say("answer-accept"), choice: { accept: true } },
      ];
    default:
      return [];
  }
}

export function Ask({ session, chosen, why, answer }: Props) {
  const { table, question, hint } = session;
  const hinted = hint?.answer && hint.id === question?.id ? hint.answer : null;
  return (
    <section tabIndex={-1} class={`asking${question ? " open" : ""}`} aria-label={say("what-is-asked")} data-asked={question?.type} data-id={question?.id}>
      <div class="words">
        <p class="prompt" role="status">
          {prompt(session)}
        </p>
        <div class="notes">
          {table.refusal && (
            <p class="said bad" role="alert">
              {say("refused", { why: table.refusal.detail || table.refusal.fault })}
            </p>
          )}
          {question && hint && (
            <p class="said hint" role="status">
              {hint.words}
              {hinted && (
                <>
                  : <Suggested reply={hinted} table={table} request={question} />. {(hint.why ?? []).map(because).join(" ")}
                </>
              )}
            </p>
          )}
          <p class="why" role="status">
            {why}
          </p>
        </div>
      </div>
      {session.paced.moving && <p class="faint">{say("on-at-once")}</p>}
      {question && (
        <div class="options">
          {options(table, question).map(({ words, choice }, place) => (
            <button
              type="button"
              class={hinted && same(hinted, choice) ? "hinted" : ""}
              onClick={() => answer(choice)}
            >
              {words}
              <span class="number" aria-hidden="true">
                {place + 1}
              </span>
            </button>
          ))}
          {question.type === "discard" && (
            <button
              type="button"
              class="main"
              data-key="confirm"
              aria-disabled={chosen.length !== 2}
              onClick={() => chosen.length === 2 && answer({ cards: chosen })}
            >
              {chosen.length === 2 ? (
                compose("lay-aside", { cards: <Words ask="discard" text={chosen.join(".")} /> })
              ) : (
                say("choose-more", { count: 2 - chosen.length })
              )}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

/** What the reader can do, or what is waited for. */
function prompt({ table, question, paced, leads, over }: Session): string {
  if (question) return asking(table, question);
  if (over && !paced.moving) return "";
  if (!leads && table.question) return say("other-tab-asked");
  if (paced.moving) return table.told.slice(-1).map((event) => sentence(table, event)).at(-1) ?? "";
  if (table.dealt && !table.dealt.active.includes(table.dealt.seat!)) return say("you-sit-out");
  return say("waiting-for-others");
}

function Suggested({ reply, table, request }: { reply: Reply; table: Table; request: Request }) {
  if ("card" in reply) return <Words ask="play" text={reply.card} />;
  if ("cards" in reply) return <Words ask="discard" text={reply.cards.join(".")} />;
  if ("offer" in reply) return <>{say("answer-offer")}</>;
  const option = options(table, request).find(({ choice }) => same(reply, choice));
  return <>{option?.words}</>;
}

/** Whether a reply makes a choice. */
function same(reply: Reply, choice: Choice): boolean {
  return Object.entries(choice).every(([key, value]) => (reply as Record<string, unknown>)[key] === value);
}
