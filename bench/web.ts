import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { scriptLimits } from '#scripts/first-load.mjs'
import { type FirstScreen, maxCompleteMs, measureFirstScreen } from './first-screen.ts'
import { benchFolder, freePort, startSungrove } from './processes.ts'
import { save } from './report.ts'
import { signIn } from './sign-in.ts'

/**
 * `npm run bench:web [-- --runs 3] [--only discover]`: runs Lighthouse as a phone on a slow network, for visitors, for a signed-in person,
 * and for 20 pages of places and menus (`--only places` and `--only menu`). Also measures when a slow phone has drawn a member's first
 * screens without placeholders (`--only first`). Prints the medians, and fails if a limit isn't met. Other load on the machine can only
 * make the results worse.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' }, only: { type: 'string' } } })
const runs = Number(values.runs)
if (!(runs >= 1)) throw new Error('--runs must be a number of runs')

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof categories)[number]

/** Minimum scores (pages of places and menus need 100 in every category), and maximum bytes of script as transferred. */
const minScores: Record<Category, number> = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const maxScriptBytes = { visitor: scriptLimits.visitors, member: scriptLimits.members }

type Viewer = keyof typeof maxScriptBytes
type Figures = Record<Category, number> & { fcp: number; lcp: number; cls: number; tbt: number; script: number; failed: string[] }

type Audit = { score: number | null; numericValue?: number; scoreDisplayMode: string; details?: { items?: unknown } }
type Report = {
  runtimeError?: { message: string }
  categories: Record<Category, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, Audit>
}
type Lighthouse = (
  url: string,
  flags: { port: number; output: 'json'; logLevel: 'error'; onlyCategories: readonly string[]; extraHeaders?: Record<string, string> },
) => Promise<{ lhr: Report }>

