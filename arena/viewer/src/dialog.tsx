// What is laid over the page, with a button that closes it.

import { type ComponentChildren, Component, createRef } from "preact";
import { say } from "./language";

interface Props {
  label: string;
  /** What stands on the button that closes it. */
  back?: string;
  close: () => void;
  /** A button beside it. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

export class Dialog extends Component<Props> {
  private readonly box = createRef<HTMLDialogElement>();

  override componentDidMount() {
    this.box.current!.showModal();
    this.box.current!.scrollTop = 0; // whatever has the focus now
  }

  override render({ label, back = say("close"), close, action, children }: Props) {
    return (
      <dialog ref={this.box} class="help panel" aria-label={label} onClose={close}>
        <h2>{label}</h2>
        {children}
        <p class="extras">
          <button type="button" onClick={close}>
            {back}
          </button>
          {action}
        </p>
      </dialog>
    );
  }
}
