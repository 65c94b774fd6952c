import type { Selectable } from 'kysely'
import type { Config } from '../../config.ts'
import type { DB, Db } from '../../db/connect.ts'
import { quietMinutesLeft } from './quiet-hours.ts'

/** Somebody who may be written to outside of the app. */
export type Recipient = {
  id: string
  email: string
  isEmailOn: boolean
  rhythm: Selectable<DB['notification_settings']>['email_rhythm']
  timeZone: string
  lastDigestAt: Date | null
  hasQuietHours: boolean
  /** Seconds until their quiet hours end; 0 outside of them. */
  quietSeconds: number
  /** All day, every day: nothing waits for an end. */
  isAlwaysQuiet: boolean
}

/**
 * Null for whom nothing is sent: demo accounts, and those that are to be deleted. Mail goes to an address that its owner confirmed, where addresses must be
 * confirmed at all.
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
    .select(['users.id', 'users.email', 'users.email_verified', 'settings.is_email_on', 'settings.email_rhythm'])
    .select(['settings.quiet_from', 'settings.quiet_until', 'settings.time_zone', 'settings.last_digest_at'])
    .where('users.id', '=', userId)
    .where('users.is_demo', '=', false)
    .where('users.leaves_at', 'is', null)
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
    timeZone,
    lastDigestAt: row.last_digest_at,
    hasQuietHours: from !== null,
    isAlwaysQuiet: from !== null && from === until,
    quietSeconds: from === null || until === null ? 0 : quietMinutesLeft({ from, until }, timeZone, now) * 60,
  }
}
