import { ageOn, utcDate } from '../../../contracts/age.ts'
import { type Channel, type NotificationType, notificationTopics } from '../../../contracts/notifications.ts'
import type { Db } from '../../db/connect.ts'
import type { Viewer } from '../posts/index.ts'
import { loadChannels } from './preferences.ts'
import { alwaysTold, typesOf } from './topics.ts'

/** Somebody who reads notifications, in the app or by another channel. */
export type NotificationReader = Viewer & { now: Date; types: Record<Channel, NotificationType[]> }

/** Null where there is no such account. */
export async function loadReader(db: Db, userId: string, now: Date): Promise<NotificationReader | null> {
  const [user, channels] = await Promise.all([
    db.selectFrom('users').select('birthday').where('id', '=', userId).executeTakeFirst(),
    loadChannels(db, userId),
  ])
  if (!user) return null
  const typesWith = (channel: Channel) => notificationTopics.filter((topic) => channels[topic][channel]).flatMap(typesOf)
  return {
    id: userId,
    now,
    age: user.birthday ? ageOn(user.birthday, utcDate(now)) : null,
    types: { in_app: [...typesWith('in_app'), ...alwaysTold], email: typesWith('email'), push: typesWith('push') },
  }
}
