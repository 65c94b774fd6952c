import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { bylineColumns } from '#server/features/people/index.ts'
import { AppError } from '#server/kernel/errors.ts'
import { revokeInvitations } from './invitations.queries.ts'
import type { TeamRole } from './roles.ts'

/** `business_members` is written only in this file. */

export const maxBusinessesPerAccount = 20

/** Makes a person the owner of a business without one. @throws AppError conflict if the account owns 20 already */
export async function addOwner(tx: Tx, { businessId, userId, now }: { businessId: string; userId: string; now: Date }): Promise<void> {
  await requireRoomForOwner(tx, userId)
  await tx
    .insertInto('business_members')
    .values({ business_id: businessId, user_id: userId, role: 'owner', created_at: now })
    .onConflict((conflict) => conflict.columns(['business_id', 'user_id']).doUpdateSet({ role: 'owner' }))
    .execute()
}

/** Locks the account: two requests could otherwise both see 19 businesses. @throws AppError conflict, also for accounts pending deletion */
export async function requireRoomForOwner(tx: Tx, userId: string): Promise<void> {
  const { leaves_at } = await tx.selectFrom('users').select('leaves_at').where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()
  if (leaves_at) throw new AppError('conflict', { message: 'This person is deleting their account.' })
  const owned = await countRows(tx.selectFrom('business_members').where('user_id', '=', userId).where('role', '=', 'owner'))
  if (owned >= maxBusinessesPerAccount) {
    throw new AppError('conflict', {
      message: `An account can have up to ${maxBusinessesPerAccount} businesses. Contact support for more.`,
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
  await revokeInvitations(tx, businessId, now)
  const members = await tx.deleteFrom('business_members').where('business_id', '=', businessId).returning('user_id').execute()
  return members.map(({ user_id }) => user_id)
}

/** Returns false if they were in the team already. */
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

export const setRole = (tx: Tx, businessId: string, userId: string, role: TeamRole) =>
  tx
    .updateTable('business_members')
    .set({ role })
    .where((eb) => eb.and(theMember(businessId, userId)))
    .execute()

export const removeMember = (tx: Tx, businessId: string, userId: string) =>
  tx
    .deleteFrom('business_members')
    .where((eb) => eb.and(theMember(businessId, userId)))
    .execute()

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
