/** So much of a message stands before the first word that was found. */
const lead = 30

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

/** A message on one line, from a little before the first of the words on. */
export function excerptAround(content: string, query: string): string {
  const text = content.replace(/\s+/g, ' ').trim()
  const low = text.toLowerCase()
  const places = wordsOf(query).flatMap((word) => {
    const place = low.indexOf(word)
    return place < 0 ? [] : [place]
  })
  const first = places.length > 0 ? Math.min(...places) : 0
  if (first <= lead) return text
  const from = text.lastIndexOf(' ', first - lead)
  // Without a space so far it is one long word, or a script that has none.
  return from < 0 && first < 2 * lead ? text : `…${text.slice(from < 0 ? first - lead : from + 1)}`
}

/** A text in parts, those marked that are one of the words. */
export function markWords(text: string, query: string): { text: string; isMarked: boolean }[] {
  const words = wordsOf(query)
  if (words.length === 0) return [{ text, isMarked: false }]
  const pattern = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')
  return text
    .split(new RegExp(`(${pattern})`, 'giu'))
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
