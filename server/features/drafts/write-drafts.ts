import { type Draft, type DraftChange, maxDaysAhead, type NewDraft } from '#contracts/drafts.ts'
import { maxDrafts } from '#contracts/limits.ts'
import type { NewMention, Post } from '#contracts/posts.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { accountStatusOf } from '#server/features/accounts/index.ts'
import { requireReadyMedia } from '#server/features/media/index.ts'
import {
  distinct,
  loadPosts,
  publishPost,
  requireFitting,
  requirePublishable,
  screenPost,
  type Viewer,
  viewerOf,
} from '#server/features/posts/index.ts'
import { type Writer, writerOf } from '#server/features/screening/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, invalidInput } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import {
  countDrafts,
  type DraftFields,
  dueDrafts,
  insertDraft,
  lockReadyMedia,
  mediaIdsOf,
  placeOf,
  removeDraft,
  replaceMedia,
  requireDraft,
  updateDraftRow,
  viewerOfWriter,
} from './drafts.queries.ts'
import { readDraft } from './read-drafts.ts'

/**
 * Saves a draft, which may be incomplete.
 * @throws AppError invalid_input, not_found or forbidden about the business, conflict at the limit, idempotency_mismatch
 */
export async function createDraft(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  input: NewDraft,
  idempotency: IdempotencyKey | null,
): Promise<Draft> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      const { businessId } = input
      if (businessId !== null) await requirePermission(tx, actor, businessId, 'posts', { lock: true })
      requireFitting(input, businessId !== null)
      await requireReadyMedia(tx, actor.id, input.mediaIds)
      const draftId = await saveDraft(tx, actor.id, input, now)
      await replaceMedia(tx, draftId, input.mediaIds)
      return readDraft(tx, draftId)
    }),
  )
}

/** Doesn't check whether the author may post for the business. @throws AppError conflict at the limit */
export async function saveDraft(
  tx: Tx,
  authorId: string,
  input: Omit<NewDraft, 'mediaIds'>,
  now: Date,
): Promise<Authorized<'post_drafts'>> {
  const { businessId } = input
  // Concurrent requests may slightly exceed the limit, which is harmless: the limit only keeps the list short.
  if ((await countDrafts(tx, businessId === null ? { personId: authorId } : { businessId })) >= maxDrafts) {
    throw new AppError('conflict', { message: `You can have up to ${maxDrafts} drafts. Publish or delete some first.` })
  }
  return insertDraft(tx, {
    id: newId(),
    business_id: businessId,
    author_id: authorId,
    title: input.title,
    content: input.content,
    post_type: input.postType,
    is_exclusive: input.isExclusive,
    source_image_url: input.imageUrl || null,
    place: input.place || null,
    tags: distinct(input.tags),
    mentions: JSON.stringify(input.mentions),
    created_at: now,
    updated_at: now,
  })
}

/**
 * Sets a failed draft back to the status `draft`, because the change may have fixed it. A scheduled draft is
 * published without another call, so the person who changes it answers for it, as if they had scheduled it.
 * @throws AppError not_found, invalid_input, conflict if the draft was changed in the meantime; for a scheduled draft also muted and
 * age_restricted
 */
export async function updateDraft(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, draftId: string, input: DraftChange): Promise<Draft> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true })
    if (draft.version !== input.version) {
      throw new AppError('conflict', { message: 'This draft was changed in the meantime. Reload it to see what’s new.' })
    }
    const { title = draft.title, content = draft.content, postType = draft.post_type, isExclusive = draft.is_exclusive } = input
    requireFitting({ postType, isExclusive }, draft.business_id !== null)
    const isScheduled = draft.status === 'scheduled'
    if (isScheduled) {
      requireNotMuted(actor)
      requireWhole({ title, content })
      requirePublishable({ postType, isExclusive }, viewerOf(actor, now), await placeOf(tx, draft))
    }
    if (input.mediaIds) await changeMedia(tx, actor.id, draftId, input.mediaIds)
    await updateDraftRow(tx, draftId, {
      title,
      content,
      post_type: postType,
      is_exclusive: isExclusive,
      ...(input.imageUrl === undefined ? {} : { source_image_url: input.imageUrl || null }),
      ...(input.place === undefined ? {} : { place: input.place || null }),
      ...(input.tags === undefined ? {} : { tags: distinct(input.tags) }),
      ...(input.mentions === undefined ? {} : { mentions: JSON.stringify(input.mentions) }),
      ...(draft.status === 'failed' ? { status: 'draft', error: null, publish_at: null } : {}),
      ...(isScheduled ? { author_id: actor.id } : {}),
      updated_at: now,
    })
    return readDraft(tx, draft.id)
  })
}

