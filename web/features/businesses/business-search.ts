import { type SearchParams, wordParam } from '../../lib/search-params.ts'

const businessTabs = ['products', 'posts', 'reviews', 'tools'] as const
export type BusinessTab = (typeof businessTabs)[number]

/** The first tab has no word in the address. */
export function readBusinessSearch({ tab }: SearchParams): { tab?: BusinessTab | undefined } {
  return { tab: wordParam(tab, businessTabs) }
}
