// Types only: the router needs this file on every page, and the contracts would bring Zod into the first load.
import { type SearchParams, wordParam } from '../../lib/search-params.ts'

const feedTypes = ['farm', 'dispensary'] as const
export type HomeSearch = { type?: (typeof feedTypes)[number] | undefined }

/** Which posts the feed shows; without a word, all. */
export function readHomeSearch({ type }: SearchParams): HomeSearch {
  return { type: wordParam(type, feedTypes) }
}
