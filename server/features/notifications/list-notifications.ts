import type { Notification } from '#contracts/notifications.ts'
import type { Db } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { countUnread, listed, notificationRows, setAllRead, setRead } from './notifications.queries.ts'
import { toNotification } from './notifications.view.ts'
import { loadReader } from './recipient.ts'

type PageQuery = { limit: number; cursor?: string | undefined }

export async function listNotifications(ctx: Pick<Context, 'db' | 'clock'>, userId: string, page: PageQuery): Promise<Page<Notification>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const reader = await loadReader(ctx.db, userId, ctx.clock.now())
  if (!reader) return { items: [], nextCursor: null }
  const rows = await notificationRows(ctx.db, reader, { where: listed(reader, after), limit: page.limit + 1 })
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map(toNotification), nextCursor }
}

export async function unreadCount(ctx: { db: Db; clock: Context['clock'] }, userId: string): Promise<{ count: number }> {
  const reader = await loadReader(ctx.db, userId, ctx.clock.now())
  return { count: reader ? await countUnread(ctx.db, reader) : 0 }
}

/** Returns the remaining unread count. @throws AppError not_found if it isn't theirs */
export async function markRead(ctx: Pick<Context, 'db' | 'clock' | 'live'>, userId: string, id: string): Promise<{ count: number }> {
  if (!(await setRead(ctx.db, userId, id))) throw notFound('Notification not found.')
  await ctx.live.publish({ kind: 'notifications', userIds: [userId] })
  return unreadCount(ctx, userId)
}

export async function markAllRead(ctx: Pick<Context, 'db' | 'clock' | 'live'>, userId: string): Promise<{ count: number }> {
  await setAllRead(ctx.db, userId)
  await ctx.live.publish({ kind: 'notifications', userIds: [userId] })
  return unreadCount(ctx, userId)
}
