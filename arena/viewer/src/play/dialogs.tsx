// What can be set, and whether one really wants to leave.

import { Dialog } from "../dialog";
import { say } from "../language";
import { Language, Setting } from "../setting";
import type { Settings } from "../settings";

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

/** What leaving means: a guest's table ends with the guest, and waits while a deal of it is played again; the others can come back. */
const LEAVING = {
  guest: ["leave-title", "leave-guest", "leave"],
  friend: ["leave-title", "leave-friend", "leave"],
  person: ["leave-title", "leave-person", "leave"],
  replay: ["replay-title", "leave-for-replay", "play-again"],
  again: ["back-to-match", "leave-retry", "back-to-match"],
  lesson: ["skip-title", "leave-lesson", "skip"],
} as const;

export function Leaving({ what, home, leave, close }: { what: keyof typeof LEAVING; home: string; leave: () => void; close: () => void }) {
  const [title, told, does] = LEAVING[what];
  const action = (
    <>
      {what === "guest" && (
        <a class="press" href={`${home}play`}>
          {say("look-around")}
        </a>
      )}
      <button type="button" class={what === "replay" ? "main" : "danger"} data-key="leave" onClick={leave}>
        {say(does)}
      </button>
    </>
  );
  return (
    <Dialog label={say(title)} back={say("stay")} close={close} action={action}>
      <p>{say(told)}</p>
    </Dialog>
  );
}
