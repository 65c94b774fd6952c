/** Characters shown before the first match. */
const lead = 30

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

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
  // No space nearby: one long word, or a script without spaces.
  return from < 0 && first < 2 * lead ? text : `…${text.slice(from < 0 ? first - lead : from + 1)}`
}

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
