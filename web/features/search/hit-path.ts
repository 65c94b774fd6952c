import type { SearchHit } from '../../../contracts/search.ts'
import { searchUrl } from '../layout/search-text.ts'

/** A strain has no page of its own: everything there is of its name stands for it. */
export const hitPath = ({ kind, title, path }: Pick<SearchHit, 'kind' | 'title' | 'path'>): string =>
  kind === 'strain' ? searchUrl(title) : path

/** What tells a hit from others of its name: "Dispensary · Denver, CO". */
export function hitFacts({ subtitle, location }: Pick<SearchHit, 'subtitle' | 'location'>): string {
  return [subtitle, location && !subtitle?.includes(location) ? location : null].filter(Boolean).join(' · ')
}
