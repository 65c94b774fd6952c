import { Dna, type LucideIcon, Newspaper, Package, Store, UserRound, UsersRound } from 'lucide-react'
import type { SearchFacets, SearchHit, SearchKind } from '#contracts/search.ts'
import { formatNumber } from '#web/lib/format.ts'
import { searchUrl } from '#web/lib/search-text.ts'
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

/** Strains have no page, so they link to a search for their name. */
export const hitPath = ({ kind, title, path }: Pick<SearchHit, 'kind' | 'title' | 'path'>): string =>
  kind === 'strain' ? searchUrl(title) : path

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
