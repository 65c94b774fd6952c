// Handwritten with type-only imports, because the router loads this file on every page.
import type { SearchParams } from '#web/lib/search-params.ts'

export type HomeSearch = { type?: 'farm' | 'dispensary' | undefined }

/** Undefined shows all posts. */
export const readHomeSearch = ({ type }: SearchParams): HomeSearch => (type === 'farm' || type === 'dispensary' ? { type } : {})
