import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type Account, canEnter } from './account.ts'

/** Where a database may lie that root's DATA_DIR cannot hold: kept across reboots, and passable for everybody. */
const elsewhere = ['/var/lib', '/srv', '/opt']

/**
 * The folder that holds the cluster (`pg`) and all that belongs to it: DATA_DIR, or, when PostgreSQL's account cannot
 * enter that (root's project in a closed home), a folder elsewhere to which `DATA_DIR/pg` is a link.
 */
export function clusterHome(dataDir: string, account: Account | undefined): string {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const cluster = path.join(dataDir, 'pg')
  const linked = linkedHome(cluster)
  if (linked) return linked
  if (!account) return fs.realpathSync(dataDir)
  letPass(dataDir, account)
  if (fs.existsSync(cluster) || canEnter(account, dataDir)) return fs.realpathSync(dataDir)

  const home = makeHome(account)
  try {
    fs.symlinkSync(path.join(home, 'pg'), cluster)
    return home
  } catch (error) {
    fs.rmdirSync(home)
    // Another process was faster.
    const theirs = linkedHome(cluster)
    if (theirs) return theirs
    throw error
  }
}

function linkedHome(cluster: string): string | undefined {
  if (!fs.lstatSync(cluster, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined
  const home = path.dirname(path.resolve(path.dirname(cluster), fs.readlinkSync(cluster)))
  if (fs.existsSync(home)) return fs.realpathSync(home)
  throw new Error(
    `${cluster} is a link to a database in ${home}, which is not there. Bring it back, or remove the link to begin with an empty one.`,
  )
}

/** Our own folder needs no more than to be passed through; the folders above it are not ours to change. */
function letPass(dataDir: string, account: Account): void {
  const { mode, uid } = fs.statSync(dataDir)
  if (uid === 0 && canEnter(account, path.dirname(fs.realpathSync(dataDir)))) fs.chmodSync(dataDir, (mode & 0o777) | 0o711)
}

function makeHome(account: Account): string {
  for (const base of elsewhere) {
    const home = path.join(base, 'sungrove', randomBytes(6).toString('hex'))
    try {
      fs.mkdirSync(home, { recursive: true })
      for (const dir of [path.dirname(home), home]) fs.chmodSync(dir, 0o711)
    } catch {
      continue
    }
    if (canEnter(account, home)) return home
    fs.rmdirSync(home)
  }
  throw new Error(
    `PostgreSQL runs as the user ${account.name}, who can enter neither DATA_DIR nor a folder in ${elsewhere.join(', ')}. ` +
      'Set DATA_DIR to a folder that this user can enter, or DATABASE_URL to use a database of your own.',
  )
}
