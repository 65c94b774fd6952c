import { type SearchParams, wordParam } from '../../lib/search-params.ts'

const followingTabs = ['people', 'businesses'] as const
export type FollowingTab = (typeof followingTabs)[number]

/** The first tab has no word in the address. */
export function readFollowingSearch({ tab }: SearchParams): { tab?: FollowingTab | undefined } {
  return { tab: wordParam(tab, followingTabs) }
}
