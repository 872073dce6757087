// What is laid over the page: what can be set, and whether one really wants to leave.

import { type ComponentChildren, Component, createRef } from "preact";
import { say } from "../language";
import { Language, Setting } from "../setting";
import type { Settings } from "../settings";

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

export function SettingsDialog({ settings, set, close }: { settings: Settings; set: (settings: Settings) => void; close: () => void }) {
  return (
    <Dialog label={say("settings")} close={close}>
      <div class="settings">
        <Language />
        {(Object.keys(settings) as (keyof Settings)[]).map((name) => (
          <Setting key={name} name={name} settings={settings} set={set} />
        ))}
      </div>
      <p class="faint">{say("browser-keeps")}</p>
    </Dialog>
  );
}

/** `guest`: whether the table is a guest's, which ends with the guest. */
export function Leaving({ guest, leave, close }: { guest: boolean; leave: () => void; close: () => void }) {
  const action = (
    <button type="button" class="danger" data-key="leave" onClick={leave}>
      {say("leave")}
    </button>
  );
  return (
    <Dialog label={say("leave-title")} back={say("stay")} close={close} action={action}>
      <p>{say(guest ? "leave-guest" : "leave-person")}</p>
    </Dialog>
  );
}
