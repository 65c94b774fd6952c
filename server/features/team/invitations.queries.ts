import { createHash, randomBytes } from 'node:crypto'
import { invitationDays } from '#contracts/team.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { bylineColumns } from '#server/features/people/index.ts'

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + invitationDays * dayMs)

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

const openOf = (db: Db, businessId: string) =>
  db.selectFrom('team_invitations').where('business_id', '=', businessId).where('accepted_at', 'is', null).where('revoked_at', 'is', null)

/** Pending invitations, including expired ones. */
export const openInvitations = (db: Db, businessId: string) =>
  openOf(db, businessId)
    .leftJoin('users', 'users.id', 'team_invitations.invited_by')
    .select(bylineColumns)
    .select(['team_invitations.id as invitation_id', 'team_invitations.email', 'team_invitations.role', 'expires_at'])
    .orderBy('team_invitations.created_at', 'desc')
    .orderBy('team_invitations.id')
    .execute()

export const openInvitationTo = (tx: Tx, businessId: string, email: string) =>
  openOf(tx, businessId).select(['id', 'role', 'expires_at']).where('email', '=', email).forUpdate().executeTakeFirst()

const selectInvitation = (db: Db, businessId: string, id: string) =>
  db
    .selectFrom('team_invitations')
    .select(['id', 'email', 'role', 'accepted_at', 'revoked_at', 'sent_count'])
    .where('business_id', '=', businessId)
    .where('id', '=', id)

export const invitationOf = (db: Db, businessId: string, id: string) => selectInvitation(db, businessId, id).executeTakeFirst()

export const lockInvitation = (tx: Tx, businessId: string, id: string) =>
  selectInvitation(tx, businessId, id).forUpdate().executeTakeFirst()

const revoke = (tx: Tx, businessId: string, now: Date) =>
  tx
    .updateTable('team_invitations')
    .set({ revoked_at: now })
    .where('business_id', '=', businessId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)

export const revokeInvitations = (tx: Tx, businessId: string, now: Date) => revoke(tx, businessId, now).execute()

/** Ends pending invitations by a member who may no longer invite. */
export const revokeInvitationsBy = (tx: Tx, businessId: string, userId: string, now: Date) =>
  revoke(tx, businessId, now).where('invited_by', '=', userId).execute()

/**
 * Creates the secret link token when the email is sent, so that it's never queued. Only its hash is stored. Replaces the previous token.
 * Null if there is nothing to send anymore.
 */
export async function issueInvitationToken(db: Db, id: string, now: Date): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const issued = await db
    .updateTable('team_invitations')
    .set({ token_hash: hashOf(token) })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return issued ? token : null
}

export type Invitation = NonNullable<Awaited<ReturnType<typeof invitationByToken>>>

export const invitationByToken = (db: Db, token: string) =>
  db
    .selectFrom('team_invitations')
    .innerJoin('businesses', 'businesses.id', 'team_invitations.business_id')
    .select(['team_invitations.id', 'business_id', 'email', 'role', 'invited_by', 'expires_at', 'accepted_at', 'accepted_by', 'revoked_at'])
    .select(['businesses.slug', 'businesses.name', 'businesses.type', 'businesses.image_id'])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst()

export const invitationToMail = (db: Db, id: string) =>
  db
    .selectFrom('team_invitations')
    .innerJoin('businesses', 'businesses.id', 'team_invitations.business_id')
    .select(['team_invitations.email', 'team_invitations.role', 'businesses.name', 'businesses.is_demo', 'invited_by'])
    .where('team_invitations.id', '=', id)
    .executeTakeFirst()
