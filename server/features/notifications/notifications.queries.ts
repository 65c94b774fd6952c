import { type RawBuilder, sql } from 'kysely'
import { type NotificationTopic, type NotificationType, notificationTypes, topicOf } from '#contracts/notification-types.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { businessNotBlocked, isNotBlocked } from '#server/features/people/index.ts'
import { businessPictureId } from '#server/kernel/media-address.ts'
import type { NotificationViewer } from '#server/kernel/notified-subject.ts'
import { descriptionOf, type NotificationOwners, type NotificationRow, type Owner, typesBy } from './notification-types.ts'

export type Key = readonly [createdAt: string, id: string]
type Keyed = Pick<NotificationRow, 'id' | 'created_at'>
type TypedKey = Keyed & Pick<NotificationRow, 'type'>
export type WithVisibility<Row> = Row & { is_shown: boolean }

const largestRead = 1024
/** Rows per statement. Only a few sizes, as literals, so that the planner knows them and few statements are prepared. */
const readSizes = [24, 128, 512, largestRead] as const
type ReadSize = (typeof readSizes)[number]
const maxReads = 5

type Selection = { types: readonly NotificationType[]; where?: RawBuilder<boolean> }
type Page = Selection & { after: Key | null; limit: ReadSize }

export const keyOf = ({ created_at, id }: Keyed): Key => [created_at.toISOString(), id]

/** The parameters are in subselects, so that everyone gets the same plan: see `pageIds`. */
const selected = (viewer: NotificationViewer, { types, where = sql<boolean>`true` }: Selection) => sql`
  select * from notifications n
  where n.user_id = (select ${viewer.id}::uuid) and n.type = any((select ${types}::text[])::text[]) and ${where}`

function newest(viewer: NotificationViewer, { after, limit, ...selection }: Page) {
  const isAfter = after === null ? sql`true` : sql`(n.created_at, n.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`
  return sql`${selected(viewer, selection)} and ${isAfter} order by n.created_at desc, n.id desc limit ${sql.lit(limit)}`
}

/**
 * SQL: the rows of `page` that may be shown, with the facts from the owner of each row's type. Each owner gets all rows of its types
 * together. `only` skips the other owners if the caller knows which one owns the subjects.
 */
function answers(owners: NotificationOwners, viewer: NotificationViewer, only?: Owner | 'none') {
  const rowsOf = (owner: Owner | 'none') => {
    const types = typesBy((description) => description.owner === owner)
    return sql`(select * from page where page.type in (${literals(types)}))`
  }
  const asked = (Object.keys(owners) as Owner[]).filter((owner) => only === undefined || owner === only)
  const ofOwners = asked.map((owner) => owners[owner].shown(rowsOf(owner), viewer))
  const ofNone = sql`select asked.id, null::jsonb as facts from ${rowsOf('none')} asked`
  return sql.join([ofNone, ...ofOwners], sql` union all `)
}

export const literals = (types: readonly NotificationType[]) => sql.join(types.map((type) => sql.lit(type)))
/**
 * A personal mute hides a person's or business's posts, menu items, likes, comments and mentions. Messages, invitations, events and reviews
 * still arrive.
 */
const mutedTopics: readonly (NotificationTopic | null)[] = ['posts', 'products', 'likes', 'comments', 'mentions']
const muted = literals(notificationTypes.filter((type) => mutedTopics.includes(topicOf(type))))
export const bySite = literals(typesBy(({ from }) => from === 'site'))
export const byBusiness = literals(typesBy(({ from }) => from === 'business' || from === 'either'))

/** SQL: the viewer has muted the person, and a mute applies to the notification's type. */
const isMuted = (id: RawBuilder<unknown>, person: RawBuilder<unknown>) => sql<boolean>`(n.type in (${muted})
  and exists (select from person_mutes where person_mutes.user_id = ${id} and person_mutes.muted_id = ${person}))`

/** SQL: neither a block nor an applicable mute hides the person from the viewer. */
const isHeard = (id: RawBuilder<unknown>, person: RawBuilder<unknown>) =>
  sql<boolean>`(${isNotBlocked(id, person)} and not ${isMuted(id, person)})`

const isBusinessMuted = (id: RawBuilder<unknown>) => sql<boolean>`(n.type in (${muted})
  and exists (select from business_mutes where business_mutes.user_id = ${id} and business_mutes.business_id = n.business_id))`

/**
 * SQL: at least one of the actors isn't hidden from the viewer. The posts feature itself checks for a block between the viewer and a post's
 * author.
 */
