import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { CommunityRole } from '#contracts/communities.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { Locked } from '#server/db/locked.ts'
import { isNotBlocked, lockPerson } from '#server/features/people/index.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newestAfter } from '#server/kernel/keyset.ts'
import { hashOfSecret } from '#server/kernel/secrets.ts'
import { isBanned } from './community-access.ts'

/** Limits a person's memberships, because one query reads the feed of all those communities. */
const maxMemberships = 500

export async function communityRoleOf(db: Db, communityId: string, userId: string): Promise<CommunityRole | null> {
  const row = await db
    .selectFrom('community_members')
    .select('role')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}

/** The community is locked, because its `member_count` changes, too. */
type Membership = { communityId: Locked<'communities'>; userId: string; role: CommunityRole; now: Date }

/**
 * Adds a member; an existing member keeps their role. Deletes their join request and uses up any invitation by name.
 * @throws AppError conflict at the limit of memberships
 */
export async function addMember(tx: Tx, { communityId, userId, role, now }: Membership): Promise<boolean> {
  const added = await tx
    .insertInto('community_members')
    .values({ community_id: communityId, user_id: userId, role, joined_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!added) return false
  await changeMemberCount(tx, communityId, 1)
  await requireRoom(tx, userId)
  await removeRequest(tx, communityId, userId)
  await tx
    .updateTable('community_invitations')
    .set({ used_at: now, used_by: userId })
    .where('community_id', '=', communityId)
    .where('invited_id', '=', userId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  return true
}

async function requireRoom(tx: Tx, userId: string): Promise<void> {
  // Otherwise, concurrent joins of different communities could exceed the limit.
  await lockPerson(tx, userId)
  if ((await countRows(tx.selectFrom('community_members').where('user_id', '=', userId))) > maxMemberships) {
    throw new AppError('conflict', { message: `A person can be in up to ${maxMemberships} communities. Leave one first.` })
  }
}

/** Also ends the invitations they issued as a moderator. @returns whether they were a member */
export async function removeMember(tx: Tx, communityId: Locked<'communities'>, userId: string, now: Date): Promise<boolean> {
  const removed = await tx
    .deleteFrom('community_members')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .returning('role')
    .executeTakeFirst()
  if (!removed) return false
  await changeMemberCount(tx, communityId, -1)
  if (removed.role !== 'member') await revokeInvitationsBy(tx, communityId, userId, now)
  return true
}

const changeMemberCount = (tx: Tx, communityId: Locked<'communities'>, by: 1 | -1) =>
  tx
    .updateTable('communities')
    .set((eb) => ({ member_count: eb('member_count', '+', by) }))
    .where('id', '=', communityId)
    .execute()

export const setRole = (tx: Tx, communityId: string, userId: string, role: CommunityRole) =>
  tx.updateTable('community_members').set({ role }).where('community_id', '=', communityId).where('user_id', '=', userId).execute()

export const revokeInvitationsBy = (tx: Tx, communityId: string, userId: string, now: Date) =>
  tx
    .updateTable('community_invitations')
    .set({ revoked_at: now })
    .where('community_id', '=', communityId)
    .where('invited_by', '=', userId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()

export async function removeRequest(tx: Tx, communityId: string, userId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('community_requests')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

export const endInvitationsBetween = (tx: Tx, one: Locked<'users'>, other: Locked<'users'>) =>
  sql`
    delete from community_invitations where used_at is null
      and ((invited_by = ${one}::uuid and invited_id = ${other}::uuid) or (invited_by = ${other}::uuid and invited_id = ${one}::uuid))`.execute(
    tx,
  )

// Invitations by name or by link. Only the hash of a link's secret is stored.

export const endOf = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs)

export function newToken(): { token: string; hash: string } {
  const token = randomBytes(24).toString('base64url')
  return { token, hash: hashOfSecret(token) }
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
      isUuid(tokenOrId)
        ? eb.and([eb('id', '=', tokenOrId), eb('invited_id', '=', personId)])
        : eb('token_hash', '=', hashOfSecret(tokenOrId)),
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
    .$call((rows) => newestAfter(rows, 'created_at', 'id', after))
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

export const countOpen = (tx: Tx, communityId: string, now: Date): Promise<number> =>
  countRows(openOf(tx, communityId).where('expires_at', '>', now))

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
