import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import files from 'node:fs/promises'
import path from 'node:path'
import readline from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { hourMs } from '#contracts/time.ts'
import { UserFacingError } from '#server/error-line.ts'
import { chunkKey, storedFileKeys } from '#server/features/media/index.ts'
import { firstUuid } from '#server/kernel/ids.ts'
import type { Storage } from '#server/kernel/storage.ts'
import { isOutOfSpace } from '#server/kernel/storage.ts'
import {
  createFileChain,
  type FrameKind,
  filePart,
  firstLine,
  formatVersion,
  frameHead,
  type Manifest,
  type PartEnd,
  secretsPart,
  type TableOfBackup,
} from './format.ts'
import { describeSecrets, type Secrets } from './secrets.ts'
import { withSession } from './session.ts'
import { appliedMigrations, createRowDigest, ownTables, readRows, type TableColumns, waitingJobs } from './tables.ts'

export type BackupSource = {
  databaseUrl: string
  storage: Storage
  secrets: Secrets
  release: string
}

export type BackupOptions = {
  /** If false, storage must be backed up in another way, such as bucket versioning. */
  withFiles?: boolean
  /** If true, the file alone gives access to everything. */
  withSecrets?: boolean
  signal?: AbortSignal | undefined
}

/**
 * Writes the whole site into one file while the server runs: a snapshot of the rows, and the files they name. Memory use is constant.
 * @throws UserFacingError if the disk is full or the file exists
 */
export function takeBackup(
  file: string,
  source: BackupSource,
  options: BackupOptions = {},
): Promise<{ manifest: Manifest; bytes: number }> {
  const { withFiles = true, withSecrets = false, signal } = options
  return writeBackupFile(file, async (writer) => {
    // Names are stored on disk next to the draft, because there may be millions.
    const names = path.join(path.dirname(file), draftName(`${path.basename(file)}-files`))
    try {
      const rows = await copyRows(writer, source.databaseUrl, { names, signal })
      if (withSecrets) await writer.part(secretsPart, Readable.from([Buffer.from(JSON.stringify(source.secrets))]))
      const { files, lost } = withFiles ? await copyFiles(writer, source.storage, { names, signal }) : noFiles()
      const missing = await countStillReferenced(source.databaseUrl, lost)
      const manifest: Manifest = {
        format: formatVersion,
        release: source.release,
        ...rows,
        files: { isIncluded: withFiles, ...files, missing, removedMeanwhile: lost.length - missing },
        secrets: describeSecrets(source.secrets, withSecrets),
      }
      return { manifest, ...(await writer.finish(manifest)) }
    } finally {
      fs.rmSync(names, { force: true })
    }
  })
}

type LostFile = { mediaId: string; isPiece: boolean }
const uploadFolder = 'uploads/'

type Progress = { names: string; signal: AbortSignal | undefined }

/** Reads everything in one snapshot transaction, which blocks no one. */
function copyRows(writer: BackupWriter, url: string, { names, signal }: Progress) {
  return withSession(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ postgres: string; at: Date }>(`select current_setting('server_version') as postgres, now() as at`)
    const migrations = await appliedMigrations(client)
    const tables: TableOfBackup[] = []
    for (const table of await ownTables(client)) {
      tables.push(await copyTable(writer, client, table, signal))
    }
    const jobs = await waitingJobs(client)
    const copied = jobs && { ...(await copyTable(writer, client, jobs, signal)), queues: jobs.queues }
    await listFiles(client, names)
    await client.query('commit')
    return { postgres: rows[0]?.postgres ?? '', takenAt: (rows[0]?.at ?? new Date()).toISOString(), migrations, tables, jobs: copied }
  })
}

async function copyTable(
  writer: BackupWriter,
  client: pg.Client,
  { name, columns }: TableColumns,
  signal: AbortSignal | undefined,
): Promise<TableOfBackup> {
  const digest = createRowDigest()
  async function* rows() {
    for await (const chunk of readRows(client, { name, columns })) {
      // One table can take minutes.
      signal?.throwIfAborted()
      digest.update(chunk)
      yield chunk
    }
  }
  const end = await writer.part(name, rows())
  return { name, columns, ...end, ...digest.value() }
}

const batch = 1000

/** Lists the files that the snapshot's rows name, one `mediaId key` per line. */
async function listFiles(client: pg.Client, names: string): Promise<void> {
  const handle = fs.openSync(names, 'wx', 0o600)
  try {
    const note = (lines: string[]) => fs.writeSync(handle, lines.map((line) => `${line}\n`).join(''))
    for (let after = firstUuid; ; ) {
      const { rows } = await client.query<{ id: string; kind: 'image' | 'video' | 'document'; extension: string | null }>(
        `select id, kind, extension from media where status = 'ready' and id > $1 order by id limit ${batch}`,
        [after],
      )
      note(rows.flatMap((row) => storedFileKeys(row).map((key) => `${row.id} ${key}`)))
      const last = rows.at(-1)
      if (!last || rows.length < batch) break
      after = last.id
    }
    // Uploads in progress, which are few because idle ones are deleted after a day.
    const { rows } = await client.query<{ id: string; starts_at: number; ends_at: number }>(
      `select c.media_id as id, c.starts_at, c.ends_at from media_chunks c join media m on m.id = c.media_id
       where c.is_counted and m.status in ('receiving', 'processing')`,
    )
    note(rows.map((row) => `${row.id} ${chunkKey(row.id, row.starts_at, row.ends_at)}`))
  } finally {
    fs.closeSync(handle)
  }
}

