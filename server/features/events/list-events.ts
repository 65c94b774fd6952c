import type { Attendee, BusinessEvent } from '#contracts/events.ts'
import type { Db } from '#server/db/connect.ts'
import { defaultRadiusMiles, requireBusiness } from '#server/features/businesses/index.ts'
import { toPerson } from '#server/features/people/index.ts'
import { type Viewer, viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { attendeeRows, businessEventKeys, type EventKey, eventKeys } from './events.queries.ts'
import { loadEvents, readEvent } from './events.view.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type PageQuery = { limit: number; cursor?: string | undefined }
type EventQuery = PageQuery & { near?: string | undefined; radius?: number | undefined; following?: boolean | undefined }

/** @throws AppError not_found */
export async function listBusinessEvents(
  { db, clock }: Ctx,
  actor: Actor,
  idOrSlug: string,
  page: PageQuery,
): Promise<Page<BusinessEvent>> {
  const { id } = await requireBusiness(db, idOrSlug, actor.id)
  const viewer = viewerOf(actor, clock.now())
  const keys = await businessEventKeys(db, viewer, id, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  return toEventPage(db, viewer, keys, page.limit)
}

/** @throws AppError invalid_input if `near` is an unknown place */
export async function listEvents({ db, clock }: Ctx, actor: Actor, query: EventQuery): Promise<Page<BusinessEvent>> {
  const viewer = viewerOf(actor, clock.now())
  const filter = { near: query.near, radiusMiles: query.radius ?? defaultRadiusMiles, following: query.following ?? false }
  const keys = await eventKeys(db, viewer, filter, decodeCursor(query.cursor, ['time', 'id']), query.limit + 1)
  return toEventPage(db, viewer, keys, query.limit)
}

async function toEventPage(db: Db, viewer: Viewer, keys: EventKey[], limit: number): Promise<Page<BusinessEvent>> {
  const { items, nextCursor } = toPage(keys, limit, (row) => [row.starts_at.toISOString(), row.id])
  const ids = items.map(({ id }) => id)
  return { items: await loadEvents(db, viewer, ids), nextCursor }
}

/** @throws AppError not_found, forbidden */
export async function listAttendees({ db, clock }: Ctx, actor: Actor, id: string, page: PageQuery): Promise<Page<Attendee>> {
  const event = await readEvent(db, viewerOf(actor, clock.now()), id)
  if (!event.abilities.seeAttendees) throw new AppError('forbidden', { message: 'Only the team of this business can see who is going.' })
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await attendeeRows(db, actor.id, id, after, page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map((row) => ({ person: toPerson(row), since: row.created_at.toISOString() })), nextCursor }
}
