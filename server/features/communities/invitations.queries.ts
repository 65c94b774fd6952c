import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import { isBanned } from './community-access.ts'

/** Invitations by name or by link. Only the hash of a link's secret is stored. */

export const endOf = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs)

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

export function newToken(): { token: string; hash: string } {
  const token = randomBytes(24).toString('base64url')
  return { token, hash: hashOf(token) }
}

const columns = [
  'community_invitations.id',
  'community_invitations.community_id',
  'community_invitations.invited_by',
  'community_invitations.invited_id',
  'community_invitations.created_at',
  'community_invitations.expires_at',
  'community_invitations.used_at',
  'community_invitations.used_by',
  'community_invitations.revoked_at',
] as const

export type InvitationRow = NonNullable<Awaited<ReturnType<typeof invitationFor>>>

/** Finds an invitation by its link's secret, or by ID if it names this person. Hidden if there is a block between them and the inviter. */
export const invitationFor = (db: Db, personId: string, tokenOrId: string) =>
  db
    .selectFrom('community_invitations')
    .select(columns)
    .where((eb) =>
      isUuid(tokenOrId) ? eb.and([eb('id', '=', tokenOrId), eb('invited_id', '=', personId)]) : eb('token_hash', '=', hashOf(tokenOrId)),
    )
    .where(isNotBlocked(sql`${personId}::uuid`, sql`community_invitations.invited_by`))
    .executeTakeFirst()

const openOf = (db: Db, communityId: string) =>
  db
    .selectFrom('community_invitations')
    .where('community_id', '=', communityId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)

/** Open invitations, newest first, except for people with a block between them and the viewer. */
export const openInvitations = (
  db: Db,
  { communityId, viewerId, now }: { communityId: string; viewerId: string; now: Date },
  after: readonly [createdAt: string, id: string] | null,
  limit: number,
) =>
  openOf(db, communityId)
    .select(columns)
    .where('expires_at', '>', now)
    .where((eb) => eb.or([eb('invited_id', 'is', null), isNotBlocked(sql`${viewerId}::uuid`, sql`community_invitations.invited_id`)]))
    .$if(after !== null, (rows) => rows.where(sql<boolean>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** A person's open invitations, in all communities they could join. */
export const openInvitationsTo = (db: Db, personId: string, now: Date, beforeId: string | null, limit: number) =>
  db
    .selectFrom('community_invitations')
    .innerJoin('communities', 'communities.id', 'community_invitations.community_id')
    .select(columns)
    .where('invited_id', '=', personId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('communities.moderation', 'is', null)
    .where(isNotBlocked(sql`${personId}::uuid`, sql`community_invitations.invited_by`))
    .$if(beforeId !== null, (rows) => rows.where('community_invitations.id', '<', beforeId as string))
    .orderBy('community_invitations.id', 'desc')
    .limit(limit)
    .execute()

/** The person's unused, unrevoked invitation by name, which may have expired. */
export const namedInvitation = (tx: Tx, communityId: string, personId: string) =>
  openOf(tx, communityId).select(columns).where('invited_id', '=', personId).executeTakeFirst()

export async function countOpen(tx: Tx, communityId: string, now: Date): Promise<number> {
  const { count } = await openOf(tx, communityId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export async function isBannedFrom(db: Db, communityId: string, personId: string, now: Date): Promise<boolean> {
  const banned = isBanned(sql`${personId}::uuid`, sql`${communityId}::uuid`, sql<Date>`${now}::timestamptz`)
  const { rows } = await sql<{ is_banned: boolean }>`select ${banned} as is_banned`.execute(db)
  return rows[0]?.is_banned ?? false
}

export const markUsed = (tx: Tx, id: string, personId: string, now: Date) =>
  tx.updateTable('community_invitations').set({ used_at: now, used_by: personId }).where('id', '=', id).execute()

export async function markRevoked(tx: Tx, communityId: string, id: string, now: Date): Promise<boolean> {
  const revoked = await tx
    .updateTable('community_invitations')
    .set({ revoked_at: now })
    .where('community_id', '=', communityId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revoked !== undefined
}
