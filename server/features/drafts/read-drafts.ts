import type { listDrafts as contract } from '#contracts/drafts.endpoints.ts'
import type { Draft } from '#contracts/drafts.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Media } from '#contracts/media.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { toPerson } from '#server/features/people/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type DraftRow, draftKeys, draftRows, requireDraft } from './drafts.queries.ts'

/** @throws AppError not_found */
export async function loadDraft(db: Db, actor: Pick<Actor, 'id'>, draftId: string): Promise<Draft> {
  await requireDraft(db, actor.id, draftId, { lock: false })
  return readDraft(db, draftId)
}

/** The caller must have checked access. @throws AppError not_found */
export async function readDraft(db: Db, draftId: string): Promise<Draft> {
  const [draft] = await readDrafts(db, [draftId])
  if (!draft) throw notFound('Draft not found.')
  return draft
}

/** In the order of the IDs. The caller must have checked access. */
async function readDrafts(db: Db, ids: readonly string[]): Promise<Draft[]> {
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
  mentions: row.mentions as Draft['mentions'],
  status: row.status,
  publishAt: row.publish_at?.toISOString() ?? null,
  error: row.error,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

type Query = Parsed<(typeof contract)['query']>

/** @throws AppError not_found, forbidden about the business */
export async function listDrafts(db: Db, actor: Actor, { business, status, limit, cursor }: Query): Promise<Page<Draft>> {
  const owner = business === undefined ? { personId: actor.id } : { businessId: (await requirePermission(db, actor, business, 'posts')).id }
  const after = decodeCursor(cursor, ['id'])
  const keys = await draftKeys(db, owner, { status, afterId: after?.[0] ?? null, limit: limit + 1 })
  const { items, nextCursor } = toPage(keys, limit, ({ id }) => [id])
  const ids = items.map(({ id }) => id)
  return { items: await readDrafts(db, ids), nextCursor }
}
