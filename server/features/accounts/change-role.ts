import { sql } from 'kysely'
import type { Role } from '../../../contracts/accounts.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { setRole } from './accounts.queries.ts'
import { forgetShown } from './second-factor.queries.ts'
import { tellSessionsEnded } from './sign-in-news.ts'

/**
 * Makes somebody a member, a moderator or an admin. A new role counts in sessions that show the second factor from then on, so those that
 * showed it before show it again. The same role again changes nothing.
 * @throws AppError forbidden (oneself, or no admin any more), conflict (an account that is suspended or banned), not_found
 */
export async function changeRole({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string, role: Role): Promise<void> {
  if (id === actor.id) throw new AppError('forbidden', { message: 'Nobody changes their own role. Another admin can.' })
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    // Two admins who demote each other wait here for one another: one of them is no admin any more, and one always stays.
    const people = await lockRoles(tx, [actor.id, id])
    const admin = people.get(actor.id)
    if (admin?.role !== 'admin' || isAway(admin, now)) throw new AppError('forbidden')
    const person = people.get(id)
    if (!person) throw notFound('There is no such account.')
    if (person.role === role) return
    if (role !== 'member' && isAway(person, now))
      throw new AppError('conflict', { message: 'This account is suspended: it cannot get a role.' })
    await setRole(tx, id, role)
    await forgetShown(tx, id, null)
    const details = { before: person.role, role }
    await recordAudit(tx, { at: now, actorId: actor.id, action: 'role.changed', subjectType: 'user', subjectId: id, details })
  })
}

type Standing = { suspended_until: Date | null; banned_at: Date | null }

const isAway = ({ suspended_until: until, banned_at: bannedAt }: Standing, now: Date): boolean =>
  bannedAt !== null || (until !== null && until > now)

/** In the order of the ids, as `lockPeople` does. */
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
 * Ends every session of somebody. @returns how many there were
 * @throws AppError not_found
 */
export async function signOutEverywhere(ctx: Pick<Context, 'db' | 'clock' | 'live'>, actor: Actor, id: string): Promise<number> {
  const ended = await inTransaction(ctx.db, async (tx) => {
    if (!(await exists(tx, id))) throw notFound('There is no such account.')
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
  if (ended > 0) await tellSessionsEnded(ctx, id)
  return ended
}

const exists = async (db: Db, id: string) =>
  (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
