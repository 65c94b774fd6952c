import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** Paths of the programs that a cluster needs. Null for a PgBouncer that is missing or too old. */
export type Programs = {
  etcd: string
  patroni: string
  /** Older versions must use etcd's v2 API: with v3, a primary that wakes up after its lease expired takes the lock back. */
  isPatroniSafeWithEtcd3: boolean
  haproxy: string
  postgres: string
  pgbouncer: string | null
  versions: string[]
}

/** `missing` names required programs with their Debian packages; `notes` explains which checks are skipped, and why. */
export type Found = { programs: Programs | null; missing: string[]; notes: string[] }

const packages = { etcd: 'etcd-server', patroni: 'patroni', haproxy: 'haproxy', postgres: 'postgresql', pgbouncer: 'pgbouncer' }
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/usr/bin']
const debianFolder = '/usr/lib/postgresql'

/** Patroni needs all of these. The embedded PostgreSQL lacks most of them. */
const postgresPrograms = ['postgres', 'initdb', 'pg_ctl', 'pg_basebackup', 'pg_rewind', 'pg_controldata']
const minPostgres = 15
/** First version that doesn't overwrite another server's leader key: https://github.com/patroni/patroni/pull/2689 */
const minPatroniForEtcd3 = [3, 0, 3] as const
/** Older versions don't support prepared statements in transaction mode. */
const minPgBouncer = [1, 21] as const

/** @param pgbouncer a path to use instead of the installed one */
export function findPrograms(pgbouncer?: string): Found {
  const [etcd, patroni, haproxy] = ['etcd', 'patroni', 'haproxy'].map((name) => find(name))
  const postgres = findPostgres()
  const known = { etcd, patroni, haproxy, postgres }
  const missing = Object.entries(known).flatMap(([name, found]) =>
    found ? [] : [`${name} (package ${packages[name as keyof typeof packages]})`],
  )
  const notes: string[] = []
  const pooler = pgbouncer ?? find('pgbouncer')
  const version = pooler && versionOf(pooler)
  const isPoolerNewEnough = version !== undefined && isAtLeast(version, minPgBouncer)
  if (!isPoolerNewEnough)
    notes.push(
      `PgBouncer ${version ? `is ${version}` : 'is missing'}; ${minPgBouncer.join('.')} is needed for prepared statements in transaction mode. ` +
        'Without it, the part behind PgBouncer is skipped. --pgbouncer PATH uses another one; docs/operations.md says how to build it.',
    )
  if (!etcd || !patroni || !haproxy || !postgres) return { programs: null, missing, notes }
  const versions = [
    ['etcd', etcd],
    ['Patroni', patroni],
    ['HAProxy', haproxy],
    ['PostgreSQL', path.join(postgres, 'postgres')],
  ].map(([name = '', program = '']) => `${name} ${versionOf(program)}`)
  if (isPoolerNewEnough) versions.push(`PgBouncer ${version}`)
  return {
    programs: {
      ...{ etcd, patroni, haproxy, postgres, pgbouncer: isPoolerNewEnough ? (pooler as string) : null, versions },
      isPatroniSafeWithEtcd3: isAtLeast(versionOf(patroni) ?? '0', minPatroniForEtcd3),
    },
    missing,
    notes,
  }
}

/** Packages can be installed by root, on Debian and its derivatives. */
export const canInstall = (): boolean => process.getuid?.() === 0 && find('apt-get') !== undefined

/** Installs missing programs without starting any service or upgrading installed ones. */
export function installPrograms(): void {
  const policy = '/usr/sbin/policy-rc.d'
  const isOurs = !fs.existsSync(policy)
  if (isOurs) fs.writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['update', '-q'], { stdio: 'inherit', env })
    const options = ['-q', '-y', '--no-install-recommends', '--no-upgrade']
    execFileSync('apt-get', ['install', ...options, ...Object.values(packages)], { stdio: 'inherit', env })
  } finally {
    if (isOurs) fs.rmSync(policy, { force: true })
  }
}

const find = (name: string): string | undefined => folders.map((folder) => path.join(folder, name)).find(isProgram)

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

/** The folder of the newest complete PostgreSQL. */
function findPostgres(): string | undefined {
  const versions = fs.existsSync(debianFolder)
    ? fs
        .readdirSync(debianFolder)
        .map(Number)
        .filter((version) => version >= minPostgres)
    : []
  const candidates = [...versions.sort((a, b) => b - a).map((version) => path.join(debianFolder, String(version), 'bin')), ...folders]
  return candidates.find((folder) => postgresPrograms.every((name) => isProgram(path.join(folder, name))))
}

function versionOf(program: string): string | undefined {
  // Only HAProxy lacks the long option, and the short option would start etcd.
  const option = path.basename(program) === 'haproxy' ? '-v' : '--version'
  const { stdout } = spawnSync(program, [option], { encoding: 'utf8', timeout: 10_000 })
  return /\b(\d+(?:\.\d+)+)/.exec(stdout ?? '')?.[1]
}

export function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  for (const [i, wanted] of least.entries()) {
    const part = parts[i] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}
