import * as z from 'zod/mini'
import { Email } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams } from './ids.ts'
import { Person } from './people.ts'
import { BusinessByline } from './posts.ts'

export const TeamRole = z.enum(['owner', 'manager', 'staff'])
export type TeamRole = z.infer<typeof TeamRole>

/** What somebody can be invited as or made; the owner alone is handed over. */
export const HelperRole = z.enum(['manager', 'staff'], 'Choose a role')
export type HelperRole = z.infer<typeof HelperRole>

/** Members and open invitations of one business. */
export const mostOfTeam = 100
export const invitationDays = 7

export const TeamMember = z.extend(Person, {
  role: TeamRole,
  since: z.iso.datetime(),
  isSelf: z.boolean(),
  /** What the viewer may do about them. */
  abilities: z.object({ changeRole: z.boolean(), remove: z.boolean(), makeOwner: z.boolean() }),
})
export type TeamMember = z.infer<typeof TeamMember>

export const TeamInvitation = z.object({
  id: Id,
  email: z.string(),
  role: HelperRole,
  /** Null when that account is gone. */
  invitedBy: z.nullable(z.string()),
  expiresAt: z.iso.datetime(),
  isExpired: z.boolean(),
  /** Whether the viewer may send it again or take it back. */
  canChange: z.boolean(),
})
export type TeamInvitation = z.infer<typeof TeamInvitation>

export const Team = z.object({
  businessId: Id,
  /** Of the viewer. */
  role: TeamRole,
  /** The owner first, then by how long they have been there. */
  members: z.array(TeamMember),
  /** Those not answered yet; empty for viewers who may not invite. */
  invitations: z.array(TeamInvitation),
  abilities: z.object({
    /** As what the viewer may invite somebody. */
    invite: z.array(HelperRole),
    leave: z.boolean(),
    /** See whom the business has blocked, block people and end that. */
    block: z.boolean(),
  }),
})
export type Team = z.infer<typeof Team>

export const getTeam = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/team',
  summary: 'Who runs a business; only for those who do',
  tag: 'Team',
  access: 'member',
  params: IdOrSlugParams,
  response: Team,
})

export const inviteToTeam = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/team/invitations',
  summary: 'Invite somebody by email; the link in the mail works once, for 7 days',
  tag: 'Team',
  access: 'member',
  rateLimit: 'mail',
  params: IdOrSlugParams,
  body: z.object({ email: Email, role: HelperRole }),
  response: Team,
  status: 201,
})

const InvitationParams = z.object({ id: IdOrSlug, invitationId: Id })

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/team/invitations/:invitationId/resend',
  summary: 'Mail a new link for 7 more days; the one before ends',
  tag: 'Team',
  access: 'member',
  rateLimit: 'mail',
  params: InvitationParams,
  response: Team,
})

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/team/invitations/:invitationId',
  summary: 'Take an invitation back; its link ends at once',
  tag: 'Team',
  access: 'member',
  params: InvitationParams,
  response: Team,
})

const MemberParams = z.object({ id: IdOrSlug, userId: Id })

export const changeTeamRole = endpoint({
  method: 'PATCH',
  path: '/api/businesses/:id/team/members/:userId',
  summary: 'Change what a manager or somebody of the staff may do',
  tag: 'Team',
  access: 'member',
  params: MemberParams,
  body: z.object({ role: HelperRole }),
  response: Team,
})

export const removeFromTeam = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/team/members/:userId',
  summary: 'Remove somebody from the team, or leave it oneself; removing again changes nothing',
  tag: 'Team',
  access: 'member',
  params: MemberParams,
})

export const transferBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/team/transfer',
  summary: 'Hand the business over to somebody of its team; the owner before becomes a manager',
  tag: 'Team',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ userId: Id }),
  response: Team,
})

const TokenParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[\w.-]+$/)) })

/**
 * - `open`: it can be accepted
 * - `other_address`: it was mailed to another address than the account's
 * - `accepted`, `expired`, `revoked`: it is over
 */
export const InvitationState = z.enum(['open', 'other_address', 'accepted', 'expired', 'revoked'])
export type InvitationState = z.infer<typeof InvitationState>

export const getInvitation = endpoint({
  method: 'GET',
  path: '/api/invitations/:token',
  summary: 'What an invitation is for, by the secret of its link',
  tag: 'Team',
  access: 'account',
  params: TokenParams,
  response: z.object({
    state: InvitationState,
    business: BusinessByline,
    role: HelperRole,
    invitedBy: z.nullable(z.string()),
    /** To which address it was mailed, shortened: "w…@example.com". */
    sentTo: z.string(),
    expiresAt: z.iso.datetime(),
  }),
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/:token/accept',
  summary: 'Join the team; the account must have the address that the invitation was mailed to',
  tag: 'Team',
  access: 'member',
  params: TokenParams,
  response: z.object({ business: BusinessByline, role: TeamRole }),
})
