import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { projectRoot } from '#server/config.ts'
import { temporaryDataDir } from '#tests/support/embedded-server.ts'
import { preparedDataDir } from '#tests/support/prepared-cluster.ts'
import { kill, processesLike, startProcess, type TestProcess } from '#tests/support/processes.ts'

let dataDir: string
const started: TestProcess[] = []

beforeEach(() => {
  dataDir = preparedDataDir()
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.end('SIGKILL')))
  await expect.poll(postmasters, { timeout: 10_000 }).toEqual([])
  fs.rmSync(dataDir, { recursive: true, force: true })
})

/** Replaces the data folder with a new one. */
function beginAnew(): void {
  fs.rmSync(dataDir, { recursive: true })
  dataDir = temporaryDataDir()
}

function start(as: 'server' | 'command', dir = dataDir): TestProcess {
  const each = startProcess('embedded-process.ts', [dir, as])
  started.push(each)
  return each
}

async function startReady(as: 'server' | 'command', dir = dataDir) {
  const each = start(as, dir)
  const { url, isOwner } = await each.waitFor('ready')
  return { ...each, url: url as string, isOwner: isOwner as boolean }
}

/** The server processes of this test's cluster, wherever its folder is. */
const postmasters = () => processesLike(`postgres -D ${clusterDir()} `)
const clusterDir = () => {
  const link = path.join(dataDir, 'pg')
  return fs.lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() ? fs.readlinkSync(link) : link
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const answers = (url: string) =>
  query(url, 'select 1 as one').then(
    () => true,
    () => false,
  )

function killWatchdogs(): void {
  for (const postmaster of postmasters()) processesLike(`kill -INT "$0" ${postmaster} `).forEach(kill)
}

describe('a single process', () => {
  test('starts the cluster, keeps its data, and stops it on exit', async () => {
    beginAnew()
    const first = await startReady('server')
    await query(first.url, 'create table kept (id int)')
    expect(await first.end()).toBe(0)
    expect(postmasters()).toEqual([])
    const second = await startReady('command')
    expect(second.isOwner).toBe(true)
    expect(await query(second.url, 'select * from kept')).toEqual([])
  })

  test('connects as a role that is not a superuser', async () => {
    beginAnew()
    const { url } = await startReady('server')
    expect(await query(url, 'select rolsuper, rolcreaterole from pg_roles where rolname = current_user')).toEqual([
      { rolsuper: false, rolcreaterole: false },
    ])
  })

  test('stops the cluster when killed, and lets the next process start it again', async () => {
    const first = await startReady('server')
    await query(first.url, 'create table kept (id int)')
    await first.end('SIGKILL')
    await expect.poll(postmasters, { timeout: 3000 }).toEqual([])
    const second = await startReady('server')
    expect(second.isOwner).toBe(true)
    expect(await query(second.url, 'select * from kept')).toEqual([])
  })

  test('leaves the cluster running when killed along with its watchdog, until the next process stops it', async () => {
    const first = await startReady('server')
    killWatchdogs()
    await first.end('SIGKILL')
    const [orphan] = postmasters()
    expect(orphan).toBeDefined()
    const second = await startReady('server')
    expect((await second.waitFor('warned')).message).toBe(`stopping the database that an earlier process left running (process ${orphan})`)
    expect(postmasters()).not.toContain(orphan)
    expect(await answers(second.url)).toBe(true)
  })

  test('ignores a pid file with an ID that now belongs to another process', async () => {
    const first = await startReady('server')
    killWatchdogs()
    const pidFile = path.join(clusterDir(), 'postmaster.pid')
    const left = fs.readFileSync(pidFile, 'utf8')
    await first.end()
    // Uses the same user, because PostgreSQL ignores other users' processes.
    const { uid, gid } = fs.statSync(clusterDir())
    const other = spawn('sleep', ['60'], { uid, gid })
    onTestFinished(() => void other.kill())
    fs.writeFileSync(pidFile, left.replace(/^\d+/, String(other.pid)))
    const second = await startReady('server')
    expect(await answers(second.url)).toBe(true)
    expect(second.events.filter(({ event }) => event === 'warned')).toEqual([])
  })

  test('restarts a killed cluster at the same address', async () => {
    const server = await startReady('server')
    const [postmaster = 0] = postmasters()
    kill(postmaster)
    await server.waitFor('warned')
    await expect.poll(() => answers(server.url), { timeout: 15_000 }).toBe(true)
    expect(postmasters()).not.toContain(postmaster)
  })

  test('stops with an explanation if a cluster keeps dying', async () => {
    const server = await startReady('server')
    const killing = setInterval(() => postmasters().forEach(kill), 100)
    onTestFinished(() => clearInterval(killing))
    // A kill may hit PostgreSQL while it is starting or running, and the reported reasons differ.
    expect(await server.waitFor('lost')).toMatchObject({ reason: expect.stringMatching(/database|PostgreSQL did not start/i) })
  })

  test('cleans up after an interrupted first start', async () => {
    beginAnew()
    fs.mkdirSync(path.join(dataDir, 'pg.new-1/base'), { recursive: true })
    const { url } = await startReady('server')
    expect(await answers(url)).toBe(true)
    expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('pg.new'))).toEqual([])
  })
})

