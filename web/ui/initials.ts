/**
 * Two initials of a name: of the first and last word, or the first two letters of a single word. Ignores symbols and emoji; empty if there
 * are no letters.
 */
export function initials(name: string): string {
  const words = name.normalize('NFC').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? []
  const first = letters(words[0] ?? '')
  const last = words.length > 1 ? letters(words.at(-1)!) : first.slice(1)
  return `${first[0] ?? ''}${last[0] ?? ''}`.toLocaleUpperCase('en-US')
}

function letters(word: string): string[] {
  return word.match(/[\p{L}\p{N}]\p{M}*/gu) ?? []
}

/** Hues of avatars, spaced to be distinguishable. */
export const avatarHues = [152, 188, 222, 256, 12, 44, 72, 98, 124] as const
