import { communityCategories } from '#contracts/choices.ts'
import { type CommunityCategory, type CommunitySort, CommunitySort as Sort } from '#contracts/communities.ts'
import { type SearchParams, textParam, wordParam } from '#web/lib/search-params.ts'

export const communityTabs = ['discover', 'my', 'feed', 'create'] as const
export type CommunitiesTab = (typeof communityTabs)[number]
export type CommunitiesSearch = { tab?: CommunitiesTab; q?: string; category?: CommunityCategory; sort?: CommunitySort }

/** Omits defaults. Only Discover has text, category and sort. */
export function readCommunitiesSearch(search: SearchParams): CommunitiesSearch {
  const tab = wordParam(search.tab, communityTabs)
  if (tab && tab !== 'discover') return { tab }
  const q = textParam(search.q, 120)
  const category = wordParam(search.category, communityCategories)
  const sort = wordParam(search.sort, Sort.options)
  return { ...(q ? { q } : {}), ...(category ? { category } : {}), ...(sort && sort !== 'featured' ? { sort } : {}) }
}

export const communitySections = ['posts', 'about', 'members', 'manage', 'moderation'] as const
export type CommunitySection = (typeof communitySections)[number]
export type CommunitySearch = { section?: CommunitySection; sort?: 'top' | 'active' | undefined; period?: 'week' | 'month' | undefined }

/** Omits the defaults: the posts section, newest first, of all time. */
export function readCommunitySearch(search: SearchParams): CommunitySearch {
  const section = wordParam(search.section, communitySections)
  if (section && section !== 'posts') return { section }
  const sort = wordParam(search.sort, ['top', 'active'] as const)
  const period = sort === 'top' ? wordParam(search.period, ['week', 'month'] as const) : undefined
  return { ...(sort ? { sort } : {}), ...(period ? { period } : {}) }
}
