import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { checkText, type Facts } from '#compliance/judge.ts'
import type { MenuSync } from '#contracts/integrations.endpoints.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { loadConfig, projectRoot } from '#server/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { demoOwner, demoPassword } from '#server/features/demo/index.ts'
import { createLog } from '#server/log.ts'
import { storedSecret } from '#server/secrets.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { xlsxOf } from '#tests/support/register-server.ts'
import { quantile } from './latency.ts'
import { benchFolder, freePort, processorTime, type RunningServer, startSungrove, waitUntilSettled } from './processes.ts'
import { save } from './report.ts'
import { signIn } from './sign-in.ts'

/**
 * `npm run bench:menu-import [-- --rows 20000]`: on a temporary server, imports, changes and undoes a menu of this size as the page
 * does, syncs 5,000 items by key, and imports twice as many sizes. Meanwhile, another client requests a page, with pauses of ten
 * milliseconds.
 */
const rows = process.argv.includes('--rows') ? Number(process.argv[process.argv.indexOf('--rows') + 1]) : 20_000
const maxSeconds = 30
const syncItems = 5000
const maxSyncSeconds = 5
/** In megabytes, for any valid file. */
const maxGrowth = 150
type Figure = {
  what: string
  seconds: number
  /** Includes the database and the pages that another client requests during the import. */
  cpuSeconds: number
  load: number
  /** Memory of the server process. */
  beforeMb: number
  peakMb: number
  steps: number
  slowestPageMs: number
  p50PageMs: number
}
const workbookColumns = 30
const pieceBytes = 1024 * 1024

