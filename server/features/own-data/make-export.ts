import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Brand } from '#contracts/brand.ts'
import { graceDays } from '#contracts/limits.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { readDocument } from '#server/features/hunt-archive/index.ts'
import { ownHuntIds } from '#server/features/hunts/index.ts'
import { storedFileKeys } from '#server/features/media/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { zipStream } from '#server/kernel/zip-stream.ts'
import { type Part, type TableMap, tables } from './map/index.ts'

export const makingFolder = (dataDir: string): string => path.join(dataDir, 'making')

type MediaFile = { name: string; key: string; size: number }
type Owner = { id: string; email: string }
type Progress = (done: number, total: number) => Promise<void>
type Ctx = Pick<Context, 'db' | 'storage' | 'clock' | 'brand' | 'config' | 'log'>

/**
 * Builds a person's export in a local folder named `folderName` and returns its path. Rows are written from one snapshot that locks nothing
 * and ends before the first picture is read; then everything is streamed into the ZIP.
 */
export async function makeExport(ctx: Ctx, folderName: string, owner: Owner, progress: Progress): Promise<{ file: string; size: number }> {
  const folder = path.join(makingFolder(ctx.config.dataDir), folderName)
  await fs.promises.rm(folder, { recursive: true, force: true })
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 })
  const at = ctx.clock.now()
  const { media, businesses } = await inTransaction(ctx.db, (tx) => writeData(tx, owner, folder, at), {
    isolation: 'repeatable read',
  })
  const file = path.join(folder, 'export.zip')
  await zip(ctx, { folder, file, media, progress }, (missing) =>
    readme({ brand: ctx.brand, at, email: owner.email, mediaCount: media.length - missing.length, missing, businesses }),
  )
  return { file, size: (await fs.promises.stat(file)).size }
}

async function writeData(tx: Tx, owner: Owner, folder: string, at: Date) {
  const columns = await columnsOfTables(tx)
  const notes: FileNote[] = []
  const write = async (table: string, whose: 'person' | 'business', ownerId: string, under: string) => {
    const map = tables[table]
    const part = whose === 'business' ? map?.ofBusiness : typeof map?.exported === 'string' ? undefined : map?.exported
    const names = columns.get(table)
    if (!map || !part || !names) return
    const file = `${under}/${part.file}.json`
    const rows = await writeRows(tx, { table, part, columns: names, ownerId }, path.join(folder, file))
    if (rows > 0) notes.push(noteOf(file, map, part, names, rows))
  }
  for (const table of Object.keys(tables)) await write(table, 'person', owner.id, 'data')
  const owned = await tx
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.business_id')
    .select(['businesses.id', 'businesses.slug', 'businesses.name'])
    .where('user_id', '=', owner.id)
    .where('role', '=', 'owner')
    .execute()
  for (const { id, slug } of owned) {
    for (const table of Object.keys(tables)) await write(table, 'business', id, `businesses/${slug}`)
  }
  const notIncluded = Object.fromEntries(
    Object.entries(tables).flatMap(([table, { about, exported }]) =>
      typeof exported === 'string' ? [[table, `${about} ${exported}`]] : [],
    ),
  )
  await fs.promises.mkdir(path.join(folder, 'data'), { recursive: true })
  await fs.promises.writeFile(
    path.join(folder, 'data/schema.json'),
    `${JSON.stringify({ format: 'sungrove.own-data', version: 1, exportedAt: at.toISOString(), files: notes, notIncluded }, null, 1)}\n`,
  )
  await writeHunts(tx, owner.id, folder, at)
  return { media: await mediaOf(tx, owner.id), businesses: owned.map(({ name }) => name) }
}

async function writeHunts(tx: Tx, ownerId: string, folder: string, at: Date): Promise<void> {
  await fs.promises.mkdir(path.join(folder, 'hunts'), { recursive: true })
  for (const id of await ownHuntIds(tx, ownerId)) {
    const document = await readDocument(tx, id, at).catch((error: unknown) => {
      // Too large for a document, but its rows are in data/.
      if (error instanceof AppError && error.code === 'conflict') return null
      throw error
    })
    if (document) await fs.promises.writeFile(path.join(folder, 'hunts', `${id}.json`), `${JSON.stringify(document)}\n`)
  }
}

/** One file per item; for pictures, the largest size in the most compatible format. */
async function mediaOf(tx: Tx, ownerId: string): Promise<MediaFile[]> {
  const rows = await tx
    .selectFrom('media')
    .select(['id', 'kind', 'extension', 'byte_size'])
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'ready')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, kind, extension, byte_size }) => {
    const keys = storedFileKeys({ id, kind, extension })
    const key = kind === 'image' ? keys.findLast((each) => each.endsWith('.webp')) : keys[0]
    return key === undefined ? [] : [{ name: `media/${id}${path.extname(key)}`, key, size: byte_size }]
  })
}

type Zipping = { folder: string; file: string; media: readonly MediaFile[]; progress: Progress }