/** Files are written before the rows that name them, so each exists unless it was deleted after the snapshot. */
async function copyFiles(writer: BackupWriter, storage: Storage, { names, signal }: Progress) {
  const chain = createFileChain()
  const lost: LostFile[] = []
  for await (const line of readline.createInterface({ input: fs.createReadStream(names) })) {
    signal?.throwIfAborted()
    const [mediaId = '', key = ''] = line.split(' ')
    const stored = await storage.get(key)
    if (!stored || 'outOfRange' in stored) {
      lost.push({ mediaId, isPiece: key.startsWith(uploadFolder) })
      continue
    }
    const end = await writer.part(filePart(key), stored.body as AsyncIterable<Buffer>, { isCompressed: false })
    if (end.bytes !== stored.size) throw new Error(`the storage returned ${end.bytes} bytes of ${key}, which has ${stored.size}`)
    chain.add({ name: filePart(key), ...end })
  }
  return { files: chain.value(), lost }
}

const noFiles = () => ({ files: createFileChain().value(), lost: [] as LostFile[] })

/** Counts the missing files that a row still names. The others have since been deleted, as have the chunks of completed uploads. */
async function countStillReferenced(url: string, lost: readonly LostFile[]): Promise<number> {
  if (lost.length === 0) return 0
  const mediaIds = lost.flatMap(({ mediaId, isPiece }) => (isPiece ? [] : [mediaId]))
  const { rows } = await withSession(url, (client) =>
    client.query<{ id: string }>(`select id from media where id = any($1::uuid[]) and status = 'ready'`, [[...new Set(mediaIds)]]),
  )
  const named = new Set(rows.map((row) => row.id))
  return mediaIds.filter((id) => named.has(id)).length
}

/** `sungrove-20261121T234500Z-1a2b.backup`: sorts by time, with a suffix for two backups in the same second. */
export const backupName = (brandSlug: string, at: Date): string =>
  `${brandSlug}-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${randomBytes(2).toString('hex')}.backup`

/** After this many ms, a later process deletes the partial files of one that was killed. */
const draftLivesMs = 24 * hourMs
const draftName = (name: string): string => `.${name}.${process.pid}.part`
const draftPattern = /^\..*\.\d+\.part$/
/** Fast, and shrinks text to about a quarter. The checksum is part of the Zstandard format. */
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

type BackupWriter = {
  part(name: string, bytes: AsyncIterable<Buffer>, options?: { isCompressed?: boolean }): Promise<PartEnd>
  finish(manifest: Manifest): Promise<{ bytes: number }>
}

/**
 * Writes a backup under a temporary name and renames it once it is complete and flushed, so a file with the final name is never partial.
 * Only the user who made it can read it, because it contains personal data.
 * @throws UserFacingError if the file already exists or the disk is full
 */
async function writeBackupFile<Answer>(file: string, work: (writer: BackupWriter) => Promise<Answer>): Promise<Answer> {
  const folder = path.dirname(file)
  await files.mkdir(folder, { recursive: true, mode: 0o700 })
  if (await exists(file)) throw new UserFacingError(`${file} already exists. Nothing was written.`)
  await removeOldDrafts(folder)
  const draft = path.join(folder, draftName(path.basename(file)))
  const handle = await files.open(draft, 'wx', 0o600)
  try {
    const answer = await work(await createWriter(handle))
    await handle.sync()
    await handle.close()
    await files.rename(draft, file)
    await syncFolder(folder)
    return answer
  } catch (error) {
    await handle.close().catch(() => {})
    await files.rm(draft, { force: true }).catch(() => {})
    if (!isOutOfSpace(error)) throw error
    throw new UserFacingError(`There is not enough space for the backup in ${folder}. The unfinished file was removed.`, { cause: error })
  }
}

async function createWriter(handle: files.FileHandle): Promise<BackupWriter> {
  const whole = createHash('sha256')
  let length = 0

  const put = async (bytes: Buffer) => {
    whole.update(bytes)
    length += bytes.length
    // `appendFile` continues until everything is written, or fails.
    await handle.appendFile(bytes)
  }
  const frame = async (kind: FrameKind, content: Buffer) => {
    await put(frameHead(kind, content.length))
    await put(content)
  }
  const json = (kind: FrameKind, value: object) => frame(kind, Buffer.from(JSON.stringify(value)))

  await put(Buffer.from(firstLine()))
  return {
    async part(name, bytes, { isCompressed = true } = {}) {
      const hash = createHash('sha256')
      let size = 0
      async function* counted() {
        for await (const chunk of bytes) {
          hash.update(chunk)
          size += chunk.length
          yield chunk
        }
      }
      const store = async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await frame('D', chunk)
      }
      await json('P', { name, isCompressed })
      if (isCompressed) await pipeline(Readable.from(counted(), { objectMode: false }), createZstdCompress(zstd), store)
      else await store(counted())
      const end = { sha256: hash.digest('hex'), bytes: size }
      await json('F', end)
      return end
    },
    async finish(manifest) {
      await json('M', manifest)
      const mark = whole.copy().digest()
      await frame('E', mark)
      return { bytes: length }
    },
  }
}

const exists = (file: string) =>
  files.access(file).then(
    () => true,
    () => false,
  )

async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await files.readdir(folder)) {
    if (!draftPattern.test(name)) continue
    const file = path.join(folder, name)
    const stat = await files.stat(file).catch(() => null)
    if (stat && Date.now() - stat.mtimeMs > draftLivesMs) await files.rm(file, { force: true })
  }
}

/** Makes the rename survive a power failure. Windows has no equivalent. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await files.open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
