import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { projectRoot } from '#server/config.ts'
import type { Account } from '#server/db/embedded/binaries.ts'
import { type Daemon, signalAll, startDaemon, until, withDescendants } from './daemons.ts'
import type { Programs } from './programs.ts'

/** Each server has its own loopback address, as if on its own machine, and they all use the same ports. */
const addressOf = (machine: number) => `127.46.0.${10 + machine}`
const shared = addressOf(0)
const machines = [1, 2, 3]

type Ports = {
  etcd: number
  etcdPeer: number
  postgres: number
  patroni: number
  primary: number
  replica: number
  pgbouncer: number
}

/** A PostgreSQL server with its Patroni. */
export type Member = {
  name: string
  address: string
  /** Kills Patroni and PostgreSQL, as if the machine failed. */
  kill(): Promise<void>
  /** Stops Patroni and PostgreSQL until `resume`, as if the machine froze. */
  freeze(): void
  resume(): void
  /** Starts Patroni, which starts PostgreSQL. */
  start(): void
}

export type Cluster = {
  members: readonly Member[]
  folder: string
  /** The application's database: under the primary's name, on each server, and through PgBouncer once it has started. */
  url: string
  replicaUrls: readonly string[]
  poolerUrl: string
  /** The same database at HAProxy's port for replicas. */
  readOnlyUrl: string
  /** Lets Patroni choose another primary. */
  switchOver(from: Member): Promise<void>
  /** Waits until one server is the primary and the others follow, one of them synchronously. */
  settle(): Promise<Member>
  /** Runs statements as the superuser on the current primary, or on the replicas. */
  administer(which: 'primary' | 'replicas', ...statements: string[]): Promise<void>
  startPgBouncer(program: string): Promise<Daemon>
  remove(): Promise<void>
}

type Options = { programs: Programs; ports: Ports; folder: string; account: Account | undefined }

const passwords = { postgres: newPassword(), replicator: newPassword(), rewind: newPassword(), sungrove: newPassword() }

function newPassword(): string {
  return randomBytes(18).toString('base64url')
}

