// What is asked: in words beside one's own place, with a tile in the middle for each answer that is no card.

import { compose, say } from "../language";
import { Words } from "../moves";
import { mean } from "../words";
import type { Reason } from "./advice";
import type { CardName, Choice, Reply, Request } from "./lines";
import type { Session } from "./session";
import type { Table } from "./state";
import { asking, button, names, sentence, underButton } from "./words";

interface Props {
  session: Session;
  chosen: CardName[];
  /** Whether the trick before is shown: a hint would lie on it. */
  looksBack: boolean;
  /** Why a tap did nothing, or what is shown. */
  why: string;
  answer: (choice: Choice) => void;
}

/** Whether the page is touched, and has no keys. */
const TOUCH = matchMedia("(pointer: coarse)").matches ? "yes" : "no";

export interface Option {
  words: string;
  /** What it means, in a few words more; empty where nothing is to be added. */
  more: string;
  choice: Choice;
  /** The stakes that the game pays and costs in all, each from the least; none for other answers. */
  won: number[];
  lost: number[];
}

/** The answers that have a button. */
export function options(table: Table, request: Request): Option[] {
  const { rules } = table.hello!;
  const opponents = table.dealt!.active.length - 1;
  const afterBid = rules.auction.talon_decision === "after_bid";
  const option = (choice: Choice, words: string, game = "", more = ""): Option => {
    const paid = (rules.scoring[game] ?? []).map((each) => each * opponents);
    return { words, more, choice, won: paid.filter((each) => each > 0).toReversed(), lost: paid.filter((each) => each < 0) };
  };
  switch (request.type) {
    case "blind":
      return [
        option({ blind: false }, say("answer-blind", { blind: "no" })),
        option({ blind: true }, say("answer-blind", { blind: "yes" }), "blind"),
      ];
    case "bid":
      return request.legal.map((bid) => option({ bid }, button(bid), bid, underButton(bid, afterBid)));
    case "talon":
      return request.legal.map((choice) => option({ choice }, button(choice), choice === "take" ? "ordinary" : "solo"));
    case "offer":
      return [option({ accept: false }, say("answer-play-on")), option({ accept: true }, say("answer-accept"))];
    default:
      return [];
  }
}

/** The answers that are no cards, as tiles: what each means, and what it may pay and cost. */
export function Tiles({ session, answer }: Pick<Props, "session" | "answer">) {
  const { table, question } = session;
  const found = question ? options(table, question) : [];
  if (found.length === 0) return null;
  const hinted = hintOf(session);
  return (
    <div class="options tiles" role="group" aria-label={say("what-is-asked")}>
      {found.map(({ words, more, choice, won, lost }) => (
        <button type="button" class={hinted && same(hinted, choice) ? "tile hinted" : "tile"} onClick={() => answer(choice)}>
          <b>{words}</b>
          {more !== "" && <span class="more">{more}</span>}
          {won.length > 0 && (
            <span class="pays">
              <span>{say("tile-wins", { range: range(won) })}</span> <span>{say("tile-loses", { range: range(lost) })}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** Stakes from the least to the most, without their signs. */
function range(stakes: number[]): string {
  return [...new Set([stakes.at(0)!, stakes.at(-1)!].map(Math.abs))].join("–");
}

/** The answer that the hint at hand suggests. */
function hintOf({ hint, question }: Session): Reply | null {
  return hint?.answer && hint.id === question?.id ? hint.answer : null;
}

export function Ask({ session, chosen, looksBack, why, answer }: Props) {
  const { table, question, hint } = session;
  const hinted = hintOf(session);
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
          {question && hint && !looksBack && (
            <p class="said hint" role="status">
              {hinted ? compose("hint-is", { answer: <Suggested reply={hinted} table={table} request={question} /> }) : hint.words}{" "}
              {hinted && (hint.why ?? []).map((each) => <Why reason={each} />)}
            </p>
          )}
          <p class="why" role="status">
            {why}
          </p>
        </div>
      </div>
      {session.paced.moving && <p class={table.winner === null ? "hidden" : "faint"}>{say("on-at-once", { touch: TOUCH })}</p>}
      {question?.type === "discard" && (
        <div class="options">
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
        </div>
      )}
    </section>
  );
}

/** What came of the reader's own offer to concede, while the card is asked for again. */
function refused(table: Table): string | null {
  const last = table.told.at(-1);
  return last?.event === "offer" && last.seat === table.dealt?.seat ? sentence(table, last) : null;
}

/** What the reader can do, or what is waited for. */
function prompt({ table, question, paced, leads, over, turn, answer, stoodIn }: Session): string {
  if (question) return [stoodIn && say("bot-stood-in"), refused(table), asking(table, question)].filter(Boolean).join(" ");
  if (over && !paced.moving) return "";
  if (!leads && table.question) return say("other-tab-asked");
  if (paced.moving) return table.told.slice(-1).map((event) => sentence(table, event)).at(-1) ?? "";
  if (table.dealt && !table.dealt.active.includes(table.dealt.seat!)) return say("you-sit-out");
  if (answer && "offer" in answer) return say("waiting-for-offer", { name: names(table)[table.declarer!]! });
  return turn === null ? say("waiting-for-others") : say("waiting-for", { name: names(table)[turn]! });
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

const REASONS = [
  "why-only",
  "why-hand",
  "why-unbeatable",
  "why-draws-trumps",
  "why-only-trumps",
  "why-takes-now",
  "why-does-not-take",
  "why-takes",
  "why-partner-takes",
  "why-partner-so-far",
  "why-partner-may-trump",
  "why-partner-last",
  "why-side-takes",
  "why-fewest-points",
  "why-keeps-trumps",
  "why-before-trumped",
  "why-sets-up",
  "why-keeps-higher",
  "why-keeps-at-a-price",
  "why-keeps-lower",
  "why-keeps-winner",
  "why-harder",
  "why-risks-less",
  "why-no-points",
  "why-weakest",
  "why-in-any-case",
  "why-strongest",
  "why-void",
  "why-void-later",
  "why-others-higher",
  "why-shorter",
  "why-safe",
  "why-same-word",
  "why-no-matter",
  "why-same-but",
  "why-same-cards",
  "why-same-discards",
  "why-better",
  "why-wins",
  "why-rule-fails",
  "why-worth",
  "why-also",
  "why-too-close",
] as const;

/** Values of reasons that are no stakes. */
const COUNTS = ["count", "won", "less", "trumps", "queens", "aces"];

/** A reason for a hint in a sentence; values that are not whole numbers are stakes. */
export function Why({ reason: { message, values } }: { reason: Reason }) {
  const id = REASONS.find((each) => each === message);
  if (id === undefined) return null;
  const told = Object.entries(values).map(([name, value]) => {
    if (typeof value === "string" || COUNTS.includes(name)) return [name, value];
    return [name, name === "ahead" ? mean(value, 1).replace("+", "") : mean(value, 1)];
  });
  const cards = typeof values.cards === "string" && { cards: <Words ask="discard" text={values.cards} /> };
  return <>{compose(id, { ...cards }, Object.fromEntries(told))} </>;
}
