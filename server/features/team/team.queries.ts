import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { maxGroupSize } from '#contracts/limits.ts'
import { invitationDays } from '#contracts/team.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { bylineColumns } from '#server/features/people/index.ts'
import { AppError } from '#server/kernel/errors.ts'
import { businessPictureId } from '#server/kernel/media-address.ts'
import { hashOfSecret, newSecret } from '#server/kernel/secrets.ts'
import type { TeamRole } from './roles.ts'

// Except for merges of businesses, only this file writes `business_members`.

export const maxBusinessesPerAccount = maxGroupSize

/** Makes a person the owner of a business without one. @throws AppError conflict if they already own 20 or are deleting their account */
export async function addOwner(tx: Tx, { businessId, userId, now }: { businessId: string; userId: string; now: Date }): Promise<void> {
  await requireRoomForOwner(tx, userId)
  await tx
    .insertInto('business_members')
    .values({ business_id: businessId, user_id: userId, role: 'owner', created_at: now })
    .onConflict((conflict) => conflict.columns(['business_id', 'user_id']).doUpdateSet({ role: 'owner', via_group_id: null }))
    .execute()
}

/**
 * Locks the account: otherwise, two requests could both see 19 businesses.
 * @throws AppError conflict, including for accounts pending deletion
 */
export async function requireRoomForOwner(tx: Tx, userId: string): Promise<void> {
  const { leaves_at } = await tx.selectFrom('users').select('leaves_at').where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()
  if (leaves_at) throw new AppError('conflict', { message: 'This person is deleting their account.' })
  const owned = await countRows(tx.selectFrom('business_members').where('user_id', '=', userId).where('role', '=', 'owner'))
  if (owned >= maxBusinessesPerAccount) {
    throw new AppError('conflict', {
      message: `An account can own up to ${maxBusinessesPerAccount} businesses. Contact support for more.`,
    })
  }
}

export async function ownerOf(db: Db, businessId: string): Promise<string | null> {
  const owner = await db
    .selectFrom('business_members')
    .select('user_id')
    .where('business_id', '=', businessId)
    .where('role', '=', 'owner')
    .executeTakeFirst()
  return owner?.user_id ?? null
}

/** Removes an entire team, for example after a dispute. Returns its members. */
export async function dissolveTeam(tx: Tx, businessId: string, now: Date): Promise<string[]> {
  await takeOutOfGroup(tx, businessId, now)
  await revokeInvitations(tx, businessId, now)
  const members = await tx.deleteFrom('business_members').where('business_id', '=', businessId).returning('user_id').execute()
  return members.map(({ user_id }) => user_id)
}

