import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { quantile } from './latency.ts'
import { measured } from './load-dataset.ts'
import { option } from './options.ts'
import { benchFolder, freePort, processorTime, type RunningServer, startSungrove, waitUntilSettled } from './processes.ts'
import { signIn } from './sign-in.ts'

type Dataset = {
  /** `load-<name>.ts` loads the dataset. */
  name: 'search' | 'products'
  size: number
  settings?: Record<string, string>
}

/** Runs `work` against a server with this dataset as the measured person. With `--keep FOLDER`, FOLDER keeps the database. */
export async function withDataset(
  { name, size, settings }: Dataset,
  work: (server: RunningServer, headers: { cookie: string }) => Promise<void>,
): Promise<void> {
  const kept = process.argv.includes('--keep') ? option('--keep') : undefined
  const { folder, removeFolder } = benchFolder(name, kept)
  let server: RunningServer | undefined
  try {
    const env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', DEMO_DATA: 'off' }
    if (!fs.existsSync(env.DATA_DIR)) load(name, size, env)
    const usual = { NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000' }
    const all = { ...env, ...usual, ...settings }
    server = await startSungrove(all)
    await waitUntilSettled(server.pid)
    await work(server, { cookie: await signIn(server.origin, measured.email, measured.password) })
  } finally {
    await server?.stop()
    removeFolder()
  }
}

function load(name: string, size: number, env: Record<string, string>): void {
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, `load-${name}.ts`), String(size)], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  if (status === 0) return
  fs.rmSync(env.DATA_DIR as string, { recursive: true, force: true })
  throw new Error('The dataset could not be loaded.')
}

export type Figure = { question: string; cpuMs: number | null; p50Ms: number; p95Ms: number; p99Ms: number; maxMs: number; slowest: string }

/** Asks the questions in turn, in a warm-up and this many rounds. The keys of `asks` are the names for `slowest`. */
export async function timeRounds(
  { pid }: RunningServer,
  question: string,
  rounds: number,
  asks: ReadonlyMap<string, () => Promise<unknown>>,
): Promise<Figure> {
  const times: number[] = []
  let before: number | null = null
  const longest = new Map<string, number>()
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) before = processorTime(pid)
    for (const [name, ask] of asks) {
      const begin = performance.now()
      await ask()
      const took = performance.now() - begin
      if (round === 0) continue
      times.push(took)
      longest.set(name, Math.max(longest.get(name) ?? 0, took))
    }
  }
  const [slowest = ''] = [...longest].sort((one, other) => other[1] - one[1])[0] ?? []
  const after = processorTime(pid)
  const cpuMs = before === null || after === null ? null : (after - before) / 1000 / times.length
  const at = (share: number) => quantile(times, share)
  const figure = { question, cpuMs, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: Math.max(...times), slowest }
  console.log(
    `${question.padEnd(28)} p50 ${ms(figure.p50Ms)}  p95 ${ms(figure.p95Ms)}  p99 ${ms(figure.p99Ms)}  max ${ms(figure.maxMs)}  CPU ${cpuMs?.toFixed(1) ?? '–'} ms  (slowest: ${slowest})`,
  )
  return figure
}

const ms = (value: number): string => `${value.toFixed(1).padStart(7)} ms`
