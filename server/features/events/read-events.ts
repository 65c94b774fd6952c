import { calendarFilePath } from '#contracts/addresses.ts'
import type { Brand } from '#contracts/brand.ts'
import type { Attendee, BusinessEvent } from '#contracts/events.ts'
import { IdParams } from '#contracts/fields.ts'
import type { Db } from '#server/db/connect.ts'
import { defaultRadiusMiles, requireBusiness } from '#server/features/businesses/index.ts'
import { toPerson } from '#server/features/people/index.ts'
import { toBusinessByline, type Viewer, viewerOf } from '#server/features/posts/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import { roleCan } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import type { Api } from '#server/kernel/route.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import { attendeeRows, businessEventKeys, type EventKey, type EventRow, eventKeys, eventRows } from './events.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type PageQuery = { limit: number; cursor?: string | undefined }
type EventQuery = PageQuery & { near?: string | undefined; radius?: number | undefined; following?: boolean | undefined }

/** @throws AppError not_found, invalid_input about the cursor */
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

/** @throws AppError invalid_input about the cursor, or if `near` is an unknown place */
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

/** @throws AppError not_found, forbidden, invalid_input about the cursor */
export async function listAttendees({ db, clock }: Ctx, actor: Actor, id: string, page: PageQuery): Promise<Page<Attendee>> {
  const event = await readEvent(db, viewerOf(actor, clock.now()), id)
  if (!event.abilities.seeAttendees) throw new AppError('forbidden', { message: 'Only this business’s team can see who is going.' })
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await attendeeRows(db, actor.id, id, after, page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map((row) => ({ person: toPerson(row), since: row.created_at.toISOString() })), nextCursor }
}

const path = calendarFilePath(':id') as `/api/${string}`

/** Routes under /api without a contract. */
export const eventRoutes: readonly string[] = [`GET ${path}`]

/** An event as a calendar file, if the person may see its details. */
export const serveCalendarFile = (api: Api): void =>
  memberFile(api, {
    path,
    params: IdParams,
    rateLimit: 'read',
    async file({ ctx, actor, params }) {
      const event = await readEvent(ctx.db, viewerOf(actor, ctx.clock.now()), params.id)
      if (event.isLocked) throw new AppError('forbidden', { message: 'This event isn’t open to you.' })
      const url = `${ctx.config.publicUrl}/events/${event.id}`
      const body = calendarFile(event, await versionOf(ctx.db, event.id), { brand: ctx.brand, url })
      const { date } = localTime(event.timeZone, new Date(event.startsAt))
      return { name: `event-${date}.ics`, type: 'text/calendar; charset=utf-8', body }
    },
  })

type Version = { sequence: number; updated_at: Date }

const versionOf = (db: Db, id: string): Promise<Version> =>
  db.selectFrom('events').select(['sequence', 'updated_at']).where('id', '=', id).executeTakeFirstOrThrow()

/** RFC 5545. Times are in UTC, which avoids time zone definitions; calendars convert them. */
function calendarFile(event: BusinessEvent, version: Version, { brand, url }: { brand: Pick<Brand, 'name'>; url: string }): string {
  const { place } = event
  const location = place && [place.venue, place.address, place.city].filter(Boolean).join(', ')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(brand.name)}//Events//EN`,
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${event.id}`,
    `SEQUENCE:${version.sequence}`,
    `DTSTAMP:${utcTime(version.updated_at)}`,
    `DTSTART:${utcTime(new Date(event.startsAt))}`,
    `DTEND:${utcTime(new Date(event.endsAt))}`,
    `SUMMARY:${escapeText(event.title)}`,
    ...(event.description ? [`DESCRIPTION:${escapeText(event.description)}`] : []),
    ...(location ? [`LOCATION:${escapeText(location)}`] : []),
    `URL:${url}`,
    `STATUS:${event.canceledAt === null ? 'CONFIRMED' : 'CANCELLED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

/** "20270321T010000Z" */
const utcTime = (time: Date) => time.toISOString().replace(/[-:]|\.\d+/g, '')

const escapeText = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a text must not contain these
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

const maxOctets = 75

/** Folds lines at 75 octets; continuation lines start with a space. Never splits a character. */
function fold(line: string): string {
  let folded = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += size
  }
  return folded
}

/** In the order of `ids`, without the parts hidden from the viewer. */
async function loadEvents(db: Db, viewer: Viewer, ids: readonly string[]): Promise<BusinessEvent[]> {
  if (ids.length === 0) return []
  const rows = await eventRows(db, viewer, ids)
  const reasons = await reasonsOf(db, 'event', rows)
  const events = new Map(rows.map((row) => [row.id, toEvent(row, viewer.now, reasons.get(row.id) ?? [])]))
  return ids.flatMap((id) => events.get(id) ?? [])
}

/** @throws AppError not_found if it is missing or not visible to the viewer */
export async function readEvent(db: Db, viewer: Viewer, id: string): Promise<BusinessEvent> {
  const [event] = await loadEvents(db, viewer, [id])
  if (!event) throw eventNotFound()
  return event
}

export const eventNotFound = () => notFound('Event not found.')

function toEvent(row: EventRow, now: Date, heldFor: string[]): BusinessEvent {
  const business = toBusinessByline(row)
  if (!business) throw new Error(`Event ${row.id} has no business.`)
  return {
    id: row.id,
    business,
    title: row.title,
    audience: row.audience,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    timeZone: row.time_zone,
    isLocked: row.is_locked,
    description: row.description ?? '',
    place: row.city === null ? null : { locationId: row.location_id, venue: row.venue, address: row.address, city: row.city },
    capacity: row.capacity,
    goingCount: row.going_count ?? 0,
    isGoing: row.is_going,
    remindAt: row.remind_at?.toISOString() ?? null,
    canceledAt: row.canceled_at?.toISOString() ?? null,
    cancelNote: row.is_locked && !row.is_going ? '' : row.cancel_note,
    editedAt: row.edited_at?.toISOString() ?? null,
    // No one can read removed events.
    moderation: row.moderation === 'removed' ? null : row.moderation,
    heldFor: row.moderation === 'held' ? heldFor : [],
    abilities: abilitiesOf(row, now),
  }
}

function abilitiesOf(row: EventRow, now: Date): BusinessEvent['abilities'] {
  const isPublisher = roleCan(row.role, 'posts')
  const isOn = row.canceled_at === null && row.ends_at > now
  const isFull = row.capacity !== null && (row.going_count ?? 0) >= row.capacity
  return {
    rsvp: isOn && !row.is_locked && row.moderation === null && (row.is_going || !isFull),
    edit: isPublisher && isOn,
    cancel: isPublisher && isOn,
    delete: isPublisher && row.going_count === 0,
    seeAttendees: isPublisher,
    report: row.role === null,
  }
}
