import { type AccountDeletion, graceDays } from '../../../contracts/own-data.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { eraseAll } from '../../kernel/own-data.ts'
import { tellSessionsEnded } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { cancelPurchases } from '../billing/index.ts'

const day = 86_400_000

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'config'>

export async function readDeletion(db: Db, { id, heldRole }: Pick<Actor, 'id' | 'heldRole'>): Promise<AccountDeletion> {
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
    isStaff: heldRole !== 'member',
    businesses: businesses.map(({ has_others, ...business }) => ({ ...business, mustHandOver: Boolean(has_others) })),
    communities,
    subscriptions: subscriptions.map(({ paid_until, ...agreement }) => ({ ...agreement, paidUntil: paid_until?.toISOString() ?? null })),
  }
}

/** Why an account cannot be deleted as things are; null where nothing is in the way. */
export function obstacleOf(state: AccountDeletion, { givesUpBusinesses }: { givesUpBusinesses: boolean }): string | null {
  if (state.isStaff) return 'You act for this site. Ask an admin to take your role away first.'
  const teams = state.businesses.filter(({ mustHandOver }) => mustHandOver)
  if (teams.length > 0) return `Hand over ${namesOf(teams)} to somebody of the team first.`
  if (state.communities.length > 0) return `Hand over or delete ${namesOf(state.communities)} first.`
  if (state.businesses.length > 0 && !givesUpBusinesses) return `Say that you give up ${namesOf(state.businesses)}, or hand over first.`
  return null
}

const namesOf = (things: readonly { name: string }[]): string =>
  things.length > 3 ? `${things.length} of yours` : things.map(({ name }) => name).join(', ')

/**
 * Has an account deleted in 14 days. At once: every session ends, others see "Member" without a profile, and what is paid for is canceled.
 * Asking again changes nothing.
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
    if (person.is_demo) throw new AppError('forbidden', { message: 'This account of the demo is everybody’s: it stays.' })
    const obstacle = obstacleOf(await readDeletion(tx, actor), given)
    if (obstacle) throw new AppError('conflict', { message: obstacle })
    const dueAt = new Date(now.getTime() + graceDays * day)
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
  await tellSessionsEnded(ctx, actor.id)
  // Nothing is taken from a card in the meantime. Should this fail, the next sweep does it.
  await eraseAll(cancelPurchases, ctx, { id: actor.id, email })
  return { dueAt: dueAt.toISOString() }
}

async function endAccess(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute()
}

/** Everything is as it was, but for what was canceled. @throws AppError conflict once it has begun */
export async function cancelDeletion(ctx: Ctx, actor: Actor): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const person = await tx.selectFrom('users').select('leaves_at').where('id', '=', actor.id).forUpdate().executeTakeFirst()
    if (!person?.leaves_at) return
    const deletion = await tx.selectFrom('account_deletions').selectAll().where('user_id', '=', actor.id).executeTakeFirstOrThrow()
    if (deletion.began_at) throw new AppError('conflict', { message: 'Your account is being deleted already.' })
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
