import { generateKeyPairSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export type VapidKeys = { publicKey: string; privateKey: string }

const sessionFile: Kept<{ sessionSecret: string }> = {
  name: 'secrets',
  fields: ['sessionSecret'],
  make: () => ({ sessionSecret: randomBytes(32).toString('base64url') }),
  fault: 'holds no session secret. Remove it to have one made; everybody will have to sign in again.',
}

const vapidFile: Kept<VapidKeys> = {
  name: 'vapid',
  fields: ['publicKey', 'privateKey'],
  make: makeVapidKeys,
  fault: 'holds no pair of keys. Remove it to have one made; browsers will have to be subscribed to pushes anew.',
}

/** The session secret of a data folder: made once, and readable by whom the server runs as alone. */
export const keptSecret = (dataDir: string): string => kept(dataDir, sessionFile).sessionSecret

/** The key pair of a data folder by which push services know us (VAPID, RFC 8292): a point and a number of P-256, in base64url. */
export const keptVapidKeys = (dataDir: string): VapidKeys => kept(dataDir, vapidFile)

function makeVapidKeys(): VapidKeys {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x as string, 'base64url'), Buffer.from(y as string, 'base64url')])
  return { publicKey: point.toString('base64url'), privateKey: d as string }
}

/** What a data folder holds already; makes nothing. */
export const foundSecrets = (dataDir: string): { sessionSecret: string | null; vapid: VapidKeys | null } => ({
  sessionSecret: read<{ sessionSecret: string }>(path.join(dataDir, 'secrets.json'), ['sessionSecret'])?.sessionSecret ?? null,
  vapid: read<VapidKeys>(path.join(dataDir, 'vapid.json'), ['publicKey', 'privateKey']) ?? null,
})

/** Puts secrets that were kept elsewhere into a data folder that has none. */
export function bringSecrets(dataDir: string, { sessionSecret, vapid }: { sessionSecret: string; vapid: VapidKeys }): void {
  kept(dataDir, { ...sessionFile, make: () => ({ sessionSecret }) })
  kept(dataDir, { ...vapidFile, make: () => vapid })
}

type Kept<Secrets> = { name: string; fields: readonly (keyof Secrets & string)[]; make: () => Secrets; fault: string }

function kept<Secrets extends Record<string, string>>(dataDir: string, { name, fields, make, fault }: Kept<Secrets>): Secrets {
  const file = path.join(dataDir, `${name}.json`)
  const found = read(file, fields)
  if (found) return found
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = path.join(dataDir, `${name}.draft-${process.pid}`)
  fs.writeFileSync(draft, `${JSON.stringify(make())}\n`, { mode: 0o600 })
  try {
    // Of several that start at once the first one's secret is everybody's.
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

function read<Secrets extends Record<string, string>>(file: string, fields: Kept<Secrets>['fields']): Secrets | undefined {
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
