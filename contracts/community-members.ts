import { Community, CommunityRole } from './communities.ts'
import { Id } from './fields.ts'
import { maxJoinRequestLength } from './limits.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/** Maximum open invitations per community. */
export const maxOpenInvitations = 100

export const CommunityMember = z.object({
  person: Person,
  role: CommunityRole,
  joinedAt: z.iso.datetime(),
  isSelf: z.boolean(),
  /** Null unless the viewer moderates. */
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

/** An open invitation: not used, revoked or expired. */
export const CommunityInvitation = z.object({
  id: Id,
  /** Null: valid for anyone with the link. */
  person: z.nullable(Person),
  invitedBy: z.nullable(Person),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type CommunityInvitation = z.infer<typeof CommunityInvitation>

/**
 * - `open`: it can be accepted
 * - `member`: the viewer is a member already
 * - `used`, `expired`, `revoked`: it is no longer valid
 */
export const CommunityInvitationState = z.enum(['open', 'member', 'used', 'expired', 'revoked'])
export type CommunityInvitationState = z.infer<typeof CommunityInvitationState>

export const ReceivedInvitation = z.object({
  state: CommunityInvitationState,
  /** Null if it has ended and the viewer can't otherwise see the community. */
  community: z.nullable(Community),
  invitedBy: z.nullable(Person),
  expiresAt: z.iso.datetime(),
})
export type ReceivedInvitation = z.infer<typeof ReceivedInvitation>
