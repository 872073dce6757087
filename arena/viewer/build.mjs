// Makes page.html: the page with its script and style inside and a policy that allows nothing else.
// With --check it only says whether page.html is that already.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = (name) => new URL(name, import.meta.url);
const text = (name) => readFileSync(here(name), "utf8");

async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [here(entry).pathname],
    absWorkingDir: here(".").pathname,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2023",
    charset: "ascii",
    legalComments: "none",
    write: false,
  });
  return outputFiles[0].text.trim();
}

function hash(content) {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}

const script = await bundled("src/main.ts");
const style = await bundled("src/style.css");
if (/<\/(script|style)|<!--/i.test(script + style)) throw new Error("the bundle would end its own tag");

const parts = {
  LICENCE: text("node_modules/preact/LICENSE").trim(),
  POLICY: [
    "default-src 'none'",
    `script-src ${hash(script)}@REVIEW@`,
    `style-src ${hash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; "),
  STYLE: style,
  SCRIPT: script,
};
const page = text("src/page.html").replace(/@([A-Z]+)@/g, (marker, name) => parts[name] ?? marker);
for (const marker of ["@MATCH@", "@REVIEW@"])
  if (page.split(marker).length !== 2) throw new Error(`there must be one place for ${marker}`);
if (process.argv[2] !== "--check") {
  writeFileSync(here("page.html"), page);
} else if (page !== text("page.html")) {
  console.error("viewer: page.html is not what its sources give; npm run build, and commit it");
  process.exitCode = 1;
}
