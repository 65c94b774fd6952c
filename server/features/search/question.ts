import type { Parsed } from '../../../contracts/endpoint.ts'
import type { getSearchFacets, SearchKind } from '../../../contracts/search.ts'
import { invalidField } from '../../kernel/errors.ts'
import { resolvePlace } from '../../kernel/geo/place-search.ts'
import type { SearchQuestion } from '../../kernel/search.ts'
import { defaultRadiusMiles, pointOf } from '../businesses/index.ts'

export type Filters = Parsed<(typeof getSearchFacets)['query']>

/** @throws AppError invalid_input when `place` names none that we know */
export function toQuestion({ q, place, radius, state, businessType }: Filters, kind?: SearchKind): SearchQuestion {
  const question = { text: q, kinds: kind ? [kind] : null, state: state ?? null, businessType: businessType ?? null, area: null }
  if (!place) return question
  const radiusMiles = radius ?? defaultRadiusMiles
  const point = pointOf(place, 'place')
  if (point) return { ...question, area: { center: point, radiusMiles } }
  const known = resolvePlace(place)
  if (!known) throw invalidField('place', 'We do not know this place. Enter a city and state, or a ZIP code')
  if (known.kind !== 'state')
    return { ...question, area: { center: { latitude: known.latitude, longitude: known.longitude }, radiusMiles } }
  // Two states at once are in no place.
  if (question.state !== null && question.state !== known.state) return { ...question, kinds: [] }
  return { ...question, state: known.state }
}
