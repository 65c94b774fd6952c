/**
 * A pattern that matches an ID or address only as a whole: `ann@example.co` doesn't match in `joann@example.com`. Works the same in
 * JavaScript, PostgreSQL and JSON, where a line ends in `\n`.
 */
export function wholeName(name: string): string {
  const itself = name.replace(/\W/g, '\\$&')
  return name.includes('@') ? `(?:(?<![\\w.+%-])|(?<=\\\\[nrt]))${itself}(?![\\w-]|\\.\\w)` : itself
}

export const namesAny = (text: string, names: readonly string[]): boolean => names.some((name) => new RegExp(wholeName(name)).test(text))
