/**
 * A pattern that finds an id, or an address as a whole: `ann@example.co` is not found in `joann@example.com`. It reads the same in
 * JavaScript and in PostgreSQL, and in JSON, where a line ends in `\n`.
 */
export function wholeName(name: string): string {
  const itself = name.replace(/\W/g, '\\$&')
  return name.includes('@') ? `(?:(?<![\\w.+%-])|(?<=\\\\[nrt]))${itself}(?![\\w-]|\\.\\w)` : itself
}

export const namesAny = (text: string, names: readonly string[]): boolean => names.some((name) => new RegExp(wholeName(name)).test(text))
