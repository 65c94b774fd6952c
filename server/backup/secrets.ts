import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Config } from '#server/config.ts'
import type { Storage } from '#server/kernel/storage.ts'
import { storedVapidKeys, type VapidKeys } from '#server/secrets.ts'
import { BackupRefused, keyOfFilePart, type Manifest, readBackupFile } from './format.ts'

/** Secrets outside the database. The session secret decrypts parts of it, such as second factors and keys of payment accounts. */
export type Secrets = { sessionSecret: string; vapid: VapidKeys }

/** Creates VAPID keys in the data folder if there are none. */
export const secretsOf = (config: Pick<Config, 'sessionSecret' | 'vapidKeys' | 'dataDir'>): Secrets => ({
  sessionSecret: config.sessionSecret,
  vapid: config.vapidKeys ?? storedVapidKeys(config.dataDir),
})

/** Deliberately slow, so a secret chosen by a person can't be guessed from a dictionary. */
const fingerprint = (secret: string, salt: string): string => scryptSync(secret, salt, 16).toString('hex')

export function describeSecrets({ sessionSecret, vapid }: Secrets, isIncluded: boolean): Manifest['secrets'] {
  const salt = randomBytes(16).toString('hex')
  return { salt, session: fingerprint(sessionSecret, salt), vapid: fingerprint(vapid.privateKey, salt), isIncluded }
}

const isSame = (known: string, secret: string, salt: string) => timingSafeEqual(Buffer.from(known), Buffer.from(fingerprint(secret, salt)))

/**
 * A server with another secret can't decrypt what was encrypted with this one.
 * @param found the server's secrets, or null if it has none yet
 * @throws BackupRefused unless the backup was made with these secrets
 */
export function requireSameSecrets({ secrets }: Manifest, found: { sessionSecret: string | null; vapid: VapidKeys | null }): void {
  const { salt, session, vapid } = secrets
  if (found.sessionSecret === null) {
    throw new BackupRefused(
      'No SESSION_SECRET is set here. Set the one from the server that was backed up, ' +
        'or copy its secrets.json and vapid.json into DATA_DIR.',
    )
  }
  const hint = 'Set the one it was made with. If you use --other-secrets instead,'
  if (!isSame(session, found.sessionSecret, salt)) {
    throw new BackupRefused(
      `The backup was made with a different SESSION_SECRET. ${hint} everyone has to sign in again and set up second factors again, and ` +
        'businesses have to re-enter the keys of their payment accounts and the passwords of menu addresses, and replace the secrets of ' +
        'their webhooks.',
    )
  }
  if (vapid === null) return
  if (found.vapid === null) {
    throw new BackupRefused(
      'No VAPID keys are set here. Set the ones from the server that was backed up, or copy its vapid.json into DATA_DIR. ' +
        'If you use --other-secrets instead, browsers have to subscribe to pushes again.',
    )
  }
  if (!isSame(vapid, found.vapid.privateKey, salt)) {
    throw new BackupRefused(`The backup was made with different VAPID keys. ${hint} browsers have to subscribe to pushes again.`)
  }
}

/**
 * Drops the tables' foreign keys, and all indexes but those of constraints, and returns a function that restores them and verifies every
 * reference. That way, tables with circular references can be loaded in any order, and several times as fast. Call only in a transaction,
 * so a failed load restores them. Requires ownership of the tables, not superuser rights.
 */
export async function setAsideConstraints(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid in (${relations}) order by conrelid, conname`,
    [tables],
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid in (${relations}) and not exists (select from pg_constraint where conindid = indexrelid)
     order by indrelid, indexrelid`,
    [tables],
  )
  for (const { owner, name } of keys) await client.query(`alter table ${owner} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    // PostgreSQL defines a partitioned table's index with ONLY, which would omit the partitions' indexes.
    for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '))
    for (const { owner, name, definition } of keys) await client.query(`alter table ${owner} add constraint ${name} ${definition}`)
  }
}

const relations = 'select oid from pg_class where relname = any($1) and relnamespace = current_schema()::regnamespace'

/** Reads every restored file back from storage. @returns the number of files. @throws BackupRefused naming one that differs */
export async function checkFiles(file: string, storage: Storage): Promise<number> {
  let count = 0
  await readBackupFile(file, async (part) => {
    for await (const _chunk of part.bytes);
    const key = keyOfFilePart(part.name)
    if (!key) return
    if ((await hashOf(storage, key)) !== part.end().sha256) throw new BackupRefused(`${key} in the storage differs from the backup.`)
    count++
  })
  return count
}

async function hashOf(storage: Storage, key: string): Promise<string | null> {
  const stored = await storage.get(key)
  if (!stored || 'outOfRange' in stored) return null
  const hash = createHash('sha256')
  for await (const chunk of stored.body) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
