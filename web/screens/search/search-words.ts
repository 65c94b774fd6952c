import { Dna, type LucideIcon, Newspaper, Package, Store, UserRound, UsersRound } from 'lucide-react'
import type { SearchFacets, SearchHit, SearchKind } from '#contracts/search.endpoints.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { SearchAddress } from './search-address.ts'

type Kind = { one: string; many: string; Icon: LucideIcon }

export const kinds: Record<SearchKind, Kind> = {
  business: { one: 'Business', many: 'Businesses', Icon: Store },
  product: { one: 'Product', many: 'Products', Icon: Package },
  post: { one: 'Post', many: 'Posts', Icon: Newspaper },
  person: { one: 'Person', many: 'People', Icon: UserRound },
  community: { one: 'Community', many: 'Communities', Icon: UsersRound },
  strain: { one: 'Strain', many: 'Strains', Icon: Dna },
}

export const kindNames = Object.keys(kinds) as SearchKind[]

export type Counted = { count: number; isCapped: boolean }

/** "1,000+" for a capped count. */
export const countText = ({ count, isCapped }: Counted): string => `${formatNumber(count)}${isCapped ? '+' : ''}`

export const sum = (parts: readonly Counted[]): Counted => ({
  count: parts.reduce((total, { count }) => total + count, 0),
  isCapped: parts.some(({ isCapped }) => isCapped),
})

export function hitFacts({ subtitle, location }: Pick<SearchHit, 'subtitle' | 'location'>): string {
  return [subtitle, location && !subtitle?.includes(location) ? location : null].filter(Boolean).join(' · ')
}

/** "12 results", "1 product", with a note if none match exactly. Empty without results: the list says so. */
export function resultSentence(
  { q, kind }: Pick<SearchAddress, 'q' | 'kind'>,
  facets: Pick<SearchFacets, 'kinds'>,
  pages: readonly { items: readonly Pick<SearchHit, 'isAlike'>[] }[],
): string {
  const first = pages[0]?.items ?? []
  if (first.length === 0) return ''
  const counted = sum(facets.kinds.filter((each) => kind === undefined || each.kind === kind))
  const [one, many] = kind ? [kinds[kind].one, kinds[kind].many] : ['result', 'results']
  const count = `${countText(counted)} ${(counted.count === 1 ? one : many).toLowerCase()}.`
  return first.every(({ isAlike }) => isAlike)
    ? `No exact match for “${q}”. ${count.slice(0, -1)} ${counted.count === 1 ? 'is' : 'are'} similar.`
    : count
}

/** UTF-16 range; the end is exclusive. */
export type Range = readonly [number, number]
export type Piece = { text: string; isMatch: boolean; start: number }

/** Splits text at its matches. Tolerates overlapping, adjacent and out-of-bounds ranges. */
export function markedPieces(text: string, ranges: readonly Range[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const add = (end: number, isMatch: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end), isMatch, start: at })
    at = Math.max(at, end)
  }
  for (const [start, end] of merged(text, ranges)) {
    add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return pieces
}

function merged(text: string, ranges: readonly Range[]): Range[] {
  const within = ranges
    .map(([start, end]): Range => [Math.max(0, start), Math.min(text.length, end)])
    .filter(([start, end]) => start < end)
    .sort(([one], [other]) => one - other)
  const result: Range[] = []
  for (const [start, end] of within) {
    const before = result.at(-1)
    if (before && start <= before[1]) result[result.length - 1] = [before[0], Math.max(before[1], end)]
    else result.push([start, end])
  }
  return result
}

/** Ranges where each typed word starts a word of the label. Empty if any doesn't. */
export function wordMatches(label: string, typed: string): Range[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const inside = label.toLowerCase()
  const starts = [...inside.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)
  const ranges = words.map((word): Range | null => {
    const start = starts.find((each) => inside.startsWith(word, each))
    return start === undefined ? null : [start, start + word.length]
  })
  return ranges.every((range) => range !== null) ? ranges : []
}
