// What is asked: in words, with a button for each answer that is no card.

import { Words } from "../moves";
import { capital } from "../words";
import type { CardName, Choice, Reply, Request } from "./lines";
import type { Session } from "./session";
import type { Table } from "./state";
import { asking, button, sentence } from "./words";

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
        { words: "Look at my cards", choice: { blind: false } },
        { words: "Play blind", choice: { blind: true } },
      ];
    case "bid":
      return request.legal.map((bid) => ({ words: button(bid, afterBid), choice: { bid } }));
    case "talon":
      return request.legal.map((choice) => ({ words: button(choice, afterBid), choice: { choice } }));
    case "surrender":
      return [
        { words: "Play on", choice: { surrender: false } },
        { words: "Give up", choice: { surrender: true } },
      ];
    case "offer":
      return [
        { words: "Play on", choice: { accept: false } },
        { words: "Accept", choice: { accept: true } },
      ];
    default:
      return [];
  }
}

export function Ask({ session, chosen, why, answer }: Props) {
  const { table, question, hint } = session;
  const hinted = hint?.answer && hint.id === question?.id ? hint.answer : null;
  return (
    <section tabIndex={-1} class={`asking${question ? " open" : ""}`} aria-label="What is asked" data-asked={question?.type} data-id={question?.id}>
      {!(question && hint) && (
        <p class="prompt" role="status">
          {prompt(session)}
        </p>
      )}
      {session.paced.moving && <p class="faint">A tap or Space goes on at once.</p>}
      {table.refusal && (
        <p class="said bad" role="alert">
          The answer was refused: {table.refusal.detail || table.refusal.fault}. Choose again.
        </p>
      )}
      {question && hint && (
        <p class="said" role="status">
          {hint.words}
          {hinted && (
            <>
              : <Suggested reply={hinted} table={table} request={question} />. {hint.why}
            </>
          )}
        </p>
      )}
      <p class="why" role="status">
        {why}
      </p>
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
                <>
                  Lay aside <Words ask="discard" text={chosen.join(".")} />
                </>
              ) : (
                `${2 - chosen.length} more to choose`
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
  if (!leads && table.question) return "The other tab is asked.";
  if (paced.moving) return table.told.slice(-1).flatMap((event) => sentence(table, event)).at(-1) ?? "";
  if (table.dealt && !table.dealt.active.includes(table.dealt.seat)) return "You sit out this deal.";
  return table.dealt ? "Waiting for the others …" : "Waiting for the first deal …";
}

function Suggested({ reply, table, request }: { reply: Reply; table: Table; request: Request }) {
  if ("card" in reply) return <Words ask="play" text={reply.card} />;
  if ("cards" in reply) return <Words ask="discard" text={reply.cards.join(".")} />;
  if ("offer" in reply) return <>Offer to give up</>;
  const option = options(table, request).find(({ choice }) => same(reply, choice));
  return <>{option ? option.words : capital(reply.type)}</>;
}

/** Whether a reply makes a choice. */
function same(reply: Reply, choice: Choice): boolean {
  return Object.entries(choice).every(([key, value]) => (reply as Record<string, unknown>)[key] === value);
}
