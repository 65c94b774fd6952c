import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams } from './fields.ts'
import { BusinessByline } from './posts.ts'
import { HelperRole, InvitationState, NewInvitation, Team, TeamRole } from './team.ts'
import * as z from './zod.ts'

export const getTeam = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/team',
  summary: 'List the people who run a business (team only)',
  tag: 'Team',
  access: 'member',
  params: IdOrSlugParams,
  response: Team,
})

export const inviteToTeam = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/team/invitations',
  summary: 'Invite someone by email. The emailed link works once and expires in 7 days.',
  tag: 'Team',
  access: 'member',
  rateLimit: 'mail',
  params: IdOrSlugParams,
  body: NewInvitation,
  response: Team,
  status: 201,
})

const InvitationParams = z.object({ id: IdOrSlug, invitationId: Id })

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/team/invitations/:invitationId/resend',
  summary: 'Email a new link for 7 more days; the previous one stops working',
  tag: 'Team',
  access: 'member',
  rateLimit: 'mail',
  params: InvitationParams,
  response: Team,
})

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/team/invitations/:invitationId',
  summary: 'Cancel an invitation; its link stops working',
  tag: 'Team',
  access: 'member',
  params: InvitationParams,
  response: Team,
})

const MemberParams = z.object({ id: IdOrSlug, userId: Id })

export const changeTeamRole = endpoint({
  method: 'PATCH',
  path: '/api/businesses/:id/team/members/:userId',
  summary: 'Change the role of a manager or staff member',
  tag: 'Team',
  access: 'member',
  params: MemberParams,
  body: z.object({ role: HelperRole }),
  response: Team,
})

export const removeFromTeam = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/team/members/:userId',
  summary: 'Remove someone from the team, or leave it. Idempotent.',
  tag: 'Team',
  access: 'member',
  params: MemberParams,
})

export const transferBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/team/transfer',
  summary: 'Transfer the business to a team member; the previous owner becomes a manager',
  tag: 'Team',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ userId: Id }),
  response: Team,
})

export const listOwnTeamInvitations = endpoint({
  method: 'GET',
  path: '/api/invitations',
  summary: 'List your open invitations to teams. Empty until your email address is confirmed.',
  tag: 'Team',
  access: 'member',
  response: z.array(z.object({ id: Id, business: BusinessByline, role: HelperRole })),
})

/** The secret in the link. For a person with a confirmed address, the ID of an invitation sent to it also works. */
const TokenParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[\w.-]+$/)) })

export const getInvitation = endpoint({
  method: 'GET',
  path: '/api/invitations/:token',
  summary: 'Read an invitation by the secret in its link. Signed-out visitors see it as the invited person would.',
  tag: 'Team',
  access: 'public',
  params: TokenParams,
  response: z.object({
    state: InvitationState,
    business: BusinessByline,
    role: HelperRole,
    invitedBy: z.nullable(z.string()),
    /** The recipient's address, masked: "w…@example.com". */
    sentTo: z.string(),
    expiresAt: z.iso.datetime(),
  }),
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/:token/accept',
  summary: 'Join the team; your account must have the invited email address',
  tag: 'Team',
  access: 'member',
  params: TokenParams,
  response: z.object({ business: BusinessByline, role: TeamRole }),
})