/** Returns false if the person was already on the team. */
export async function addHelper(
  tx: Tx,
  { businessId, userId, role, now }: { businessId: string; userId: string; role: Exclude<TeamRole, 'owner'>; now: Date },
): Promise<boolean> {
  const added = await tx
    .insertInto('business_members')
    .values({ business_id: businessId, user_id: userId, role, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return added !== undefined
}

const theMember = (businessId: string, userId: string) => ({ business_id: businessId, user_id: userId })

export async function roleOf(db: Db, businessId: string, userId: string): Promise<TeamRole | null> {
  const member = await db
    .selectFrom('business_members')
    .select('role')
    .where((eb) => eb.and(theMember(businessId, userId)))
    .executeTakeFirst()
  return member?.role ?? null
}

/** Changes the role at this business only. A business that gets another owner must leave its group first: see `takeOutOfGroup`. */
export const setRole = (tx: Tx, businessId: string, userId: string, role: TeamRole) =>
  tx
    .updateTable('business_members')
    .set({ role, via_group_id: null })
    .where((eb) => eb.and(theMember(businessId, userId)))
    .execute()

/** Prevents other changes to a group's roles until the transaction ends. Comes before the business in the lock order. */
export const lockGroupOf = (tx: Tx, businessId: string) =>
  tx
    .selectFrom('business_groups')
    .select('id')
    .where('id', '=', (eb) =>
      eb.selectFrom('business_members').select('group_id').where('business_id', '=', businessId).where('role', '=', 'owner'),
    )
    .forUpdate()
    .executeTakeFirst()

/**
 * Also ends the person's role for the business's group, because it applies at all the group's businesses. Their separate roles at the
 * others remain. Returns the ID of that group, or null if the person had no such role.
 */
export async function removeMember(tx: Tx, businessId: string, userId: string): Promise<string | null> {
  await tx
    .deleteFrom('business_members')
    .where((eb) => eb.and(theMember(businessId, userId)))
    .execute()
  const group = await tx
    .selectFrom('business_group_members')
    .innerJoin('business_members', 'business_members.group_id', 'business_group_members.group_id')
    .select('business_group_members.group_id')
    .where('business_members.business_id', '=', businessId)
    .where('business_group_members.user_id', '=', userId)
    .executeTakeFirst()
  if (!group) return null
  const { group_id: groupId } = group
  const seats = tx.updateTable('business_members').set({ via_group_id: null })
  await seats.where('via_group_id', '=', groupId).where('user_id', '=', userId).execute()
  await tx.deleteFrom('business_group_members').where('group_id', '=', groupId).where('user_id', '=', userId).execute()
  return groupId
}

export const membersOf = (db: Db, businessId: string) =>
  db
    .selectFrom('business_members')
    .innerJoin('users', 'users.id', 'business_members.user_id')
    .select(bylineColumns)
    .select(['business_members.role', 'business_members.created_at'])
    .where('business_id', '=', businessId)
    .orderBy((eb) => eb.case().when('business_members.role', '=', 'owner').then(0).else(1).end())
    .orderBy('business_members.created_at')
    .orderBy('users.id')
    .execute()

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + invitationDays * dayMs)

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

const revokeInvitations = (tx: Tx, businessId: string, now: Date) => revoke(tx, businessId, now).execute()

export const revokeInvitationsBy = (tx: Tx, businessId: string, userId: string, now: Date) =>
  revoke(tx, businessId, now).where('invited_by', '=', userId).execute()

/**
 * Creates the secret link token when the email is sent, so that it's never queued. Only its hash is stored. Replaces the previous token.
 * Returns null if there is nothing to send anymore.
 */
export async function issueInvitationToken(db: Db, id: string, now: Date): Promise<string | null> {
  const token = newSecret()
  const issued = await db
    .updateTable('team_invitations')
    .set({ token_hash: hashOfSecret(token) })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return issued ? token : null
}

export type Invitation = NonNullable<Awaited<ReturnType<typeof invitationByToken>>>

const invitationsWithBusiness = (db: Db) =>
  db
    .selectFrom('team_invitations')
    .innerJoin('businesses', 'businesses.id', 'team_invitations.business_id')
    .select(['team_invitations.id', 'business_id', 'email', 'role', 'invited_by', 'expires_at', 'accepted_at', 'accepted_by', 'revoked_at'])
    .select(['businesses.slug', 'businesses.name', 'businesses.type', businessPictureId.as('image_id')])

/** `recipient`: the viewer's confirmed address; invitations sent to it can also be found by ID. */
export const invitationByToken = (db: Db, token: string, recipient: string | null) =>
  invitationsWithBusiness(db)
    .where((eb) =>
      recipient !== null && isUuid(token)
        ? eb.and([eb('team_invitations.id', '=', token), eb('email', '=', recipient)])
        : eb('token_hash', '=', hashOfSecret(token)),
    )
    .executeTakeFirst()

export const openInvitationsFor = (db: Db, recipient: string, now: Date) =>
  invitationsWithBusiness(db)
    .where('email', '=', recipient)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('team_invitations.created_at', 'desc')
    .orderBy('team_invitations.id')
    .limit(maxShownInvitations)
    .execute()

const maxShownInvitations = 20

export const invitationToMail = (db: Db, id: string) =>
  db
    .selectFrom('team_invitations')
    .innerJoin('businesses', 'businesses.id', 'team_invitations.business_id')
    .select(['team_invitations.email', 'team_invitations.role', 'businesses.name', 'businesses.is_demo', 'invited_by'])
    .where('team_invitations.id', '=', id)
    .executeTakeFirst()

/** Puts a business into a group of its owner, and gives the group's people their roles there. Both must be locked. */
export async function putIntoGroup(tx: Tx, groupId: string, businessId: string, now: Date): Promise<void> {
  await tx
    .updateTable('business_members')
    .set({ group_id: groupId })
    .where('business_id', '=', businessId)
    .where('role', '=', 'owner')
    .execute()
  await sql`
    insert into business_members (business_id, user_id, role, via_group_id, created_at)
    select ${businessId}::uuid, user_id, role, group_id, ${now}::timestamptz from business_group_members where group_id = ${groupId}::uuid
    on conflict do nothing`.execute(tx)
}

/**
 * Takes a business out of its group, if it is in one, and removes the roles that people had there through the group. Deletes the group if
 * it has no businesses left.
 */
export async function takeOutOfGroup(tx: Tx, businessId: string, now: Date): Promise<string | null> {
  const owner = await tx
    .selectFrom('business_members')
    .select('group_id')
    .where('business_id', '=', businessId)
    .where('group_id', 'is not', null)
    .executeTakeFirst()
  if (!owner?.group_id) return null
  const lost = await tx
    .deleteFrom('business_members')
    .where('business_id', '=', businessId)
    .where('via_group_id', '=', owner.group_id)
    .returning('user_id')
    .execute()
  for (const { user_id } of lost) await revokeInvitationsBy(tx, businessId, user_id, now)
  await tx
    .updateTable('business_members')
    .set({ group_id: null })
    .where('business_id', '=', businessId)
    .where('role', '=', 'owner')
    .execute()
  await tx
    .deleteFrom('business_groups')
    .where('id', '=', owner.group_id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('business_members').select('user_id').where('group_id', '=', owner.group_id))),
    )
    .execute()
  return owner.group_id
}

