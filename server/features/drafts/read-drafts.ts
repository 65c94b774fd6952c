import type { Draft } from '../../../contracts/drafts.ts'
import type { Media } from '../../../contracts/media.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { mediaOf } from '../media/index.ts'
import { toPerson } from '../people/index.ts'
import { type DraftRow, draftRows, holdDraft } from './drafts.queries.ts'

/** @throws AppError not_found */
export async function loadDraft(db: Db, actor: Pick<Actor, 'id'>, draftId: string): Promise<Draft> {
  await holdDraft(db, actor.id, draftId, { lock: false })
  return readDraft(db, draftId)
}

/** Of somebody who may see it. @throws AppError not_found */
export async function readDraft(db: Db, draftId: string): Promise<Draft> {
  const [draft] = await readDrafts(db, [draftId])
  if (!draft) throw notFound('Draft not found.')
  return draft
}

/** In the order of the ids. Whoever asks has asked who may see them. */
export async function readDrafts(db: Db, ids: readonly string[]): Promise<Draft[]> {
  if (ids.length === 0) return []
  const rows = new Map((await draftRows(db, ids)).map((row) => [row.draft_id, row]))
  const media = await mediaOf(
    db,
    [...rows.values()].flatMap((row) => row.media_ids),
  )
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [toDraft(row, media)] : []
  })
}

const toDraft = (row: DraftRow, media: ReadonlyMap<string, Media>): Draft => ({
  id: row.draft_id,
  businessId: row.business_id,
  author: toPerson(row),
  title: row.title,
  content: row.content,
  postType: row.post_type,
  isExclusive: row.is_exclusive,
  media: row.media_ids.flatMap((id) => media.get(id) ?? []),
  imageUrl: row.source_image_url ?? '',
  place: row.place,
  tags: row.tags,
  status: row.status,
  publishAt: row.publish_at?.toISOString() ?? null,
  error: row.error,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