const isFromVisible = (viewer: NotificationViewer) => {
  const id = sql`${viewer.id}::uuid`
  return sql<boolean>`((n.business_id is null or (${businessNotBlocked(viewer.id, 'n.business_id')} and not ${isBusinessMuted(id)}))
    and ((n.actors_count = 0 and (n.actor_id is null or not ${isMuted(id, sql`n.actor_id`)}))
      or n.type in (${bySite})
      or (n.type in (${byBusiness}) and n.actor_id is null and n.business_id is not null)
      or (n.actor_id is not null and ${isHeard(id, sql`n.actor_id`)})
      or exists (select from notification_actors a where a.notification_id = n.id and ${isHeard(id, sql`a.user_id`)} offset 0)))`
}

/** SQL: notification `n` may be shown. A join would run once per row if the planner expects only a few. */
const isShown = (owners: NotificationOwners, viewer: NotificationViewer, only?: Owner | 'none') =>
  sql<boolean>`(n.id in (select shown.id from (${answers(owners, viewer, only)}) shown) and ${isFromVisible(viewer)})`

/** Newest first, including notifications that may not be shown. Texts come from the subject's current state, as visible to the viewer. */
async function rowsWithVisibility(
  db: Db,
  owners: NotificationOwners,
  viewer: NotificationViewer,
  page: RawBuilder<unknown>,
  only?: Owner | 'none',
): Promise<WithVisibility<NotificationRow>[]> {
  const id = sql`${viewer.id}::uuid`
  const { rows } = await sql<WithVisibility<NotificationRow>>`
    with page as materialized (${page}), shown as materialized (${answers(owners, viewer, only)})
    select n.id, n.type, n.is_read, n.created_at, shown.facts, shown.id is not null and ${isFromVisible(viewer)} as is_shown,
      n.post_id, n.hunt_id, n.conversation_id, n.event_id, n.moderation_action_id, n.reason,
      businesses.id as business_id, businesses.slug as business_slug, businesses.name as business_name,
      businesses.type as business_type, ${businessPictureId} as business_image_id,
      users.id as actor_id, users.display_name, users.first_name, users.last_name, users.profile_moderation, users.image_id,
      coalesce(users.is_profile_public, false) as is_profile_public,
      case when n.actors_count > 1 then greatest(n.actors_count - 1 - (
        select count(*) from notification_actors a where a.notification_id = n.id and (a.user_id in (${blockedPeople(id)})
          or (n.type in (${muted}) and a.user_id in (select muted_id from person_mutes where user_id = ${id})))), 0) else 0
      end::integer as others
    from page n
      left join shown on shown.id = n.id
      left join businesses on businesses.id = n.business_id
      -- offset 0: looked up for each row; the planner would otherwise read whole tables for a page.
      left join lateral (select * from users where users.id = case
        when n.actor_id is not null and ${isHeard(id, sql`n.actor_id`)} then n.actor_id
        when n.actors_count > 0 then (
          select a.user_id from notification_actors a
          where a.notification_id = n.id and ${isHeard(id, sql`a.user_id`)}
          order by a.created_at desc, a.user_id desc limit 1)
      end offset 0) users on true
    order by n.created_at desc, n.id desc`.execute(db)
  return rows
}

/** People blocked in either direction. Queried separately because blocks are few and likers may be many. */
const blockedPeople = (id: RawBuilder<unknown>) => sql`
  select blocked_id from person_blocks where blocker_id = ${id} union select blocker_id from person_blocks where blocked_id = ${id}`

async function keysWithVisibility(
  db: Db,
  owners: NotificationOwners,
  viewer: NotificationViewer,
  page: Page,
): Promise<WithVisibility<TypedKey>[]> {
  const { rows } = await sql<WithVisibility<TypedKey>>`
    with page as materialized (${newest(viewer, page)})
    select n.id, n.type, n.created_at, ${isShown(owners, viewer)} as is_shown
    from page n
    order by n.created_at desc, n.id desc`.execute(db)
  return rows
}

export type Span = { start: Key | null; wanted: number }
export type Found<Row> = { rows: Row[]; rest: Key | null }

/**
 * Reads in increasingly large steps until `wanted` notifications may be shown or there are no more. Gives up after many that may not be
 * shown, to bound the cost; `rest` is then where to continue.
 */
export async function readShown<Row extends Keyed>(
  read: (after: Key | null, limit: ReadSize) => Promise<WithVisibility<Row>[]>,
  { start, wanted }: Span,
): Promise<Found<Row>> {
  const rows: Row[] = []
  let rest = start
  // Reads a few extra rows, so that one that may not be shown doesn't cost another statement.
  const sizes = readSizes.filter((size) => size >= wanted * 1.1)
  for (let reads = 0; reads < maxReads && rows.length < wanted; reads++) {
    const limit = sizes[reads] ?? largestRead
    const page = await read(rest, limit)
    rows.push(...page.filter(({ is_shown }) => is_shown))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return { rows: rows.slice(0, wanted), rest: null }
    rest = keyOf(last)
  }
  return { rows: rows.slice(0, wanted), rest }
}