/** Media already on the draft may remain, regardless of who uploaded it. @throws AppError invalid_input */
async function changeMedia(tx: Tx, userId: string, draftId: string, mediaIds: readonly string[]): Promise<void> {
  if (new Set(mediaIds).size < mediaIds.length) throw invalidField('mediaIds', 'Add each picture or video only once')
  const before = new Set(await mediaIdsOf(tx, draftId))
  await requireReadyMedia(
    tx,
    userId,
    mediaIds.filter((id) => !before.has(id)),
  )
  await replaceMedia(tx, draftId, mediaIds)
}

/**
 * Schedules a draft with the permissions of the actor. Refuses now what publishing would refuse because of the draft's fields or the
 * actor's age.
 * @throws AppError not_found, invalid_input, age_restricted
 */
export async function scheduleDraft(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, draftId: string, publishAt: string): Promise<Draft> {
  const now = ctx.clock.now()
  const time = new Date(publishAt)
  return inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true })
    requireTimeAhead(time, now)
    requireWhole(draft)
    requirePublishable({ postType: draft.post_type, isExclusive: draft.is_exclusive }, viewerOf(actor, now), await placeOf(tx, draft))
    await updateDraftRow(tx, draftId, { status: 'scheduled', publish_at: time, error: null, author_id: actor.id, updated_at: now })
    return readDraft(tx, draft.id)
  })
}

/** @throws AppError not_found */
export async function unscheduleDraft(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, draftId: string): Promise<Draft> {
  return inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true })
    if (draft.status !== 'draft') {
      await updateDraftRow(tx, draftId, { status: 'draft', publish_at: null, error: null, updated_at: ctx.clock.now() })
    }
    return readDraft(tx, draft.id)
  })
}

/** The draft's media becomes unattached and is swept later. @throws AppError not_found */
export async function deleteDraft(ctx: Pick<Context, 'db'>, actor: Actor, draftId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true })
    await removeDraft(tx, draft.id)
  })
}

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs'>

/**
 * Publishes a draft now, with the permissions of the actor. The draft becomes the post, with the same ID, in one transaction.
 * @throws AppError not_found, and everything that refuses a post
 */
export async function publishDraft(ctx: Ctx, actor: Actor, draftId: string): Promise<Post> {
  const viewer = viewerOf(actor, ctx.clock.now())
  return inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true }).catch(async (error) => {
      // On a retry, returns the post that the first attempt published.
      const [published] = error instanceof AppError && error.code === 'not_found' ? await loadPosts(tx, viewer, [draftId]) : []
      if (published?.abilities.edit) return published
      throw error
    })
    return 'likesCount' in draft ? draft : becomePost(tx, ctx, viewer, actor, draft)
  })
}

/**
 * Publishes a scheduled draft if it is still due. Does nothing if another worker has locked or published it.
 * @throws AppError muted, account_leaving, forbidden if the author may no longer post for the business, and everything that refuses a post
 */
export async function publishDue(ctx: Ctx, draftId: string): Promise<'published' | 'not due'> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const draft = await tx
      .selectFrom('post_drafts')
      .selectAll()
      .where('id', '=', draftId)
      .where('status', '=', 'scheduled')
      .where('publish_at', '<=', now)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!draft) return 'not due'
    await requireCanPublish(tx, draft, now)
    if (draft.business_id !== null) await requireStillInTeam(tx, draft.author_id, draft.business_id)
    await becomePost(tx, ctx, await viewerOfWriter(tx, draft.author_id, now), await writerOf(tx, draft.author_id, now), draft)
    return 'published'
  })
}

/** The draft must be locked, and the writer must be allowed to post for its business. */
async function becomePost(tx: Tx, ctx: Ctx, viewer: Viewer, writer: Writer, draft: DraftFields): Promise<Post> {
  requireWhole(draft)
  requirePublishable({ postType: draft.post_type, isExclusive: draft.is_exclusive }, viewer, await placeOf(tx, draft))
  const mediaIds = await mediaIdsOf(tx, draft.id)
  if ((await lockReadyMedia(tx, mediaIds)) < mediaIds.length) throw invalidField('mediaIds', 'One of these uploads isn’t ready')
  // The draft must be gone before the post takes over its media, which can be attached only once.
  await removeDraft(tx, draft.id)
  const post = {
    id: draft.id,
    businessId: draft.business_id,
    title: draft.title,
    content: draft.content,
    postType: draft.post_type,
    isExclusive: draft.is_exclusive,
    imageUrl: draft.source_image_url ?? '',
    mediaIds,
    place: draft.place ?? '',
    tags: draft.tags,
    mentions: draft.mentions as NewMention[],
    dropsImpossibleMentions: true,
  }
  return publishPost(tx, ctx, viewer, post, await screenPost(tx, ctx, writer, post))
}

