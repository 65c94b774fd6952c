import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { keptVapidKeys, type VapidKeys } from '../secrets.ts'
import type { Manifest } from './manifest.ts'
import { BackupRefused } from './refusal.ts'

/** What is not in the database, and without which parts of it cannot be read: keys of second factors and of payment accounts. */
export type Secrets = { sessionSecret: string; vapid: VapidKeys }

/** The secrets of a server that has been started at least once. */
export const secretsOf = (config: Pick<Config, 'sessionSecret' | 'vapidKeys' | 'dataDir'>): Secrets => ({
  sessionSecret: config.sessionSecret,
  vapid: config.vapidKeys ?? keptVapidKeys(config.dataDir),
})

/** Slow on purpose: a secret that people made up must not be found by trying words. */
const fingerprint = (secret: string, salt: string): string => scryptSync(secret, salt, 16).toString('hex')

export function describeSecrets({ sessionSecret, vapid }: Secrets, isIncluded: boolean): Manifest['secrets'] {
  const salt = randomBytes(16).toString('hex')
  return { salt, session: fingerprint(sessionSecret, salt), vapid: fingerprint(vapid.privateKey, salt), isIncluded }
}

const isSame = (known: string, secret: string, salt: string) => timingSafeEqual(Buffer.from(known), Buffer.from(fingerprint(secret, salt)))

/**
 * A server with another secret cannot open what was sealed with this one.
 * @param found what the server would go on with; null where it has none yet
 * @throws BackupRefused unless it is the one that the backup was made with
 */
export function requireSameSecrets({ secrets }: Manifest, found: { sessionSecret: string | null; vapid: VapidKeys | null }): void {
  const { salt, session, vapid } = secrets
  if (found.sessionSecret === null) {
    throw new BackupRefused(
      'There is no SESSION_SECRET here, and the backup does not hold its own. Set the one of the server that was backed up, ' +
        'or copy its secrets.json and vapid.json into DATA_DIR.',
    )
  }
  const hint = 'Set the one it was made with. With --other-secrets'
  if (!isSame(session, found.sessionSecret, salt)) {
    throw new BackupRefused(
      `The backup was made with another SESSION_SECRET. ${hint} second factors and payment accounts are set up anew, and everybody signs in again.`,
    )
  }
  if (vapid !== null && found.vapid !== null && !isSame(vapid, found.vapid.privateKey, salt)) {
    throw new BackupRefused(`The backup was made with other VAPID keys. ${hint} browsers are subscribed to pushes anew.`)
  }
}