describe('a folder used by several processes', () => {
  test('runs one cluster despite many concurrent starts, and the last process stops it', async () => {
    beginAnew()
    const all = await Promise.all(Array.from({ length: 5 }, (_, i) => startReady(i % 2 ? 'command' : 'server')))
    expect(all.filter(({ isOwner }) => isOwner)).toHaveLength(1)
    expect(new Set(all.map(({ url }) => url)).size).toBe(1)
    expect(postmasters()).toHaveLength(1)
    expect(await Promise.all(all.map((each) => each.end()))).toEqual([0, 0, 0, 0, 0])
    expect(postmasters()).toEqual([])
  })

  test('hands the cluster over when the owner stops, without losing connections', async () => {
    const owner = await startReady('command')
    const guest = await startReady('server')
    expect(guest.isOwner).toBe(false)
    const client = new pg.Client(guest.url)
    await client.connect()
    await owner.end()
    await guest.waitFor('owner')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    await guest.end()
    expect(postmasters()).toEqual([])
  })

  test('hands the cluster over to a server when the owner is killed, and reports to a command that the cluster is lost', async () => {
    const owner = await startReady('server')
    const server = await startReady('server')
    await owner.end('SIGKILL')
    await server.waitFor('owner')
    await expect.poll(() => answers(server.url), { timeout: 10_000 }).toBe(true)

    const command = await startReady('command')
    await server.end('SIGKILL')
    expect((await command.waitFor('lost')).reason).toMatch('The database or the process that ran it has stopped')
  })

  test('gets a separate cluster when it is copied', async () => {
    const original = await startReady('server')
    await query(original.url, 'create table only_here (id int)')
    const copy = temporaryDataDir()
    onTestFinished(() => fs.rmSync(copy, { recursive: true, force: true }))
    // Copied as a person would copy it, with the pid file and the owner record, which both name the original's processes.
    fs.cpSync(dataDir, copy, { recursive: true, filter: (file) => !fs.lstatSync(file).isSocket() })
    for (const file of fs.readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
      const { uid, gid } = fs.statSync(path.join(clusterDir()))
      if (file.startsWith('pg')) fs.chownSync(path.join(copy, file), uid, gid)
    }
    const other = await startReady('server', copy)
    expect(other.isOwner).toBe(true)
    expect(other.url).not.toBe(original.url)
    await query(other.url, 'drop table only_here')
    expect(await query(original.url, 'select * from only_here')).toEqual([])
    await other.end()
    expect(processesLike(`postgres -D ${path.join(copy, 'pg')} `)).toEqual([])
  })
})

describe.runIf(process.getuid?.() === 0)('a root process', () => {
  test('puts a private folder’s cluster elsewhere and links to it', async () => {
    beginAnew()
    const closed = dataDir
    dataDir = path.join(closed, 'my data')
    fs.chmodSync(closed, 0o700)
    const { url, ...server } = await startReady('server')
    const home = path.dirname(clusterDir())
    onTestFinished(() => {
      fs.rmSync(home, { recursive: true })
      fs.rmSync(closed, { recursive: true })
    })
    expect(home.startsWith('/var/lib/sungrove/')).toBe(true)
    expect(await answers(url)).toBe(true)
    expect(fs.statSync(clusterDir()).uid).not.toBe(0)
    await server.end()
    expect((await startReady('command')).isOwner).toBe(true)
    expect(path.dirname(clusterDir())).toBe(home)
  })

  // If the home folder is private, the other user can't even run this project.
  test.runIf(isOpenToAll(projectRoot))('rejects another user’s cluster with an explanation', async () => {
    const server = await startReady('server')
    await server.end()
    const stranger = startProcess('embedded-process.ts', [dataDir, 'command'], { uid: 65_534, gid: 65_534 })
    expect((await stranger.waitFor('failed')).message).toMatch(/belongs to (another|the) user/)
  })
})

/** Whether everyone can enter this folder and all folders above it. */
function isOpenToAll(folder: string): boolean {
  const parent = path.dirname(folder)
  return (fs.statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent))
}
