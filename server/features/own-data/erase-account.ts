import { sql } from 'kysely'
import { graceDays } from '#contracts/limits.ts'
import type { AccountDeletion } from '#contracts/own-data.endpoints.ts'
import { dayMs, hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, recordDone } from '#server/db/transaction.ts'
import { signalSessionsEnded } from '#server/features/accounts/index.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { cancelPurchases } from '#server/features/billing/index.ts'
import { tables } from '#server/features/own-data/map/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { composeMail } from '#server/kernel/mail.ts'
import { type EraseStep, eraseAll, type LeavingPerson } from '#server/kernel/own-data.ts'

/** New references, such as follows, may appear during deletion, but not indefinitely. */
const maxRounds = 10

/**
 * Accounts that are due and were reminded at least a day ago. If the clock jumps, the operator still has a day to notice before anyone's
 * account is deleted.
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
 * Deletes an account and everything the map lists, in short transactions. Every step queries what is left, so that a crashed process can
 * resume. Deletes the account last, under a lock, once no counted row refers to it.
 */
export async function eraseAccount(ctx: Context, steps: readonly EraseStep[], person: LeavingPerson): Promise<void> {
  if (!(await begin(ctx, person.id))) return
  for (let rounds = 1; ; rounds++) {
    // A step may leave work for another. Two rounds are usually enough.
    for (let taken = 1; taken > 0; ) {
      taken = await erasePlainRows(ctx, person.id)
      for (const step of steps) taken += await eraseAll(step, ctx, person)
    }
    await sendGoodbyeEmail(ctx, person)
    await eraseTraces(ctx, person)
    const left = await removeAccount(ctx, person)
    if (left.length === 0) return
    // New references keep appearing, or the map lists something that its step doesn't delete.
    if (rounds >= maxRounds) throw new Error(`these still refer to an account that is being deleted: ${left.join(', ')}`)
  }
}

/** The deletion can't be canceled after this. Returns false if the person canceled it or something now prevents it. */
async function begin(ctx: Context, userId: string): Promise<boolean> {
  return inTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now()
    const person = await tx.selectFrom('users').select(['leaves_at', 'role']).where('id', '=', userId).forUpdate().executeTakeFirst()
    if (!person?.leaves_at || person.leaves_at > now) return false
    const deletion = await tx.selectFrom('account_deletions').select('began_at').where('user_id', '=', userId).executeTakeFirstOrThrow()
    if (deletion.began_at) return true
    // If the team has grown in the meantime, the business gets a new owner. A community or role can still block the deletion.
    const state = await readDeletion(tx, { id: userId, grantedRole: person.role })
    if (obstacleOf({ ...state, businesses: [] }, { givesUpBusinesses: true })) {
      ctx.log.error({ userId }, 'an account can’t be deleted: it now owns a community or has a role')
      return false
    }
    await tx.updateTable('account_deletions').set({ began_at: now }).where('user_id', '=', userId).execute()
    await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
    return true
  })
}

/** Deletes rows that need no separate step, by each column that names the person. Call before deleting files that they show. */
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

/** These tables track the progress and are deleted with the account. */
const isLast = new Set(['users', 'account_deletions'])

async function sendGoodbyeEmail(ctx: Context, person: LeavingPerson): Promise<void> {
  const now = ctx.clock.now()
  const deletion = await ctx.db
    .selectFrom('account_deletions')
    .select(['began_at', 'told_at'])
    .where('user_id', '=', person.id)
    .executeTakeFirst()
  if (!deletion || deletion.told_at) return
  try {
    // Sent directly: a queued job would store the address.
    await ctx.mail.send(
      composeMail(ctx.brand, person.email, 'your account was deleted', [
        'Your account was deleted, with everything in it. This is our last email to you.',
        'Backup copies are deleted when they expire.',
      ]),
    )
  } catch (error) {
    // Retries for a day if the mail server is down. A mailbox that no longer exists must not block the deletion.
    if (deletion.began_at && deletion.began_at.getTime() + dayMs > now.getTime()) throw error
    ctx.log.warn({ userId: person.id }, 'an account is deleted without the email that confirms it')
    return
  }
  await recordDone(() => ctx.db.updateTable('account_deletions').set({ told_at: now }).where('user_id', '=', person.id).execute())
}

