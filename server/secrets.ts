import { generateKeyPairSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export type VapidKeys = { publicKey: string; privateKey: string }

const sessionFile: StoredFile<{ sessionSecret: string }> = {
  name: 'secrets',
  fields: ['sessionSecret'],
  make: () => ({ sessionSecret: randomBytes(32).toString('base64url') }),
  fault: 'contains no session secret. Remove it to have one created; everyone will have to sign in again.',
}

const vapidFile: StoredFile<VapidKeys> = {
  name: 'vapid',
  fields: ['publicKey', 'privateKey'],
  make: makeVapidKeys,
  fault: 'contains no pair of keys. Remove it to have one created; browsers will have to subscribe to pushes again.',
}

/** A data folder's session secret, created once and readable only by the server's user. */
export const storedSecret = (dataDir: string): string => stored(dataDir, sessionFile).sessionSecret

/** A data folder's VAPID key pair (RFC 8292): a P-256 point and scalar in base64url. */
export const storedVapidKeys = (dataDir: string): VapidKeys => stored(dataDir, vapidFile)

function makeVapidKeys(): VapidKeys {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x as string, 'base64url'), Buffer.from(y as string, 'base64url')])
  return { publicKey: point.toString('base64url'), privateKey: d as string }
}

export const readStoredSecrets = (dataDir: string): { sessionSecret: string | null; vapid: VapidKeys | null } => ({
  sessionSecret: read<{ sessionSecret: string }>(path.join(dataDir, 'secrets.json'), ['sessionSecret'])?.sessionSecret ?? null,
  vapid: read<VapidKeys>(path.join(dataDir, 'vapid.json'), ['publicKey', 'privateKey']) ?? null,
})

/** Stores the secrets that a data folder doesn't have yet. Pass null for those that are set elsewhere. */
export function importSecrets(dataDir: string, { sessionSecret, vapid }: { sessionSecret: string | null; vapid: VapidKeys | null }): void {
  if (sessionSecret !== null) stored(dataDir, { ...sessionFile, make: () => ({ sessionSecret }) })
  if (vapid !== null) stored(dataDir, { ...vapidFile, make: () => vapid })
}

type StoredFile<Secrets> = { name: string; fields: readonly (keyof Secrets & string)[]; make: () => Secrets; fault: string }

function stored<Secrets extends Record<string, string>>(dataDir: string, { name, fields, make, fault }: StoredFile<Secrets>): Secrets {
  const file = path.join(dataDir, `${name}.json`)
  const found = read(file, fields)
  if (found) return found
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = path.join(dataDir, `${name}.draft-${process.pid}`)
  fs.writeFileSync(draft, `${JSON.stringify(make())}\n`, { mode: 0o600 })
  try {
    // If several processes start at the same time, all of them use the first one's secrets.
    fs.linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft)
  }
  const made = read(file, fields)
  if (made) return made
  throw new Error(`${file} ${fault}`)
}

function read<Secrets extends Record<string, string>>(file: string, fields: StoredFile<Secrets>['fields']): Secrets | undefined {
  try {
    const secrets = JSON.parse(fs.readFileSync(file, 'utf8')) as Secrets
    return fields.every((field) => secrets[field]) ? secrets : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      throw new Error(`${file} belongs to another user. Start as that user, or choose another DATA_DIR.`, { cause: error })
    }
    return undefined
  }
}
