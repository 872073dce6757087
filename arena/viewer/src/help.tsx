// The keys, laid over the page.

import { Component, createRef } from "preact";
import { FAULTS, HELP, STEPS, looks } from "./actions";
import type { Match } from "./match";

export class Help extends Component<{ match: Match; close: () => void }> {
  private readonly box = createRef<HTMLDialogElement>();

  override componentDidMount() {
    this.box.current!.showModal();
  }

  override render() {
    const { match, close } = this.props;
    return (
      <dialog ref={this.box} class="help" aria-label="Keys" onClose={close}>
        <h2>Keys</h2>
        <dl>
          {[...STEPS, ...FAULTS, ...looks(match), ...HELP].map(({ cap, does }) => (
            <>
              <dt>
                <kbd>{cap}</kbd>
              </dt>
              <dd>{does}</dd>
            </>
          ))}
        </dl>
        <p>The same seat's key again shows all cards. A click on a chart goes to the move or deal.</p>
        <button type="button" onClick={close}>
          Close
        </button>
      </dialog>
    );
  }
}
