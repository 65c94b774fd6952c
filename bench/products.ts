import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { quantile } from './latency.ts'
import { measured } from './load-dataset.ts'
import { freePort, processorTime, type RunningServer, startServer } from './processes.ts'
import { save } from './report.ts'
import { nextCursor, signIn } from './sign-in.ts'

/**
 * `npm run bench:products [-- --items 1000000 --rounds 30 --keep FOLDER]`: times searches for menu items near places of all sizes among
 * this many items. FOLDER keeps the database.
 */
const option = (name: string) => process.argv[process.argv.indexOf(name) + 1]
const numberOf = (name: string, otherwise: number) => (process.argv.includes(name) ? Number(option(name)) : otherwise)

const items = numberOf('--items', 1_000_000)
const rounds = numberOf('--rounds', 30)
const kept = process.argv.includes('--keep') ? option('--keep') : undefined
const maxMs = 100

const places = ['New York, NY', 'Los Angeles, CA', 'Denver, CO', '97201', 'Bend, OR', '41.88,-87.63', 'Moab, UT']
const list = (query: string) => `/api/products?${query}`
const asked: Record<string, string> = {
  'everything, nearest first': list(''),
  'common words': list('q=chocolate'),
  'a common strain': list('q=blue'),
  'words that no item has': list('q=zzxyqq'),
  'a category by its name': list('q=flower'),
  'a category, cheapest first': list('category=Edibles&sort=price'),
  'cheapest per gram in stock': list('sort=price_per_gram&inStock=true'),
  'most potent': list('sort=potency&strainType=indica'),
  'up to a price': list('maxPrice=15&q=chocolate&sort=price'),
  'open now': list('open=true'),
  deals: list('onSale=true'),
  'within 50 miles': list('radius=50'),
  'counts of words': '/api/products/counts?q=chocolate',
  'counts of everything': '/api/products/counts?',
}

type Figure = { question: string; cpuMs: number | null; p50Ms: number; p95Ms: number; p99Ms: number; maxMs: number; slowest: string }

const startedAt = new Date()
const folder = kept ? path.resolve(kept) : fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-bench-products-'))
fs.mkdirSync(folder, { recursive: true })
// PostgreSQL's account needs access; as root, the databases would otherwise go elsewhere and stay there.
fs.chmodSync(folder, 0o711)
let server: RunningServer | undefined
try {
  const env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', DEMO_DATA: 'off' }
  if (!fs.existsSync(env.DATA_DIR)) load(env)
  const settings = {
    NODE_ENV: 'production',
    PORT: String(await freePort()),
    HOST: '::',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_SCALE: '10000',
    MAX_EVENT_LOOP_DELAY_MS: '0',
  }
  server = await startServer('server/main.ts', [], { ...env, ...settings }, (line) => /ready at (http:\S+)/.exec(line)?.[1] ?? null)
  const headers = { cookie: await signIn(server.origin, measured.email, measured.password) }
  await describePlaces(server, headers)
  const figures: Figure[] = []
  for (const question of [...Object.keys(asked), 'second page']) {
    const figure = await measure(server, headers, question)
    figures.push(figure)
    const { cpuMs, p50Ms, p95Ms, p99Ms, slowest } = figure
    console.log(
      `${question.padEnd(28)} p50 ${ms(p50Ms)}  p95 ${ms(p95Ms)}  p99 ${ms(p99Ms)}  max ${ms(figure.maxMs)}  CPU ${cpuMs?.toFixed(1) ?? '–'} ms  (slowest: ${slowest})`,
    )
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ items, rounds, maxMs, figures }, startedAt, 'products'))}`)
  const missed = figures.filter(({ p95Ms }) => p95Ms > maxMs)
  if (missed.length > 0) {
    console.error(`Above ${maxMs} ms: ${missed.map(({ question }) => question).join(', ')}`)
    process.exitCode = 1
  }
} finally {
  await server?.stop()
  if (!kept) fs.rmSync(folder, { recursive: true, force: true })
}

function load(env: Record<string, string>): void {
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'load-products.ts'), String(items)], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  if (status === 0) return
  fs.rmSync(env.DATA_DIR as string, { recursive: true, force: true })
  throw new Error('The dataset could not be loaded.')
}

function ms(value: number): string {
  return `${value.toFixed(1).padStart(7)} ms`
}

async function ask(origin: string, headers: Record<string, string>, address: string, place: string): Promise<Response> {
  const answer = await fetch(`${origin}${address}&near=${encodeURIComponent(place)}`, { headers })
  if (!answer.ok) throw new Error(`${address} near ${place}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function describePlaces({ origin }: RunningServer, headers: Record<string, string>): Promise<void> {
  for (const place of places) {
    const counts = (await (await ask(origin, headers, '/api/products/counts?', place)).json()) as { itemCount: number; shopCount: number }
    console.log(`${place.padEnd(28)} ${counts.itemCount} items in ${counts.shopCount} shops`)
  }
}

/** Sequential requests; the first round is a warm-up. */
async function measure({ origin, pid }: RunningServer, headers: Record<string, string>, question: string): Promise<Figure> {
  const times: number[] = []
  let before: number | null = null
  const byPlace = new Map<string, number>()
  const addresses = new Map<string, string>()
  for (const place of places) addresses.set(place, asked[question] ?? (await secondPage(origin, headers, place)))
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) before = processorTime(pid)
    for (const [place, address] of addresses) {
      const begin = performance.now()
      await (await ask(origin, headers, address, place)).json()
      const took = performance.now() - begin
      if (round === 0) continue
      times.push(took)
      byPlace.set(place, Math.max(byPlace.get(place) ?? 0, took))
    }
  }
  const [slowest = ''] = [...byPlace].sort((one, other) => other[1] - one[1])[0] ?? []
  const after = processorTime(pid)
  const cpuMs = before === null || after === null ? null : (after - before) / 1000 / times.length
  const at = (share: number) => quantile(times, share)
  return { question, cpuMs, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: Math.max(...times), slowest }
}

async function secondPage(origin: string, headers: Record<string, string>, place: string): Promise<string> {
  const cursor = nextCursor(await ask(origin, headers, list(''), place))
  return cursor ? list(`cursor=${cursor}`) : list('')
}
