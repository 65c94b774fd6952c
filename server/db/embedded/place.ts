import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type Account, canEnter } from './binaries.ts'

/** Folders for a database that can't be in root's DATA_DIR: persistent and accessible to every account. */
const elsewhere = ['/var/lib', '/srv', '/opt']

/**
 * The folder with the cluster (`pg`) and everything that belongs to it: DATA_DIR, or, if PostgreSQL's account can't access that (a
 * project in root's private home), another folder that `DATA_DIR/pg` links to.
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
    `${cluster} is a link to a database in ${home}, which doesn't exist. Restore it, or remove the link to begin with an empty one.`,
  )
}

/** Adds only the permission to traverse our own folder; the folders above aren't ours to change. */
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
    `PostgreSQL runs as the user ${account.name}, who can access neither DATA_DIR nor a folder in ${elsewhere.join(', ')}. ` +
      'Set DATA_DIR to a folder that this user can access, or DATABASE_URL to use a database of your own.',
  )
}
