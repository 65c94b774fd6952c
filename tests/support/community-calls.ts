import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { newId } from '#server/kernel/ids.ts'

/** IDs used in a call about a community and its content. */
export type CommunityIds = {
  community: string
  slug: string
  post: string
  comment: string
  person: string
  invitation: string
  token: string
  /** Pictures of the post and of the community. */
  media: string[]
}

/** IDs of a community that never existed, except the person's. */
export const nowhere = ({ person }: CommunityIds): CommunityIds => ({
  community: newId(),
  slug: 'nothing-of-that-name',
  post: newId(),
  comment: newId(),
  person,
  invitation: newId(),
  token: 'nothing',
  media: [newId(), newId()],
})

type Row = {
  /** The role that the call requires of a member. */
  needs?: 'moderate' | 'own'
  /** Nonmembers may make the call for a listed community, or it requires a site role. */
  isOpen?: boolean
  query?: (of: CommunityIds) => string
  body?: (of: CommunityIds) => object
}

const moderate = { needs: 'moderate' } as const
const own = { needs: 'own' } as const

/** Every call that addresses a community or its content by ID. */
const rows: Record<string, Row> = {
  'GET /api/communities/:id': { isOpen: true },
  'PATCH /api/communities/:id': { ...own, body: () => ({ description: 'Taken over' }) },
  'DELETE /api/communities/:id': { ...own, body: () => ({ name: 'The front room' }) },
  'POST /api/communities/:id/join': { isOpen: true, body: () => ({ message: 'Let me in' }) },
  'DELETE /api/communities/:id/membership': { isOpen: true },
  'PUT /api/admin/communities/:id/verified': { isOpen: true, body: () => ({ isVerified: true }) },
  'GET /api/communities/:id/members': {},
  'PUT /api/communities/:id/members/:personId/role': { ...own, body: () => ({ role: 'member' }) },
  'DELETE /api/communities/:id/members/:personId': { needs: 'moderate' },
  'PUT /api/communities/:id/owner': { ...own, body: ({ person }) => ({ personId: person }) },
  'GET /api/communities/:id/requests': moderate,
  'POST /api/communities/:id/requests/:personId': moderate,
  'DELETE /api/communities/:id/requests/:personId': moderate,
  'GET /api/communities/:id/invitations': moderate,
  'POST /api/communities/:id/invitations': { ...moderate, body: ({ person }) => ({ personId: person }) },
  'POST /api/communities/:id/invitation-links': { ...moderate, body: () => ({}) },
  'DELETE /api/communities/:id/invitations/:invitationId': moderate,
  'GET /api/communities/:id/people': moderate,
  'GET /api/communities/:id/tags': {},
  'GET /api/community-posts': { query: ({ community }) => `?communityId=${community}` },
  'POST /api/community-posts': {
    body: ({ community }) => ({ communityId: community, postType: 'discussion', title: 'Mine', content: 'Mine' }),
  },
  'PUT /api/community-posts/:id/pin': {},
  'DELETE /api/community-posts/:id/pin': {},
  'GET /api/community-posts/:id/accepted-answer': {},
  'PUT /api/community-posts/:id/accepted-answer': { body: ({ comment }) => ({ commentId: comment }) },
  'DELETE /api/community-posts/:id/accepted-answer': {},
  'PUT /api/community-posts/:id/vote': { body: () => ({ position: 0 }) },
  'DELETE /api/community-posts/:id/vote': {},
  'GET /api/posts/:id': {},
  'PATCH /api/posts/:id': { body: () => ({ title: 'Mine now' }) },
  'DELETE /api/posts/:id': {},
  'POST /api/posts/:id/like': {},
  'PUT /api/posts/:id/like': {},
  'DELETE /api/posts/:id/like': {},
  'PUT /api/posts/:id/save': {},
  'DELETE /api/posts/:id/save': {},
  'PUT /api/posts/:id/hidden': {},
  'DELETE /api/posts/:id/hidden': {},
  'GET /api/mention-suggestions': { query: ({ community }) => `?q=a&communityId=${community}` },
  'GET /api/posts/:id/comments': {},
  'POST /api/posts/:id/comments': { body: () => ({ content: 'Let me in' }) },
  'GET /api/comments/:id/replies': {},
  'PATCH /api/comments/:id': { body: () => ({ content: 'Mine now' }) },
  'DELETE /api/comments/:id': {},
  // An invitation link's secret gives access (see the tests of invitations), but its ID doesn't.
  'GET /api/communities/invitations/:token': {},
  'POST /api/communities/invitations/:token/accept': {},
  'DELETE /api/communities/invitations/:token': {},
}

export type CommunityCall = Row & { endpoint: Endpoint }

export const callsOfCommunities: CommunityCall[] = Object.entries(rows).map(([name, row]) => {
  const endpoint = endpoints.find((each) => `${each.method} ${each.path}` === name)
  if (!endpoint) throw new Error(`This call no longer exists: ${name}`)
  return { ...row, endpoint }
})

export function requestOf({ endpoint, query, body }: CommunityCall, of: CommunityIds): { url: string; body: object | undefined } {
  const collection = endpoint.path.split('/')[2]
  const id = collection === 'comments' ? of.comment : collection === 'posts' || collection === 'community-posts' ? of.post : of.community
  const url = endpoint.path
    .replace(':personId', of.person)
    .replace(':invitationId', of.invitation)
    .replace(':token', of.invitation)
    .replace(':id', id)
  return { url: url + (query?.(of) ?? ''), body: body?.(of) }
}
