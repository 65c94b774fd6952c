import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type BenchRequest, latencies, quantile } from './latency.ts'
import { measured } from './load-dataset.ts'
import { numberOf } from './options.ts'
import { benchFolder, freePort, type RunningServer, startSungrove, waitUntilSettled } from './processes.ts'
import { signIn } from './sign-in.ts'

export type Side = { posts: number; origin: string; headers: { cookie: string } }

export type SizeFigure = {
  what: string
  connections: number
  smallMs: number
  largeMs: number
  ratio: number
  smallP99Ms: number
  largeP99Ms: number
}

/** Options of the benchmarks that compare two sizes: `--small 10000 --large 1000000 --rounds 5 --seconds 4 --keep FOLDER`. */
export const sizes = { small: numberOf('--small', 10_000), large: numberOf('--large', 1_000_000) }
export const rounds = numberOf('--rounds', 5)
export const seconds = numberOf('--seconds', 4)
const kept = process.argv.includes('--keep') ? process.argv[process.argv.indexOf('--keep') + 1] : undefined

/** Runs `work` against two servers, one for each size. With `--keep FOLDER`, FOLDER keeps their databases for the next run. */
export async function withBothSizes(work: (small: Side, large: Side) => Promise<void>): Promise<void> {
  const { folder, removeFolder } = benchFolder('sizes', kept)
  const running: RunningServer[] = []
  try {
    await work(await startSide(folder, sizes.small, running), await startSide(folder, sizes.large, running))
  } finally {
    for (const server of running) await server.stop()
    removeFolder()
  }
}

/** Loads the dataset if necessary and signs in as the measured person. */
async function startSide(folder: string, posts: number, running: RunningServer[]): Promise<Side> {
  const dataDir = path.join(folder, String(posts))
  const env = { DATA_DIR: dataDir, DATABASE_URL: '', DEMO_DATA: 'off' }
  if (!fs.existsSync(dataDir)) {
    const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'scale.ts'), '--posts', String(posts)], {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    })
    if (status !== 0) {
      fs.rmSync(dataDir, { recursive: true, force: true })
      throw new Error(`The dataset of ${posts} posts could not be loaded.`)
    }
  }
  const settings = { NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000' }
  const server = await startSungrove({ ...env, ...settings })
  running.push(server)
  await waitUntilSettled(server.pid)
  return { posts, origin: server.origin, headers: { cookie: await signIn(server.origin, measured.email, measured.password) } }
}

/** Takes the median of the rounds' medians, so one noisy round doesn't count. */
export async function compareSizes(
  what: string,
  asked: readonly [small: BenchRequest, large: BenchRequest],
  connections: number,
): Promise<SizeFigure> {
  // With one connection, requests alternate, so both servers run under the same conditions. With many, clients would wait for
  // the slower server and leave the other idle, so each is measured on its own for half a round.
  const ask = async (): Promise<number[][]> => {
    if (connections === 1) return latencies(asked, { connections, seconds })
    const apart: number[][] = []
    for (const side of asked) apart.push(...(await latencies([side], { connections, seconds: seconds / 2 })))
    return apart
  }
  await ask()
  const all: number[][][] = []
  for (let round = 0; round < rounds; round++) all.push(await ask())
  const middle = (of: (times: number[][]) => number) => quantile(all.map(of), 0.5)
  const at = (side: 0 | 1, share: number) => middle((times) => quantile(times[side] as number[], share))
  const figure = {
    what,
    connections,
    smallMs: at(0, 0.5),
    largeMs: at(1, 0.5),
    ratio: middle(([ofSmall = [], ofLarge = []]) => quantile(ofLarge, 0.5) / quantile(ofSmall, 0.5)),
    smallP99Ms: at(0, 0.99),
    largeP99Ms: at(1, 0.99),
  }
  const { smallMs, largeMs, ratio } = figure
  console.log(
    `${what}, ${connections} at once: p50 ${smallMs.toFixed(2)} ms and ${largeMs.toFixed(2)} ms, ratio ${ratio.toFixed(3)} (load ${os.loadavg()[0]?.toFixed(1)})`,
  )
  return figure
}

/** Fails the process if a figure is above its limit. */
export function requireMaxRatio(figures: readonly SizeFigure[], maxRatio: number): void {
  const missed = figures.filter(({ ratio }) => ratio > maxRatio)
  if (missed.length === 0) return
  console.error(`Above ${maxRatio}: ${missed.map(({ what, connections }) => `${what}, ${connections} at once`).join('; ')}`)
  process.exitCode = 1
}
