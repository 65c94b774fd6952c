import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import * as z from 'zod'
import { UserFacingError } from '#server/error-line.ts'

/**
 * A backup is a single file: a first line, then frames. Each frame has a letter, the length of its content (four bytes, big-endian) and the
 * content.
 *
 *     P  start of a part: JSON { name, isCompressed }
 *     D  data of the part, compressed with Zstandard if `isCompressed`
 *     F  end of the part: JSON { sha256, bytes } of its uncompressed data
 *     M  the manifest: JSON, see `Manifest`
 *     E  the end: the SHA-256 of everything before this frame. Nothing follows.
 */
export const formatVersion = 1
export const firstLine = (version: number = formatVersion): string => `sungrove-backup ${version}\n`

/** Matches any format version. */
export const firstLinePattern = /^sungrove-backup (\d{1,6})\n/
const maxFirstLineLength = firstLine(999_999).length

export type FrameKind = 'P' | 'D' | 'F' | 'M' | 'E'
type PartHead = { name: string; isCompressed: boolean }
export type PartEnd = { sha256: string; bytes: number }

export const frameHeadBytes = 5
/** Data frames are far smaller, and so is the manifest of a thousand tables. */
const maxFrameBytes = 8 * 1024 * 1024

export function frameHead(kind: FrameKind, length: number): Buffer {
  const head = Buffer.alloc(frameHeadBytes)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(length, 1)
  return head
}

/** @throws BackupRefused if it isn't the head of a frame */
export function readFrameHead(head: Buffer): { kind: FrameKind; length: number } {
  const kind = head.toString('latin1', 0, 1)
  const length = head.readUInt32BE(1)
  if (!'PDFME'.includes(kind) || length > maxFrameBytes) throw new BackupRefused('The backup is damaged: it contains an unknown part.')
  return { kind: kind as FrameKind, length }
}

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().min(0)

const Part = z.object({ name: z.string(), sha256: Hash, bytes: Count })

/** `digest` comes from `createRowDigest` and doesn't depend on the order of rows. */
const Table = Part.extend({ columns: z.array(z.string()).min(1), rows: Count, digest: Hash })
export type TableOfBackup = z.infer<typeof Table>

export const Manifest = z.object({
  format: z.literal(formatVersion),
  release: z.string(),
  postgres: z.string(),
  takenAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(Table),
  /** Waiting, running and failed jobs. Null if there was no queue yet. */
  jobs: Table.extend({ queues: z.array(z.string()) }).nullable(),
  files: z.object({
    isIncluded: z.boolean(),
    count: Count,
    bytes: Count,
    /** Hash of the names and SHA-256 of all files, in order. */
    chain: Hash,
    /** Files in the snapshot that were deleted during the backup, along with their rows. */
    removedMeanwhile: Count,
    /** Files that are missing from storage although rows still reference them. */
    missing: Count,
  }),
  /** Salted hashes, enough to detect a different secret but not to recover one. */
  secrets: z.object({ salt: z.string(), session: z.string(), vapid: z.string().nullable(), isIncluded: z.boolean() }),
})
export type Manifest = z.infer<typeof Manifest>

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

export const tablesOf = ({ tables, jobs }: Manifest): TableOfBackup[] => (jobs ? [...tables, jobs] : tables)

/** The file isn't a complete backup, or doesn't fit the target. A check that throws this has written nothing. */
export class BackupRefused extends UserFacingError {
  override name = 'BackupRefused'
}

/** `bytes` are decompressed and must be read to the end before the next part. */
export type ReadPart = { name: string; bytes: AsyncIterable<Buffer>; end(): PartEnd }

const damaged = (what: string, cause?: unknown) => new BackupRefused(`The backup is damaged: ${what}.`, { cause })

/**
 * Reads a backup from start to end, passes each part to `take` and verifies every hash.
 * @throws BackupRefused naming the defect. All parts passed before were intact, except possibly the current one.
 */
export async function readBackupFile(file: string, take: (part: ReadPart) => Promise<void>): Promise<Manifest> {
  if (!fs.existsSync(file)) throw new BackupRefused(`File not found: ${file}.`)
  const source = createSource(file)
  try {
    await readFirstLine(source)
    const found = createReadParts()
    let manifest: Manifest | undefined
    for (;;) {
      const before = source.digest()
      const { kind, length } = readFrameHead(await source.read(frameHeadBytes))
      const content = await source.read(length)
      if (kind === 'E') {
        if (!manifest || !content.equals(before)) throw damaged('its end does not match its content')
        if (await source.hasMore()) throw damaged('it has data after its end')
        return manifest
      }
      if (kind === 'P' && !manifest) found.add(await readPart(source, head(content), take))
      else if (kind === 'M' && !manifest) manifest = checkedManifest(content, found)
      else throw damaged('its parts are out of order')
    }
  } finally {
    source.close()
  }
}

type ReadParts = ReturnType<typeof createReadParts>
type FoundPart = PartEnd & { name: string }

/** Counts and chains files instead of listing them, because there may be millions. */
function createReadParts() {
  const parts: FoundPart[] = []
  const files = createFileChain()
  return { parts, files, add: (part: FoundPart) => void (isFile(part.name) ? files.add(part) : parts.push(part)) }
}

export function createFileChain() {
  const chain = createHash('sha256')
  let count = 0
  let bytes = 0
  return {
    add(part: FoundPart): void {
      chain.update(`${part.name} ${part.sha256}\n`)
      count++
      bytes += part.bytes
    },
    value: () => ({ count, bytes, chain: chain.copy().digest('hex') }),
  }
}

