import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { theseIds } from '../../db/these-ids.ts'

const columns = [
  'id',
  'owner_id',
  'kind',
  'status',
  'byte_size',
  'received_bytes',
  'error',
  'width',
  'height',
  'duration_ms',
  'placeholder',
  'alt',
  'widths',
  'extension',
  'page_count',
  'source_url',
] as const

export type MediaRow = NonNullable<Awaited<ReturnType<typeof mediaRow>>>

const selectMedia = (db: Db) => db.selectFrom('media').select(columns)

export const mediaRow = (db: Db, id: string) => selectMedia(db).where('id', '=', id).executeTakeFirst()

export const ownMediaRow = (db: Db, ownerId: string, id: string) =>
  selectMedia(db).where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst()

export const lockMedia = (tx: Tx, id: string) => selectMedia(tx).where('id', '=', id).forUpdate().executeTakeFirst()

export const readyRows = (db: Db, ids: readonly string[]) =>
  selectMedia(db)
    .where(sql<boolean>`id = ${theseIds(ids)}`)
    .where('status', '=', 'ready')
    .execute()

/** Nothing shows it: no post or draft of one, no business, no community, no person, no product, no claim, no license, no log or observation of a hunt, no message. */
export const isUnattached = sql<boolean>`
  not exists (select from post_media where post_media.media_id = media.id)
  and not exists (select from post_draft_media where post_draft_media.media_id = media.id)
  and not exists (select from businesses where businesses.image_id = media.id)
  and not exists (select from communities where communities.image_id = media.id)
  and not exists (select from users where users.image_id = media.id)
  and not exists (select from products where products.image_id = media.id)
  and not exists (select from products where products.certificate_id = media.id)
  and not exists (select from claims where claims.document_id = media.id)
  and not exists (select from license_verifications where license_verifications.document_id = media.id)
  and not exists (select from grow_log_photos where grow_log_photos.media_id = media.id)
  and not exists (select from observations where observations.media_id = media.id)
  and not exists (select from message_media where message_media.media_id = media.id)`

/** Nothing shows it, or a post or draft of its owner: under their own name, or of a business that they belong to; or a hunt to which they write. */
export const isStillOwn = sql<boolean>`
  (${isUnattached} or exists (
    select from (
      select posts.author_id, posts.business_id from post_media join posts on posts.id = post_media.post_id
      where post_media.media_id = media.id
      union all
      select post_drafts.author_id, post_drafts.business_id
      from post_draft_media join post_drafts on post_drafts.id = post_draft_media.draft_id
      where post_draft_media.media_id = media.id
      union all
      select coalesce(hunt_shares.user_id, hunts.owner_id), null
      from (
        select grow_logs.hunt_id from grow_log_photos join grow_logs on grow_logs.id = grow_log_photos.log_id
        where grow_log_photos.media_id = media.id
        union all
        select observations.hunt_id from observations where observations.media_id = media.id) as grown
      join hunts on hunts.id = grown.hunt_id
      left join hunt_shares on hunt_shares.hunt_id = hunts.id and hunt_shares.user_id = media.owner_id and hunt_shares.access = 'write'
      ) as shown
    where case when shown.business_id is null then shown.author_id = media.owner_id
      else exists (
        select from business_members
        where business_members.business_id = shown.business_id and business_members.user_id = media.owner_id) end))`

/** The picture beside a business's or a person's name that is for everybody, as long as moderators have not hidden it. */
export const isPortrait = sql<boolean>`
  (exists (select from businesses where businesses.image_id = media.id and businesses.moderation is null)
    or exists (select from users where users.image_id = media.id and users.is_profile_public and users.profile_moderation is null))`

/** What somebody has sent or announced and nothing shows, or waits for from another site: the bytes, and how many files of it are not ready. */
export const unattached = (tx: Tx, ownerId: string) =>
  tx
    .selectFrom('media')
    .select([
      sql<number>`coalesce(sum(byte_size), 0)::bigint`.as('bytes'),
      sql<number>`count(*) filter (where status <> 'ready')`.as('unfinished'),
    ])
    .where('owner_id', '=', ownerId)
    .where('status', '!=', 'failed')
    .where((eb) => eb.or([isUnattached, eb.and([eb('status', '=', 'processing'), eb('source_url', 'is not', null)])]))
    .executeTakeFirstOrThrow()

/** Pieces that were noted and are no part of the upload: on their way, or left behind. */
export async function strayChunks(tx: Tx, mediaId: string, except: { start: number; end: number }): Promise<number> {
  const { strays } = await tx
    .selectFrom('media_chunks')
    .select((eb) => eb.fn.countAll<number>().as('strays'))
    .where('media_id', '=', mediaId)
    .where('is_counted', '=', false)
    .where((eb) => eb.or([eb('starts_at', '!=', except.start), eb('ends_at', '!=', except.end)]))
    .executeTakeFirstOrThrow()
  return strays
}

export const noteChunk = (tx: Tx, mediaId: string, start: number, end: number) =>
  tx
    .insertInto('media_chunks')
    .values({ media_id: mediaId, starts_at: start, ends_at: end })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const countChunk = (tx: Tx, mediaId: string, start: number, end: number) =>
  tx
    .updateTable('media_chunks')
    .set({ is_counted: true })
    .where('media_id', '=', mediaId)
    .where('starts_at', '=', start)
    .where('ends_at', '=', end)
    .execute()

/** The chunks that the upload is made of, in order. */
export const countedChunks = (db: Db, mediaId: string) =>
  db
    .selectFrom('media_chunks')
    .select(['starts_at', 'ends_at'])
    .where('media_id', '=', mediaId)
    .where('is_counted', '=', true)
    .orderBy('starts_at')
    .execute()

/** Every chunk that the storage may hold of these. */
export const allChunks = (db: Db, mediaIds: readonly string[]) =>
  db
    .selectFrom('media_chunks')
    .select(['media_id', 'starts_at', 'ends_at'])
    .where(sql<boolean>`media_id = any(${mediaIds}::uuid[])`)
    .execute()
