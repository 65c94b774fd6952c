/** All of Node that the web side knows, and only for tests: they read the stylesheets, which the test runner would hand over empty. */
declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: 'utf8'): string
}
