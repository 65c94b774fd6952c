/**
 * Two letters for a name: of the first and the last word, or the first two of a single word. Marks and emoji do not count; a name without
 * letters gives an empty string.
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
