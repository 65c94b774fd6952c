/** For tests that read stylesheets, because Vitest imports those as empty. The web app has no Node types. */
declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: 'utf8'): string
}
