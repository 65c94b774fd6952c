import * as z from 'zod/mini'
import { Community, CommunityRole, maxRequestLength } from './communities.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { page, wholeNumber } from './pagination.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

/** How many invitations of one community may be open at once. */
export const maxOpenInvitations = 100
/** How long an invitation can be good for, in days. */
export const maxInvitationDays = 30

export const CommunityMember = z.object({
  person: Person,
  role: CommunityRole,
  joinedAt: z.iso.datetime(),
  isSelf: z.boolean(),
  /** Null for whoever does not moderate. */
  mutedUntil: z.nullable(z.iso.datetime()),
  abilities: z.object({ changeRole: z.boolean(), remove: z.boolean() }),
})
export type CommunityMember = z.infer<typeof CommunityMember>

const MemberParams = z.object({ id: Id, personId: Id })

export const listCommunityMembers = endpoint({
  method: 'GET',
  path: '/api/communities/:id/members',
  summary: 'Who runs a community, for everybody who reads it; who is in it, the last joined first, for its members',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object({
    ...page,
    /** `team`: the owner and the moderators. */
    only: z.optional(z.enum(['team', 'members'])),
    /** The beginning of a name, or of a word in it. */
    search: z._default(line(80), ''),
  }),
  response: z.array(CommunityMember),
})

export const setCommunityRole = endpoint({
  method: 'PUT',
  path: '/api/communities/:id/members/:personId/role',
  summary: 'Make a member a moderator, or a moderator a member; the same again changes nothing',
  tag: 'Communities',
  access: 'member',
  params: MemberParams,
  body: z.object({ role: z.enum(['moderator', 'member']) }),
  response: CommunityMember,
})

export const removeCommunityMember = endpoint({
  method: 'DELETE',
  path: '/api/communities/:id/members/:personId',
  summary: 'Remove a member, who may come back; who is not in it is not removed',
  tag: 'Communities',
  access: 'member',
  params: MemberParams,
})

export const handOverCommunity = endpoint({
  method: 'PUT',
  path: '/api/communities/:id/owner',
  summary: 'Hand an own community over to one of its moderators; the owner before becomes a moderator',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  body: z.object({ personId: Id }),
  response: Community,
})

export const CommunityRequest = z.object({
  person: Person,
  message: z.string().check(z.maxLength(maxRequestLength)),
  createdAt: z.iso.datetime(),
})
export type CommunityRequest = z.infer<typeof CommunityRequest>

export const listCommunityRequests = endpoint({
  method: 'GET',
  path: '/api/communities/:id/requests',
  summary: 'Who asks to be let into a community that one moderates, the first who asked first',
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
  summary: 'Let somebody in who asked; who is in already stays in',
  tag: 'Communities',
  access: 'member',
  params: MemberParams,
})

export const declineCommunityRequest = endpoint({
  method: 'DELETE',
  path: '/api/communities/:id/requests/:personId',
  summary: 'Decline a request, of which nobody is told; one that is not there changes nothing',
  tag: 'Communities',
  access: 'member',
  params: MemberParams,
})

/** An open one: not used, not taken back, not expired. */
export const CommunityInvitation = z.object({
  id: Id,
  /** Null: for whoever has its link. */
  person: z.nullable(Person),
  invitedBy: z.nullable(Person),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type CommunityInvitation = z.infer<typeof CommunityInvitation>

export const listCommunityInvitations = endpoint({
  method: 'GET',
  path: '/api/communities/:id/invitations',
  summary: 'The open invitations of a community that one moderates, newest first',
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
  summary: 'Invite somebody whom one follows or who follows; an open invitation of theirs is answered again',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  body: z.object({ personId: Id, days }),
  response: CommunityInvitation,
  status: 201,
})

// A repetition makes another link: an answer that was kept would hold the secret.
export const makeInvitationLink = endpoint({
  method: 'POST',
  path: '/api/communities/:id/invitation-links',
  summary: 'A link that lets one person in, once; its secret is told here and never again',
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
  summary: 'Take an invitation back; its link ends at once',
  tag: 'Communities',
  access: 'member',
  params: z.object({ id: Id, invitationId: Id }),
})

export const suggestPeopleToInvite = endpoint({
  method: 'GET',
  path: '/api/communities/:id/people',
  summary: 'People to invite: who follows or is followed and is not in it yet, by the beginning of a name',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  query: z.object({ search: z._default(line(80), ''), limit: z._default(wholeNumber(1, 20), 8) }),
  response: z.array(Person),
})

/**
 * - `open`: it can be accepted
 * - `member`: the viewer is in already
 * - `used`, `expired`, `revoked`: it is over
 */
export const CommunityInvitationState = z.enum(['open', 'member', 'used', 'expired', 'revoked'])
export type CommunityInvitationState = z.infer<typeof CommunityInvitationState>

export const ReceivedInvitation = z.object({
  state: CommunityInvitationState,
  /** Null when it is over for somebody for whom the community does not exist otherwise. */
  community: z.nullable(Community),
  invitedBy: z.nullable(Person),
  expiresAt: z.iso.datetime(),
})
export type ReceivedInvitation = z.infer<typeof ReceivedInvitation>

export const listMyCommunityInvitations = endpoint({
  method: 'GET',
  path: '/api/communities/invitations',
  summary: 'The open invitations that name the signed-in person, newest first',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(z.extend(ReceivedInvitation, { id: Id })),
})

/** The secret of a link, or the id of an invitation that names the signed-in person. */
const InvitationParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100), z.regex(/^[\w-]+$/)) })

export const getCommunityInvitation = endpoint({
  method: 'GET',
  path: '/api/communities/invitations/:token',
  summary: 'What an invitation is for, by the secret of its link or by the id of one that names the signed-in person',
  tag: 'Communities',
  access: 'member',
  params: InvitationParams,
  response: ReceivedInvitation,
})

export const acceptCommunityInvitation = endpoint({
  method: 'POST',
  path: '/api/communities/invitations/:token/accept',
  summary: 'Join by an invitation, which works once; who is in already stays in, and the invitation stays open',
  tag: 'Communities',
  access: 'member',
  params: InvitationParams,
  response: Community,
})

export const declineCommunityInvitation = endpoint({
  method: 'DELETE',
  path: '/api/communities/invitations/:token',
  summary: 'Decline an invitation that names the signed-in person, of which nobody is told',
  tag: 'Communities',
  access: 'member',
  params: InvitationParams,
})
