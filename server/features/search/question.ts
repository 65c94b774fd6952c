import type { Parsed } from '../../../contracts/endpoint.ts'
import type { getSearchFacets, SearchKind } from '../../../contracts/search.ts'
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
