import { type SearchParams, wordParam } from '#web/lib/search-params.ts'

const followingTabs = ['people', 'businesses'] as const
export type FollowingTab = (typeof followingTabs)[number]

/** The first tab is omitted from the address. */
export function readFollowingSearch({ tab }: SearchParams): { tab?: FollowingTab | undefined } {
  return { tab: wordParam(tab, followingTabs) }
}
