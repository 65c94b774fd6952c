export type Token = { word: string; start: number; end: number; sentence: number }

export type TokenizedText = {
  text: string
  tokens: Token[]
  /** For each sentence, whether it is a question. */
  asks: boolean[]
}

const pattern = /[\p{L}]+(?:'[\p{L}]+)*|\d+(?:[.,]\d+)*/gu

/** Splits text into words, numbers and sentences. "10mg" is two tokens. */
export function read(text: string): TokenizedText {
  const tokens: Token[] = []
  const asks: boolean[] = []
  let sentence = 0
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const gap = text.slice(end, match.index)
    if (tokens.length > 0 && /[!?\n;]|\.(?:\s|$)/.test(gap)) {
      asks[sentence] = gap.includes('?')
      sentence++
    }
    end = match.index + match[0].length
    tokens.push({ word: match[0], start: match.index, end, sentence })
  }
  asks[sentence] = text.slice(end).includes('?')
  return { text, tokens, asks }
}

/** A phrase match: tokens from `from` up to but not including `to`. */
export type Hit = { from: number; to: number }

export type Phrases = Map<string, string[][]>

/** `*` matches any one word. */
export function phrases(...lists: readonly string[]): Phrases {
  const found: Phrases = new Map()
  for (const phrase of lists.flatMap((list) => list.split('|'))) {
    const words = phrase.trim().split(/\s+/)
    const first = words[0] as string
    found.set(
      first,
      [...(found.get(first) ?? []), words].sort((a, b) => b.length - a.length),
    )
  }
  return found
}

/** All phrase matches within sentences; the longest if several start at the same token. */
export function find({ tokens }: TokenizedText, list: Phrases): Hit[] {
  return tokens.flatMap(({ word, sentence }, from) => {
    for (const words of list.get(word) ?? []) {
      const to = from + words.length
      const fits = words.every((each, i) => {
        const token = tokens[from + i]
        return token?.sentence === sentence && (each === '*' || token.word === each)
      })
      if (fits) return [{ from, to }]
    }
    return []
  })
}

/** The number of tokens between two ranges: 0 if they touch or overlap, null if they are in different sentences. */
export function distance({ tokens }: TokenizedText, a: Hit, b: Hit): number | null {
  if (tokens[a.from]?.sentence !== tokens[b.from]?.sentence) return null
  return Math.max(0, a.from < b.from ? b.from - a.to : a.from - b.to)
}

/** The hit in a sorted list that is nearest to `to`, in the same sentence and at most `within` tokens away. */
export function nearest(
  reading: TokenizedText,
  hits: readonly Hit[],
  to: Hit,
  within: number,
  where: 'around' | 'after' | 'before' = 'around',
): Hit | undefined {
  let best: Hit | undefined
  let smallestGap = within + 1
  for (let i = firstFrom(hits, to.from - within - 8); i < hits.length; i++) {
    const hit = hits[i] as Hit
    if (hit.from > to.to + within) break
    if (hit === to || (where === 'after' && hit.from < to.to) || (where === 'before' && hit.from >= to.from)) continue
    const gap = distance(reading, hit, to)
    if (gap !== null && gap < smallestGap) {
      best = hit
      smallestGap = gap
    }
  }
  return best
}

/** Index of the first hit in a sorted list that starts at or after `from`. */
export function firstFrom(hits: readonly Hit[], from: number): number {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hits[middle] as Hit).from < from) low = middle + 1
    else high = middle
  }
  return low
}

export const around = (a: Hit, b: Hit): Hit => ({ from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) })

/** Whether one of the words occurs in the same sentence, at most `within` tokens before the hit. */
export function precededBy({ tokens }: TokenizedText, hit: Hit, words: ReadonlySet<string>, within: number): boolean {
  const sentence = tokens[hit.from]?.sentence
  for (let i = hit.from - 1; i >= Math.max(0, hit.from - within); i--) {
    const token = tokens[i]
    if (token?.sentence !== sentence) return false
    if (words.has(token?.word as string)) return true
  }
  return false
}
