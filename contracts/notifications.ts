import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { notificationTopics, notificationTypes } from './notification-types.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { BusinessByline } from './posts.ts'
import { line, withoutNul } from './text.ts'

export const Notification = z.object({
  id: Id,
  type: z.enum(notificationTypes),
  /** One line: "Ann and 11 others liked your post". */
  title: z.string(),
  /** A short excerpt; empty if the reader may not see it. */
  content: z.string(),
  isRead: z.boolean(),
  createdAt: z.iso.datetime(),
  actionUrl: z.string(),
  /** Whose picture to show: the business's, or the latest person's. */
  business: z.nullable(BusinessByline),
  person: z.nullable(Person),
})
export type Notification = z.infer<typeof Notification>

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

/** The badge shows "99+" above this. */
export const maxUnread = 100
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

export const channels = ['in_app', 'email', 'push'] as const
export const Channel = z.enum(channels)
export type Channel = z.infer<typeof Channel>

const Minute = z.int().check(z.minimum(0), z.maximum(1439))

export const NotificationPreferences = z.object({
  topics: z.array(
    z.object({ topic: z.enum(notificationTopics), channels: z.object({ in_app: z.boolean(), email: z.boolean(), push: z.boolean() }) }),
  ),
  isEmailOn: z.boolean(),
  emailRhythm: z.enum(['each', 'daily', 'weekly']),
  /** Minutes of the day in `timeZone` between which no emails or pushes are sent; null: no quiet hours. */
  quietHours: z.nullable(z.object({ from: Minute, until: Minute })),
  /** IANA name. */
  timeZone: z.string().check(z.maxLength(64), withoutNul),
})
export type NotificationPreferences = z.infer<typeof NotificationPreferences>

export const getNotificationPreferences = endpoint({
  method: 'GET',
  path: '/api/notification-preferences',
  summary: 'Read your notification settings',
  tag: 'Notifications',
  access: 'member',
  response: NotificationPreferences,
})

export const saveNotificationPreferences = endpoint({
  method: 'PUT',
  path: '/api/notification-preferences',
  summary: 'Change your notification settings',
  tag: 'Notifications',
  access: 'member',
  words: 'account',
  body: NotificationPreferences,
  response: NotificationPreferences,
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
  summary: "Send pushes to this browser; the body is the browser's own subscription",
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
  summary: 'Stop sending pushes to this browser',
  tag: 'Notifications',
  access: 'member',
  words: 'account',
  body: z.object({ endpoint: line(1000) }),
})
