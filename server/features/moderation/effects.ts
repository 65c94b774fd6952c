import { type RawBuilder, sql } from 'kysely'
import type { ReportSubject } from '#contracts/moderation.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { lockPeople } from '#server/features/people/index.ts'
import type { Context, WriteContext } from '#server/kernel/context.ts'
import { firstUuid } from '#server/kernel/ids.ts'
import type { ModerationState } from '#server/kernel/moderated-subject.ts'
import { type CommunityModeration, findSubject, type Subjects } from './subjects.ts'

type Thing = { subject: ReportSubject; subjectId: string }

/**
 * Sets a subject's state and records the previous one. Returns false, and records nothing, if the state is unchanged or the subject is
 * gone.
 */
export async function changeState(
  tx: Tx,
  ctx: WriteContext,
  subjects: Subjects,
  actionId: string,
  { subject, subjectId }: Thing,
  after: ModerationState | null,
): Promise<boolean> {
  const facts = await findSubject(tx, subjects, subject, subjectId)
  if (!facts || facts.state === after) return false
  await subjects[subject].set(tx, ctx, subjectId, after)
  await tx
    .insertInto('moderation_effects')
    .values({ action_id: actionId, subject, subject_id: subjectId, before: facts.state, after })
    .execute()
  return true
}

type Effect = {
  action_id: string
  subject: ReportSubject
  subject_id: string
  before: ModerationState | null
  after: ModerationState | null
}

/**
 * Reverts one effect of an action. If a later action changed the subject, keeps the current state and rewrites that action's `before`
 * instead. Keeps changes made outside moderation. Returns the new state, or undefined if it didn't change.
 */
export async function revertEffect(
  tx: Tx,
  ctx: WriteContext,
  subjects: Subjects,
  effect: Effect,
): Promise<ModerationState | null | undefined> {
  const next = await nextEffect(tx, effect)
  if (next) {
    if (next.before !== effect.after) return undefined
    await tx
      .updateTable('moderation_effects')
      .set({ before: effect.before })
      .where('action_id', '=', next.action_id)
      .where('subject', '=', effect.subject)
      .where('subject_id', '=', effect.subject_id)
      .execute()
    return undefined
  }
  const facts = await findSubject(tx, subjects, effect.subject, effect.subject_id)
  if (!facts || facts.state !== effect.after) return undefined
  await subjects[effect.subject].set(tx, ctx, effect.subject_id, effect.before)
  return effect.before
}

/** The next effect on the same subject by an action that hasn't been undone. */
const nextEffect = (tx: Tx, effect: Effect) =>
  tx
    .selectFrom('moderation_effects')
    .innerJoin('moderation_actions', 'moderation_actions.id', 'moderation_effects.action_id')
    .select(['moderation_effects.action_id', 'moderation_effects.before'])
    .where('moderation_effects.subject', '=', effect.subject)
    .where('moderation_effects.subject_id', '=', effect.subject_id)
    .where('moderation_actions.undone_at', 'is', null)
    // IDs are UUIDv7, so they sort by time.
    .where(sql<boolean>`moderation_actions.id > ${effect.action_id}::uuid`)
    .orderBy('moderation_actions.id')
    .limit(1)
    .executeTakeFirst()

export const effectsOf = (tx: Tx, actionId: string) =>
  tx.selectFrom('moderation_effects').selectAll().where('action_id', '=', actionId).orderBy('subject').orderBy('subject_id').execute()

/** The latest end of mutes, suspensions and bans that weren't undone, even if past. `bannedUntil` is null if a ban has no end. */
type Sanctions = { mutedUntil: Date | null; suspendedUntil: Date | null; bannedAt: Date | null; bannedUntil: Date | null }

async function activeSanctions(tx: Tx, userId: string, communityId: string | null): Promise<Sanctions> {
  const row = await tx
    .selectFrom('moderation_actions')
    .select([
      sql<Date | null>`max(ends_at) filter (where action = 'mute')`.as('muted_until'),
      sql<Date | null>`max(ends_at) filter (where action = 'suspend')`.as('suspended_until'),
      sql<Date | null>`min(created_at) filter (where action = 'ban')`.as('banned_at'),
      sql<Date | null>`case when bool_or(ends_at is null) filter (where action = 'ban') then null
        else max(ends_at) filter (where action = 'ban') end`.as('banned_until'),
    ])
    .where('user_id', '=', userId)
    .where('undone_at', 'is', null)
    .where(sql<boolean>`community_id is not distinct from ${communityId}::uuid`)
    .executeTakeFirstOrThrow()
  return { mutedUntil: row.muted_until, suspendedUntil: row.suspended_until, bannedAt: row.banned_at, bannedUntil: row.banned_until }
}

