// One of the settings, to choose from a list.

import { CHOICES, type Settings } from "./settings";

interface Props {
  name: keyof Settings;
  words: string;
  settings: Settings;
  set: (settings: Settings) => void;
}

export function Setting({ name, words, settings, set }: Props) {
  return (
    <label>
      {words}{" "}
      <select value={settings[name]} data-setting={name} onChange={({ currentTarget }) => set({ ...settings, [name]: currentTarget.value })}>
        {CHOICES[name].map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  );
}