async function zip(
  ctx: Pick<Ctx, 'storage'>,
  { folder, file, media, progress }: Zipping,
  note: (missing: string[]) => string,
): Promise<void> {
  const written = (await fs.promises.readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort()
  const total = media.reduce((sum, { size }) => sum + size, 1)
  const missing: string[] = []
  let done = 0
  const open = async ({ name, key, size }: MediaFile): Promise<Readable> => {
    await progress(done, total)
    done += size
    const stored = await ctx.storage.get(key)
    if (stored && 'body' in stored) return stored.body
    missing.push(name)
    return Readable.from([])
  }
  const { body } = zipStream([
    ...written.map((name) => ({
      name: name.split(path.sep).join('/'),
      isCompressed: true,
      open: async () => fs.createReadStream(path.join(folder, name)),
    })),
    ...media.map((each) => ({ name: each.name, open: () => open(each) })),
    // Comes last, because only then is it known what is missing.
    { name: 'README.txt', isCompressed: true, open: async () => Readable.from([note(missing)]) },
  ])
  await pipeline(body, fs.createWriteStream(file, { mode: 0o600 }))
}

type FileNote = {
  file: string
  about: string
  rows: number
  fields: string[]
  leftOut: Record<string, string>
}

const noteOf = (file: string, { about }: TableMap, part: Part, columns: readonly string[], rows: number): FileNote => ({
  file,
  about,
  rows,
  fields: exportedColumns(part, columns).map(camelCase),
  leftOut: Object.fromEntries(Object.entries(part.leftOut ?? {}).map(([column, why]) => [camelCase(column), why])),
})

type Contents = {
  brand: Brand
  at: Date
  email: string
  mediaCount: number
  missing: readonly string[]
  businesses: readonly string[]
}

function readme({ brand, at, email, mediaCount, missing, businesses }: Contents): string {
  const lines = [
    `${brand.name}: data about ${email}`,
    `As of ${at.toISOString()} (UTC).`,
    '',
    'data/          one file per subject, each a JSON list. data/schema.json describes each file: its fields,',
    '               the fields that are left out and why, and what is not included at all.',
    `media/         pictures, videos and documents you uploaded (${mediaCount}), named by their IDs in data/media.json. Pictures`,
    '               are as we store them: re-encoded without location and camera data, at most 1,600 pixels wide.',
    'hunts/         your hunts as documents that you can import again. A hunt too large for that is only in data/.',
    ...(businesses.length > 0 ? [`businesses/    the businesses you own: ${businesses.join(', ')}.`] : []),
    '',
    'Times are ISO 8601 in UTC. Lengths, temperatures and weights are in SI units; money is in cents.',
    'IDs are internal to the site. Rows refer to other people by their IDs; what they wrote is not included.',
    `Deleting the account removes your personal data from the site after ${graceDays} days; see Settings, Your data.`,
    ...(missing.length > 0 ? ['', `Not found in the storage: ${missing.join(', ')}.`] : []),
    '',
    `Questions: ${brand.supportEmail}`,
  ]
  return `${lines.join('\n')}\n`
}

const rowsAtOnce = 1_000

type Columns = readonly string[]

async function columnsOfTables(tx: Tx): Promise<Map<string, Columns>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' group by table_name`.execute(tx)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

export const camelCase = (column: string): string => column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const exportedColumns = (part: Part, columns: Columns): string[] => columns.filter((column) => part.leftOut?.[column] === undefined)

type Source = { table: string; part: Part; columns: Columns; ownerId: string }

/**
 * Writes rows to a file as a JSON array, one row per line, with a thousand rows in memory at a time. `tx` must be a snapshot that blocks no
 * one. Returns the number of rows; writes no file if there are none.
 */
export async function writeRows(tx: Tx, { table, part, columns, ownerId }: Source, file: string): Promise<number> {
  const names = exportedColumns(part, columns)
  const fields = sql.join(names.map((name) => sql`${sql.ref(name)} as ${sql.ref(camelCase(name))}`))
  // IDs derived from a program's references aren't chronological.
  const order = [...(columns.includes('created_at') ? ['created_at'] : []), columns[0] as string]
  await sql`
    declare own_rows no scroll cursor for
    select ${fields} from ${sql.table(table)} where ${part.whose(sql`${ownerId}::uuid`)}
    order by ${sql.join(order.map((column) => sql.ref(column)))}`.execute(tx)
  let out: fs.promises.FileHandle | undefined
  let count = 0
  try {
    for (;;) {
      const { rows } = await sql<object>`fetch ${sql.lit(rowsAtOnce)} from own_rows`.execute(tx)
      if (rows.length === 0) break
      out ??= await create(file)
      const lines = rows.map((row, i) => `${count + i === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`)
      count += rows.length
      await out.appendFile(lines.join(''))
    }
    await out?.appendFile('\n]\n')
  } finally {
    await out?.close()
  }
  await sql`close own_rows`.execute(tx)
  return count
}

async function create(file: string): Promise<fs.promises.FileHandle> {
  await fs.promises.mkdir(path.dirname(file), { recursive: true })
  return fs.promises.open(file, 'w', 0o600)
}
