// Handwritten with type-only imports: the router loads this file on every page.
import type { SearchParams } from '#web/lib/search-params.ts'

export type HomeSearch = { type?: 'farm' | 'dispensary' | undefined }

/** Post type filter of the feed; all by default. */
export const readHomeSearch = ({ type }: SearchParams): HomeSearch => (type === 'farm' || type === 'dispensary' ? { type } : {})
