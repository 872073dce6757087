// A guest's table: who sits there, who may watch, and what is the guest's to keep once it is over.

import { Component } from "preact";
import type { About } from "./session";

export function AboutTable({ about }: { about: About }) {
  const { players, watch = "", seed = "", log = "" } = about;
  const over = seed !== "";
  return (
    <section class="panel" aria-label="This table">
      <h2>This table</h2>
      <p>You play against {players.slice(1).join(" and ")}, for nothing but honour.</p>
      {watch !== "" && !over && (
        <p>
          Friends may <a href={watch}>watch</a>: they see what all at the table see, and the hands once a deal is over.
        </p>
      )}
      {watch !== "" && over && (
        <p>
          <a href={watch}>See it again</a>, card by card. <Share address={watch} />
        </p>
      )}
      {log !== "" && (
        <p>
          <a href={log}>The log</a> is yours: <code>arena replay table.jsonl</code> shows it. Both are kept here for a month.
        </p>
      )}
      {seed !== "" && (
        <p class="seed">
          The deals came from the seed <code>{seed}</code>.
        </p>
      )}
    </section>
  );
}

/** The button that gives an address to others: by what the device has for that, else by the clipboard, else as a text. */
class Share extends Component<{ address: string }, { said: string }> {
  override state = { said: "" };

  private async share() {
    const url = new URL(this.props.address, location.href).href;
    try {
      if (navigator.share) await navigator.share({ title: document.title, url });
      else {
        await navigator.clipboard.writeText(url);
        this.setState({ said: "The address is copied." });
      }
    } catch (error) {
      if ((error as Error).name !== "AbortError") this.setState({ said: url });
    }
  }

  override render(_: { address: string }, { said }: { said: string }) {
    return (
      <>
        <button type="button" onClick={() => this.share()}>
          Share
        </button>{" "}
        <span role="status">{said}</span>
      </>
    );
  }
}
