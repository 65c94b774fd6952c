import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '#server/config.ts'
import { freePort } from '#tests/support/server-process.ts'

/** A release of each Node version that the README promises, with its bundled npm. */
const releases = [
  { node: '18.20.8', npm: '10.8.2' },
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.23.3', npm: '10.9.4' },
  { node: '24.21.0', npm: '11.19.1' },
]

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-installs-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Fetches a separate Node and npm from the registry. */
function fetchTools({ node, npm }: (typeof releases)[number]) {
  const place = path.join(folder, `tools-${node}`)
  const nodePackage = `node-${process.platform}-${process.arch}`
  fs.mkdirSync(place)
  const wanted = [`${nodePackage}@${node}`, `npm@${npm}`]
  execFileSync('npm', ['install', '--prefix', place, '--no-audit', '--no-fund', '--loglevel=error', '--force', ...wanted], { cwd: place })
  return { node: path.join(place, 'node_modules', nodePackage, 'bin/node'), npm: path.join(place, 'node_modules/npm/bin/npm-cli.js') }
}

/** Copies a clone's files and the built web app, which is the same for every Node release. */
function clone(release: string): string {
  const place = path.join(folder, `Grüße aus Köln ${release}`, 'app')
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: projectRoot })
  for (const name of listed.toString().split('\0').filter(Boolean)) {
    const from = path.join(projectRoot, name)
    if (fs.existsSync(from)) fs.cpSync(from, path.join(place, name))
  }
  const dist = path.join(projectRoot, 'dist')
  if (fs.existsSync(dist)) fs.cpSync(dist, path.join(place, 'dist'), { recursive: true })
  return place
}

async function untilReady(child: ChildProcess, url: string, output: () => string): Promise<void> {
  while (child.exitCode === null) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(250)
  }
  throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`)
}

for (const release of releases) {
  test(`starts from a fresh clone with an empty cache on Node ${release.node}`, async () => {
    const tools = fetchTools(release)
    const place = clone(release.node)
    const port = await freePort()
    const env = {
      // A person's shell has no settings inherited from this run's npm.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
      PATH: [path.dirname(tools.node), process.env.PATH].join(path.delimiter),
      npm_config_cache: path.join(folder, `cache-${release.node}`),
      NODE_ENV: '',
      PORT: String(port),
      DEMO_DATA: 'off',
      LOG_LEVEL: 'warn',
    }
    let said = ''
    const child = spawn(tools.node, [tools.npm, 'start'], { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    child.stdout.on('data', (data) => (said += data))
    child.stderr.on('data', (data) => (said += data))
    const ended = new Promise((resolve) => child.once('close', resolve))
    try {
      await untilReady(child, `http://127.0.0.1:${port}`, () => said)
      // Expects the built page, not the notice that it isn't built. A busy server may respond with 503 right after startup.
      const page = async () => (await fetch(`http://127.0.0.1:${port}/landing`)).text()
      await expect.poll(async () => (await page()).includes('<h1'), { timeout: 30_000, interval: 500 }).toBe(true)
    } finally {
      // npm and its children are one process group, so none of them outlives the test. A failed start has already exited.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      await ended
    }
    fs.rmSync(path.dirname(place), { recursive: true, force: true, maxRetries: 10 })
  })
}
