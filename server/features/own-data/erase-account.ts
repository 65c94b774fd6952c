import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { type EraseStep, eraseAll, type LeavingPerson } from '../../kernel/own-data.ts'
import { recordAudit } from '../audit/index.ts'
import { obstacleOf, readDeletion } from './deletion.ts'
import { tables } from './map/index.ts'
import { farewellMail } from './own-data.mails.ts'

/** Somebody may follow them in the very last moment, but not again and again. */
const mostRounds = 10
const dayMs = 86_400_000

/**
 * Whose time has come, and who was reminded of it at least a day ago: a clock that jumps deletes nobody before its operator had that long
 * to see it.
 */
export async function dueAccounts({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<LeavingPerson[]> {
  const now = clock.now()
  return db
    .selectFrom('users')
    .innerJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select(['users.id', 'users.email'])
    .where('users.leaves_at', '<=', now)
    .where('account_deletions.reminded_at', '<=', new Date(now.getTime() - dayMs))
    .orderBy('users.leaves_at')
    .limit(100)
    .execute()
}

/**
 * Deletes an account with everything that the map says, in short transactions: a process that dies goes on where it was, as every step asks
 * the database what there still is. The account itself goes last, under a lock, once nothing refers to it that counts anything.
 */
export async function eraseAccount(ctx: Context, steps: readonly EraseStep[], person: LeavingPerson): Promise<void> {
  if (!(await begin(ctx, person.id))) return
  for (let rounds = 1; ; rounds++) {
    // What one step takes may leave something to another; two rounds are the rule.
    for (let taken = 1; taken > 0; ) {
      taken = await erasePlainRows(ctx, person.id)
      for (const step of steps) taken += await eraseAll(step, ctx, person)
    }
    await sayFarewell(ctx, person)
    await eraseTraces(ctx, person)
    const left = await removeAccount(ctx, person)
    if (left.length === 0) return
    // A table of which the map says more than its step does.
    if (rounds >= mostRounds) throw new Error(`these still name an account that is to go: ${left.join(', ')}`)
  }
}

/** From here on there is no way back. False where they have kept the account, or something is in the way again. */
async function begin(ctx: Context, userId: string): Promise<boolean> {
  return inTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now()
    const person = await tx.selectFrom('users').select(['leaves_at', 'role']).where('id', '=', userId).forUpdate().executeTakeFirst()
    if (!person?.leaves_at || person.leaves_at > now) return false
    const deletion = await tx.selectFrom('account_deletions').select('began_at').where('user_id', '=', userId).executeTakeFirstOrThrow()
    if (deletion.began_at) return true
    // A team that has grown meanwhile gets a new owner; a community or a role has come from somebody else.
    const state = await readDeletion(tx, { id: userId, heldRole: person.role })
    if (obstacleOf({ ...state, businesses: [] }, { givesUpBusinesses: true })) {
      ctx.log.error({ userId }, 'an account cannot be deleted: it has become the owner of a community, or has a role')
      return false
    }
    await tx.updateTable('account_deletions').set({ began_at: now }).where('user_id', '=', userId).execute()
    await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
    return true
  })
}

/** Rows that go without a rule, before the files that they show: by each of their columns that names the person. */
async function erasePlainRows({ db }: Context, userId: string): Promise<number> {
  let taken = 0
  for (const [table, { people = {}, erased }] of Object.entries(tables)) {
    if (!('with' in erased) || erased.with !== 'users' || isLast.has(table)) continue
    for (const [column, fate] of Object.entries(people)) {
      if (fate !== 'row') continue
      const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${userId}::uuid`.execute(db)
      taken += Number(numAffectedRows)
    }
  }
  return taken
}

/** They say how far it has come, and go with the account. */
const isLast = new Set(['users', 'account_deletions'])

async function sayFarewell(ctx: Context, person: LeavingPerson): Promise<void> {
  const now = ctx.clock.now()
  const deletion = await ctx.db
    .selectFrom('account_deletions')
    .select(['began_at', 'told_at'])
    .where('user_id', '=', person.id)
    .executeTakeFirst()
  if (!deletion || deletion.told_at) return
  try {
    // Not by a job, which would keep the address.
    await ctx.mail.send(farewellMail({ brand: ctx.brand, to: person.email }))
  } catch (error) {
    // A mail server that is away is given a day. A mailbox that is no more keeps no account.
    if (deletion.began_at && deletion.began_at.getTime() + dayMs > now.getTime()) throw error
    ctx.log.warn({ userId: person.id }, 'an account is deleted without the mail that says so')
    return
  }
  await ctx.db.updateTable('account_deletions').set({ told_at: now }).where('user_id', '=', person.id).execute()
}

/** What names somebody without a reference: counts of the last hour, words between processes, jobs, and mail that is kept here. */
async function eraseTraces(ctx: Context, { id, email }: LeavingPerson): Promise<void> {
  await sql`delete from rate_limits where position(${id} in key) > 0`.execute(ctx.db)
  await sql`delete from live_signals where position(${id} in signal::text) > 0`.execute(ctx.db)
  await sql`delete from search_changes where subject_id = ${id}::uuid`.execute(ctx.db)
  await ctx.jobs.forget([id, email])
  await ctx.mail.forget([id, email])
}

/** Answers the tables that somebody has written to meanwhile, as by following: that is taken away first, with what counts it. */
async function removeAccount(ctx: Context, { id }: LeavingPerson): Promise<string[]> {
  return inTransaction(ctx.db, async (tx) => {
    // Nobody can refer to the account from here on.
    const person = await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!person) return []
    const left = await tablesWith(tx, id)
    if (left.length > 0) return left
    await tx.deleteFrom('users').where('id', '=', id).execute()
    await recordAudit(tx, { at: ctx.clock.now(), actorId: null, action: 'account.deleted', subjectType: 'user', subjectId: id })
    return []
  })
}

async function tablesWith(tx: Tx, id: string): Promise<string[]> {
  const selects = Object.entries(tables).flatMap(([table, { people = {}, erased }]) =>
    'by' in erased
      ? Object.entries(people)
          .filter(([, fate]) => fate === 'row')
          .map(
            ([column]) =>
              sql`select ${sql.lit(table)} as name where exists (select from ${sql.table(table)} where ${sql.ref(column)} = ${id}::uuid)`,
          )
      : [],
  )
  const { rows } = await sql<{ name: string }>`${sql.join(selects, sql` union `)}`.execute(tx)
  return rows.map(({ name }) => name)
}
