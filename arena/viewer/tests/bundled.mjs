// A module of the pages as Node.js can import it.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { languageNames, wordsOf } from "../messages.mjs";

const WORDS = wordsOf().map(([lang, words]) => ({ lang, textContent: JSON.stringify(words) }));
globalThis.document = { querySelectorAll: () => WORDS }; // the words stand in the page

export async function bundled(name) {
  const entry = fileURLToPath(new URL(`../src/${name}`, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", plugins: [languageNames], write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
