import { type RawBuilder, sql } from 'kysely'
import { fileRefusals } from '#contracts/media.rules.ts'
import type { Media } from '#contracts/media.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { pictureSizes } from '#server/kernel/media-address.ts'
import { documentFile, fileKey } from './media-files.ts'

/** Subjects that can show a file. `media_uses` has a row for each attachment of a file. */
export type MediaUseKind = DB['media_uses']['kind']

type Reference = { kind: MediaUseKind; table: keyof DB; subject: string; column: string }

export const mediaReferences: readonly Reference[] = [
  { kind: 'post', table: 'post_media', subject: 'post_id', column: 'media_id' },
  { kind: 'draft', table: 'post_draft_media', subject: 'draft_id', column: 'media_id' },
  { kind: 'business', table: 'businesses', subject: 'id', column: 'image_id' },
  { kind: 'business', table: 'businesses', subject: 'id', column: 'logo_id' },
  { kind: 'community', table: 'communities', subject: 'id', column: 'image_id' },
  { kind: 'person', table: 'users', subject: 'id', column: 'image_id' },
  { kind: 'product', table: 'products', subject: 'id', column: 'image_id' },
  { kind: 'product', table: 'products', subject: 'id', column: 'certificate_id' },
  { kind: 'claim', table: 'claims', subject: 'id', column: 'document_id' },
  { kind: 'license', table: 'license_verifications', subject: 'id', column: 'document_id' },
  { kind: 'log', table: 'grow_log_photos', subject: 'log_id', column: 'media_id' },
  { kind: 'observation', table: 'observations', subject: 'id', column: 'media_id' },
  { kind: 'message', table: 'message_media', subject: 'message_id', column: 'media_id' },
  { kind: 'gallery_item', table: 'gallery_items', subject: 'id', column: 'media_id' },
  { kind: 'review', table: 'review_media', subject: 'review_id', column: 'media_id' },
]

/**
 * Updates `media_uses` to what these subjects refer to now. Every write that attaches or detaches a file must call it last, in the same
 * transaction. Not needed on deletion, which cascades.
 */
export async function syncMediaUses(tx: Tx, kind: MediaUseKind, subjectIds: readonly string[]): Promise<void> {
  if (subjectIds.length === 0) return
  const shown = mediaReferences
    .filter((reference) => reference.kind === kind)
    .map(
      ({ table, subject, column }) => sql`
        select ${sql.ref(column)} as media_id, ${sql.ref(subject)} as subject_id from ${sql.table(table)}
        where ${sql.ref(subject)} = ${pageIds(subjectIds)} and ${sql.ref(column)} is not null`,
    )
  await sql`
    with shown as (${sql.join(shown, sql` union `)}),
    gone as (
      delete from media_uses
      where ${sql.ref(`${kind}_id`)} = ${pageIds(subjectIds)} and (media_id, subject_id) not in (select media_id, subject_id from shown))
    insert into media_uses (media_id, kind, subject_id)
    select media_id, ${sql.lit(kind)}, subject_id from shown
    on conflict do nothing`.execute(tx)
}

/** Nothing shows the file. */
export const isUnattached = sql<boolean>`not exists (select from media_uses where media_uses.media_id = media.id)`

/** Nothing shows the file, and undoing an import wouldn't restore it, so it can be deleted. */
export const isUnneeded = sql<boolean>`(
  ${isUnattached}
  and not exists (select from menu_import_changes where before -> 'item' ->> 'image_id' = media.id::text)
  and not exists (select from menu_import_changes where before -> 'item' ->> 'certificate_id' = media.id::text))`

/** Unattached, or shown in the owner's review, post or draft (their own, or of a business they belong to), or in a hunt they can write in. */
export const isStillOwn = sql<boolean>`
  (${isUnattached} or exists (
    select from media_uses
    left join posts on posts.id = media_uses.post_id
    left join post_drafts on post_drafts.id = media_uses.draft_id
    left join reviews on reviews.id = media_uses.review_id
    left join grow_logs on grow_logs.id = media_uses.log_id
    left join observations on observations.id = media_uses.observation_id
    left join hunts on hunts.id = coalesce(grow_logs.hunt_id, observations.hunt_id)
    where media_uses.media_id = media.id and case
      when coalesce(posts.business_id, post_drafts.business_id) is not null then exists (
        select from business_members
        where business_members.business_id = coalesce(posts.business_id, post_drafts.business_id)
          and business_members.user_id = media.owner_id)
      else media.owner_id in (posts.author_id, post_drafts.author_id, reviews.user_id, hunts.owner_id) or exists (
        select from hunt_shares
        where hunt_shares.hunt_id = hunts.id and hunt_shares.user_id = media.owner_id and hunt_shares.access = 'write') end))`

