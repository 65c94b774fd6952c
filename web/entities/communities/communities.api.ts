import type { QueryClient } from '@tanstack/react-query'
import {
  countCommunities,
  getCommunity,
  getCommunityStats,
  listCommunities,
  listMyCommunities,
  suggestCommunities,
} from '#contracts/calls/communities.ts'
import {
  getCommunityInvitation,
  listCommunityInvitations,
  listCommunityMembers,
  listCommunityRequests,
  listMyCommunityInvitations,
  suggestPeopleToInvite,
} from '#contracts/calls/community-members.ts'
import type { Community, CommunityCategory, CommunitySort } from '#contracts/communities.ts'
import { call, callOptions, changeCached, changeItems, expireCalls, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent, othersChange } from '#web/lib/query-client.ts'

export type CommunityFilter = { q: string; category: CommunityCategory | undefined; sort: CommunitySort }

const pageOfCommunities = 24

export const communitiesOptions = ({ q, category, sort }: CommunityFilter) => {
  const query = { limit: pageOfCommunities, sort, ...(q ? { q } : {}), ...(category ? { category } : {}) }
  return { ...pagesOptions(listCommunities, { query }), meta: othersChange }
}

export const categoryCountsOptions = { ...callOptions(countCommunities, {}), meta: othersChange }

export const myCommunitiesOptions = { ...pagesOptions(listMyCommunities, { query: { limit: 30 } }), meta: othersChange }

export const communityStatsOptions = { ...callOptions(getCommunityStats, {}), meta: othersChange }

export const communityOptions = (id: string) => ({ ...callOptions(getCommunity, { params: { id } }), meta: othersChange })

export const teamOptions = (id: string) => {
  const input = { params: { id }, query: { only: 'team' as const, limit: 50 } }
  return { ...callOptions(listCommunityMembers, input), meta: othersChange }
}

export const membersOptions = (id: string, search: string) => {
  const input = { params: { id }, query: { limit: 30, ...(search ? { search } : { only: 'members' as const }) } }
  return { ...pagesOptions(listCommunityMembers, input), meta: othersChange }
}

export const requestsOptions = (id: string) => ({ ...pagesOptions(listCommunityRequests, { params: { id } }), staleTime: 0 })

export const invitationsOptions = (id: string) => ({ ...pagesOptions(listCommunityInvitations, { params: { id } }), staleTime: 0 })

export const receivedInvitationsOptions = { ...pagesOptions(listMyCommunityInvitations, {}), meta: othersChange }

export const invitationOptions = (token: string) => ({ ...callOptions(getCommunityInvitation, { params: { token } }), ...alwaysCurrent })

export const findPeopleToInvite = (id: string) => (search: string, signal: AbortSignal) =>
  call(suggestPeopleToInvite, { params: { id }, query: { search: search.slice(0, 80) } }, { signal })

export function changeShown(client: QueryClient, id: string, change: (community: Community) => Community): void {
  const apply = (each: Community) => (each.id === id ? change(each) : each)
  changeCached(client, { queryKey: [getCommunity.path] }, apply)
  for (const { path } of [listCommunities, listMyCommunities]) {
    changeItems<Community>(client, { queryKey: [path] }, (communities) => communities.map(apply))
  }
  changeCached<{ community: Community; because: string }[]>(client, { queryKey: [suggestCommunities.path] }, (list) =>
    list.map((each) => ({ ...each, community: apply(each.community) })),
  )
}

export function showCommunity(client: QueryClient, community: Community): void {
  changeShown(client, community.id, () => community)
  for (const name of [community.id, community.slug]) client.setQueryData(communityOptions(name).queryKey, community)
}

export function refreshMine(client: QueryClient): void {
  void refreshCalls(client, [listMyCommunities, getCommunityStats, listMyCommunityInvitations])
  expireCalls(client, [listCommunities])
  // Refetch community posts, too. Their entity isn't imported here, but their paths share this prefix.
  void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/api/community-') })
}

export const refreshMembers = (client: QueryClient, id: string): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: queryKeyOf(listCommunityMembers, id) }),
    client.invalidateQueries({ queryKey: queryKeyOf(listCommunityRequests, id) }),
    refreshCalls(client, [getCommunity]),
  ])

export const refreshInvitations = (client: QueryClient, id: string): Promise<unknown> =>
  client.invalidateQueries({ queryKey: queryKeyOf(listCommunityInvitations, id) })

const queryKeyOf = (endpoint: { path: `/api/${string}` }, id: string) => [endpoint.path, { id }]

/** Call when the community has been deleted, or the viewer can no longer see it. */
export function forgetCommunity(client: QueryClient, community: Pick<Community, 'id' | 'slug'>): void {
  const names = new Set([community.id, community.slug])
  client.removeQueries({
    predicate: ({ queryKey: [path, params] }) =>
      String(path).startsWith('/api/communit') && names.has((params as { id?: string })?.id ?? ''),
  })
  void refreshCalls(client, [listCommunities, countCommunities])
  refreshMine(client)
}

/** Refetches counts instead of adding to them, because a response in flight may already include the new post. */
export function refreshPostCounts(client: QueryClient): Promise<void> {
  expireCalls(client, [listCommunities, listMyCommunities])
  return refreshCalls(client, [getCommunity])
}

export const refreshCommunityCount = (client: QueryClient): Promise<void> => refreshCalls(client, [countCommunities])

export const expireCommunityLists = (client: QueryClient): void => expireCalls(client, [listCommunities, countCommunities])

export const afterRequesting = (community: Community): Community => ({
  ...community,
  isRequested: true,
  abilities: { ...community.abilities, request: false },
})

export function afterLeaving(community: Community): Community {
  const wasIn = community.myRole !== null
  const isPublic = community.visibility === 'public'
  return {
    ...community,
    myRole: null,
    isRequested: false,
    requestsCount: null,
    memberCount: community.memberCount - (wasIn ? 1 : 0),
    postCount: isPublic ? community.postCount : null,
    abilities: {
      read: isPublic,
      post: false,
      join: isPublic,
      request: community.visibility === 'invite_only',
      leave: false,
      invite: false,
      moderate: false,
      edit: false,
      delete: false,
    },
  }
}