/** Writes the current site-wide mute, suspension or ban to the account. */
export async function writeSanctions(tx: Tx, userId: string): Promise<void> {
  const { mutedUntil, suspendedUntil, bannedAt } = await activeSanctions(tx, userId, null)
  await tx
    .updateTable('users')
    .set({ muted_until: mutedUntil, suspended_until: suspendedUntil, banned_at: bannedAt })
    .where('id', '=', userId)
    .execute()
}

/**
 * Writes a community's mute or ban, whichever was applied or undone (`isUndo`). An expired one counts as lifted: setting it again would
 * remove a member who has since rejoined.
 */
export async function writeCommunitySanctions(
  tx: Tx,
  ctx: Context,
  communities: CommunityModeration,
  who: { communityId: string; userId: string },
  action: 'mute' | 'ban',
  isUndo: boolean,
): Promise<void> {
  const { mutedUntil, bannedAt, bannedUntil } = await activeSanctions(tx, who.userId, who.communityId)
  const now = ctx.clock.now()
  const isOver = (until: Date | null) => until !== null && until <= now
  if (action === 'mute') await communities.setMute(tx, ctx, who, isOver(mutedUntil) ? null : mutedUntil, isUndo)
  else await communities.setBan(tx, ctx, who, bannedAt === null || isOver(bannedUntil) ? null : (bannedUntil ?? 'forever'))
}

const batchSize = 50

/** Visible content that a person wrote under their own name. What they wrote for a business belongs to the business. */
const written = {
  post: (userId) => sql`select id from posts where author_id = ${userId} and business_id is null and moderation is null`,
  comment: (userId) =>
    sql`select id from comments where author_id = ${userId} and business_id is null and moderation is null and not is_deleted`,
  review: (userId) => sql`select id from reviews where user_id = ${userId} and moderation is null`,
  hunt_comment: (userId) => sql`select id from hunt_comments where author_id = ${userId} and moderation is null`,
} satisfies Partial<Record<ReportSubject, (userId: RawBuilder<unknown>) => RawBuilder<unknown>>>
type Written = keyof typeof written

/** Hides a banned person's content in batches, one transaction each. Safe to resume. */
export async function hideContent(ctx: Context, subjects: Subjects, actionId: string): Promise<void> {
  for (const subject of Object.keys(written) as Written[]) {
    while ((await inTransaction(ctx.db, (tx) => hideBatch(tx, ctx, subjects, actionId, subject))) === batchSize);
  }
  ctx.cache.invalidate('businesses')
}

async function hideBatch(tx: Tx, ctx: Context, subjects: Subjects, actionId: string, subject: Written): Promise<number> {
  const before = await tx.selectFrom('moderation_actions').select('user_id').where('id', '=', actionId).executeTakeFirst()
  if (!before?.user_id) return 0
  await lockPeople(tx, [before.user_id])
  const ban = await tx.selectFrom('moderation_actions').select('undone_at').where('id', '=', actionId).forShare().executeTakeFirst()
  if (!ban || ban.undone_at !== null) return 0
  const { rows } = await sql<{ id: string }>`${written[subject](sql`${before.user_id}::uuid`)}
    and not exists (select from moderation_effects e where e.action_id = ${actionId}::uuid and e.subject = ${subject} and e.subject_id = id)
    order by id limit ${batchSize}`.execute(tx)
  for (const { id } of rows) await changeState(tx, ctx, subjects, actionId, { subject, subjectId: id }, 'hidden')
  return rows.length
}

/** Restores what an undone ban hid, unless another action has hidden it since. */
export async function showContent(ctx: Context, subjects: Subjects, actionId: string): Promise<void> {
  let after: readonly [string, string] = ['', firstUuid]
  for (;;) {
    const last = await inTransaction(ctx.db, (tx) => showBatch(tx, ctx, subjects, actionId, after))
    if (last === null) break
    after = last
  }
  ctx.cache.invalidate('businesses')
}

async function showBatch(tx: Tx, ctx: Context, subjects: Subjects, actionId: string, after: readonly [string, string]) {
  const action = await tx.selectFrom('moderation_actions').select('user_id').where('id', '=', actionId).executeTakeFirst()
  if (action?.user_id) await lockPeople(tx, [action.user_id])
  const effects = await tx
    .selectFrom('moderation_effects')
    .selectAll()
    .where('action_id', '=', actionId)
    .where(sql<boolean>`(subject, subject_id) > (${after[0]}, ${after[1]}::uuid)`)
    .orderBy('subject')
    .orderBy('subject_id')
    .limit(batchSize)
    .execute()
  for (const effect of effects) await revertEffect(tx, ctx, subjects, effect)
  const last = effects.at(-1)
  return last ? ([last.subject, last.subject_id] as const) : null
}
