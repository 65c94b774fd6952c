import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type Account, type Binaries, canEnter, ownerOf, serverAccount } from './binaries.ts'

export type Cluster = {
  /** The folder with `data`, `logFile`, and the files of the owner and guests. */
  home: string
  data: string
  logFile: string
  /** The account that PostgreSQL runs as, if it isn't this process's. */
  account: Account | undefined
}

export function clusterAt(dataDir: string): Cluster {
  const account = serverAccount()
  const home = clusterHome(dataDir, account)
  const data = path.join(home, 'pg')
  return { home, data, logFile: path.join(home, 'postgresql.log'), account: fs.existsSync(data) ? accountOf(data, account) : account }
}

/** An existing cluster runs as the account that owns it, even if another one would be chosen today. */
function accountOf(data: string, chosen: Account | undefined): Account | undefined {
  const owner = ownerOf(data)
  if (chosen && owner.uid !== 0) return owner
  if (process.getuid === undefined || owner.uid === process.getuid()) return chosen
  throw new Error(`The database in ${data} belongs to the user ${owner.name}. Start as that user, or choose another DATA_DIR.`)
}

export const superuser = 'postgres'
export const appRole = 'sungrove'

/** Independent of the machine's language and time zone, and without root's environment. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { ...(process.platform === 'win32' ? process.env : { PATH: process.env.PATH }), LC_ALL: 'C', TZ: 'UTC' }
}

/** Creates the cluster on first use. It has a temporary name until it is complete, so the next attempt can remove an incomplete one. */
export async function ensureCluster(cluster: Cluster, binaries: Binaries): Promise<void> {
  const { home, data, account } = cluster
  const version = readText(path.join(data, 'PG_VERSION'))
  if (version !== undefined) return refuseOtherVersion(home, version, binaries)

  for (const name of fs.readdirSync(home)) if (name.startsWith('pg.new-')) fs.rmSync(path.join(home, name), { recursive: true })
  const draft = path.join(home, `pg.new-${process.pid}`)
  const passwordFile = path.join(home, `pg.new-${process.pid}.password`)
  fs.mkdirSync(draft, { mode: 0o700 })
  fs.writeFileSync(passwordFile, `${storedPassword(home)}\n`, { mode: 0o600 })
  if (account) for (const file of [draft, passwordFile]) fs.chownSync(file, account.uid, account.gid)
  try {
    await run(
      binaries.initdb,
      [
        ...['--pgdata', draft, '--username', superuser, '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8'],
        ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
      ],
      cluster,
    )
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
  fs.renameSync(draft, data)
}

/** The password of the cluster's roles, created once and readable only by the account of the process that created it. */
export function storedPassword(home: string): string {
  const file = path.join(home, 'password')
  const stored = readText(file)
  if (stored !== undefined) return stored
  if (fs.existsSync(path.join(home, 'pg', 'PG_VERSION')))
    throw new Error(`${file} is missing: without it no one can sign in to the database in ${home}.`)
  const password = randomBytes(24).toString('base64url')
  fs.writeFileSync(file, password, { mode: 0o600 })
  return password
}

function refuseOtherVersion(home: string, version: string, binaries: Binaries): void {
  if (version === binaries.majorVersion) return
  throw new Error(
    `The database in ${home} was created by PostgreSQL ${version}; this release runs ${binaries.majorVersion}. ` +
      'Start the release that created it and copy its data over, or choose another DATA_DIR.',
  )
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES')
      throw new Error(`${file} belongs to another user. Start as that user, or choose another DATA_DIR.`, { cause: error })
    throw error
  }
}

/** If the program fails, throws an error that contains its output. */
export function run(program: string, args: string[], { home, account }: Pick<Cluster, 'home' | 'account'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
      env: serverEnvironment(),
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.once('error', (error) => reject(cannotRun(program, error)))
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(program)} failed (${code ?? signal}):\n${output.trim()}`)),
    )
  })
}

export function cannotRun(program: string, cause: Error): Error {
  return new Error(
    `${program} can't run on this system (${cause.message}); it needs the GNU C library. Set DATABASE_URL to use your own database.`,
    { cause },
  )
}

/**
 * Creates the application's role and a database with the same name, which is all that the role owns.
 *
 * @param url connects to the running cluster as its superuser
 */
export async function ensureDatabase(url: string, role: string, password: string): Promise<void> {
  const client = new pg.Client(url)
  // A lost connection fails the current or next statement. Without a listener, it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [role])
    if (rowCount) return
    await client.query(`drop role if exists ${role}`)
    await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`)
    await client.query(`create database ${role} owner ${role}`)
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError && error.severity !== 'FATAL'
    if (isRefused) throw error
    throw new Error(`The database stopped again while it was being started (${(error as Error).message}).`, { cause: error })
  } finally {
    await client.end().catch(() => {})
  }
}

/** Persistent folders that every account can access, for a database that can't be in root's DATA_DIR. */
const elsewhere = ['/var/lib', '/srv', '/opt']

/**
 * The folder with the cluster (`pg`) and everything that belongs to it: DATA_DIR or, if PostgreSQL's account can't access that (a project
 * in root's private home), another folder that `DATA_DIR/pg` links to.
 */
function clusterHome(dataDir: string, account: Account | undefined): string {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const cluster = path.join(dataDir, 'pg')
  const linked = linkedHome(cluster)
  if (linked) return linked
  if (!account) return fs.realpathSync(dataDir)
  allowTraversal(dataDir, account)
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
    `${cluster} is a link to a database in ${home}, which doesn't exist. Restore it, or remove the link to start with an empty database.`,
  )
}

/** Adds only the permission to traverse the data folder. Changing the folders above it is up to the operator. */
function allowTraversal(dataDir: string, account: Account): void {
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
      'Set DATA_DIR to a folder that this user can access, or DATABASE_URL to use your own database.',
  )
}
