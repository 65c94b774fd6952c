import fs from 'node:fs'
import path from 'node:path'

export type Account = { name: string; uid: number; gid: number }

/** PostgreSQL refuses to run as root. This is whom it runs as instead; undefined when we are not root and it runs as ourselves. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = knownAccounts()
  const found = ['postgres', 'nobody'].map((name) => accounts.find((account) => account.name === name)).find((account) => account?.uid)
  if (found) return found
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as. ' +
      'Start as an ordinary user, or set DATABASE_URL to use a database of your own.',
  )
}

/** The account that a folder belongs to. */
export function ownerOf(dir: string): Account {
  const { uid, gid } = fs.statSync(dir)
  return { name: knownAccounts().find((account) => account.uid === uid)?.name ?? String(uid), uid, gid }
}

function knownAccounts(): Account[] {
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    // Some systems write the id of nobody as -2.
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : []
  })
}

/** Can the account enter this folder, that is, every folder on the way to it and the folder itself? A folder yet to be made counts as passable. */
export function canEnter(account: Account, dir: string): boolean {
  let existing = dir
  while (!fs.existsSync(existing)) existing = path.dirname(existing)
  for (let at = fs.realpathSync(existing); ; at = path.dirname(at)) {
    const { mode, uid, gid } = fs.statSync(at)
    const search = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & search) === 0) return false
    if (at === path.dirname(at)) return true
  }
}