/** Brings up etcd, three servers under Patroni, and HAProxy, with the files of deploy/postgres. */
export async function startCluster({ programs, ports, folder, account }: Options): Promise<Cluster> {
  const daemons: Daemon[] = []
  const make = (...names: string[]) => {
    const made = path.join(folder, ...names)
    fs.mkdirSync(made, { recursive: true, mode: 0o700 })
    if (account) for (let at = made; at !== folder; at = path.dirname(at)) fs.chownSync(at, account.uid, account.gid)
    return made
  }
  const write = (file: string, text: string) => {
    fs.writeFileSync(file, text, { mode: 0o600 })
    if (account) fs.chownSync(file, account.uid, account.gid)
    return file
  }
  const logs = make('logs')
  const launch = (name: string, program: string, args: readonly string[], env?: Record<string, string>) =>
    startDaemon(program, args, { account, home: make(name), ...(env ? { env } : {}), logFile: path.join(logs, `${name}.log`) })

  const etcdUrl = `http://${shared}:${ports.etcd}`
  const peerUrl = `http://${shared}:${ports.etcdPeer}`
  const etcdOptions = {
    name: 'etcd-1',
    'data-dir': make('etcd', 'data'),
    'listen-client-urls': etcdUrl,
    'advertise-client-urls': etcdUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd-1=${peerUrl}`,
    ...(programs.isPatroniSafeWithEtcd3 ? {} : { 'enable-v2': 'true' }),
  }
  daemons.push(
    launch(
      'etcd',
      programs.etcd,
      Object.entries(etcdOptions).map(([name, value]) => `--${name}=${value}`),
    ),
  )

  const patroniFile = path.join(projectRoot, 'deploy/postgres/patroni.yml')
  const members = machines.map((machine) => {
    const [name, address] = [`db-${machine}`, addressOf(machine)]
    const home = make(name)
    const config = make(name, 'config')
    write(path.join(config, '1-patroni.yml'), fs.readFileSync(patroniFile, 'utf8'))
    // Three servers on one machine can't share the default socket folder.
    write(path.join(config, '2-sockets.yml'), `postgresql: { parameters: { unix_socket_directories: '${home}' } }\n`)
    const dataDir = path.join(home, 'data')
    const env = {
      PATRONI_NAME: name,
      [programs.isPatroniSafeWithEtcd3 ? 'PATRONI_ETCD3_HOSTS' : 'PATRONI_ETCD_HOSTS']: `${shared}:${ports.etcd}`,
      PATRONI_RESTAPI_LISTEN: `${address}:${ports.patroni}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:${ports.patroni}`,
      PATRONI_POSTGRESQL_LISTEN: `${address}:${ports.postgres}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:${ports.postgres}`,
      PATRONI_POSTGRESQL_DATA_DIR: dataDir,
      PATRONI_POSTGRESQL_BIN_DIR: programs.postgres,
      PATRONI_POSTGRESQL_PGPASS: path.join(home, 'pgpass'),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: passwords.postgres,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: passwords.replicator,
      PATRONI_REWIND_USERNAME: 'rewind',
      PATRONI_REWIND_PASSWORD: passwords.rewind,
    }
    let patroni: Daemon | undefined
    // PostgreSQL isn't Patroni's child, so it outlives Patroni.
    const roots = () => [postmasterOf(dataDir), patroni && !patroni.hasEnded() ? patroni.pid : undefined].filter((pid) => pid !== undefined)
    return {
      name,
      address,
      async kill() {
        while (roots().length > 0) {
          signalAll(withDescendants(roots()), 'SIGKILL')
          await until(`${name} ends`, async () => roots().length === 0, { withinMs: 500, everyMs: 20 }).catch(() => {})
        }
      },
      freeze: () => signalAll(withDescendants(roots()), 'SIGSTOP'),
      resume: () => signalAll(withDescendants(roots()), 'SIGCONT'),
      start() {
        patroni = launch(name, programs.patroni, [config], env)
      },
    } satisfies Member
  })

  const haproxyFile = write(
    path.join(make('haproxy'), 'haproxy.cfg'),
    deployed('haproxy.cfg', {
      'bind *:5000': `bind ${shared}:${ports.primary}`,
      'bind *:5001': `bind ${shared}:${ports.replica}`,
      'port 8008': `port ${ports.patroni}`,
      ...Object.fromEntries(machines.map((machine) => [`db-${machine}.example:5432`, `${addressOf(machine)}:${ports.postgres}`])),
    }),
  )

  const urlOf = (host: string, port: number, user = 'sungrove' as keyof typeof passwords, database = 'sungrove') =>
    `postgres://${user}:${passwords[user]}@${host}:${port}/${database}`
  const isState = async (member: Member, state: 'primary' | 'replica') => {
    const answer = await fetch(`http://${member.address}:${ports.patroni}/${state}`, { signal: AbortSignal.timeout(2000) })
    await answer.arrayBuffer()
    return answer.status === 200
  }
  const states = (state: 'primary' | 'replica') =>
    Promise.all(members.map((member) => isState(member, state).catch(() => false))).then((are) => members.filter((_, i) => are[i]))
  const ask = async <Row extends pg.QueryResultRow>(member: Member, statement: string) => {
    const client = new pg.Client({ connectionString: urlOf(member.address, ports.postgres, 'postgres', 'postgres'), query_timeout: 10_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }
  const leader = () =>
    until('one primary', async () => {
      const [first, ...others] = await states('primary')
      return others.length === 0 && first !== undefined && first
    })
  const settle = () =>
    until('a primary with two replicas', async () => {
      const [primaries, replicas] = await Promise.all([states('primary'), states('replica')])
      const [primary] = primaries
      if (!primary || primaries.length > 1 || replicas.length !== machines.length - 1) return null
      const followers = await ask<{ state: string; sync_state: string }>(primary, 'select state, sync_state from pg_stat_replication')
      const isComplete = followers.filter(({ state }) => state === 'streaming').length === machines.length - 1
      if (!isComplete || followers.every(({ sync_state }) => sync_state === 'async')) return null
      // Patroni promotes only a server that it has recorded as synchronous.
      const answer = await fetch(`http://${primary.address}:${ports.patroni}/cluster`, { signal: AbortSignal.timeout(2000) })
      const { members: known } = (await answer.json()) as { members: { role: string }[] }
      return known.some(({ role }) => role === 'sync_standby') && primary
    })
  const remove = async () => {
    for (const member of members) {
      member.resume()
      await member.kill()
    }
    await Promise.all(daemons.map((daemon) => daemon.stop()))
  }

  try {
    for (const member of members) member.start()
    daemons.push(launch('haproxy', programs.haproxy, ['-db', '-f', haproxyFile]))
    const first = await settle()
    await ask(first, `create role sungrove login password '${passwords.sungrove}' in role pg_read_all_stats`)
    await ask(first, 'create database sungrove owner sungrove')
  } catch (error) {
    await remove()
    throw error
  }
  return {
    members,
    folder,
    url: urlOf(shared, ports.primary),
    replicaUrls: members.map(({ address }) => urlOf(address, ports.postgres)),
    poolerUrl: urlOf(shared, ports.pgbouncer),
    readOnlyUrl: urlOf(shared, ports.replica),
    async switchOver(from) {
      const answer = await fetch(`http://${from.address}:${ports.patroni}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from.name }),
        signal: AbortSignal.timeout(60_000),
      })
      if (!answer.ok) throw new Error(`Patroni refused the switchover: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    },
    settle,
    async administer(which, ...statements) {
      const replicas = () =>
        until('two replicas', async () => {
          const found = await states('replica')
          return found.length === machines.length - 1 && found
        })
      const chosen = which === 'primary' ? [await leader()] : await replicas()
      for (const member of chosen) for (const statement of statements) await ask(member, statement)
    },
    async startPgBouncer(program) {
      const home = make('pgbouncer')
      const users = write(path.join(home, 'userlist.txt'), `"sungrove" "${passwords.sungrove}"\n`)
      const file = write(
        path.join(home, 'pgbouncer.ini'),
        deployed('pgbouncer.ini', {
          'host=db.example port=5000': `host=${shared} port=${ports.primary}`,
          'listen_addr = *': `listen_addr = ${shared}`,
          'listen_port = 6432': `listen_port = ${ports.pgbouncer}\nunix_socket_dir = ${home}`,
          '/etc/pgbouncer/userlist.txt': users,
        }),
      )
      const daemon = launch('pgbouncer', program, [file])
      daemons.push(daemon)
      await until('PgBouncer accepts connections', async () => {
        if (daemon.hasEnded()) throw new Error(`PgBouncer ended: see ${path.join(logs, 'pgbouncer.log')}.`)
        const client = new pg.Client(urlOf(shared, ports.pgbouncer))
        client.on('error', () => {})
        await client.connect()
        await client.query('select 1').finally(() => client.end())
        return true
      })
      return daemon
    },
    remove,
  }
}

/** The example file with this machine's values. @throws if a string to replace is missing, so file and values can't drift apart */
export function deployed(name: string, values: Readonly<Record<string, string>>): string {
  let text = fs.readFileSync(path.join(projectRoot, 'deploy/postgres', name), 'utf8')
  for (const [theirs, ours] of Object.entries(values)) {
    if (!text.includes(theirs)) throw new Error(`deploy/postgres/${name} doesn't contain "${theirs}".`)
    text = text.replaceAll(theirs, ours)
  }
  return text
}

/** Undefined if PostgreSQL isn't running. */
function postmasterOf(dataDir: string): number | undefined {
  try {
    const pid = Number(fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    // The file remains after a crash, and the ID in it may then belong to another process.
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir) ? pid : undefined
  } catch {
    return undefined
  }
}
