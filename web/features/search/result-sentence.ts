import type { SearchFacets, SearchHit } from '../../../contracts/search.ts'
import { countText, sum } from './counts.ts'
import { kinds } from './kinds.ts'
import type { SearchAddress } from './search-address.ts'

/** "12 results", "1 product", and whether any of them is spelled like that. Empty where nothing was found: the list says so. */
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
    ? `Nothing is spelled “${q}”. ${count.slice(0, -1)} ${counted.count === 1 ? 'comes' : 'come'} close.`
    : count
}
