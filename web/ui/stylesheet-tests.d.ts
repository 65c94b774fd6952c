/** Only tests use Node types on the web side, to read stylesheets, which Vitest would return empty. */
declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: 'utf8'): string
}
