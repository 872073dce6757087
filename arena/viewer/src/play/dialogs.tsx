// What is laid over the page: the keys, what can be set, and whether one really wants to leave.

import { type ComponentChildren, Component, createRef } from "preact";
import { Setting } from "../setting";
import type { Settings } from "../settings";

export const KEYS = [
  ["← →", "to the card or answer before or after"],
  ["Enter", "play that card, give that answer; at a deal’s end: the next deal"],
  ["Space", "on at once, while others play or a trick is looked at"],
  ["1 – 8", "the card or answer of that number (9 and 0: the talon’s)"],
  ["L", "the last trick again, or back to this one"],
  ["H", "a hint, marked in the log"],
  ["O", "offer to give up, as a defender where the rules allow it"],
  ["G", "give up before the next trick, as the declarer where the rules allow it"],
  ["?", "this help"],
] as const;

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
  }

  override render({ label, back = "Close", close, action, children }: Props) {
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

const SET: Record<keyof Settings, string> = { pace: "Others play", deck: "Cards", sound: "Sound of cards" };

export function SettingsDialog({ settings, set, close }: { settings: Settings; set: (settings: Settings) => void; close: () => void }) {
  return (
    <Dialog label="Settings" close={close}>
      <div class="settings">
        {(Object.keys(SET) as (keyof Settings)[]).map((name) => (
          <Setting key={name} name={name} words={SET[name]} settings={settings} set={set} />
        ))}
      </div>
      <p class="faint">This browser keeps what you choose.</p>
    </Dialog>
  );
}

/** `guest`: whether the table is a guest's, which ends with the guest. */
export function Leaving({ guest, leave, close }: { guest: boolean; leave: () => void; close: () => void }) {
  const action = (
    <button type="button" class="danger" data-key="leave" onClick={leave}>
      Leave
    </button>
  );
  return (
    <Dialog label="Leave the match?" back="Stay" close={close} action={action}>
      {guest ? (
        <p>You cannot come back to this table. It counts for nobody, and there is another whenever you like.</p>
      ) : (
        <p>
          You cannot come back: your seat loses this deal, and each deal to come in which it is asked something, as a
          bot does whose program has ended.
        </p>
      )}
    </Dialog>
  );
}
