import { type SearchParams, wordParam } from '#web/lib/search-params.ts'

const profileTabs = ['posts', 'reviews'] as const
export type ProfileTab = (typeof profileTabs)[number]

/** The address omits the first tab. */
export function readProfileSearch({ tab }: SearchParams): { tab?: ProfileTab | undefined } {
  return { tab: wordParam(tab, profileTabs) }
}

const followingTabs = ['people', 'businesses'] as const
export type FollowingTab = (typeof followingTabs)[number]

/** The address omits the first tab. */
export function readFollowingSearch({ tab }: SearchParams): { tab?: FollowingTab | undefined } {
  return { tab: wordParam(tab, followingTabs) }
}
