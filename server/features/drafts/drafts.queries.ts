import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { ageOn, utcDate } from '#contracts/age.ts'
import type { DraftStatus } from '#contracts/drafts.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type MayReadMedia, syncMediaUses } from '#server/features/media/index.ts'
import { bylineColumns, ensureFormerMember } from '#server/features/people/index.ts'
import type { Viewer } from '#server/features/posts/index.ts'
import { roleCan, rolesThatCan } from '#server/features/team/index.ts'
import { type Authorized, asAuthorized } from '#server/kernel/authorized.ts'
import { notFound } from '#server/kernel/errors.ts'
import { type NotifiedSubject, notifiedId } from '#server/kernel/notified-subject.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'

const columns = [
  'post_drafts.id as draft_id',
  'post_drafts.business_id',
  'post_drafts.title',
  'post_drafts.content',
  'post_drafts.post_type',
  'post_drafts.is_exclusive',
  'post_drafts.source_image_url',
  'post_drafts.place',
  'post_drafts.tags',
  'post_drafts.mentions',
  'post_drafts.status',
  'post_drafts.publish_at',
  'post_drafts.error',
  'post_drafts.version',
  'post_drafts.created_at',
  'post_drafts.updated_at',
] as const

const mediaIds = sql<string[]>`array(
  select media_id from post_draft_media where post_draft_media.draft_id = post_drafts.id order by post_draft_media.position)`

export type DraftRow = Awaited<ReturnType<typeof draftRows>>[number]

const selectDrafts = (db: Db) =>
  db
    .selectFrom('post_drafts')
    .innerJoin('users', 'users.id', 'post_drafts.author_id')
    .select([...columns, ...bylineColumns])
    .select(mediaIds.as('media_ids'))

export const draftRows = (db: Db, ids: readonly Authorized<'post_drafts'>[]) =>
  selectDrafts(db).where(sql<boolean>`post_drafts.id = any(${ids}::uuid[])`).execute()

type Owner = { businessId: string } | { personId: string }

const ownedBy = (owner: Owner) =>
  'businessId' in owner
    ? sql<boolean>`post_drafts.business_id = ${owner.businessId}::uuid`
    : sql<boolean>`(post_drafts.author_id = ${owner.personId}::uuid and post_drafts.business_id is null)`

/** Newest first: IDs are time-ordered. */
export const draftKeys = (
  db: Db,
  owner: Owner,
  { status, afterId, limit }: { status: DraftStatus | undefined; afterId: string | null; limit: number },
) =>
  db
    .selectFrom('post_drafts')
    .select('id')
    .where(ownedBy(owner))
    .$if(status !== undefined, (query) => query.where('status', '=', status as DraftStatus))
    .$if(afterId !== null, (query) => query.where('id', '<', afterId))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const countDrafts = (tx: Tx, owner: Owner): Promise<number> => countRows(tx.selectFrom('post_drafts').where(ownedBy(owner)))

export type DraftFields = Selectable<DB['post_drafts']>

/**
 * A draft that this person may read and edit: their own, or that of a business they can post for. With `lock`, the draft and the membership
 * are locked until the transaction ends, so that a removed team member can't write to the draft anymore.
 * @throws AppError not_found, including for other people's drafts: their existence is private
 */
export async function requireDraft(db: Db, userId: string, draftId: string, { lock }: { lock: boolean }) {
  const draft = await db
    .selectFrom('post_drafts')
    .selectAll()
    .where('id', '=', draftId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!draft) throw notFound('Draft not found.')
  if (draft.business_id === null ? draft.author_id !== userId : !(await speaksFor(db, userId, draft.business_id, lock))) {
    throw notFound('Draft not found.')
  }
  return { ...draft, id: asAuthorized('post_drafts', draft.id) }
}

async function speaksFor(db: Db, userId: string, businessId: string, lock: boolean): Promise<boolean> {
  const member = await db
    .selectFrom('business_members')
    .select('role')
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .$if(lock, (query) => query.forShare())
    .executeTakeFirst()
  return roleCan(member?.role, 'posts')
}

export async function insertDraft(tx: Tx, row: Insertable<DB['post_drafts']>): Promise<Authorized<'post_drafts'>> {
  await tx.insertInto('post_drafts').values(row).execute()
  return asAuthorized('post_drafts', row.id)
}

/** Increments the version. */
export const updateDraftRow = (tx: Tx, draftId: string, changes: Updateable<DB['post_drafts']>) =>
  tx
    .updateTable('post_drafts')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('id', '=', draftId)
    .execute()

export const removeDraft = (tx: Tx, draftId: string) => tx.deleteFrom('post_drafts').where('id', '=', draftId).execute()

export const mediaIdsOf = async (tx: Tx, draftId: string): Promise<string[]> =>
  (await tx.selectFrom('post_draft_media').select('media_id').where('draft_id', '=', draftId).orderBy('position').execute()).map(
    (row) => row.media_id,
  )