/**
 * Gives a person a role in a group and at these businesses of the group, except where they already have a role that isn't from the group.
 * The group and the businesses must be locked.
 */
export async function setGroupRole(
  tx: Tx,
  { groupId, userId, role, now }: { groupId: string; userId: string; role: Exclude<TeamRole, 'owner'>; now: Date },
  businessIds: readonly string[],
): Promise<void> {
  await tx
    .insertInto('business_group_members')
    .values({ group_id: groupId, user_id: userId, role, created_at: now })
    .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet({ role }))
    .execute()
  const { rows: changed } = await sql<{ business_id: string }>`
    insert into business_members (business_id, user_id, role, via_group_id, created_at)
    select id, ${userId}::uuid, ${role}, ${groupId}::uuid, ${now}::timestamptz from unnest(${businessIds}::uuid[]) as business (id)
    on conflict (business_id, user_id) do update set role = excluded.role
      where business_members.via_group_id = excluded.via_group_id
    returning business_id`.execute(tx)
  // Staff can't invite people, so the invitations they sent are revoked.
  if (role === 'staff') for (const { business_id } of changed) await revokeInvitationsBy(tx, business_id, userId, now)
}

/** Returns false if the person had no role for the group. */
export async function dropGroupRole(tx: Tx, groupId: string, userId: string, now: Date): Promise<boolean> {
  const lost = await tx
    .deleteFrom('business_members')
    .where('via_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .returning('business_id')
    .execute()
  for (const { business_id } of lost) await revokeInvitationsBy(tx, business_id, userId, now)
  const { numDeletedRows } = await tx
    .deleteFrom('business_group_members')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
