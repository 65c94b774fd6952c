import { Community, CommunityRole } from './communities.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page, wholeNumber } from './fields.ts'
import { maxInvitationDays, maxJoinRequestLength } from './limits.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/** Per community. */
export const maxOpenInvitations = 100

export const CommunityMember = z.object({
  person: Person,
  role: CommunityRole,
  joinedAt: z.iso.datetime(),
  isSelf: z.boolean(),
  /** Null unless the viewer moderates the community. */
  mutedUntil: z.nullable(z.iso.datetime()),
  abilities: z.object({ changeRole: z.boolean(), remove: z.boolean() }),
})
export type CommunityMember = z.infer<typeof CommunityMember>

export const CommunityRequest = z.object({
  person: Person,
  message: z.string().check(z.maxLength(maxJoinRequestLength)),
  createdAt: z.iso.datetime(),
})
export type CommunityRequest = z.infer<typeof CommunityRequest>

export const CommunityInvitation = z.object({
  id: Id,
  /** Null if anyone with the link can use it. */
  person: z.nullable(Person),
  invitedBy: z.nullable(Person),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type CommunityInvitation = z.infer<typeof CommunityInvitation>

/**
 * - `open`: can be accepted
 * - `member`: the viewer is already a member
 * - `used`, `expired`, `revoked`: no longer valid
 */
export const CommunityInvitationState = z.enum(['open', 'member', 'used', 'expired', 'revoked'])
export type CommunityInvitationState = z.infer<typeof CommunityInvitationState>

export const ReceivedInvitation = z.object({
  state: CommunityInvitationState,
  /** Null if the invitation has ended and the viewer has no other way to see the community. */
  community: z.nullable(Community),
  invitedBy: z.nullable(Person),
  expiresAt: z.iso.datetime(),
})
export type ReceivedInvitation = z.infer<typeof ReceivedInvitation>

const MemberParams = z.object({ id: Id, personId: Id })

export const listCommunityMembers = endpoint({
  method: 'GET',
  path: '/api/communities/:id/members',
  summary: "List a community's moderators and, if you are a member, its members, newest first",
  tag: 'Communities',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object({
    ...page,
    /** `team` means the owner and moderators. */
    only: z.optional(z.enum(['team', 'members'])),
    /** The start of any word in the name. */
    search: z._default(line(80), ''),
  }),
  response: z.array(CommunityMember),
})

export const setCommunityRole = endpoint({
  method: 'PUT',
  path: '/api/communities/:id/members/:personId/role',
  summary: 'Make a member a moderator, or a moderator a member. Idempotent.',
  tag: 'Communities',
  access: 'member',
  params: MemberParams,
  body: z.object({ role: z.enum(['moderator', 'member']) }),
  response: CommunityMember,
})

export const removeCommunityMember = endpoint({
  method: 'DELETE',
  path: '/api/communities/:id/members/:personId',
  summary: 'Remove a member, who can rejoin. Idempotent.',
  tag: 'Communities',
  access: 'member',
  params: MemberParams,
})

export const transferCommunity = endpoint({
  method: 'PUT',
  path: '/api/communities/:id/owner',
  summary: 'Transfer your community to one of its moderators; you become a moderator',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  body: z.object({ personId: Id }),
  response: Community,
})

export const listCommunityRequests = endpoint({
  method: 'GET',
  path: '/api/communities/:id/requests',
  summary: 'List the join requests for a community you moderate, oldest first',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(CommunityRequest),
})

export const acceptCommunityRequest = endpoint({
  method: 'POST',
  path: '/api/communities/:id/requests/:personId',
  summary: 'Approve a join request. Idempotent.',
  tag: 'Communities',
  access: 'member',
  params: MemberParams,
})

export const declineCommunityRequest = endpoint({
  method: 'DELETE',
  path: '/api/communities/:id/requests/:personId',
  summary: 'Decline a join request without notifying anyone. Idempotent.',
  tag: 'Communities',
  access: 'member',
  params: MemberParams,
})

export const listCommunityInvitations = endpoint({
  method: 'GET',
  path: '/api/communities/:id/invitations',
  summary: 'List the open invitations to a community you moderate, newest first',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(CommunityInvitation),
})

const days = z._default(
  z.int('Must be a whole number').check(z.minimum(1, 'At least 1 day'), z.maximum(maxInvitationDays, `At most ${maxInvitationDays} days`)),
  7,
)

export const inviteToCommunity = endpoint({
  method: 'POST',
  path: '/api/communities/:id/invitations',
  summary: 'Invite someone you follow or who follows you. Returns their open invitation if there is one.',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  body: z.object({ personId: Id, days }),
  response: CommunityInvitation,
  status: 201,
})

// Not idempotent, because a stored response would contain the secret. Repeating the call creates another link.
export const makeInvitationLink = endpoint({
  method: 'POST',
  path: '/api/communities/:id/invitation-links',
  summary: 'Create a link that lets one person join. Only this response shows its secret.',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  body: z.object({ days }),
  response: z.object({ invitation: CommunityInvitation, token: z.string() }),
  status: 201,
})

export const revokeCommunityInvitation = endpoint({
  method: 'DELETE',
  path: '/api/communities/:id/invitations/:invitationId',
  summary: 'Cancel an invitation; its link stops working',
  tag: 'Communities',
  access: 'member',
  params: z.object({ id: Id, invitationId: Id }),
})

export const suggestPeopleToInvite = endpoint({
  method: 'GET',
  path: '/api/communities/:id/people',
  summary: 'Find people to invite by the start of a name: those you follow or who follow you, except members',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  query: z.object({ search: z._default(line(80), ''), limit: z._default(wholeNumber(1, 20), 8) }),
  response: z.array(Person),
})

export const listMyCommunityInvitations = endpoint({
  method: 'GET',
  path: '/api/communities/invitations',
  summary: 'List your open invitations, newest first',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(z.extend(ReceivedInvitation, { id: Id })),
})

/** A link's secret, or the ID of an invitation addressed to the person. */
const InvitationParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100), z.regex(/^[\w-]+$/)) })

export const getCommunityInvitation = endpoint({
  method: 'GET',
  path: '/api/communities/invitations/:token',
  summary: "Read an invitation by the secret in its link, or by its ID if it's yours",
  tag: 'Communities',
  access: 'member',
  params: InvitationParams,
  response: ReceivedInvitation,
})

export const acceptCommunityInvitation = endpoint({
  method: 'POST',
  path: '/api/communities/invitations/:token/accept',
  summary: 'Join with an invitation, which works once. For members, nothing changes and the invitation remains valid.',
  tag: 'Communities',
  access: 'member',
  params: InvitationParams,
  response: Community,
})

export const declineCommunityInvitation = endpoint({
  method: 'DELETE',
  path: '/api/communities/invitations/:token',
  summary: 'Decline your invitation without notifying anyone',
  tag: 'Communities',
  access: 'member',
  params: InvitationParams,
})
