// The keys, laid over the page.

import { Component, createRef } from "preact";
import { actions } from "./actions";
import type { Match } from "./match";

export class Help extends Component<{ match: Match; close: () => void }> {
  private readonly box = createRef<HTMLDialogElement>();

  override componentDidMount() {
    this.box.current!.showModal();
  }

  override render() {
    const { match, close } = this.props;
    return (
      <dialog ref={this.box} class="help panel" aria-label="Keys" onClose={close}>
        <h2>Keys</h2>
        <dl>
          {actions(match).map(({ cap, does }) => (
            <>
              <dt>
                <kbd>{cap}</kbd>
              </dt>
              <dd>{does}</dd>
            </>
          ))}
        </dl>
        <p>
          Nothing is shown of what is still to come, unless you ask for it or have been there. A seat's look shows
          only what that seat knew. A click on a chart goes to the move or deal.
        </p>
        <button type="button" onClick={close}>
          Close
        </button>
      </dialog>
    );
  }
}
