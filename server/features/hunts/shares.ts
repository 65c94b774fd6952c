import { sql } from 'kysely'
import { type HuntShare, maxShares } from '#contracts/hunts.endpoints.ts'
import type { ShareAccess } from '#contracts/hunts.ts'
import type { Person } from '#contracts/people.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bylineColumns, isAcquainted, isNamed, isNotBlocked, lockPeople, sortName, toPerson } from '#server/features/people/index.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { requireHunt } from './hunt-access.ts'
import { requireShowableHunt } from './hunt-words.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

export async function listShares(db: Db, actor: Actor, huntId: string): Promise<HuntShare[]> {
  await requireHunt(db, actor, huntId, 'own')
  return shareRows(db, actor.id, huntId)
}

const shareRows = async (db: Db, ownerId: string, huntId: string, personId?: string): Promise<HuntShare[]> => {
  const rows = await db
    .selectFrom('hunt_shares')
    .innerJoin('users', 'users.id', 'hunt_shares.user_id')
    .select([...bylineColumns, 'hunt_shares.access', 'hunt_shares.created_at'])
    .where('hunt_shares.hunt_id', '=', huntId)
    .where(isNotBlocked(sql`${ownerId}::uuid`, sql`hunt_shares.user_id`))
    .$if(personId !== undefined, (query) => query.where('hunt_shares.user_id', '=', personId as string))
    .orderBy('hunt_shares.created_at')
    .orderBy('hunt_shares.user_id')
    .execute()
  return rows.map((row) => ({ person: toPerson(row), access: row.access, createdAt: row.created_at.toISOString() }))
}

/**
 * Shares a hunt with a person who follows the owner or is followed by them, or changes the share's access. Notifies them once.
 * @throws AppError not_found for the hunt and for people hidden by a block, forbidden, conflict at the limit of shares, muted and
 * invalid_input about `access` if the hunt's text can't be shared
 */
export async function shareHunt(ctx: Ctx, actor: Actor, huntId: string, personId: string, access: ShareAccess): Promise<HuntShare> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    // Without this lock, a concurrent block could miss the share it should end.
    await lockPeople(tx, [actor.id, personId])
    await requireAcquaintance(tx, actor.id, personId)
    requireNotMuted(actor)
    // The text of a hunt that is already shared was checked when it was written.
    if ((await countShares(tx, huntId)) === 0) await requireShowableHunt(tx, actor, huntId, 'access')
    const isNew = await putShare(tx, { hunt_id: huntId, user_id: personId, access, created_at: now })
    if (isNew) {
      if ((await countShares(tx, huntId)) > maxShares)
        throw new AppError('conflict', { message: `A hunt can have up to ${maxShares} shares.` })
      await ctx.events.publish(tx, 'hunt.shared', { huntId, personId })
    }
    const [share] = await shareRows(tx, actor.id, huntId, personId)
    if (!share) throw notFound('This person can’t be found or isn’t visible to you.')
    return share
  })
}

/** Requires the owner or the person to follow the other. */
async function requireAcquaintance(tx: Tx, ownerId: string, personId: string): Promise<void> {
  if (personId === ownerId) throw new AppError('forbidden', { message: 'This is your own hunt.' })
  const owner = sql`${ownerId}::uuid`
  const { rows } = await sql<{ is_acquainted: boolean }>`
    select ${isAcquainted(owner)} as is_acquainted
    from users where users.id = ${personId}::uuid and ${isNotBlocked(owner, sql`users.id`)}`.execute(tx)
  const [person] = rows
  if (!person) throw notFound('This person can’t be found or isn’t visible to you.')
  if (!person.is_acquainted) {
    throw new AppError('forbidden', { message: 'You can share a hunt with people you follow and with people who follow you.' })
  }
}

/** Returns false if the share already existed. */
async function putShare(tx: Tx, share: { hunt_id: string; user_id: string; access: ShareAccess; created_at: Date }): Promise<boolean> {
  const added = await tx
    .insertInto('hunt_shares')
    .values(share)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (added) return true
  await tx
    .updateTable('hunt_shares')
    .set({ access: share.access })
    .where('hunt_id', '=', share.hunt_id)
    .where('user_id', '=', share.user_id)
    .execute()
  return false
}

async function countShares(tx: Tx, huntId: string): Promise<number> {
  return countRows(tx.selectFrom('hunt_shares').where('hunt_id', '=', huntId))
}

/** Open to the owner and the recipient. @throws AppError not_found, forbidden */
export async function unshareHunt(ctx: Pick<Context, 'db'>, actor: Actor, huntId: string, personId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, personId === actor.id ? 'view' : 'own', { lock: 'update' })
    await tx.deleteFrom('hunt_shares').where('hunt_id', '=', huntId).where('user_id', '=', personId).execute()
  })
}

export async function endSharesBetween(tx: Tx, one: Locked<'users'>, other: Locked<'users'>): Promise<void> {
  await sql`
    delete from hunt_shares using hunts where hunts.id = hunt_shares.hunt_id
      and ((hunts.owner_id = ${one}::uuid and hunt_shares.user_id = ${other}::uuid)
        or (hunts.owner_id = ${other}::uuid and hunt_shares.user_id = ${one}::uuid))`.execute(tx)
}

const maxSuggestions = 8

/** Matches followers and followed people by the start of a word in their name. Excludes blocked people and those with a share. */
export async function suggestPeople(db: Db, actor: Actor, huntId: string, search: string): Promise<Person[]> {
  await requireHunt(db, actor, huntId, 'own')
  const owner = sql`${actor.id}::uuid`
  const rows = await db
    .selectFrom('users')
    .select(bylineColumns)
    .where(isAcquainted(owner))
    .where(isNotBlocked(owner, sql`users.id`))
    .where(
      sql<boolean>`not exists (select 1 from hunt_shares where hunt_shares.hunt_id = ${huntId}::uuid and hunt_shares.user_id = users.id)`,
    )
    .where(isNamed(search))
    .orderBy(sortName)
    .orderBy('users.id')
    .limit(maxSuggestions)
    .execute()
  return rows.map(toPerson)
}
