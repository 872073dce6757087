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

/** What leaving means: a guest's table ends with the guest, a lesson can be taken up again. */
const LEAVING = { guest: "leave-guest", person: "leave-person", lesson: "leave-lesson" } as const;

export function Leaving({ what, leave, close }: { what: keyof typeof LEAVING; leave: () => void; close: () => void }) {
  const action = (
    <button type="button" class="danger" data-key="leave" onClick={leave}>
      {say(what === "lesson" ? "skip" : "leave")}
    </button>
  );
  return (
    <Dialog label={say(what === "lesson" ? "skip-title" : "leave-title")} back={say("stay")} close={close} action={action}>
      <p>{say(LEAVING[what])}</p>
    </Dialog>
  );
}
