import type { Parsed } from '#contracts/endpoint.ts'
import { type getSearchFacets, type SearchKind, searchKinds } from '#contracts/search.ts'
import { defaultRadiusMiles, nearArea } from '#server/features/businesses/index.ts'
import type { SearchQuestion } from '#server/kernel/search.ts'

export type Filters = Parsed<(typeof getSearchFacets)['query']>

/** @throws AppError invalid_input if `place` is unknown */
export function toQuestion({ q, place, radius, state, businessType }: Filters, kind?: SearchKind): SearchQuestion {
  const question = { text: q, kinds: kind ? [kind] : null, state: state ?? null, businessType: businessType ?? null, area: null }
  if (!place) return question
  const near = nearArea(place, radius ?? defaultRadiusMiles, 'place')
  if (near.radiusMiles !== null) return { ...question, area: { center: near.center, radiusMiles: near.radiusMiles } }
  // Two different states can't match.
  if (question.state !== null && question.state !== near.state) return { ...question, kinds: [] }
  return { ...question, state: near.state }
}

/** The kinds left after filtering by place, state or business type; the other kinds don't have these properties. */
export function kindsLeft({ kinds, area, state, businessType }: SearchQuestion): readonly SearchKind[] {
  if (kinds !== null) return kinds
  if (area) return ['business', 'product']
  return state !== null || businessType !== null ? ['business', 'product', 'post'] : searchKinds
}
