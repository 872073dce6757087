// The keys, laid over the page.

import { actions } from "./actions";
import { Dialog } from "./dialog";
import { say } from "./language";
import type { Match } from "./match";

export function Help({ match, reviewed, close }: { match: Match; reviewed: boolean; close: () => void }) {
  return (
    <Dialog label={say("keys")} close={close}>
      <Keys of={actions(match, reviewed)} />
      <p>{say("help-future")}</p>
      {reviewed && <p>{say("help-values")}</p>}
    </Dialog>
  );
}

/** Keys, and what each does. */
export function Keys({ of }: { of: { cap: string; does: string }[] }) {
  return (
    <dl>
      {of.map(({ cap, does }) => (
        <>
          <dt>
            <kbd>{cap}</kbd>
          </dt>
          <dd>{does}</dd>
        </>
      ))}
    </dl>
  );
}