export async function replaceMedia(tx: Tx, draftId: string, ids: readonly string[]): Promise<void> {
  const removed = await tx.deleteFrom('post_draft_media').where('draft_id', '=', draftId).returning('media_id').execute()
  if (removed.length + ids.length === 0) return
  await sql`
    insert into post_draft_media (draft_id, position, media_id)
    select ${draftId}::uuid, position - 1, media_id from unnest(${ids}::uuid[]) with ordinality as given (media_id, position)`.execute(tx)
  await syncMediaUses(tx, 'draft', [draftId])
}

/** Counts how many of these media are ready, and locks them until the transaction ends. */
export async function lockReadyMedia(tx: Tx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const rows = await tx
    .selectFrom('media')
    .select('status')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.filter(({ status }) => status === 'ready').length
}

/** Media of a person's draft is visible to its author, and that of a business's draft to anyone who can post for the business. */
export const mayReadDraftMedia: MayReadMedia = async (db, actor, draftIds) => {
  const drafts = await db
    .selectFrom('post_drafts')
    .leftJoin('business_members', (join) =>
      join.onRef('business_members.business_id', '=', 'post_drafts.business_id').on('business_members.user_id', '=', actor.id),
    )
    .select(['post_drafts.business_id', 'post_drafts.author_id', 'business_members.role'])
    .where(sql<boolean>`post_drafts.id = ${pageIds(draftIds)}`)
    .execute()
  return drafts.some((draft) => (draft.business_id === null ? draft.author_id === actor.id : roleCan(draft.role, 'posts')))
}

/** Anyone who can post for the business may see that its scheduled post wasn't published, until it is scheduled again, published or deleted. */
export const notifiedDrafts: NotifiedSubject<null> = (asked, viewer) => sql`
  select asked.id, null::jsonb as facts
  from ${asked} asked join post_drafts on post_drafts.id = ${notifiedId('draft_id', 2)}
  where post_drafts.status = 'failed' and asked.created_at >= post_drafts.updated_at and (asked.business_id is null or exists (select from business_members
    where business_members.business_id = asked.business_id and business_members.user_id = ${viewer.id}::uuid
      and business_members.role = any(${rolesThatCan('posts')}::text[])))`

export async function viewerOfWriter(tx: Tx, userId: string, now: Date): Promise<Viewer> {
  const { birthday } = await tx.selectFrom('users').select('birthday').where('id', '=', userId).executeTakeFirstOrThrow()
  return { id: userId, age: birthday === null ? null : ageOn(birthday, utcDate(now)), now }
}

export async function placeOf(tx: Tx, { business_id: id }: Pick<DraftFields, 'business_id'>) {
  if (id === null) return null
  return tx.selectFrom('businesses').select(['country', 'state']).where('id', '=', id).executeTakeFirstOrThrow()
}

type Place = { publishAt: Date; id: string }

/** Longest overdue first. */
export const dueDrafts = (db: Db, now: Date, after: Place | null, limit: number) =>
  db
    .selectFrom('post_drafts')
    .select(['id', 'publish_at'])
    .where('status', '=', 'scheduled')
    .where('publish_at', '<=', now)
    .$if(after !== null, (query) => query.where(sql<boolean>`(publish_at, id) > (${after?.publishAt}::timestamptz, ${after?.id}::uuid)`))
    .orderBy('publish_at')
    .orderBy('id')
    .limit(limit)
    .execute()

const erasedAtOnce = 100

/**
 * Personal drafts are deleted. A business's drafts belong to its team, if anyone else is on it. Scheduled ones need a new author, who
 * answers for the post.
 */
export const eraseDrafts: EraseStep = {
  name: 'drafts',
  eraseSome: ({ db, clock, events }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const drafts = await tx
        .selectFrom('post_drafts')
        .select(['id', 'status'])
        .where('author_id', '=', userId)
        .orderBy('id')
        .limit(erasedAtOnce)
        .forUpdate()
        .execute()
      const ids = drafts.map(({ id }) => id)
      if (ids.length === 0) return 0
      const now = clock.now()
      const formerMember = await ensureFormerMember(tx, now)
      const { rows: left } = await sql<{ id: string }>`
        update post_drafts set author_id = ${formerMember}::uuid,
          status = case status when 'scheduled' then 'failed' else status end,
          error = case status when 'scheduled' then 'The person who scheduled this left. Schedule it again.' else error end,
          updated_at = case status when 'scheduled' then ${now}::timestamptz else updated_at end
        where id = any(${ids}::uuid[]) and exists (select from business_members
          where business_members.business_id = post_drafts.business_id and business_members.user_id <> ${userId}::uuid)
        returning id`.execute(tx)
      for (const { id, status } of drafts) {
        if (status === 'scheduled' && left.some((row) => row.id === id)) await events.publish(tx, 'draft.failed', { draftId: id })
      }
      await tx.deleteFrom('post_drafts').where(sql<boolean>`id = any(${ids}::uuid[])`).where('author_id', '=', userId).execute()
      return ids.length
    }),
}