const startedAt = new Date()
const { folder, removeFolder } = benchFolder('menu')
let server: RunningServer | undefined
try {
  const env = { DATA_DIR: folder, DATABASE_URL: '', DEMO_DATA: 'on' }
  const settings = {
    NODE_ENV: 'production',
    PORT: String(await freePort()),
    HOST: '::',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_SCALE: '10000',
    MAX_EVENT_LOOP_DELAY_MS: '0',
  }
  server = await startSungrove({ ...env, ...settings })
  const { origin, pid } = server
  const headers = { cookie: await signIn(origin, demoOwner, demoPassword) }
  const call = async (method: string, url: string, body?: object | Buffer) => {
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json'
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': type } : {}) },
      ...(body ? { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? null : (answer.json() as Promise<unknown>)
  }
  const [business] = (await call('GET', '/api/businesses/mine')) as { id: string }[]
  if (!business) throw new Error('The demo owner has no business.')
  await allowAnySize(business.id)
  const shown = (await call('GET', `/api/businesses/${business.id}/menu-items?limit=100`)) as { id: string }[]
  await call('POST', `/api/businesses/${business.id}/menu-items/removals`, { ids: shown.map((item) => item.id) })

  const imports = `/api/businesses/${business.id}/menu-imports`
  const figures: Figure[] = []
  const time = async (what: string, work: () => Promise<number>) => {
    // Lets the search index catch up, because owners don't make the next change immediately.
    await waitUntilSettled(pid)
    forgetPeak(pid)
    const beforeMb = megabytes(pid, 'VmRSS')
    const neighbor = watchPages(`${origin}/api/businesses/${business.id}`)
    const [from, cpuBefore] = [performance.now(), processorTime(pid)]
    const steps = await work().finally(() => neighbor.stop())
    const seconds = (performance.now() - from) / 1000
    const cpuSeconds = ((processorTime(pid) ?? 0) - (cpuBefore ?? 0)) / 1e6
    const load = os.loadavg()[0] ?? 0
    const peakMb = megabytes(pid, 'VmHWM')
    figures.push({ what, seconds, cpuSeconds, load, beforeMb, peakMb, steps, ...(await neighbor.figures) })
    const [wall, cpu] = [seconds, cpuSeconds].map((each) => each.toFixed(1).padStart(6))
    console.log(`${what.padEnd(48)} ${wall} s, ${cpu} s of CPU time, load ${load.toFixed(1)}, ${beforeMb} to ${peakMb} MB of memory`)
  }
  const send = async (content: Buffer, fileName = 'menu.csv'): Promise<MenuImport> => {
    let answer = (await call('POST', imports, { fileName, byteSize: content.length })) as MenuImport
    for (let at = 0; at < content.length; at += pieceBytes) {
      answer = (await call('PUT', `${imports}/${answer.id}/bytes?offset=${at}`, content.subarray(at, at + pieceBytes))) as MenuImport
    }
    if (answer.rowsRefused > 0) throw new Error(JSON.stringify(answer.rowErrors.slice(0, 3)))
    return answer
  }
  /** Returns the number of progress updates. */
  const run = async (id: string): Promise<number> => {
    await call('POST', `${imports}/${id}/start`)
    const seen = new Set<number>()
    for (;;) {
      const { status, rowsDone, error } = (await call('GET', `${imports}/${id}`)) as MenuImport
      seen.add(rowsDone)
      if (status === 'done') return seen.size
      if (status !== 'running') throw new Error(`${status}: ${error}`)
      await sleep(50)
    }
  }

  let id = ''
  const keep = async (content: Buffer) => {
    id = (await send(content)).id
    return 1
  }
  const undo = async (importId: string) => {
    // The second undo needs `anyway`: it overwrites items that the first restored, which count as changed manually.
    await call('POST', `${imports}/${importId}/undo`, { anyway: true })
    return 1
  }
  const first = menuFile(rows, 0)
  await time(`Sending and checking ${rows} rows`, () => keep(first))
  await time('Adding all of them', () => run(id))
  const firstId = id
  await time('Sending and checking new prices', () => keep(menuFile(rows, 1)))
  await time('Changing all of them', () => run(id))
  await time('Undoing that', () => undo(id))
  await time('Undoing the import', () => undo(firstId))
  const { secret } = (await call('POST', `/api/businesses/${business.id}/keys`, {
    name: 'Bench',
    scopes: ['menu:write', 'menu:read'],
    password: demoPassword,
  })) as {
    secret: string
  }
  const sync = async (priceShift: number): Promise<number> => {
    const asKey = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ items: syncedItems(priceShift) })
    const answer = await fetch(`${origin}/api/integrations/menu/items`, { method: 'POST', headers: asKey, body })
    let { id: syncId, status, itemsRejected } = (await answer.json()) as MenuSync
    let polls = 0
    while (status === 'running') {
      await sleep(50)
      polls++
      const poll = await fetch(`${origin}/api/integrations/menu/status?sync=${syncId}`, { headers: asKey })
      const { sync } = (await poll.json()) as { sync: MenuSync }
      ;({ id: syncId, status, itemsRejected } = sync)
    }
    if (status !== 'done' || itemsRejected > 0) throw new Error(`The sync is ${status}; ${itemsRejected} items were rejected.`)
    return polls
  }
  await time(`First sync of ${syncItems} items by key`, () => sync(0))
  await time('Sync with new prices', () => sync(1))
  await time('Sync without changes', () => sync(1))

  await time('Removing them by key', async () => {
    const ids = syncedItems(0).map((item) => item.id)
    const asKey = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api/integrations/menu/items`, { method: 'DELETE', headers: asKey, body: JSON.stringify({ ids }) })
    if (!answer.ok) throw new Error(await answer.text())
    return 1
  })
  await time(`Sending and checking ${2 * rows} sizes`, () => keep(sizesFile(rows)))
  await time('Adding all of them', () => run(id))

  const workbook = workbookFile(rows)
  await time(`Sending and checking a workbook of ${rows} × ${workbookColumns}`, async () => {
    await send(workbook, 'menu.xlsx')
    return 1
  })
  for (const { what, steps, p50PageMs, slowestPageMs } of figures) {
    console.log(
      `${what}: progress in ${steps} steps; another client's page ${p50PageMs.toFixed(1)} ms, at worst ${slowestPageMs.toFixed(0)} ms`,
    )
  }
  console.log(
    `Written to ${path.relative(process.cwd(), save({ rows, fileBytes: first.length, maxSeconds, maxSyncSeconds, maxGrowth, figures }, startedAt, 'menu-import'))}`,
  )
  const syncs = figures.filter(({ what }) => /sync/i.test(what)).map(({ seconds }) => seconds)
  if (Math.max(...syncs) > maxSyncSeconds) {
    console.error(`A sync took ${Math.max(...syncs).toFixed(1)} s; the limit is ${maxSyncSeconds} s.`)
    process.exitCode = 1
  }
  const imported = (figures[0]?.seconds ?? 0) + (figures[1]?.seconds ?? 0)
  if (imported > maxSeconds) {
    console.error(`Sending and adding took ${imported.toFixed(1)} s; the limit is ${maxSeconds} s.`)
    process.exitCode = 1
  }
  for (const { what, beforeMb, peakMb } of figures.filter((figure) => figure.peakMb - figure.beforeMb > maxGrowth)) {
    console.error(`${what}: the server's memory grew by ${peakMb - beforeMb} MB; the limit is ${maxGrowth} MB.`)
    process.exitCode = 1
  }
} finally {
  await server?.stop()
  removeFolder()
}

