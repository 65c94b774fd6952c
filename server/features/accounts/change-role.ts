import { sql } from 'kysely'
import type { Role } from '#contracts/accounts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { setRole } from './accounts.queries.ts'
import { forgetShown } from './second-factor.queries.ts'
import { signalSessionsEnded } from './sign-in-news.ts'

/**
 * Sets a person's role to member, moderator or admin. Sessions must show the second factor again before they can use a new role.
 * Idempotent.
 * @throws AppError forbidden (the caller's own role, or the caller is no longer an admin), conflict (a suspended or banned account),
 * not_found
 */
export async function changeRole({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string, role: Role): Promise<void> {
  if (id === actor.id) throw new AppError('forbidden', { message: "You can't change your own role. Ask another admin." })
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    // Serializes two admins who demote each other: the second is no longer an admin, so at least one remains.
    const people = await lockRoles(tx, [actor.id, id])
    const admin = people.get(actor.id)
    if (admin?.role !== 'admin' || isAway(admin, now)) throw new AppError('forbidden')
    const person = people.get(id)
    if (!person) throw notFound('Account not found.')
    if (person.role === role) return
    if (role !== 'member' && isAway(person, now))
      throw new AppError('conflict', { message: "This account is suspended, so it can't have a role." })
    await setRole(tx, id, role)
    await forgetShown(tx, id, null)
    const details = { before: person.role, role }
    await recordAudit(tx, { at: now, actorId: actor.id, action: 'role.changed', subjectType: 'user', subjectId: id, details })
  })
}

type Sanctions = { suspended_until: Date | null; banned_at: Date | null }

const isAway = ({ suspended_until: until, banned_at: bannedAt }: Sanctions, now: Date): boolean =>
  bannedAt !== null || (until !== null && until > now)

/** Locks in ID order, as `lockPeople` does. */
async function lockRoles(tx: Tx, ids: string[]) {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'role', 'suspended_until', 'banned_at'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Ends all of a person's sessions. @returns the number ended
 * @throws AppError not_found
 */
export async function signOutEverywhere(ctx: Pick<Context, 'db' | 'clock' | 'live'>, actor: Actor, id: string): Promise<number> {
  const ended = await inTransaction(ctx.db, async (tx) => {
    if (!(await exists(tx, id))) throw notFound('Account not found.')
    const { numDeletedRows } = await tx.deleteFrom('sessions').where('user_id', '=', id).executeTakeFirst()
    const count = Number(numDeletedRows)
    const entry = {
      actorId: actor.id,
      action: 'person.signed_out',
      subjectType: 'user',
      subjectId: id,
      details: { sessions: count },
    } as const
    if (count > 0) await recordAudit(tx, { ...entry, at: ctx.clock.now() })
    return count
  })
  if (ended > 0) await signalSessionsEnded(ctx, id)
  return ended
}

const exists = async (db: Db, id: string) =>
  (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
