import { createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { utcDate } from '#contracts/age.ts'
import { dayMs } from '#contracts/time.ts'
import { type Config, projectRoot } from '#server/config.ts'
import { listed } from '#server/config-values.ts'
import type { Db } from '#server/db/connect.ts'
import type { Clock, Context } from '#server/kernel/context.ts'
import { findCity } from '#server/kernel/geo/gazetteer.ts'
import { newId } from '#server/kernel/ids.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import {
  LicenseRegister,
  type ReadRegister,
  type RegisterRow,
  RegisterUnavailable,
  registerColumns,
} from '#server/kernel/license-registers.ts'
import { type ImportTask, importLicenses } from './import-licenses.ts'
import { columns as fileColumns, type RawRow } from './read-records.ts'
import { type ImportSummary, quoted } from './summary.ts'

export const shippedRegisters = path.join(projectRoot, 'data/license-registers.json')

/** @throws Error naming what is wrong in the file */
export async function loadRegisters(file: string): Promise<LicenseRegister[]> {
  const parsed = z.array(LicenseRegister).safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!parsed.success) throw new Error(`${file} is not a list of registers:\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** @throws Error if a state has no register, or if the file of registers can't be used */
export async function checkRegisters({ states, file }: Config['licenseRegisters']): Promise<void> {
  if (states.length === 0 && file === shippedRegisters) return
  const registers = await loadRegisters(file).catch((cause: Error) => {
    throw new Error(`LICENSE_REGISTERS_FILE can't be used: ${cause.message}`, { cause })
  })
  const known = [...new Set(registers.map(({ state }) => state))].sort()
  const unknown = states.filter((state) => !known.includes(state))
  if (unknown.length > 0) throw new Error(`LICENSE_REGISTERS: no register for ${listed(unknown)}, only for ${listed(known, 'and')}.`)
}

type FetchTask = Pick<ImportTask, 'dataDir' | 'signal' | 'onRefused' | 'onPlaced'> & {
  read: ReadRegister
  onRows?: (count: number) => void
  /** Imports a register even if it lists less than half of what its authority listed before. */
  acceptShrunk?: boolean
}

/**
 * Reads a register as published and imports it like a file. Nothing is imported before the last row has been read.
 *
 * @throws RegisterUnavailable if the register can't be read to its end, is empty, or lists less than half of what its authority
 * listed before: the last is more often a broken export than a thousand closed stores, and importing it would mark them all as missing.
 */
export async function fetchRegister(ctx: { db: Db; clock: Clock }, register: LicenseRegister, task: FetchTask): Promise<ImportSummary> {
  const { read, onRows, acceptShrunk, ...importTask } = task
  const folder = path.join(task.dataDir, 'registers')
  // Not shared with another run for this register, such as one that timed out and is still reading.
  const file = path.join(folder, `${register.id}-${newId()}.csv`)
  const readOn = utcDate(ctx.clock.now())
  mkdirSync(folder, { recursive: true })
  removeOldFiles(folder, ctx.clock.now())
  let count = 0
  async function* lines() {
    yield `${fileColumns.join(',')}\n`
    for await (const rows of read(register.source, task.signal)) {
      count += rows.length
      onRows?.(count)
      yield rows
        .map((row) => toFileRow(register, row, readOn))
        .map((fields) => `${fileColumns.map((column) => quoted(fields[column])).join(',')}\n`)
        .join('')
    }
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(file))
    if (count === 0) throw new RegisterUnavailable('The register has no rows.')
    const before = await countListed(ctx.db, register)
    if (!acceptShrunk && count < before / 2) {
      throw new RegisterUnavailable(
        `The register lists ${count} licenses; its authority listed ${before} before. If that's correct, import it with --accept-shrunk.`,
      )
    }
    return await importLicenses(ctx, { ...importTask, file, source: register.name })
  } finally {
    rmSync(file, { force: true })
  }
}

/** Deletes files left behind by processes that were killed. No run takes a day. */
function removeOldFiles(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    // Another run may be deleting its file.
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats && now.getTime() - stats.mtimeMs > dayMs) rmSync(file, { force: true })
  }
}

