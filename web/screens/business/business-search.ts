import { type SearchParams, wordParam } from '#web/lib/search-params.ts'

const businessTabs = ['products', 'posts', 'reviews', 'tools'] as const
export type BusinessTab = (typeof businessTabs)[number]

/** The first tab is omitted from the address. */
export function readBusinessSearch({ tab }: SearchParams): { tab?: BusinessTab | undefined } {
  return { tab: wordParam(tab, businessTabs) }
}
