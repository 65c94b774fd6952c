import { foldText } from '../../kernel/fold-text.ts'
import { wordsOf } from '../../kernel/search-words.ts'

/** A word as it stands in a text, with the marks and apostrophes that are looked past. */
const standing = /[\p{L}\p{N}\p{M}'‘’ʻ`´]+/gu

/** Where words that begin with one of these stand in a text: as far as they are the same, in UTF-16 units. */
export function matchedRanges(text: string, words: readonly string[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const { 0: whole, index } of text.matchAll(standing)) {
    const found = longestBeginning(wordsOf(whole).join(''), words)
    if (found === null) continue
    const start = index + whole.search(/[\p{L}\p{N}]/u)
    ranges.push([start, start + lengthIn(text.slice(start, index + whole.length), found)])
  }
  return ranges
}

function longestBeginning(word: string, words: readonly string[]): string | null {
  const fitting = words.filter((asked) => word.startsWith(asked))
  return fitting.length === 0 ? null : fitting.reduce((one, other) => (other.length > one.length ? other : one))
}

/** How much of a written word it takes to say this much of the folded one: "Bouf" of "Bouffée" is four, "boufee" of it all. */
function lengthIn(written: string, folded: string): number {
  let length = 0
  let said = ''
  for (const character of written) {
    if (said.length >= folded.length && !/\p{M}/u.test(character)) break
    said += foldText(character).replace(/'/g, '')
    length += character.length
  }
  return length
}

const snippetLength = 160
const before = 50

/** A piece of a text in one line, around the first of these words, or from its beginning; null of a text without words. */
export function snippetOf(text: string | null, words: readonly string[]): string | null {
  const line = (text ?? '').replace(/\s+/g, ' ').trim()
  if (line === '') return null
  const found = matchedRanges(line.slice(0, 5000), words)[0]?.[0] ?? 0
  const start = found <= before ? 0 : afterBlank(line, found - before)
  const end = line.length - start <= snippetLength ? line.length : beforeBlank(line, start + snippetLength)
  return `${start > 0 ? '…' : ''}${line.slice(start, end).trim()}${end < line.length ? '…' : ''}`.toWellFormed()
}

/** No word is cut, where there are words. */
function afterBlank(line: string, at: number): number {
  const blank = line.indexOf(' ', at)
  return blank === -1 || blank > at + before ? at : blank + 1
}

function beforeBlank(line: string, at: number): number {
  const blank = line.lastIndexOf(' ', at)
  return blank < at - before ? at : blank
}
