import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { readDocument } from '../hunt-archive/index.ts'
import { keptFileKeys } from '../media/index.ts'
import { type FileNote, noteOf, readme } from './export-readme.ts'
import { columnsOfTables, writeRows } from './export-rows.ts'
import { tables } from './map/index.ts'

export const makingFolder = (dataDir: string): string => path.join(dataDir, 'making')

type MediaFile = { name: string; key: string; size: number }
type Owner = { id: string; email: string }
type Progress = (done: number, total: number) => Promise<void>
type Ctx = Pick<Context, 'db' | 'storage' | 'clock' | 'brand' | 'config' | 'log'>

/**
 * Makes the file of everything about somebody, in a folder of this machine: rows are written there from one snapshot, which locks nothing
 * and is over before the first picture is read; then all goes into the ZIP, a piece at a time. Answers where it lies.
 */
export async function makeExport(ctx: Ctx, exportId: string, owner: Owner, progress: Progress): Promise<{ file: string; size: number }> {
  const folder = path.join(makingFolder(ctx.config.dataDir), exportId)
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
  const hunts = await tx.selectFrom('hunts').select('id').where('owner_id', '=', ownerId).orderBy('id').execute()
  await fs.promises.mkdir(path.join(folder, 'hunts'), { recursive: true })
  for (const { id } of hunts) {
    const document = await readDocument(tx, id, at).catch((error: unknown) => {
      // One that is too large for a document is in data/ all the same.
      if (error instanceof AppError && error.code === 'conflict') return null
      throw error
    })
    if (document) await fs.promises.writeFile(path.join(folder, 'hunts', `${id}.json`), `${JSON.stringify(document)}\n`)
  }
}

/** One file of each: of a picture the largest in the kind that opens everywhere. */
async function mediaOf(tx: Tx, ownerId: string): Promise<MediaFile[]> {
  const rows = await tx
    .selectFrom('media')
    .select(['id', 'kind', 'extension', 'byte_size'])
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'ready')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, kind, extension, byte_size }) => {
    const keys = keptFileKeys({ id, kind, extension })
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
  const archive = new ZipFile()
  const written = (await fs.promises.readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort()
  for (const name of written) archive.addFile(path.join(folder, name), name.split(path.sep).join('/'))
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
  // Each is opened when the one before it is in. What is in pictures is compressed already.
  for (const each of media) addLater(archive, each.name, { compress: false }, () => open(each))
  addLater(archive, 'README.txt', {}, async () => Readable.from([note(missing)]))
  archive.end()
  const failed = new Promise<never>((_resolve, reject) => archive.once('error', reject))
  const stopped = new AbortController()
  const output = pipeline(archive.outputStream, fs.createWriteStream(file, { mode: 0o600 }), { signal: stopped.signal })
  try {
    await Promise.race([output, failed])
  } catch (error) {
    stopped.abort()
    await output.catch(() => {})
    throw error
  }
}

const addLater = (archive: ZipFile, name: string, options: { compress?: boolean }, open: () => Promise<Readable>): void =>
  archive.addReadStreamLazy(name, options, (give) => {
    open().then(
      (body) => give(null, body),
      (error: unknown) => give(error, Readable.from([])),
    )
  })