export const shownRows = (
  db: Db,
  owners: NotificationOwners,
  viewer: NotificationViewer,
  selection: Selection,
  span: Span,
): Promise<Found<NotificationRow>> =>
  readShown((after, limit) => rowsWithVisibility(db, owners, viewer, newest(viewer, { ...selection, after, limit })), span)

/** SQL: selects notifications by ID, if the viewer still has them. */
const selectByIds = (viewer: NotificationViewer, ids: readonly string[]) =>
  sql`select * from notifications n where n.id = ${pageIds(ids)} and n.user_id = (select ${viewer.id}::uuid)`

/** The feature that owns all subjects of these types, if there is only one. */
function ownerOf(types: readonly NotificationType[]): Owner | 'none' | undefined {
  const [owner = 'none', ...others] = new Set(types.map((type) => descriptionOf(type).owner).filter((each) => each !== 'none'))
  return others.length === 0 ? owner : undefined
}

export async function rowsWithVisibilityByIds(
  db: Db,
  owners: NotificationOwners,
  viewer: NotificationViewer,
  given: readonly Pick<NotificationRow, 'id' | 'type'>[],
): Promise<WithVisibility<NotificationRow>[]> {
  if (given.length === 0) return []
  return rowsWithVisibility(db, owners, viewer, selectByIds(viewer, idsOf(given)), ownerOf(given.map(({ type }) => type)))
}

export async function countAsked(
  db: Db,
  owners: NotificationOwners,
  viewer: NotificationViewer,
  { ids, types }: { ids: readonly string[]; types: readonly NotificationType[] },
): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ shown: number }>`
    with page as materialized (${selectByIds(viewer, ids)} and not n.is_read)
    select count(*) filter (where ${isShown(owners, viewer, ownerOf(types))})::integer as shown from page n`.execute(db)
  return rows[0]?.shown ?? 0
}

/** Newest first. */
async function shownKeys(
  db: Db,
  owners: NotificationOwners,
  viewer: NotificationViewer,
  selection: Selection,
  wanted: number,
): Promise<TypedKey[]> {
  const read = (after: Key | null, limit: ReadSize) => keysWithVisibility(db, owners, viewer, { ...selection, after, limit })
  return (await readShown(read, { start: null, wanted })).rows
}

/** Returns whether the person has this notification. */
export async function setRead(db: Db, userId: string, id: string): Promise<boolean> {
  const found = await db
    .updateTable('notifications')
    .set({ is_read: true })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return found !== undefined
}

export const setAllRead = (db: Db, userId: string) =>
  db.updateTable('notifications').set({ is_read: true }).where('user_id', '=', userId).where('is_read', '=', false).execute()

/** Unsent notifications claimed at a time. */
const maxClaimed = 1000

/**
 * Older notifications aren't sent. Otherwise, turning a channel on would send everything that was left unread while it was off. Emails can
 * wait a week for the weekly digest, or longer if it's late; pushes can wait up to a day for quiet hours to end.
 */
export const maxAgeMs = { email: 9 * dayMs, push: dayMs }

/**
 * Marks as sent the newest unread notifications of these types that haven't been sent on this channel. If two processes do this
 * concurrently, only one gets each notification.
 */
export async function claimNewest(
  tx: Tx,
  owners: NotificationOwners,
  viewer: NotificationViewer,
  channel: 'email' | 'push',
  types: readonly NotificationType[],
): Promise<Pick<NotificationRow, 'id' | 'type'>[]> {
  const column = channel === 'email' ? ('mailed_at' as const) : ('pushed_at' as const)
  const since = new Date(viewer.now.getTime() - maxAgeMs[channel])
  const unsent = {
    types,
    where: sql<boolean>`not n.is_read and ${sql.ref(`n.${column}`)} is null and n.created_at > ${since}::timestamptz`,
  }
  const ids = (await shownKeys(tx, owners, viewer, unsent, maxClaimed)).map(({ id }) => id)
  const rows = await tx
    .updateTable('notifications')
    .set({ [column]: viewer.now })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('is_read', '=', false)
    .where(column, 'is', null)
    .returning(['id', 'type'])
    .execute()
  const claimed = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => claimed.get(id) ?? [])
}

/** The unread notifications of these types that were pushed after `since`, newest first. */
export const pushedSince = (
  tx: Tx,
  owners: NotificationOwners,
  viewer: NotificationViewer,
  types: readonly NotificationType[],
  since: Date,
): Promise<Pick<NotificationRow, 'id' | 'type'>[]> =>
  shownKeys(tx, owners, viewer, { types, where: sql<boolean>`not n.is_read and n.pushed_at > ${since}::timestamptz` }, maxClaimed)
