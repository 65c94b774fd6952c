import { endpoint } from './endpoint.ts'
import { IdParams, line, page } from './fields.ts'
import { Notification, NotificationPreferences, NotificationPreferencesChange, TimeZone } from './notifications.ts'
import * as z from './zod.ts'

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'List your notifications, newest first',
  tag: 'Notifications',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Notification),
})

const UnreadCount = z.object({ count: z.int() })

export const getUnreadCount = endpoint({
  method: 'GET',
  path: '/api/notifications/unread-count',
  summary: 'Count unread notifications, at most 100',
  tag: 'Notifications',
  access: 'member',
  response: UnreadCount,
})

export const markNotificationRead = endpoint({
  method: 'POST',
  path: '/api/notifications/:id/read',
  summary: 'Mark a notification as read. Idempotent.',
  tag: 'Notifications',
  access: 'member',
  params: IdParams,
  response: UnreadCount,
})

export const markAllNotificationsRead = endpoint({
  method: 'POST',
  path: '/api/notifications/mark-all-read',
  summary: 'Mark every notification as read',
  tag: 'Notifications',
  access: 'member',
  response: UnreadCount,
})

export const getNotificationPreferences = endpoint({
  method: 'GET',
  path: '/api/notification-preferences',
  summary: 'Read your notification settings',
  tag: 'Notifications',
  access: 'member',
  response: NotificationPreferences,
})

export const saveNotificationPreferences = endpoint({
  method: 'PATCH',
  path: '/api/notification-preferences',
  summary: "Change your notification settings. Omitted settings don't change.",
  tag: 'Notifications',
  access: 'member',
  words: 'account',
  body: NotificationPreferencesChange,
  response: NotificationPreferences,
})

export const setDeviceTimeZone = endpoint({
  method: 'PUT',
  path: '/api/notification-preferences/device-time-zone',
  summary: 'Set the time zone for digests and quiet hours unless you have already set one. Idempotent.',
  tag: 'Notifications',
  access: 'member',
  words: 'account',
  body: z.object({ timeZone: TimeZone }),
})

export const getPushKey = endpoint({
  method: 'GET',
  path: '/api/push/key',
  summary: "Read the server's public key for web push (VAPID)",
  tag: 'Notifications',
  access: 'member',
  response: z.object({ publicKey: z.string() }),
})

export const savePushSubscription = endpoint({
  method: 'PUT',
  path: '/api/push/subscription',
  summary: "Turn on push for this browser; the body is the browser's push subscription",
  tag: 'Notifications',
  access: 'member',
  words: 'account',
  body: z.object({
    endpoint: z.url().check(
      z.maxLength(1000),
      z.startsWith('https://', 'Must be a secure address'),
      z.refine((address) => !address.includes('\0'), 'Must be an address'),
    ),
    keys: z.object({ p256dh: line(200), auth: line(100) }),
  }),
})

export const removePushSubscription = endpoint({
  method: 'POST',
  path: '/api/push/subscription/removals',
  summary: 'Turn off push for this browser',
  tag: 'Notifications',
  access: 'member',
  words: 'account',
  body: z.object({ endpoint: line(1000) }),
})