async function readPart(source: Source, { name, isCompressed }: PartHead, take: (part: ReadPart) => Promise<void>): Promise<FoundPart> {
  const hash = createHash('sha256')
  let bytes = 0
  let declared: PartEnd | undefined
  async function* stored() {
    for (;;) {
      const { kind, length } = readFrameHead(await source.read(frameHeadBytes))
      const content = await source.read(length)
      if (kind === 'D') yield content
      else if (kind === 'F') {
        declared = partEnd(content, name)
        return
      } else throw damaged(`${name} has no end`)
    }
  }
  async function* counted() {
    for await (const chunk of isCompressed ? decompressed(stored()) : stored()) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
    const isTrue = declared?.bytes === bytes && declared.sha256 === hash.copy().digest('hex')
    if (!isTrue) throw damaged(`${name} was altered`)
  }
  const end = (): PartEnd => {
    if (!declared) throw new Error(`the part ${name} was not read to the end`)
    return declared
  }
  try {
    await take({ name, bytes: counted(), end })
  } catch (error) {
    // Corrupt compressed data causes various errors.
    throw isOfCompression(error) ? damaged(`${name} was altered`, error) : error
  }
  return { name, ...end() }
}

const isOfCompression = (error: unknown) => /^(ZSTD_|Z_|ERR__ERROR)/.test((error as NodeJS.ErrnoException).code ?? '')

/** Decompresses in a separate stream. A failure on either side ends both. */
async function* decompressed(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpack = createZstdDecompress()
  const fed = pipeline(Readable.from(stored, { objectMode: false }), unpack)
  fed.catch(() => {})
  yield* unpack as AsyncIterable<Buffer>
  await fed
}

/** @throws BackupRefused unless the manifest lists exactly these parts, in this order */
function checkedManifest(content: Buffer, { parts, files }: ReadParts): Manifest {
  const parsed = Manifest.safeParse(parsedJson(content))
  if (!parsed.success) throw damaged("its manifest can't be read", parsed.error)
  const manifest = parsed.data
  const expected = [...tablesOf(manifest).map(({ name }) => name), ...(manifest.secrets.isIncluded ? [secretsPart] : [])]
  for (const [index, name] of expected.entries()) {
    if (parts[index]?.name === name) continue
    throw damaged(parts.some((each) => each.name === name) ? `${name} is out of order` : `${name} is missing`)
  }
  const extra = parts[expected.length]
  if (extra) throw damaged(`${extra.name} does not belong to it`)
  for (const [index, { name, sha256 }] of tablesOf(manifest).entries()) {
    if (parts[index]?.sha256 !== sha256) throw damaged(`${name} was altered`)
  }
  const { count, chain } = files.value()
  if (count !== manifest.files.count)
    throw damaged(`it contains ${count} pictures, videos and documents instead of ${manifest.files.count}`)
  if (chain !== manifest.files.chain) throw damaged('its pictures, videos and documents were altered')
  return manifest
}

export const secretsPart = 'secrets'
const fileFolder = 'files/'
export const filePart = (key: string): string => `${fileFolder}${key}`
export const keyOfFilePart = (name: string): string | null => (isFile(name) ? name.slice(fileFolder.length) : null)
const isFile = (name: string) => name.startsWith(fileFolder)

function head(content: Buffer): PartHead {
  const { name, isCompressed } = (parsedJson(content) ?? {}) as Partial<PartHead>
  if (typeof name !== 'string' || typeof isCompressed !== 'boolean') throw damaged('a part has no name')
  return { name, isCompressed }
}

function partEnd(content: Buffer, name: string): PartEnd {
  const { sha256, bytes } = (parsedJson(content) ?? {}) as Partial<PartEnd>
  if (typeof sha256 !== 'string' || typeof bytes !== 'number') throw damaged(`${name} has no end`)
  return { sha256, bytes }
}

function parsedJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    return undefined
  }
}

type Source = ReturnType<typeof createSource>

/** Reads a given number of bytes at a time and hashes everything read. */
function createSource(file: string) {
  const stream = fs.createReadStream(file, { highWaterMark: 256 * 1024 })
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const hash = createHash('sha256')
  let buffered: Buffer = Buffer.alloc(0)

  const fill = async (length: number): Promise<boolean> => {
    if (buffered.length >= length) return true
    const parts = [buffered]
    let size = buffered.length
    while (size < length) {
      const next = await chunks.next()
      if (next.done) break
      parts.push(next.value)
      size += next.value.length
    }
    buffered = Buffer.concat(parts)
    return buffered.length >= length
  }

  return {
    async read(length: number): Promise<Buffer> {
      if (!(await fill(length))) throw new BackupRefused('The backup is cut off: its end is missing.')
      const bytes = buffered.subarray(0, length)
      buffered = buffered.subarray(length)
      hash.update(bytes)
      return bytes
    },
    async beginning(length: number): Promise<string> {
      await fill(length)
      return buffered.toString('latin1', 0, length)
    },
    digest: () => hash.copy().digest(),
    hasMore: () => fill(1),
    close: () => void stream.destroy(),
  }
}

async function readFirstLine(source: Source): Promise<void> {
  const [line, version] = firstLinePattern.exec(await source.beginning(maxFirstLineLength)) ?? []
  if (line === undefined) throw new BackupRefused('This is not a backup of this application.')
  if (Number(version) > formatVersion) {
    throw new BackupRefused(
      `A newer release made this backup (format ${version}; this release reads ${formatVersion}). Restore it with that release.`,
    )
  }
  if (Number(version) < formatVersion) throw new BackupRefused(`This backup has the unknown format ${version}.`)
  await source.read(line.length)
}
