import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { SearchHit } from '#contracts/search.endpoints.ts'
import { quantile } from './latency.ts'
import { measured } from './load-dataset.ts'
import { freePort, processorTime, type RunningServer, startServer } from './processes.ts'
import { save } from './report.ts'
import { signIn } from './sign-in.ts'

/**
 * `npm run bench:search [-- --documents 1000000 --rounds 30 --keep FOLDER]`: times searches among this many documents: while typing,
 * with typos, for words that match everything and words that match nothing. FOLDER keeps the database.
 */
const option = (name: string) => process.argv[process.argv.indexOf(name) + 1]
const numberOf = (name: string, otherwise: number) => (process.argv.includes(name) ? Number(option(name)) : otherwise)

const documents = numberOf('--documents', 1_000_000)
const rounds = numberOf('--rounds', 30)
const kept = process.argv.includes('--keep') ? option('--keep') : undefined
/** Limit for suggestions while typing. */
const maxTypingMs = 100

const typed = ['blue dream', 'cedar farms', 'strawberry c', 'ada brook', 'garden quiet', 'green glass', 'purple kush', 'winter soil']
const prefixes = typed.flatMap((text) => Array.from({ length: 11 }, (_, i) => text.slice(0, i + 2))).filter((text) => !text.endsWith(' '))
const asked: Record<string, { path: (q: string) => string; words: string[]; isTyping?: true }> = {
  'as typed, 2 to 12 letters': { path: suggestions, words: [...new Set(prefixes)], isTyping: true },
  'as typed, 2 letters': { path: suggestions, words: [...new Set(typed.map((text) => text.slice(0, 2)))], isTyping: true },
  'as typed, with typos': { path: suggestions, words: ['bleu dreem', 'strawbery', 'purpel kush', 'ganden', 'lemmon haze'], isTyping: true },
  'as typed, nothing': { path: suggestions, words: ['zzxyqq', 'qwxv plmk', 'xx yy zz'], isTyping: true },
  'common words': { path: search, words: ['garden', 'green', 'soil', 'bright harvest', 'the', 'first light'] },
  'rare words': { path: search, words: ['gorilla glue', 'zkittlez', 'cedar 4021', 'trichomes'] },
  'one kind': { path: (q) => `${search(q)}&kind=post`, words: ['garden', 'quiet river', 'season'] },
  'a place': { path: (q) => `${search(q)}&place=Denver, CO`, words: ['garden', 'farms', 'blue dream', 'cedar'] },
  'a state': { path: (q) => `${search(q)}&state=CO`, words: ['garden', 'farms', 'blue dream', 'cedar'] },
  facets: { path: (q) => `/api/search/facets?q=${encodeURIComponent(q)}`, words: ['garden', 'blue dream', 'cedar 4021', 'the'] },
}

function suggestions(q: string): string {
  return `/api/search/suggestions?q=${encodeURIComponent(q)}`
}
function search(q: string): string {
  return `/api/search?q=${encodeURIComponent(q)}`
}

type Figure = { question: string; cpuMs: number | null; p50Ms: number; p95Ms: number; p99Ms: number; maxMs: number; slowest: string }

const startedAt = new Date()
const folder = kept ? path.resolve(kept) : fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-bench-search-'))
fs.mkdirSync(folder, { recursive: true })
// PostgreSQL's account needs access; as root, the databases would otherwise go elsewhere and stay there.
fs.chmodSync(folder, 0o711)
let server: RunningServer | undefined
try {
  const env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', DEMO_DATA: 'off' }
  if (!fs.existsSync(env.DATA_DIR)) load(env)
  const settings = { NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000' }
  server = await startServer('server/main.ts', [], { ...env, ...settings }, (line) => /ready at (http:\S+)/.exec(line)?.[1] ?? null)
  const headers = { cookie: await signIn(server.origin, measured.email, measured.password) }
  const figures: Figure[] = []
  for (const question of Object.keys(asked)) {
    const figure = await measure(server, headers, question)
    figures.push(figure)
    const { cpuMs, p50Ms, p95Ms, p99Ms, maxMs, slowest } = figure
    console.log(
      `${question.padEnd(28)} p50 ${ms(p50Ms)}  p95 ${ms(p95Ms)}  p99 ${ms(p99Ms)}  max ${ms(maxMs)}  CPU ${cpuMs?.toFixed(1) ?? '–'} ms  (slowest: ${slowest})`,
    )
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ documents, rounds, maxTypingMs, figures }, startedAt, 'search'))}`)
  const missed = figures.filter(({ question, p95Ms }) => asked[question]?.isTyping && p95Ms > maxTypingMs)
  if (missed.length > 0) {
    console.error(`Above ${maxTypingMs} ms: ${missed.map(({ question }) => question).join(', ')}`)
    process.exitCode = 1
  }
} finally {
  await server?.stop()
  if (!kept) fs.rmSync(folder, { recursive: true, force: true })
}

function load(env: Record<string, string>): void {
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'load-search.ts'), String(documents)], {
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

/** Sequential requests; the first round is a warm-up. */
async function measure({ origin, pid }: RunningServer, headers: Record<string, string>, question: string): Promise<Figure> {
  const { path: pathOf, words } = asked[question] as (typeof asked)[string]
  const times: number[] = []
  let before: number | null = null
  const byWord = new Map<string, number>()
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) before = processorTime(pid)
    for (const word of words) {
      const begin = performance.now()
      const answer = await fetch(origin + pathOf(word), { headers })
      const hits = (await answer.json()) as SearchHit[]
      const took = performance.now() - begin
      // A search that timed out after a second counts as taking that second.
      if (!answer.ok && answer.status !== 503) throw new Error(`${pathOf(word)}: ${answer.status} ${JSON.stringify(hits)}`)
      if (round === 0) continue
      times.push(took)
      byWord.set(word, Math.max(byWord.get(word) ?? 0, took))
    }
  }
  const [slowest = ''] = [...byWord].sort((one, other) => other[1] - one[1])[0] ?? []
  const after = processorTime(pid)
  const cpuMs = before === null || after === null ? null : (after - before) / 1000 / times.length
  const at = (share: number) => quantile(times, share)
  return { question, cpuMs, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: Math.max(...times), slowest }
}
