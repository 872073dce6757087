// Made by `messages.mjs` from `arena/words` when a page is built.

declare module "catalogues" {
  /** What each language calls itself, and those of its messages that the page may say. */
  export const CATALOGUES: Record<string, [name: string, text: string]>;
}
