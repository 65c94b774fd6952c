import type { Notification } from '#contracts/notifications.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, encodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import type { NotificationViewer } from '#server/kernel/notified-subject.ts'
import { countUnread, inAppRows } from './in-app.queries.ts'
import type { NotificationOwners } from './notification-types.ts'
import { keyOf, setAllRead, setRead } from './notifications.queries.ts'
import { toNotification } from './notifications.view.ts'
import { loadViewer } from './recipient.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type PageQuery = { limit: number; cursor?: string | undefined }

const viewerOf = ({ clock }: Pick<Ctx, 'clock'>, actor: Actor): NotificationViewer => {
  const now = clock.now()
  return { id: actor.id, age: ageOf(actor, now), now, hasPlan: actor.hasPlan }
}

/** A page is shorter than `limit` without being the last only if many notifications in a row may not be shown. */
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

/** The same for a person whose session isn't at hand. */
export async function unreadCountOf({ db, clock }: Ctx, owners: NotificationOwners, userId: string): Promise<number> {
  const viewer = await loadViewer(db, userId, clock.now())
  return viewer ? countUnread(db, owners, viewer) : 0
}

/** Returns the remaining unread count. @throws AppError not_found if it isn't theirs */
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
