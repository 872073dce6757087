// Made by `messages.mjs` from `arena/words` when a page is built.

declare module "languages" {
  /** Each language's tag, and what it calls itself. */
  export const LANGUAGES: (readonly [tag: string, name: string])[];
}
