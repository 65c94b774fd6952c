import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** The session secret of a data folder: made once, and readable by whom the server runs as alone. */
export function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secrets.json')
  const kept = read(file)
  if (kept) return kept
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = path.join(dataDir, `secrets.draft-${process.pid}`)
  fs.writeFileSync(draft, `${JSON.stringify({ sessionSecret: randomBytes(32).toString('base64url') })}\n`, { mode: 0o600 })
  try {
    // Of several that start at once the first one's secret is everybody's.
    fs.linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft)
  }
  const secret = read(file)
  if (secret) return secret
  throw new Error(`${file} holds no session secret. Remove it to have one made; everybody will have to sign in again.`)
}

function read(file: string): string | undefined {
  try {
    return (JSON.parse(fs.readFileSync(file, 'utf8')) as { sessionSecret?: string }).sessionSecret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      throw new Error(`${file} belongs to another user. Start as that user, or choose another DATA_DIR.`, { cause: error })
    }
    return undefined
  }
}