/**
 * A scheduled post isn't published if its author has since been muted, suspended or banned, or is deleting their account.
 * @throws AppError muted, account_leaving
 */
async function requireCanPublish(tx: Tx, draft: Pick<DraftFields, 'author_id' | 'business_id'>, now: Date): Promise<void> {
  const author = await tx
    .selectFrom('users')
    .select(['muted_until', 'suspended_until', 'banned_at', 'leaves_at'])
    .where('id', '=', draft.author_id)
    .executeTakeFirstOrThrow()
  const { mutedUntil, suspendedUntil } = accountStatusOf(author, now)
  if (mutedUntil !== null || suspendedUntil !== null)
    throw new AppError('muted', { message: 'The person who scheduled this can’t post here right now.' })
  if (author.leaves_at === null) return
  throw new AppError('account_leaving', {
    message:
      draft.business_id === null
        ? 'You asked to delete your account. If you keep it, schedule this again.'
        : 'The person who scheduled this is leaving. Schedule it again.',
  })
}

async function requireStillInTeam(tx: Tx, userId: string, businessId: string): Promise<void> {
  try {
    await requirePermission(tx, { id: userId }, businessId, 'posts', { lock: true })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error
    throw new AppError('forbidden', { message: 'The person who scheduled this can no longer post for the business. Schedule it again.' })
  }
}

/** Requires the fields that a draft may lack and a post may not. @throws AppError invalid_input */
function requireWhole({ title, content }: { title: string; content: string }): void {
  const issues = [
    ...(title === '' ? [{ path: ['title'], message: 'Title is required' }] : []),
    ...(content === '' ? [{ path: ['content'], message: 'Content is required' }] : []),
  ]
  if (issues.length > 0) throw invalidInput(issues)
}

/** @throws AppError invalid_input */
function requireTimeAhead(publishAt: Date, now: Date): void {
  if (publishAt <= now) throw invalidField('publishAt', 'Choose a time in the future')
  if (publishAt.getTime() - now.getTime() > maxDaysAhead * dayMs) throw invalidField('publishAt', 'Choose a date within a year')
}

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** A scheduled post wasn't published. Its row stores the reason. */
    'draft.failed': { draftId: string }
  }
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'drafts.publish-due': Record<string, never>
  }
}

type DraftJob = Extract<JobName, `drafts.${string}`>
type JobCtx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs' | 'log'>

export function draftJobs(ctx: JobCtx): Pick<JobHandlers, DraftJob> {
  return {
    'drafts.publish-due': () => publishAllDue(ctx),
  }
}

/** A post may be up to a minute late, or later after an outage. It is never published early or twice. */
export const draftSchedules: readonly JobSchedule[] = [{ name: 'drafts.publish-due', cron: '* * * * *', data: {} }]

const batch = 50

async function publishAllDue(ctx: JobCtx): Promise<void> {
  const now = ctx.clock.now()
  let after: Parameters<typeof dueDrafts>[2] = null
  for (;;) {
    const due = await dueDrafts(ctx.db, now, after, batch)
    for (const { id } of due) await publishOrRefuse(ctx, id)
    const last = due.at(-1)
    if (!last?.publish_at || due.length < batch) return
    after = { publishAt: last.publish_at, id: last.id }
  }
}

/** A faulty draft doesn't block the others. A failure that isn't the draft's fault is retried in a minute. */
async function publishOrRefuse(ctx: JobCtx, draftId: string): Promise<void> {
  try {
    await publishDue(ctx, draftId)
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return refuse(ctx, draftId, error)
    ctx.log.error({ err: error, draftId }, 'a scheduled post was not published')
  }
}

async function refuse(ctx: JobCtx, draftId: string, { message, fields = {} }: AppError): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const draft = await tx
      .selectFrom('post_drafts')
      .select('id')
      .where('id', '=', draftId)
      // The draft may have been rescheduled in the meantime.
      .where('status', '=', 'scheduled')
      .where('publish_at', '<=', now)
      .forUpdate()
      .executeTakeFirst()
    if (!draft) return
    const words = [...new Set([...Object.values(fields), ...(Object.keys(fields).length === 0 ? [message] : [])])].join(' · ')
    await updateDraftRow(tx, draftId, { status: 'failed', error: words, updated_at: now })
    await ctx.events.publish(tx, 'draft.failed', { draftId })
  })
}