/**
 * The post, review or hunt in which others can read the file's description. Undefined for a private hunt without shares, and for a draft,
 * which is screened when it is published.
 */
export const readPlaceOf = (tx: Tx, mediaId: string) =>
  tx
    .selectFrom('media_uses')
    .leftJoin('posts', 'posts.id', 'media_uses.post_id')
    .leftJoin('grow_logs', 'grow_logs.id', 'media_uses.log_id')
    .leftJoin('observations', 'observations.id', 'media_uses.observation_id')
    .leftJoin('hunts', (join) => join.on(sql<boolean>`hunts.id = coalesce(grow_logs.hunt_id, observations.hunt_id)`))
    .select(['media_uses.kind', 'posts.business_id', 'posts.community_id'])
    .where('media_uses.media_id', '=', mediaId)
    .where((eb) =>
      eb.or([
        eb('media_uses.kind', 'in', ['post', 'review']),
        eb('hunts.visibility', '=', 'public'),
        eb.exists(eb.selectFrom('hunt_shares').select('hunt_id').whereRef('hunt_shares.hunt_id', '=', 'hunts.id')),
      ]),
    )
    .executeTakeFirst()

export type MediaUse = { kind: MediaUseKind; subjectId: string }
/** SQL for whether everyone may see what the subject shows now. */
export type IsForEveryone = (subjectId: RawBuilder<unknown>, now: Date) => RawBuilder<boolean>

type File = { kind: 'image' } | { kind: 'video' | 'document'; extension: string }

/**
 * Finds a ready file's owner and uses. `openTo` is the kind of its first public use, or null. Returns undefined if there's no such file.
 */
export async function usesOf(db: Db, mediaId: string, file: File, open: Partial<Record<MediaUseKind, IsForEveryone>>, now: Date) {
  const cases = Object.entries(open).map(
    ([kind, isForEveryone]) => sql`when ${sql.lit(kind)} then ${isForEveryone(sql.ref(`${kind}_id`), now)}`,
  )
  const rows = await db
    .selectFrom('media')
    .leftJoin('media_uses', 'media_uses.media_id', 'media.id')
    .select(['media.owner_id', 'media_uses.kind', 'media_uses.subject_id'])
    .select(sql<boolean>`case media_uses.kind ${sql.join(cases, sql` `)} else false end`.as('is_for_everyone'))
    .where('media.id', '=', mediaId)
    .where('media.status', '=', 'ready')
    .where('media.kind', '=', file.kind)
    .$if('extension' in file, (query) => query.where('media.extension', '=', 'extension' in file ? file.extension : null))
    .execute()
  const [first] = rows
  if (!first) return undefined
  const uses = rows.flatMap(({ kind, subject_id }): MediaUse[] => (kind && subject_id ? [{ kind, subjectId: subject_id }] : []))
  return { ownerId: first.owner_id, uses, openTo: rows.find((row) => row.is_for_everyone)?.kind ?? null }
}

type Wanted = {
  /** Allowed kinds; defaults to pictures and videos. */
  kinds?: readonly Media['kind'][]
  field?: string
}

const wrongKinds: Record<Media['kind'], string> = {
  image: 'Send a picture.',
  video: 'Send a picture or a video.',
  document: fileRefusals.notDocument,
}

/**
 * Locks these uploads until the transaction ends. Each must be ready, the person's own, of an allowed kind and unattached.
 * @throws AppError invalid_input about `field`, by default `mediaIds`
 */
export async function requireReadyMedia(tx: Tx, ownerId: string, ids: readonly string[], wanted: Wanted = {}): Promise<void> {
  if (ids.length === 0) return
  const { kinds = ['image', 'video'], field = 'mediaIds' } = wanted
  const own = await tx
    .selectFrom('media')
    .select(['id', 'status', 'kind'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (own.length !== new Set(ids).size) throw invalidField(field, 'One of these uploads no longer exists, or isn’t yours')
  if (own.some((row) => row.status !== 'ready')) throw invalidField(field, 'One of these uploads isn’t ready yet')
  if (own.some((row) => !kinds.includes(row.kind))) throw invalidField(field, wrongKinds[kinds.at(-1) ?? 'image'])
  // Checked after locking, when no one else can attach them.
  const free = await countRows(tx.selectFrom('media').where(sql<boolean>`id = any(${ids}::uuid[])`).where(isUnattached))
  if (free !== ids.length) throw invalidField(field, 'One of these uploads is already shown somewhere')
}

export function storedFileKeys({ id, kind, extension }: { id: string; kind: Media['kind']; extension: string | null }): string[] {
  if (kind === 'video') return [fileKey(id, `video.${extension}`)]
  if (kind === 'document') return [fileKey(id, documentFile)]
  return pictureSizes.flatMap((size) => [fileKey(id, `${size}.avif`), fileKey(id, `${size}.webp`)])
}
