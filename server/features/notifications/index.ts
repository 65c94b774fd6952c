import * as contract from '#contracts/notifications.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listNotifications, markAllRead, markRead, unreadCount } from './list-notifications.ts'
import type { NotificationOwners } from './notification-types.ts'
import { addUnsubscribe } from './notifications.mails.ts'
import { loadPreferences, saveDeviceTimeZone, savePreferences } from './preferences.ts'
import { addSubscription, endSubscription } from './pushes.ts'

export { unreadCountOf } from './list-notifications.ts'
export type { NotificationOwners } from './notification-types.ts'
export { notificationJobs, notificationSchedules } from './notifications.jobs.ts'
export { unsubscribeRoutes } from './notifications.mails.ts'

/** `owners` are the features that decide what notifications may reveal. */
export function registerNotifications(api: Api, owners: NotificationOwners): void {
  route(api, contract.listNotifications, ({ ctx, actor, query }) => listNotifications(ctx, owners, actor, query))
  route(api, contract.getUnreadCount, ({ ctx, actor }) => unreadCount(ctx, owners, actor))
  route(api, contract.markNotificationRead, ({ ctx, actor, params }) => markRead(ctx, owners, actor, params.id))
  route(api, contract.markAllNotificationsRead, ({ ctx, actor }) => markAllRead(ctx, owners, actor))

  route(api, contract.getNotificationPreferences, ({ ctx, actor }) => loadPreferences(ctx.db, actor.id, ctx.clock.now()))
  route(api, contract.saveNotificationPreferences, ({ ctx, actor, body }) => savePreferences(ctx, actor.id, body))

  route(api, contract.setDeviceTimeZone, ({ ctx, actor, body }) => saveDeviceTimeZone(ctx, actor.id, body.timeZone))

  route(api, contract.getPushKey, async ({ ctx }) => ({ publicKey: ctx.pusher.publicKey }))
  route(api, contract.savePushSubscription, async ({ ctx, actor, body }) => {
    await addSubscription(ctx, actor, body)
    return undefined
  })
  route(api, contract.removePushSubscription, async ({ ctx, actor, body }) => {
    await endSubscription(ctx, actor.id, body.endpoint)
    return undefined
  })

  addUnsubscribe(api)
}
