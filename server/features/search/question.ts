import type { Parsed } from '../../../contracts/endpoint.ts'
import { type getSearchFacets, type SearchKind, searchKinds } from '../../../contracts/search.ts'
import type { SearchQuestion } from '../../kernel/search.ts'
import { defaultRadiusMiles, nearArea } from '../businesses/index.ts'

export type Filters = Parsed<(typeof getSearchFacets)['query']>

/** @throws AppError invalid_input when `place` names none that we know */
export function toQuestion({ q, place, radius, state, businessType }: Filters, kind?: SearchKind): SearchQuestion {
  const question = { text: q, kinds: kind ? [kind] : null, state: state ?? null, businessType: businessType ?? null, area: null }
  if (!place) return question
  const near = nearArea(place, radius ?? defaultRadiusMiles, 'place')
  if (near.radiusMiles !== null) return { ...question, area: { center: near.center, radiusMiles: near.radiusMiles } }
  // Two states at once are in no place.
  if (question.state !== null && question.state !== near.state) return { ...question, kinds: [] }
  return { ...question, state: near.state }
}

/** Those that a place, a state or a type of business leaves, as the call says: the others have none. */
export function kindsLeft({ kinds, area, state, businessType }: SearchQuestion): readonly SearchKind[] {
  if (kinds !== null) return kinds
  if (area) return ['business', 'product']
  return state !== null || businessType !== null ? ['business', 'product', 'post'] : searchKinds
}
