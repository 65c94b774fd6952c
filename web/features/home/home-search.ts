// By hand, and types only: the router needs this on every page, so every byte of it is in each first load.
import type { SearchParams } from '../../lib/search-params.ts'

export type HomeSearch = { type?: 'farm' | 'dispensary' | undefined }

/** Which posts the feed shows; without a word, all. */
export const readHomeSearch = ({ type }: SearchParams): HomeSearch => (type === 'farm' || type === 'dispensary' ? { type } : {})
