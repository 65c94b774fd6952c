import { channels } from '#contracts/choices.ts'
import { type NotificationTopic, notificationTopics } from '#contracts/notification-types.ts'
import type { NotificationPreferences } from '#contracts/notifications.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { isTimeZone } from '#server/kernel/time-zones.ts'
import { type Choice, choicesOf, hasProductUpdates, removeChoices, saveChoices, saveSettings, settingsOf } from './preferences.queries.ts'
import { type Channels, defaultsFor } from './topics.ts'

export async function loadPreferences(db: Db, userId: string, now: Date): Promise<NotificationPreferences> {
  const [hasUpdates, chosen, settings] = await Promise.all([
    hasProductUpdates(db, userId, now),
    choicesOf(db, userId),
    settingsOf(db, userId),
  ])
  const channelsOf = channelsBy(chosen, hasUpdates)
  const { quiet_from: from = null, quiet_until: until = null } = settings ?? {}
  return {
    topics: notificationTopics.map((topic) => ({ topic, channels: channelsOf[topic] })),
    isEmailOn: settings?.is_email_on ?? true,
    emailRhythm: settings?.email_rhythm ?? 'daily',
    quietHours: from === null || until === null ? null : { from, until },
    timeZone: settings?.time_zone ?? 'UTC',
  }
}

/** The channels of each topic: the person's choices over the defaults. */
export function channelsBy(choices: readonly Choice[], hasUpdates: boolean): Record<NotificationTopic, Channels> {
  const chosen = defaultsFor(hasUpdates)
  for (const { topic, channel, is_on } of choices) chosen[topic][channel] = is_on
  return chosen
}

/**
 * Stores only differences from the defaults, so that better defaults reach people who never chose. Omitted topics keep their settings.
 * @throws AppError invalid_input for an unknown time zone
 */
export async function savePreferences(
  ctx: Pick<Context, 'db' | 'live' | 'clock'>,
  userId: string,
  preferences: NotificationPreferences,
): Promise<NotificationPreferences> {
  if (!isTimeZone(preferences.timeZone)) throw invalidField('timeZone', 'Unknown time zone')
  // If a topic is given twice, the last one wins.
  const chosenOf = new Map(preferences.topics.map(({ topic, channels: chosen }) => [topic, chosen]))
  const given = [...chosenOf].flatMap(([topic, chosen]) => channels.map((channel) => ({ topic, channel, is_on: chosen[channel] })))
  const defaults = defaultsFor(await hasProductUpdates(ctx.db, userId, ctx.clock.now()))
  const isDefault = ({ topic, channel, is_on }: (typeof given)[number]) => defaults[topic][channel] === is_on
  await inTransaction(ctx.db, async (tx) => {
    await saveSettings(tx, userId, {
      is_email_on: preferences.isEmailOn,
      email_rhythm: preferences.emailRhythm,
      quiet_from: preferences.quietHours?.from ?? null,
      quiet_until: preferences.quietHours?.until ?? null,
      time_zone: preferences.timeZone,
    })
    await removeChoices(tx, userId, given.filter(isDefault))
    await saveChoices(
      tx,
      userId,
      given.filter((choice) => !isDefault(choice)),
    )
  })
  // In-app visibility may have changed, and the badge with it.
  await ctx.live.publish({ kind: 'notifications', userIds: [userId] })
  return loadPreferences(ctx.db, userId, ctx.clock.now())
}
