// The keys, laid over the page.

import { Component, createRef } from "preact";
import { actions } from "./actions";
import { say } from "./language";
import type { Match } from "./match";

export class Help extends Component<{ match: Match; reviewed: boolean; close: () => void }> {
  private readonly box = createRef<HTMLDialogElement>();

  override componentDidMount() {
    this.box.current!.showModal();
  }

  override render() {
    const { match, reviewed, close } = this.props;
    return (
      <dialog ref={this.box} class="help panel" aria-label={say("keys")} onClose={close}>
        <h2>{say("keys")}</h2>
        <dl>
          {actions(match, reviewed).map(({ cap, does }) => (
            <>
              <dt>
                <kbd>{cap}</kbd>
              </dt>
              <dd>{does}</dd>
            </>
          ))}
        </dl>
        <p>{say("help-future")}</p>
        {reviewed && <p>{say("help-values")}</p>}
        <button type="button" onClick={close}>
          {say("close")}
        </button>
      </dialog>
    );
  }
}