/** Deletes data that names a person without a foreign key: rate limits, live signals, search changes, jobs, and the outbox. */
async function eraseTraces(ctx: Context, { id, email }: LeavingPerson): Promise<void> {
  await sql`delete from rate_limits where position(${id} in key) > 0`.execute(ctx.db)
  await sql`delete from live_signals where position(${id} in signal::text) > 0`.execute(ctx.db)
  await sql`delete from search_changes where subject_id = ${id}::uuid`.execute(ctx.db)
  await ctx.jobs.forget([id, email])
  await ctx.mail.forget([id, email])
}

/** Deletes the account, or returns the tables with new references to it, such as follows, which must be removed with their counts first. */
async function removeAccount(ctx: Context, { id }: LeavingPerson): Promise<string[]> {
  return inTransaction(ctx.db, async (tx) => {
    // From here on, no new row can refer to the account.
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

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'config'>

export async function readDeletion(db: Db, { id, grantedRole }: Pick<Actor, 'id' | 'grantedRole'>): Promise<AccountDeletion> {
  const account = await db
    .selectFrom('users')
    .select('leaves_at')
    .select((eb) =>
      eb
        .exists(
          eb.selectFrom('credentials').select('id').whereRef('credentials.user_id', '=', 'users.id').where('password', 'is not', null),
        )
        .as('has_password'),
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const businesses = await db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.business_id')
    .select(['businesses.id', 'businesses.slug', 'businesses.name'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('business_members as others')
            .select('others.user_id')
            .whereRef('others.business_id', '=', 'businesses.id')
            .where('others.user_id', '<>', id),
        )
        .as('has_others'),
    )
    .where('business_members.user_id', '=', id)
    .where('role', '=', 'owner')
    .orderBy('businesses.name')
    .execute()
  const communities = await db
    .selectFrom('community_members')
    .innerJoin('communities', 'communities.id', 'community_members.community_id')
    .select(['communities.id', 'communities.slug', 'communities.name'])
    .where('user_id', '=', id)
    .where('role', '=', 'owner')
    .orderBy('communities.name')
    .execute()
  const subscriptions = await db
    .selectFrom('agreements')
    .select(['id', 'title', 'paid_until'])
    .where('payer_id', '=', id)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .where('canceled_at', 'is', null)
    .orderBy('created_at')
    .execute()
  return {
    dueAt: account.leaves_at?.toISOString() ?? null,
    hasPassword: Boolean(account.has_password),
    isStaff: grantedRole !== 'member',
    businesses: businesses.map(({ has_others, ...business }) => ({ ...business, mustHandOver: Boolean(has_others) })),
    communities,
    subscriptions: subscriptions.map(({ paid_until, ...agreement }) => ({ ...agreement, paidUntil: paid_until?.toISOString() ?? null })),
  }
}

/** Returns why an account can't be deleted now, or null if it can. */
function obstacleOf(state: AccountDeletion, { givesUpBusinesses }: { givesUpBusinesses: boolean }): string | null {
  if (state.isStaff) return 'You have a role on this site. Ask an admin to remove it first.'
  const teams = state.businesses.filter(({ mustHandOver }) => mustHandOver)
  if (teams.length > 0) return `First transfer ${namesOf(teams)} to someone on the team.`
  if (state.communities.length > 0) return `First transfer or delete ${namesOf(state.communities)}.`
  if (state.businesses.length > 0 && !givesUpBusinesses)
    return `Confirm that you’re giving up ${namesOf(state.businesses)}, or transfer ownership first.`
  return null
}

const maxNames = 3
// British English, because American lists have a comma before the last part, and the app's sentences don't.
const list = new Intl.ListFormat('en-GB')

function namesOf(things: readonly { name: string }[]): string {
  const names = things.slice(0, maxNames).map(({ name }) => name)
  return list.format(things.length > maxNames ? [...names, `${things.length - maxNames} more`] : names)
}

/** Noon in UTC, at least `graceDays` away. Emails and screens show its date, which has begun by then in every American time zone. */
function deletionTime(now: Date): Date {
  const earliest = now.getTime() + graceDays * dayMs
  return new Date(Math.ceil((earliest - 12 * hourMs) / dayMs) * dayMs + 12 * hourMs)
}

/**
 * Schedules an account's deletion in 14 days. Immediately ends every session, shows others "Member" without a profile, and cancels
 * purchases. Idempotent.
 * @throws AppError forbidden for a demo account, conflict with what has to be settled first
 */
export async function requestDeletion(ctx: Context, actor: Actor, given: { givesUpBusinesses: boolean }): Promise<{ dueAt: string }> {
  const now = ctx.clock.now()
  const { email, dueAt } = await inTransaction(ctx.db, async (tx) => {
    const person = await tx
      .selectFrom('users')
      .select(['email', 'leaves_at', 'profile_moderation', 'is_demo'])
      .where('id', '=', actor.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (person.leaves_at) return { email: person.email, dueAt: person.leaves_at }
    if (person.is_demo) throw new AppError('forbidden', { message: 'Many people share this demo account, so it can’t be deleted.' })
    const obstacle = obstacleOf(await readDeletion(tx, actor), given)
    if (obstacle) throw new AppError('conflict', { message: obstacle })
    const dueAt = deletionTime(now)
    await tx
      .insertInto('account_deletions')
      .values({
        user_id: actor.id,
        asked_at: now,
        profile_moderation: person.profile_moderation,
        gives_up_businesses: given.givesUpBusinesses,
      })
      .execute()
    await tx.updateTable('users').set({ leaves_at: dueAt, profile_moderation: 'hidden' }).where('id', '=', actor.id).execute()
    await endAccess(tx, actor.id)
    await ctx.jobs.enqueue('own-data.mail', { userId: actor.id, about: 'deletion-asked' }, { tx })
    await recordAudit(tx, { at: now, actorId: actor.id, action: 'account.deletion_asked', subjectType: 'user', subjectId: actor.id })
    return { email: person.email, dueAt }
  })
  await signalSessionsEnded(ctx, actor.id)
  await stopCharges(ctx, { id: actor.id, email })
  return { dueAt: dueAt.toISOString() }
}

/** Cancels the purchases of an account pending deletion. If that fails, the next sweep retries. */
export async function stopCharges(ctx: Context, person: LeavingPerson): Promise<void> {
  await eraseAll(cancelPurchases, ctx, person).catch((error: unknown) => {
    ctx.log.error({ err: error, userId: person.id }, 'the purchases of an account pending deletion could not be canceled; retrying')
  })
}

async function endAccess(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute()
}

/**
 * Keeps the account and shows its profile again. Doesn't restore canceled purchases, sessions or push subscriptions.
 * @throws AppError conflict once deletion has begun
 */
export async function cancelDeletion(ctx: Ctx, actor: Actor): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const person = await tx.selectFrom('users').select('leaves_at').where('id', '=', actor.id).forUpdate().executeTakeFirst()
    if (!person?.leaves_at) return
    const deletion = await tx.selectFrom('account_deletions').selectAll().where('user_id', '=', actor.id).executeTakeFirstOrThrow()
    if (deletion.began_at) throw new AppError('conflict', { message: 'Your account is already being deleted.' })
    await tx.deleteFrom('account_deletions').where('user_id', '=', actor.id).execute()
    await tx
      .updateTable('users')
      .set({ leaves_at: null, profile_moderation: deletion.profile_moderation })
      .where('id', '=', actor.id)
      .execute()
    await ctx.jobs.enqueue('own-data.mail', { userId: actor.id, about: 'deletion-canceled' }, { tx })
    await recordAudit(tx, { at: now, actorId: actor.id, action: 'account.deletion_canceled', subjectType: 'user', subjectId: actor.id })
  })
}
