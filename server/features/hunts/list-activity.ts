import type { HuntEvent } from '../../../contracts/hunt-activity.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { toPerson } from '../people/index.ts'
import { type EventRow, huntEventRows, ownEventRows } from './activity.queries.ts'
import { summaryOf } from './event-summary.ts'
import { requireHunt } from './hunt-access.ts'

type PageQuery = { limit: number; cursor?: string | undefined }
type Rows = (part: { afterId: string | null; limit: number }) => Promise<EventRow[]>

/** What happened in a hunt, the last recorded first. @throws AppError not_found */
export async function listHuntActivity(db: Db, actor: Actor, huntId: string, page: PageQuery): Promise<Page<HuntEvent>> {
  await requireHunt(db, actor, huntId, 'view')
  return pageOf(page, (part) => huntEventRows(db, actor.id, huntId, part))
}

/** The same of all own hunts and those shared with somebody. */
export const listOwnActivity = (db: Db, actor: Actor, page: PageQuery): Promise<Page<HuntEvent>> =>
  pageOf(page, (part) => ownEventRows(db, actor.id, part))

async function pageOf({ limit, cursor }: PageQuery, read: Rows): Promise<Page<HuntEvent>> {
  const after = decodeCursor(cursor, ['id'])
  const rows = await read({ afterId: after?.[0] ?? null, limit: limit + 1 })
  const { items, nextCursor } = toPage(rows, limit, ({ event_id }) => [event_id])
  return { items: items.map(toHuntEvent), nextCursor }
}

function toHuntEvent(row: EventRow): HuntEvent {
  const genotype =
    row.genotype_id === null ? null : { id: row.genotype_id, number: row.genotype_number ?? 0, label: row.genotype_label ?? '' }
  const plant = row.plant_id === null ? null : { id: row.plant_id, copy: row.plant_copy ?? 0 }
  return {
    id: row.event_id,
    huntId: row.hunt_id,
    huntName: row.hunt_name,
    kind: row.kind,
    genotype,
    plant,
    subjectId: row.subject_id,
    detail: row.detail,
    summary: summaryOf({ kind: row.kind, number: genotype?.number ?? null, copy: plant?.copy ?? null, detail: row.detail }),
    happenedOn: row.happened_on,
    recordedBy: row.id === null ? null : toPerson({ ...row, id: row.id }),
    recordedAt: row.recorded_at.toISOString(),
  }
}
