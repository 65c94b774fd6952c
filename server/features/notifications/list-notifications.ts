import { type RawBuilder, sql } from 'kysely'
import type { NotificationType } from '#contracts/notification-types.ts'
import { maxUnread, type Notification } from '#contracts/notifications.ts'
import { compileShared, type Slots } from '#server/db/compile-once.ts'
import type { Db } from '#server/db/connect.ts'
import { openPlacesFor } from '#server/features/jurisdictions/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { lastUuid } from '#server/kernel/ids.ts'
import { decodeCursor, encodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { businessPictureId } from '#server/kernel/media-address.ts'
import type { NotificationViewer, PublicReader } from '#server/kernel/notified-subject.ts'
import { type NotificationOwners, type NotificationRow, type Owner, typesBy } from './notification-types.ts'
import {
  byBusiness,
  bySite,
  countAsked,
  type Found,
  keyOf,
  literals,
  readShown,
  rowsWithVisibilityByIds,
  type Span,
  setAllRead,
  setRead,
  type WithVisibility,
} from './notifications.queries.ts'
import { toNotification } from './notifications.view.ts'
import { isInApp } from './preferences.ts'
import { loadViewer } from './recipient.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type PageQuery = { limit: number; cursor?: string | undefined }

const viewerOf = ({ clock }: Pick<Ctx, 'clock'>, actor: Actor): NotificationViewer => {
  const now = clock.now()
  return { id: actor.id, age: ageOf(actor, now), now, hasPlan: actor.hasPlan }
}

/** A page that isn't the last is shorter than `limit` only if many notifications in a row are hidden. */
export async function listNotifications(
  ctx: Ctx,
  owners: NotificationOwners,
  actor: Actor,
  { limit, cursor }: PageQuery,
): Promise<Page<Notification>> {
  const start = decodeCursor(cursor, ['time', 'id'])
  const { rows, rest } = await inAppRows(ctx.db, owners, viewerOf(ctx, actor), { start, wanted: limit + 1 })
  const { items, nextCursor } = toPage(rows, limit, keyOf)
  return { items: items.map(toNotification), nextCursor: nextCursor ?? (rest && encodeCursor(rest)) }
}

/** Capped at `maxUnread`, to bound the cost for people who never read their notifications. */
export const unreadCount = async (ctx: Ctx, owners: NotificationOwners, actor: Actor): Promise<{ count: number }> => ({
  count: await countUnread(ctx.db, owners, viewerOf(ctx, actor)),
})

/** Like `unreadCount`, for callers without the person's session. */
export async function unreadCountOf({ db, clock }: Ctx, owners: NotificationOwners, userId: string): Promise<number> {
  const viewer = await loadViewer(db, userId, clock.now())
  return viewer ? countUnread(db, owners, viewer) : 0
}

/** Returns the remaining unread count. @throws AppError not_found if the notification isn't the actor's */
export async function markRead(
  ctx: Pick<Context, 'db' | 'clock' | 'live'>,
  owners: NotificationOwners,
  actor: Actor,
  id: string,
): Promise<{ count: number }> {
  if (!(await setRead(ctx.db, actor.id, id))) throw notFound('Notification not found.')
  await ctx.live.publish({ kind: 'notifications', userIds: [actor.id] })
  return unreadCount(ctx, owners, actor)
}

export async function markAllRead(
  ctx: Pick<Context, 'db' | 'clock' | 'live'>,
  owners: NotificationOwners,
  actor: Actor,
): Promise<{ count: number }> {
  await setAllRead(ctx.db, actor.id)
  await ctx.live.publish({ kind: 'notifications', userIds: [actor.id] })
  return unreadCount(ctx, owners, actor)
}

// For the list and the unread count, one statement handles notifications about public subjects, the large majority. A second one applies
// the owners' full rules to the rest.

type Params = { userId: string; now: Date; isOfAge: boolean }
type PageParams = Params & { beforeTime: string; beforeId: string }

const paramsOf = ({ id, age, now }: NotificationViewer): Params => ({ userId: id, now, isOfAge: openPlacesFor(age).everywhere })

const beginning = ['infinity', lastUuid] as const

/** SQL: the people and businesses that blocks or mutes may hide from the viewer. A single row. */
const unheardBy = (id: RawBuilder<string>) => sql`
  select array(select blocked_id from person_blocks where blocker_id = ${id}
    union all select blocker_id from person_blocks where blocked_id = ${id}
    union all select muted_id from person_mutes where user_id = ${id}) as people,
  array(select business_id from business_blocks where user_id = ${id}
    union all select business_id from business_mutes where user_id = ${id}) as businesses`

const readerOf = ({ userId, isOfAge }: Slots<Params>): PublicReader => ({
  id: userId,
  isOfAge,
  unheardPeople: sql`unheard.people`,
  unheardBusinesses: sql`unheard.businesses`,
})

/**
 * SQL: no block or mute hides anyone behind the notification from the viewer. If one of several actors might be hidden, the full rule
 * decides.
 */
const isFromHeard = sql<boolean>`((n.business_id is null or n.business_id <> all(unheard.businesses))
  and (n.actor_id is null or n.actor_id <> all(unheard.people)) and (n.actors_count <= 1 or unheard.people = '{}')
  and (n.actors_count = 0 or n.actor_id is not null or n.type in (${bySite}) or (n.type in (${byBusiness}) and n.business_id is not null)))`

/** SQL: `select` applied to the notification's public subject, or null if its owner must decide. */
function ofPublic(owners: NotificationOwners, reader: PublicReader, select: (facts: RawBuilder<unknown>) => RawBuilder<unknown>) {
  const cases = (Object.keys(owners) as Owner[]).flatMap((name) => {
    const subject = owners[name].public?.(reader)
    return subject
      ? [sql`when n.type in (${literals(typesBy(({ owner }) => owner === name))}) then (${select(subject.facts)} from ${subject.from})`]
      : []
  })
  return sql`case when ${isFromHeard} is not true then null ${sql.join(cases, sql` `)}
    when n.type in (${literals(typesBy(({ owner }) => owner === 'none'))}) then (${select(sql`'{}'::jsonb`)}) end`
}

const selected = ({ userId: id, now }: Slots<Params>, hasPlan: boolean) =>
  sql`notifications n where n.user_id = ${id} and ${isInApp({ id, now, hasPlan })}`

type Size = { hasPlan: boolean; size: number }
const paramTypes = { userId: 'uuid', now: 'timestamptz', isOfAge: 'boolean' } as const

const makePage = (owners: NotificationOwners, { hasPlan, size }: Size) =>
  compileShared<PageParams, PublicRow>(
    { ...paramTypes, beforeTime: 'timestamptz', beforeId: 'uuid' },
    (_db, slots) => sql`
      with unheard as materialized (${unheardBy(slots.userId)}),
      page as materialized (
        select * from ${selected(slots, hasPlan)} and (n.created_at, n.id) < (${slots.beforeTime}, ${slots.beforeId})
        order by n.created_at desc, n.id desc limit ${sql.lit(size)})
      select n.id, n.type, n.is_read, n.created_at, ${ofPublic(owners, readerOf(slots), (facts) => sql`select ${facts}`)} as facts,
        n.post_id, n.hunt_id, n.conversation_id, n.event_id, n.moderation_action_id, n.reason,
        businesses.id as business_id, businesses.slug as business_slug, businesses.name as business_name,
        businesses.type as business_type, ${businessPictureId} as business_image_id,
        users.id as actor_id, users.display_name, users.first_name, users.last_name, users.profile_moderation, users.image_id,
        coalesce(users.is_profile_public, false) as is_profile_public, greatest(n.actors_count - 1, 0) as others
      from page n
        cross join unheard
        left join businesses on businesses.id = n.business_id
        left join users on users.id = n.actor_id`,
    sql`answer.created_at desc, answer.id desc`,
  )

/** `facts` is null if the owner of the type must decide. The row may then contain more than its recipient may see. */
type PublicRow = NotificationRow

type Counted = { shown: number; seen: number; ids: string[]; types: NotificationType[] }

const makeCount = (owners: NotificationOwners, { hasPlan, size }: Size) =>
  compileShared<Params, Counted>(
    paramTypes,
    (_db, slots) => sql`
      with unheard as materialized (${unheardBy(slots.userId)}),
      page as materialized (select * from ${selected(slots, hasPlan)} and not n.is_read limit ${sql.lit(size)})
      select count(*) filter (where is_public)::integer as shown, count(*)::integer as seen,
        coalesce(array_agg(id) filter (where not is_public), '{}') as ids,
        coalesce(array_agg(type) filter (where not is_public), '{}') as types
      from (
        select n.id, n.type, coalesce(${ofPublic(owners, readerOf(slots), () => sql`select true`)}, false) as is_public
        from page n cross join unheard offset 0) unread`,
  )

/** Returns the statement for a size, with or without what a plan turns on. Each is compiled on first use. */
function statements<Statement>(make: (owners: NotificationOwners, size: Size) => Statement) {
  const known = new WeakMap<NotificationOwners, Map<string, Statement>>()
  return (owners: NotificationOwners, size: Size): Statement => {
    const made = known.get(owners) ?? new Map<string, Statement>()
    known.set(owners, made)
    const key = `${size.hasPlan} ${size.size}`
    const statement = made.get(key) ?? make(owners, size)
    made.set(key, statement)
    return statement
  }
}
const pageStatement = statements(makePage)
const countStatement = statements(makeCount)

function inAppRows(db: Db, owners: NotificationOwners, viewer: NotificationViewer, span: Span): Promise<Found<NotificationRow>> {
  return readShown(async (after, size) => {
    const [beforeTime, beforeId] = after ?? beginning
    const statement = pageStatement(owners, { hasPlan: viewer.hasPlan, size })
    const rows = await statement(db, { ...paramsOf(viewer), beforeTime, beforeId })
    const others = rows.filter(({ facts }) => facts === null)
    const asked = new Map((await rowsWithVisibilityByIds(db, owners, viewer, others)).map((row) => [row.id, row]))
    return rows.map((row): WithVisibility<NotificationRow> => {
      const isPublic = row.facts !== null
      return isPublic ? Object.assign(row, { is_shown: true }) : (asked.get(row.id) ?? Object.assign(row, { is_shown: false }))
    })
  }, span)
}

/** Only a few sizes, because each is a literal in its own statement: see `pageIds`. */
const countSizes = [maxUnread, 512, 1024]

/**
 * Counts the unread notifications that the person may see in the app, up to `maxUnread`. Reads more and more of them, in no particular
 * order, until it has found enough. Exact for people with up to 1024 unread ones.
 */
async function countUnread(db: Db, owners: NotificationOwners, viewer: NotificationViewer): Promise<number> {
  let count = 0
  for (const size of countSizes) {
    const [counted] = await countStatement(owners, { hasPlan: viewer.hasPlan, size })(db, paramsOf(viewer))
    const { shown, seen, ids, types } = counted as Counted
    count = shown >= maxUnread ? shown : shown + (await countAsked(db, owners, viewer, { ids, types }))
    if (count >= maxUnread || seen < size) break
  }
  return Math.min(count, maxUnread)
}
