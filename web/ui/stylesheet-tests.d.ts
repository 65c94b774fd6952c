/** For tests that read stylesheets from disk, because Vitest imports them as empty. The web app doesn't include Node's types. */
declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: 'utf8'): string
}
