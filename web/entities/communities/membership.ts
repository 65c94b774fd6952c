import type { Community } from '#contracts/communities.ts'

export const requested = (community: Community): Community => ({
  ...community,
  isRequested: true,
  abilities: { ...community.abilities, request: false },
})

export function left(community: Community): Community {
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
