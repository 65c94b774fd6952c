import { ageOn, utcDate } from '../../../contracts/age.ts'
import { type Channel, type NotificationType, notificationTopics } from '../../../contracts/notifications.ts'
import type { Db } from '../../db/connect.ts'
import type { Viewer } from '../posts/index.ts'
import { choicesOf, hasProductUpdates } from './preferences.queries.ts'
import { channelsBy } from './preferences.ts'
import { alwaysTold, typesOf } from './topics.ts'

/** Somebody who reads notifications, in the app or by another channel. */
export type NotificationReader = Viewer & { now: Date; types: Record<Channel, NotificationType[]> }

/** Null where there is no such account. */
export async function loadReader(db: Db, userId: string, now: Date): Promise<NotificationReader | null> {
  const [user, choices] = await Promise.all([
    db.selectFrom('users').select(['birthday', 'subscription_tier']).where('id', '=', userId).executeTakeFirst(),
    choicesOf(db, userId),
  ])
  if (!user) return null
  const hasPlan = user.subscription_tier !== null
  const channels = channelsBy(choices, hasPlan && (await hasProductUpdates(db, userId, now)))
  const typesWith = (channel: Channel) => notificationTopics.filter((topic) => channels[topic][channel]).flatMap(typesOf)
  return {
    id: userId,
    now,
    hasPlan,
    age: user.birthday ? ageOn(user.birthday, utcDate(now)) : null,
    types: { in_app: [...typesWith('in_app'), ...alwaysTold], email: typesWith('email'), push: typesWith('push') },
  }
}
