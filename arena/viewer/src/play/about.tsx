// A guest's table: who sits there, who may watch, and what is the guest's to keep once it is over.

import { Component } from "preact";
import { compose, language, say } from "../language";
import type { About } from "./session";

export function AboutTable({ about }: { about: About }) {
  const { players, people = 1, watch = "", log = "", levels = [], of_day } = about;
  const bots = players.slice(people).map((name, place) => (levels[place] ? `${name} (${say("strength", { level: levels[place] })})` : name));
  const over = log !== "";
  return (
    <section class="panel" aria-label={say("this-table")}>
      <h2>{say("this-table")}</h2>
      {of_day && <p>{say("day-same-cards")}</p>}
      {bots.length > 0 && <p>{say("bots-play-here", { names: listed(bots), day: of_day ? "yes" : "no" })}</p>}
      {watch !== "" && !over && (
        <p>{compose("friends-may-watch", { watch: <a href={watch} target="_blank">{say("watch")}</a> })}</p>
      )}
      {watch !== "" && over && (
        <p>
          {compose("see-again-card-by-card", { link: <a href={watch}>{say("see-it-again")}</a> })} <Share what="replay" address={watch} />
        </p>
      )}
      {log !== "" && (
        <p>
          {compose("log-is-yours", { link: <a href={log}>{say("the-log")}</a> })}
        </p>
      )}
    </section>
  );
}

/** The friends who are waited for, and the address of each one's seat. */
export function Invited({ about }: { about: About }) {
  const { invited = [] } = about;
  if (invited.length === 0) return null;
  return (
    <section class="panel" aria-label={say("invite-friends")}>
      <h2>{say("invite-friends")}</h2>
      <p>{say("invite-helps")}</p>
      <ul class="totals">
        {invited.map(({ name, address }) => (
          <li>
            <bdi>{name}</bdi> <Share address={address} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Names in a sentence. */
function listed(names: string[]): string {
  return new Intl.ListFormat(language).format(names);
}

interface Shared {
  address: string;
  text?: string;
  /** What is there; a table without it. */
  what?: "result" | "replay";
}

/** The button that gives an address to others: by what the device has for that, else by the clipboard, else as a text. */
export class Share extends Component<Shared, { said: string }> {
  override state = { said: "" };

  private async share() {
    const { address, text = "" } = this.props;
    const url = new URL(address, location.href).href;
    const whole = `${text} ${url}`.trim();
    try {
      if (navigator.share) await navigator.share({ title: document.title, text, url });
      else {
        await navigator.clipboard.writeText(whole);
        this.setState({ said: say("address-copied") });
      }
    } catch (error) {
      if ((error as Error).name !== "AbortError") this.setState({ said: whole });
    }
  }

  override render({ what }: Shared, { said }: { said: string }) {
    return (
      <>
        <button type="button" onClick={() => this.share()}>
          {say("share", { what: what ?? "link" })}
        </button>{" "}
        <span role="status">{said}</span>
      </>
    );
  }
}
