import { foldText } from '../../kernel/fold-text.ts'

/** All names folded, each after a line break, so that one search of one string finds them in order. */
export type NameSearch<Item> = { list: readonly Item[]; haystack: string; starts: Int32Array }

/** How a name is compared: without case, marks and runs of blanks. */
export const nameKey = (name: string): string => foldText(name).replace(/\s+/g, ' ').trim()

/** Of items by their keys, in the order of these. */
export function createNameSearch<Item>(byKey: ReadonlyMap<string, Item>): NameSearch<Item> {
  const keys = [...byKey.keys()].sort()
  const starts = new Int32Array(keys.length)
  let position = 0
  keys.forEach((key, i) => {
    starts[i] = position
    position += key.length + 1
  })
  return { list: keys.map((key) => byKey.get(key) as Item), haystack: keys.map((key) => `\n${key}`).join(''), starts }
}

/** Items whose name begins with a text, then those with a word that does, then those that hold it, each by name. */
export function searchNames<Item>(search: NameSearch<Item>, text: string, limit: number): Item[] {
  const wanted = nameKey(text)
  if (wanted === '') return []
  const found = new Set<number>()
  for (const needle of [`\n${wanted}`, ` ${wanted}`, wanted]) {
    collect(search, needle, limit, found)
    if (found.size >= limit) break
  }
  return [...found].map((index) => search.list[index] as Item)
}

function collect({ haystack, starts }: NameSearch<unknown>, needle: string, limit: number, found: Set<number>): void {
  for (let at = haystack.indexOf(needle); at !== -1 && found.size < limit; at = haystack.indexOf(needle, at + 1)) {
    found.add(lineOf(starts, at))
  }
}

/** Of the name at this position (its line break belongs to it). */
function lineOf(starts: Int32Array, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= position) low = middle
    else high = middle - 1
  }
  return low
}