function syncedItems(priceShift: number) {
  return Array.from({ length: syncItems }, (_, i) => ({
    ...{ id: `pos-${i}`, name: `Garden Select ${i}`, type: 'Flower', brand: `Farm ${i % 40}`, strainType: 'hybrid' },
    cannabinoids: [{ name: 'THC', min: 18 + (i % 10), unit: '%' }],
    variants: [
      { id: 'a', size: '3.5g', price: 30 + (i % 20) + priceShift, inventory: i % 50 },
      { id: 'b', size: '7g', price: 55 + (i % 20) + priceShift, inventory: i % 30 },
    ],
  }))
}

async function allowAnySize(businessId: string): Promise<void> {
  const config = loadConfig({ ...process.env, DATA_DIR: folder, DATABASE_URL: undefined }, storedSecret)
  const database = await openDatabase(config, createLog({ logLevel: 'warn' }), { as: 'command' })
  await grantPlan(database.db, { businessId, planId: 'business_tools' })
  await database.close()
}

function menuFile(count: number, priceShift: number): Buffer {
  const all = parse(fs.readFileSync(path.join(projectRoot, 'data/products.csv')), { columns: true }) as Record<string, string>[]
  const unlicensed: Facts = {
    kind: 'menu_item',
    isAdvertising: false,
    business: { place: { country: 'US', state: null }, isLicensed: false, licenseNumber: null },
    isNewWriter: false,
    isRepeated: false,
  }
  // Every row must be importable, so this leaves out rows that the rules would refuse.
  const isRefused = (text = '') => checkText(text, unlicensed).some(({ effect }) => effect === 'refuse')
  const shipped = all.filter(({ name, brand, strain }) => name?.trim() && ![name.slice(0, 160), brand, strain].some(isRefused))
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = Array.from({ length: count }, (_, i) => {
    const { name = '', brand = '', category = '', strain = '' } = shipped[i % shipped.length] as Record<string, string>
    const price = (5 + ((i * 7) % 9000) / 100 + priceShift).toFixed(2)
    return [
      `SKU-${i}`,
      quoted(name.slice(0, 160)),
      quoted(brand),
      quoted(category),
      quoted(strain),
      price,
      '18.5%',
      '3.5 g',
      i % 11 ? 'yes' : 'no',
    ].join(',')
  })
  return Buffer.from(['SKU,Name,Brand,Category,Strain,Price,THC,Weight,In stock', ...lines].join('\r\n'))
}

/** Two sizes per row, with a price column for each weight. */
function sizesFile(count: number): Buffer {
  const lines = Array.from({ length: count }, (_, i) => `S-${i},Sized ${i},Farm ${i % 40},Flower,12,${30 + (i % 20)}`)
  return Buffer.from(['SKU,Name,Brand,Category,1g,3.5g', ...lines].join('\r\n'))
}

/** A workbook whose cells contain their own texts instead of sharing them. */
function workbookFile(count: number): Buffer {
  const names = ['SKU', 'Name', 'Category', 'Price', ...Array.from({ length: workbookColumns - 4 }, (_, i) => `Column ${i}`)]
  const columnName = (i: number) => (i < 26 ? '' : 'A') + String.fromCharCode(65 + (i % 26))
  const rowXml = (cells: readonly string[], row: number) =>
    `<row r="${row}">${cells.map((text, i) => `<c r="${columnName(i)}${row}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
  const body = Array.from({ length: count }, (_, i) =>
    rowXml([`XL-${i}`, `Sheet item ${i}`, 'Flower', '12.00', ...names.slice(4).map((_name, at) => `Value ${at} of ${i}`)], i + 2),
  )
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const sheet = `<worksheet xmlns="${main}"><sheetData>${rowXml(names, 1)}${body.join('')}</sheetData></worksheet>`
  return Buffer.from(zipSync({ ...unzipSync(xlsxOf([])), 'xl/worksheets/sheet1.xml': strToU8(sheet) }))
}

/** Requests a page repeatedly, ten milliseconds after each response, until stopped; then returns the response times. */
function watchPages(url: string): { stop(): void; figures: Promise<{ slowestPageMs: number; p50PageMs: number }> } {
  let isOn = true
  const watch = async () => {
    const times: number[] = []
    while (isOn) {
      const from = performance.now()
      await (await fetch(url)).arrayBuffer()
      times.push(performance.now() - from)
      await sleep(10)
    }
    return { slowestPageMs: Math.max(...times), p50PageMs: quantile(times, 0.5) }
  }
  const figures = watch()
  // Errors are handled where `figures` is awaited; until then, a stopped server must not crash this process.
  figures.catch(() => {})
  return {
    stop() {
      isOn = false
    },
    figures,
  }
}

/** Memory of a process, or its peak (VmHWM); 0 if /proc doesn't provide it. */
function megabytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  try {
    const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}

/** Resets the peak to the current memory, where /proc allows it. */
function forgetPeak(pid: number): void {
  try {
    fs.writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // The peak then includes earlier use.
  }
}
