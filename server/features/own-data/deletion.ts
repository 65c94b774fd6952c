import { graceDays } from '#contracts/limits.ts'
import type { AccountDeletion } from '#contracts/own-data.endpoints.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { signalSessionsEnded } from '#server/features/accounts/index.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { cancelPurchases } from '#server/features/billing/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { eraseAll } from '#server/kernel/own-data.ts'

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
export function obstacleOf(state: AccountDeletion, { givesUpBusinesses }: { givesUpBusinesses: boolean }): string | null {
  if (state.isStaff) return 'You have a role on this site. Ask an admin to remove it first.'
  const teams = state.businesses.filter(({ mustHandOver }) => mustHandOver)
  if (teams.length > 0) return `First transfer ${namesOf(teams)} to someone on the team.`
  if (state.communities.length > 0) return `First transfer or delete ${namesOf(state.communities)}.`
  if (state.businesses.length > 0 && !givesUpBusinesses)
    return `Confirm that you give up ${namesOf(state.businesses)}, or transfer ownership first.`
  return null
}

const namesOf = (things: readonly { name: string }[]): string =>
  things.length > 3 ? `${things.length} of yours` : things.map(({ name }) => name).join(', ')

/**
 * Schedules an account's deletion in 14 days. Immediately, every session ends, others see "Member" without a profile, and paid plans are
 * canceled. Idempotent.
 * @throws AppError conflict with what has to be settled first
 */
export async function askDeletion(ctx: Context, actor: Actor, given: { givesUpBusinesses: boolean }): Promise<{ dueAt: string }> {
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
    const dueAt = new Date(now.getTime() + graceDays * dayMs)
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
  // Stops further charges. If this fails, the next sweep retries.
  await eraseAll(cancelPurchases, ctx, { id: actor.id, email })
  return { dueAt: dueAt.toISOString() }
}

async function endAccess(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute()
}

/** Restores everything except canceled purchases. @throws AppError conflict once deletion has begun */
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
