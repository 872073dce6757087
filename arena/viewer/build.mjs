// Makes page.html, which replays a match, and play.html, where a person plays one: each with its script
// and style inside and a policy that allows nothing else; and the deck, which other pages draw cards with.
// With --check it only says whether they are that already; with --pseudo FOLDER it makes pages there whose words are
// marked and longer, by which tests see what is not in a catalogue or has no room.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { deck } from "./deck.mjs";
import { catalogue, inEachLanguage, languageNames, typesOf, wordsOf } from "./messages.mjs";

const [option, pseudo] = process.argv.slice(2);
const here = (name) => new URL(name, import.meta.url);
const text = (name) => readFileSync(here(name), "utf8");

/** A script or a style. */
async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(here(entry))],
    absWorkingDir: fileURLToPath(here(".")),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2023",
    charset: "ascii",
    legalComments: "none",
    plugins: [languageNames],
    write: false,
  });
  return outputFiles[0].text.trim();
}

function hash(content) {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}

/** The words of a language; a server may leave out those that its reader has no use for. */
function inItsElement([tag, words]) {
  return `<script type="application/json" lang="${tag}">${JSON.stringify(words).replaceAll("<", "\\u003c")}</script>`;
}

/**
 * A page of one script and one style; `policy` says what else it may do and where its forms lead, `needs` is what it
 * says without its script. The script is a module, since the browser runs one after it has parsed the page: in one
 * go, the two would block a slow phone for twice as long.
 */
async function page(template, entry, sheet, needs, policy) {
  const script = await bundled(entry);
  const style = await bundled(sheet);
  if (/<\/(script|style)|<!--/i.test(script + style)) throw new Error("the bundle would end its own tag");
  const parts = {
    LICENCE: text("node_modules/preact/LICENSE").trim(),
    POLICY: [
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      ...policy.more,
      "base-uri 'none'",
      ...policy.forms,
    ].join("; "),
    STYLE: style,
    DECK: deck(),
    WORDS: wordsOf(script, pseudo !== undefined).map(inItsElement).join("\n    "),
    SCRIPT: script,
    NEEDS: inEachLanguage(needs).map(([tag, said]) => `      <p lang="${tag}">${said}</p>\n`).join(""),
  };
  return text(template).replace(/@([A-Z]+)@/g, (marker, name) => parts[name] ?? marker);
}

const replay = await page("src/page.html", "src/main.ts", "src/style.css", "replay-needs-script", { more: ["connect-src 'self'"], forms: ["form-action 'none'"] });
if (replay.split("@MATCH@").length !== 2) throw new Error("there must be one place for @MATCH@");
const play = await page("src/play/page.html", "src/play/main.ts", "src/play/style.css", "table-needs-script", {
  more: ["connect-src 'self'", "img-src data:"],
  forms: [], // its server's policy says so
});

const files = {
  "src/messages.ts": typesOf(catalogue("en")),
  "page.html": replay,
  "play.html": play,
  "../reports/deck.svg": deck(),
};
for (const [name, made] of Object.entries(files)) {
  if (option === "--pseudo") {
    if (name.endsWith(".html")) writeFileSync(`${pseudo}/${name}`, made);
  } else if (option !== "--check") {
    writeFileSync(here(name), made);
  } else if (made !== text(name)) {
    console.error(`viewer: ${name} is not what its sources give; npm run build, and commit it`);
    process.exitCode = 1;
  }
}
