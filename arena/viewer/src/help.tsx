// The keys, laid over the page.

import { Component, createRef } from "preact";
import { actions } from "./actions";
import type { Match } from "./match";

export class Help extends Component<{ match: Match; reviewed: boolean; close: () => void }> {
  private readonly box = createRef<HTMLDialogElement>();

  override componentDidMount() {
    this.box.current!.showModal();
  }

  override render() {
    const { match, reviewed, close } = this.props;
    return (
      <dialog ref={this.box} class="help panel" aria-label="Keys" onClose={close}>
        <h2>Keys</h2>
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
        <p>
          Nothing is shown of what is still to come, unless you ask for it or have been there. A seat's look shows
          only what that seat knew. A click on a chart goes to the move or deal.
        </p>
        {reviewed && (
          <p>
            Values are stakes to the seat that was asked, if everybody plays on with open hands: on average over deals
            that it could not tell apart, and in the deal as it was. A clear mistake cost half a stake or more by what
            the seat knew, and more than twice the standard error.
          </p>
        )}
        <button type="button" onClick={close}>
          Close
        </button>
      </dialog>
    );
  }
}
