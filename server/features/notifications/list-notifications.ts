import { sql } from 'kysely'
import { maxUnread, type Notification } from '#contracts/notifications.ts'
import type { Db } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, encodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import type { NotificationOwners } from './notification-types.ts'
import { countShown, keyOf, setAllRead, setRead, shownRows } from './notifications.queries.ts'
import { toNotification } from './notifications.view.ts'
import { loadReader } from './recipient.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type PageQuery = { limit: number; cursor?: string | undefined }

/** A page is shorter than `limit` without being the last only if many notifications in a row may not be shown. */
export async function listNotifications(
  { db, clock }: Ctx,
  owners: NotificationOwners,
  userId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<Notification>> {
  const start = decodeCursor(cursor, ['time', 'id'])
  const reader = await loadReader(db, userId, clock.now())
  if (!reader) return { items: [], nextCursor: null }
  const { rows, rest } = await shownRows(db, owners, reader, { types: reader.types.in_app }, { start, wanted: limit + 1 })
  const { items, nextCursor } = toPage(rows, limit, keyOf)
  return { items: items.map(toNotification), nextCursor: nextCursor ?? (rest && encodeCursor(rest)) }
}

/** Capped at `maxUnread`, to bound the cost for people who never read their notifications. */
export async function unreadCount(
  { db, clock }: { db: Db; clock: Context['clock'] },
  owners: NotificationOwners,
  userId: string,
): Promise<{ count: number }> {
  const reader = await loadReader(db, userId, clock.now())
  if (!reader) return { count: 0 }
  const unread = { types: reader.types.in_app, where: sql<boolean>`not n.is_read` }
  return { count: await countShown(db, owners, reader, unread, maxUnread) }
}

/** Returns the remaining unread count. @throws AppError not_found if it isn't theirs */
export async function markRead(
  ctx: Pick<Context, 'db' | 'clock' | 'live'>,
  owners: NotificationOwners,
  userId: string,
  id: string,
): Promise<{ count: number }> {
  if (!(await setRead(ctx.db, userId, id))) throw notFound('Notification not found.')
  await ctx.live.publish({ kind: 'notifications', userIds: [userId] })
  return unreadCount(ctx, owners, userId)
}

export async function markAllRead(
  ctx: Pick<Context, 'db' | 'clock' | 'live'>,
  owners: NotificationOwners,
  userId: string,
): Promise<{ count: number }> {
  await setAllRead(ctx.db, userId)
  await ctx.live.publish({ kind: 'notifications', userIds: [userId] })
  return unreadCount(ctx, owners, userId)
}
