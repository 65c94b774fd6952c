/** The only Node types on the web side, and only for tests: they read stylesheets, which Vitest would return empty. */
declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: 'utf8'): string
}
