import type { Selectable } from 'kysely'
import { ageOn, utcDate } from '#contracts/age.ts'
import { type NotificationType, notificationTopics } from '#contracts/notification-types.ts'
import type { Channel } from '#contracts/notifications.ts'
import type { Config } from '#server/config.ts'
import type { DB, Db } from '#server/db/connect.ts'
import type { NotificationViewer } from '#server/kernel/notified-subject.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import { channelsBy, choicesOf, hasProductUpdates, typesOf } from './preferences.ts'

export type Recipient = {
  id: string
  email: string
  isEmailOn: boolean
  rhythm: Selectable<DB['notification_settings']>['email_rhythm']
  /** Gets prompt emails immediately, despite a digest. */
  isPromptOn: boolean
  timeZone: string
  lastDigestAt: Date | null
  hasQuietHours: boolean
  /** Seconds until their quiet hours end; 0 outside of them. */
  quietSeconds: number
  /** Quiet all day, every day, so there is no end to wait for. */
  isAlwaysQuiet: boolean
}

/**
 * Returns null for demo accounts, suspended and banned people, and accounts pending deletion, which get no emails or pushes. Email counts
 * as turned off for an unconfirmed address if confirmation is required.
 */
export async function loadRecipient(
  db: Db,
  config: Pick<Config, 'emailVerification'>,
  userId: string,
  now: Date,
): Promise<Recipient | null> {
  const row = await db
    .selectFrom('users')
    .leftJoin('notification_settings as settings', 'settings.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.email_verified', 'settings.is_email_on', 'settings.email_rhythm', 'settings.is_prompt_on'])
    .select(['settings.quiet_from', 'settings.quiet_until', 'settings.time_zone', 'settings.last_digest_at'])
    .where('users.id', '=', userId)
    .where('users.is_demo', '=', false)
    .where('users.leaves_at', 'is', null)
    .where('users.banned_at', 'is', null)
    .where((eb) => eb.or([eb('users.suspended_until', 'is', null), eb('users.suspended_until', '<=', now)]))
    .executeTakeFirst()
  if (!row) return null
  const timeZone = row.time_zone ?? 'UTC'
  const { quiet_from: from, quiet_until: until } = row
  const isConfirmed = row.email_verified || config.emailVerification !== 'required'
  return {
    id: row.id,
    email: row.email,
    isEmailOn: isConfirmed && (row.is_email_on ?? true),
    rhythm: row.email_rhythm ?? 'daily',
    isPromptOn: row.is_prompt_on ?? true,
    timeZone,
    lastDigestAt: row.last_digest_at,
    hasQuietHours: from !== null,
    isAlwaysQuiet: from !== null && from === until,
    quietSeconds: from === null || until === null ? 0 : quietMinutesLeft({ from, until }, timeZone, now) * 60,
  }
}

type QuietHours = { from: number; until: number }

/** Minutes until the quiet hours end, or 0 outside of them. They may span midnight; equal start and end mean all day. */
export function quietMinutesLeft(hours: QuietHours | null, timeZone: string, now: Date): number {
  if (!hours) return 0
  const { minute } = localTime(timeZone, now)
  const { from, until } = hours
  const isQuiet = from < until ? minute >= from && minute < until : minute >= from || minute < until
  return isQuiet ? (until - minute + 1440) % 1440 || 1440 : 0
}

export type NotificationReader = NotificationViewer & { types: Record<Exclude<Channel, 'in_app'>, NotificationType[]> }

export async function loadViewer(db: Db, userId: string, now: Date): Promise<NotificationViewer | null> {
  const user = await db.selectFrom('users').select(['birthday', 'subscription_tier']).where('id', '=', userId).executeTakeFirst()
  return user
    ? { id: userId, now, hasPlan: user.subscription_tier !== null, age: user.birthday ? ageOn(user.birthday, utcDate(now)) : null }
    : null
}

export async function loadReader(db: Db, userId: string, now: Date): Promise<NotificationReader | null> {
  const [viewer, choices] = await Promise.all([loadViewer(db, userId, now), choicesOf(db, userId)])
  if (!viewer) return null
  const channels = channelsBy(choices, viewer.hasPlan && (await hasProductUpdates(db, userId, now)))
  const typesWith = (channel: Channel) => notificationTopics.filter((topic) => channels[topic][channel]).flatMap(typesOf)
  return { ...viewer, types: { email: typesWith('email'), push: typesWith('push') } }
}
