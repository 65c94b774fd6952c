import { channels } from './choices.ts'
import { Id, withoutNul } from './fields.ts'
import { notificationTopics, notificationTypes } from './notification-types.ts'
import { Person } from './people.ts'
import { BusinessByline } from './posts.ts'
import * as z from './zod.ts'

export const Notification = z.object({
  id: Id,
  type: z.enum(notificationTypes),
  /** One line, such as "Ann and 11 others liked your post". */
  title: z.string(),
  /** Empty if the viewer may not see it. */
  content: z.string(),
  isRead: z.boolean(),
  createdAt: z.iso.datetime(),
  actionUrl: z.string(),
  /** Whose picture to show: the business's, or the latest person's if there is no business. */
  business: z.nullable(BusinessByline),
  person: z.nullable(Person),
})
export type Notification = z.infer<typeof Notification>

/** Unread notifications are counted up to this number. The badge then shows "99+". */
export const maxUnread = 100

export const Channel = z.enum(channels)
export type Channel = z.infer<typeof Channel>

const Minute = z.int().check(z.minimum(0), z.maximum(1439))

const Topic = z.enum(notificationTopics)
const Channels = z.object({ in_app: z.boolean(), email: z.boolean(), push: z.boolean() })

/** IANA name. */
export const TimeZone = z.string().check(z.maxLength(64), withoutNul)

const delivery = {
  isEmailOn: z.boolean(),
  emailRhythm: z.enum(['each', 'daily', 'weekly']),
  /** Whether messages, and reviews of the person's business with fewer than 4 stars, are emailed without waiting for the digest. */
  isPromptOn: z.boolean(),
  /** Minutes since midnight in `timeZone` between which no emails or pushes are sent. Null if there are no quiet hours. */
  quietHours: z.nullable(z.object({ from: Minute, until: Minute })),
  timeZone: TimeZone,
}

export const NotificationPreferences = z.object({ topics: z.array(z.object({ topic: Topic, channels: Channels })), ...delivery })
export type NotificationPreferences = z.infer<typeof NotificationPreferences>

/** Omitted settings, topics and channels don't change. */
export const NotificationPreferencesChange = z.partial(
  z.object({ topics: z.array(z.object({ topic: Topic, channels: z.partial(Channels) })), ...delivery }),
)
export type NotificationPreferencesChange = z.infer<typeof NotificationPreferencesChange>