/** A shop with a menu and hours. */
const demoShop = '/business/lanternfold-dispensary-denver'
const demo = { email: 'wren@demo.sungrove.example', password: 'a terrace in the morning sun' }
const startedAt = new Date()
const { folder: dataDir, removeFolder } = benchFolder('web')
console.log('Starting the server on a fresh database with the shipped directory and the demo content…')
const server = await startSungrove({
  NODE_ENV: 'production',
  PORT: String(await freePort()),
  DATA_DIR: dataDir,
  DATABASE_URL: '',
  PUBLIC_URL: '',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_SCALE: '1000',
  MAX_EVENT_LOOP_DELAY_MS: '0',
})
let browser: Browser | null = null
let hasFailed = false
try {
  const cookie = await signIn(server.origin, demo.email, demo.password)
  const slug = await listedBusiness()
  const pages: [name: string, viewer: Viewer, path: string][] = [
    ['landing', 'visitor', '/landing'],
    // Shows visitors the sign-in screen.
    ['discover', 'visitor', '/discover'],
    ['business', 'visitor', `/business/${slug}`],
    ['discover', 'member', '/discover'],
    ['business', 'member', `/business/${slug}`],
    ...(await placePages()).map((address): [string, Viewer, string] => ['places', 'visitor', address]),
    ...(await menuPages()).map((address): [string, Viewer, string] => ['menu', 'visitor', address]),
  ]
  const port = await freePort()
  browser = await chromium.launch({
    ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  })
  const columns = ['page', 'viewer', 'perf', 'a11y', 'best', 'seo', 'FCP s', 'LCP s', 'CLS', 'TBT ms', 'script B']
  const widths = [10, 12, 6, 6, 6, 6, 7, 7, 7, 8, 10]
  const line = (cells: readonly (string | number)[]) => console.log(cells.map((cell, i) => String(cell).padEnd(widths[i] ?? 0)).join(''))
  line(columns)
  const figures: ({ address: string; viewer: Viewer } & Figures)[] = []
  for (const [name, viewer, address] of pages) {
    if (values.only && values.only !== name) continue
    // Installed on demand: see scripts/bench-with-tool.mjs.
    const file = path.resolve(import.meta.dirname, 'web/node_modules/lighthouse/core/index.js')
    const { default: lighthouse } = (await import(file)) as { default: Lighthouse }
    const found: Figures[] = []
    for (let run = 0; run < runs; run++) {
      const { lhr } = await lighthouse(server.origin + address, {
        port,
        output: 'json',
        logLevel: 'error',
        onlyCategories: categories,
        ...(viewer === 'member' ? { extraHeaders: { Cookie: cookie } } : {}),
      })
      found.push(figuresOf(lhr))
    }
    const f = medians(found)
    figures.push({ address, viewer, ...f })
    const isComplete = name === 'places' || name === 'menu'
    if (isComplete) console.log(address)
    line([
      name,
      viewer,
      ...categories.map((category) => f[category]),
      (f.fcp / 1000).toFixed(1),
      (f.lcp / 1000).toFixed(1),
      f.cls.toFixed(3),
      Math.round(f.tbt),
      f.script,
    ])
    for (const category of categories) if (f[category] < (isComplete ? 100 : minScores[category])) fail(`${category} is ${f[category]}`)
    if (f.script > maxScriptBytes[viewer]) fail(`${f.script} bytes of script, of at most ${maxScriptBytes[viewer]}`)
    for (const audit of f.failed) console.log(`  ! ${audit}`)
  }
  const firstScreens: FirstScreen[] = []
  for (const address of values.only && values.only !== 'first' ? [] : ['/', '/discover', `/business/${slug}`, demoShop]) {
    for (const screen of await measureFirstScreen(browser, server.origin + address, cookie, runs)) {
      const { cache, completeMs, pageBytes } = screen
      firstScreens.push(screen)
      console.log(`${address}, ${cache} cache: complete after ${(completeMs / 1000).toFixed(2)} s; the page has ${pageBytes} bytes`)
      if (!(completeMs <= maxCompleteMs)) fail(`more than ${maxCompleteMs / 1000} s`)
    }
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ runs, figures, firstScreens }, startedAt, 'web'))}`)
} finally {
  await browser?.close()
  await server.stop()
  removeFolder()
}
if (hasFailed) process.exitCode = 1

function fail(what: string) {
  hasFailed = true
  console.log(`  ✗ ${what}`)
}

/** A register listing, because demo businesses are hidden from search engines. */
async function listedBusiness(): Promise<string> {
  const answer = await fetch(`${server.origin}/api/businesses?type=dispensary&near=Denver, CO&limit=50`)
  const found = ((await answer.json()) as { slug: string; isDemo: boolean }[]).find(({ isDemo }) => !isDemo)
  if (!found) throw new Error('No business of the register was found near Denver.')
  return found.slug
}

/** The index, three states, and the cities with the most dispensaries. */
async function placePages(): Promise<string[]> {
  const linksOf = async (address: string) => {
    const html = await (await fetch(server.origin + address)).text()
    return [...new Set([...html.matchAll(/href="(\/places\/[a-z/-]+)"/g)].map(([, path]) => path as string))]
  }
  const paths = await linksOf('/places')
  const isCity = (path: string) => path.split('/').length === 4
  const [states, cities] = [paths.filter((path) => !isCity(path)), paths.filter(isCity)]
  return ['/places', ...states.slice(0, 3), ...cities.slice(0, 6)]
}

/** Ten register listings, spread over states and types. */
async function menuPages(): Promise<string[]> {
  const searches = ['Denver, CO', 'Portland, OR', 'Seattle, WA', 'Boston, MA', 'Chicago, IL', 'Anchorage, AK', 'Detroit, MI'].flatMap(
    (near) => ['dispensary', 'farm'].map((type) => new URLSearchParams({ near, type, radius: '100', limit: '20' })),
  )
  const found = await Promise.all(
    searches.map(async (search) => {
      const answer = await fetch(`${server.origin}/api/businesses?${search}`)
      return ((await answer.json()) as { slug: string; isDemo: boolean }[]).find(({ isDemo }) => !isDemo)
    }),
  )
  const slugs = [...new Set(found.flatMap((business) => business?.slug ?? []))].slice(0, 10)
  if (slugs.length < 10) throw new Error(`The register has only ${slugs.length} of ten menus.`)
  return slugs.map((slug) => `/menu/${slug}`)
}

function figuresOf({ runtimeError, categories: scored, audits }: Report): Figures {
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`)
  const value = (id: string) => audits[id]?.numericValue ?? 0
  const requests = (audits['network-requests']?.details?.items ?? []) as { resourceType: string; transferSize: number; url: string }[]
  const scores = Object.fromEntries(categories.map((name) => [name, Math.round(scored[name].score * 100)])) as Record<Category, number>
  const failed = categories.flatMap((name) =>
    name === 'performance'
      ? []
      : scored[name].auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(({ id }) => `${name}: ${id}`),
  )
  return {
    ...scores,
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbt: value('total-blocking-time'),
    script: requests.filter(({ resourceType }) => resourceType === 'Script').reduce((sum, { url }) => sum + sentBytes(url), 0),
    failed,
  }
}

/** Transferred size without headers: that of the precompressed file. */
function sentBytes(url: string): number {
  const file = path.resolve(import.meta.dirname, '../dist', `.${new URL(url).pathname}`)
  return fs.statSync(fs.existsSync(`${file}.br`) ? `${file}.br` : file).size
}

function medians(found: readonly Figures[]): Figures {
  const of = (read: (figures: Figures) => number) => found.map(read).sort((a, b) => a - b)[Math.floor((found.length - 1) / 2)] ?? 0
  const scores = Object.fromEntries(
    categories.map((name) => [name, found.map((each) => each[name]).sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0]),
  ) as Record<Category, number>
  return {
    ...scores,
    fcp: of((f) => f.fcp),
    lcp: of((f) => f.lcp),
    cls: of((f) => f.cls),
    tbt: of((f) => f.tbt),
    script: of((f) => f.script),
    failed: [...new Set(found.flatMap((f) => f.failed))],
  }
}
