// One of the settings, to choose from a list; and the language.

import { LANGUAGES, language, say, speak } from "./language";
import { CHOICES, type Settings } from "./settings";

const NAMES = { pace: "setting-pace", deck: "setting-deck", sound: "setting-sound" } as const;

interface Props {
  name: keyof Settings;
  settings: Settings;
  set: (settings: Settings) => void;
}

export function Setting({ name, settings, set }: Props) {
  return (
    <label>
      {say(NAMES[name])}{" "}
      <select value={settings[name]} data-setting={name} onChange={({ currentTarget }) => set({ ...settings, [name]: currentTarget.value })}>
        {CHOICES[name].map((choice) => (
          <option key={choice} value={choice}>
            {say("choice", { choice: choice.replace(" ", "-") })}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Each language calls itself by its own name. */
export function Language() {
  return (
    <label>
      {say("setting-language")}{" "}
      <select value={language} data-setting="language" onChange={({ currentTarget }) => speak(currentTarget.value)}>
        {LANGUAGES.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
