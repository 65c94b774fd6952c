/** Are two words equal but for one letter that is added, removed, changed or swapped with its neighbor? */
export function withinOneEdit(one: string, other: string): boolean {
  if (one === other) return true
  if (Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const rest = one.slice(at + 1)
  const otherRest = other.slice(at + 1)
  if (rest === otherRest || rest === other.slice(at) || one.slice(at) === otherRest) return true
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2)
}

/** The word of the list that it equals or is one edit away from, for words long enough to tell. */
export function spelled(word: string, words: ReadonlySet<string>): string {
  if (words.has(word) || word.length < 6) return word
  for (const known of words) if (known.length >= 6 && withinOneEdit(word, known)) return known
  return word
}