/** How many of the authority's licenses, from any register or file, aren't missing: an import marks those that it lacks as missing. */
async function countListed(db: Db, { state, authority }: LicenseRegister): Promise<number> {
  const { count } = await db
    .selectFrom('licenses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', state)
    .where('authority', 'is not distinct from', authority || null)
    .where('missing_since', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** When each register was last read completely, by register name. */
export async function lastReadings(db: Db): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('license_imports')
    .select((eb) => ['source', eb.fn.max('finished_at').as('finished_at')])
    .where('finished_at', 'is not', null)
    .groupBy('source')
    .execute()
  return new Map(rows.flatMap(({ source, finished_at }) => (finished_at ? [[source, finished_at] as const] : [])))
}

/** Line breaks within a cell become spaces. */
export function toFileRow(register: LicenseRegister, row: RegisterRow, readOn: string): RawRow {
  const placeholders = new Set(register.placeholders.map((text) => text.toLowerCase()))
  const cell = (name: string): string => {
    const value = row[name]
    const text = value instanceof Date ? value.toISOString().slice(0, 10) : typeof value === 'object' ? '' : `${value ?? ''}`
    const plain = text.replace(/\s+/g, ' ').trim()
    return placeholders.has(plain.toLowerCase()) ? '' : plain
  }
  const mapped = registerColumns.map((column) => {
    const names = [register.columns[column] ?? []].flat()
    return [column, names.map(cell).find((text) => text !== '') ?? ''] as const
  })
  const known = Object.fromEntries(mapped) as Record<(typeof registerColumns)[number], string>
  const type = register.types.find(({ contains }) => known.license_type.toLowerCase().includes(contains.toLowerCase()))
  return {
    ...known,
    ...(known.address && splitAddress(known.address, register.state)),
    state: register.state,
    business_type: type?.businessType ?? '',
    geo_precision: known.latitude && known.longitude ? 'premise' : '',
    authority: register.authority,
    authority_id: register.authorityId,
    data_refreshed: readOn,
  }
}

/**
 * "5691 SE International Way Ste C MILWAUKIE OR 97222-": the city is the longest name right before the state that the
 * gazetteer has. Without one, everything before the state is the street, and the ZIP code determines the city.
 */
function splitAddress(address: string, state: string): Pick<RawRow, 'street' | 'city' | 'zip'> {
  const { before = address, zip = '' } = new RegExp(`^(?<before>.*?)[\\s,]+${state}[\\s,]+(?<zip>\\d{5})`, 'i').exec(address)?.groups ?? {}
  const words = before.split(/[\s,]+/)
  for (let length = Math.min(4, words.length - 1); length > 0; length--) {
    const city = words.slice(-length).join(' ')
    if (findCity(city, state)) return { street: words.slice(0, -length).join(' '), city, zip }
  }
  return { street: before, city: '', zip }
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /** Queues a fetch of each register of the configured states. */
    'directory.fetch-registers': Record<string, never>
    'directory.fetch-register': { registerId: string }
  }
}

type DirectoryJob = 'directory.fetch-registers' | 'directory.fetch-register'

export const directoryJobs = (ctx: Context, read: ReadRegister): Pick<JobHandlers, DirectoryJob> => ({
  async 'directory.fetch-registers'() {
    const { states, file } = ctx.config.licenseRegisters
    if (states.length === 0) return
    for (const { id, state } of await loadRegisters(file)) {
      if (states.includes(state)) await ctx.jobs.enqueue('directory.fetch-register', { registerId: id })
    }
  },
  async 'directory.fetch-register'({ registerId }) {
    const register = (await loadRegisters(ctx.config.licenseRegisters.file)).find(({ id }) => id === registerId)
    if (!register) return
    const { rowsRead, added, changed, missing, listings } = await fetchRegister(ctx, register, { read, dataDir: ctx.config.dataDir })
    ctx.cache.invalidate('businesses')
    ctx.log.info({ register: registerId, rowsRead, added, changed, missing, listings }, 'a license register was read')
  },
})

/** On the 2nd of each month, because many registers publish on the 1st. */
export const directorySchedules: readonly JobSchedule[] = [{ name: 'directory.fetch-registers', cron: '23 8 2 * *', data: {} }]
