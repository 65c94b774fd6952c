import type { Place } from '../../../contracts/places.ts'
import { suggestPlaces } from '../../../contracts/places.ts'
import { call } from '../../lib/call.ts'

export const loadPlaces = (text: string, signal: AbortSignal): Promise<Place[]> => call(suggestPlaces, { query: { q: text } }, { signal })

/** "Denver, CO 80202" → "Denver, CO": where somebody lives is told as a city, never finer. */
export const cityText = (place: Pick<Place, 'kind' | 'label'>): string =>
  place.kind === 'zip' ? place.label.replace(/ \d{5}$/, '') : place.label
