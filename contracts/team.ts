import { Email } from './accounts.ts'
import { Id } from './fields.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

export const TeamRole = z.enum(['owner', 'manager', 'staff'])
export type TeamRole = z.infer<typeof TeamRole>

/** Roles that can be assigned or offered. Ownership can only be transferred. */
export const HelperRole = z.enum(['manager', 'staff'], 'Choose a role')
export type HelperRole = z.infer<typeof HelperRole>

/** Members plus pending invitations, including expired ones, per business. */
export const maxTeamSize = 100
export const invitationDays = 7

export const TeamMember = z.extend(Person, {
  role: TeamRole,
  since: z.iso.datetime(),
  isSelf: z.boolean(),
  abilities: z.object({ changeRole: z.boolean(), remove: z.boolean(), makeOwner: z.boolean() }),
})
export type TeamMember = z.infer<typeof TeamMember>

export const TeamInvitation = z.object({
  id: Id,
  email: z.string(),
  role: HelperRole,
  invitedBy: z.nullable(z.string()),
  expiresAt: z.iso.datetime(),
  isExpired: z.boolean(),
  canChange: z.boolean(),
})
export type TeamInvitation = z.infer<typeof TeamInvitation>

export const Team = z.object({
  businessId: Id,
  role: TeamRole,
  /** The owner first, then by seniority. */
  members: z.array(TeamMember),
  /** Pending invitations; empty for viewers who can't invite. */
  invitations: z.array(TeamInvitation),
  abilities: z.object({
    invite: z.array(HelperRole),
    leave: z.boolean(),
    /** See the list of people the business has blocked, and block or unblock people. */
    block: z.boolean(),
  }),
})
export type Team = z.infer<typeof Team>

export const NewInvitation = z.object({ email: Email, role: HelperRole })

/**
 * - `open`: can be accepted
 * - `other_address`: was sent to an address other than the account's
 * - `accepted`, `expired`, `revoked`: no longer valid
 */
export const InvitationState = z.enum(['open', 'other_address', 'accepted', 'expired', 'revoked'])
export type InvitationState = z.infer<typeof InvitationState>
