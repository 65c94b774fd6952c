import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { firstLinePattern, formatVersion, frameHeadBytes, longestFirstLine, type PartEnd, type PartHead, readFrameHead } from './format.ts'
import { Manifest, tablesOf } from './manifest.ts'
import { BackupRefused } from './refusal.ts'

/** A part of a backup; `bytes` as they were before they were compressed, to be read to their end before the next part is asked for. */
export type ReadPart = { name: string; bytes: AsyncIterable<Buffer>; end(): PartEnd }

const damaged = (what: string, cause?: unknown) => new BackupRefused(`The backup is damaged: ${what}.`, { cause })

/**
 * Reads a backup from its beginning to its end: hands each part to `take`, and holds every hash in it against what was read.
 * @throws BackupRefused naming what is wrong; what `take` was given until then was whole, the part that it has under way excepted
 */
export async function readBackupFile(file: string, take: (part: ReadPart) => Promise<void>): Promise<Manifest> {
  if (!fs.existsSync(file)) throw new BackupRefused(`There is no file ${file}.`)
  const source = createSource(file)
  try {
    await readFirstLine(source)
    const found = createFound()
    let manifest: Manifest | undefined
    for (;;) {
      const before = source.digest()
      const { kind, length } = readFrameHead(await source.read(frameHeadBytes))
      const content = await source.read(length)
      if (kind === 'E') {
        if (!manifest || !content.equals(before)) throw damaged('its end does not fit what comes before')
        if (await source.hasMore()) throw damaged('something follows its end')
        return manifest
      }
      if (kind === 'P' && !manifest) found.add(await readPart(source, head(content), take))
      else if (kind === 'M' && !manifest) manifest = checkedManifest(content, found)
      else throw damaged('its parts are in another order than they were written in')
    }
  } finally {
    source.close()
  }
}

type Found = ReturnType<typeof createFound>
type FoundPart = PartEnd & { name: string }

/** What a file was found to hold. Of its pictures and videos there may be millions: they are counted and chained. */
function createFound() {
  const parts: FoundPart[] = []
  const files = createFileChain()
  return { parts, files, add: (part: FoundPart) => void (isFile(part.name) ? files.add(part) : parts.push(part)) }
}

/** The names and hashes of files, in their order, as one hash. */
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
  let told: PartEnd | undefined
  async function* stored() {
    for (;;) {
      const { kind, length } = readFrameHead(await source.read(frameHeadBytes))
      const content = await source.read(length)
      if (kind === 'D') yield content
      else if (kind === 'F') {
        told = partEnd(content, name)
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
    const isTrue = told?.bytes === bytes && told.sha256 === hash.copy().digest('hex')
    if (!isTrue) throw damaged(`${name} is not what was written`)
  }
  const end = (): PartEnd => {
    if (!told) throw new Error(`the part ${name} has not been read to its end`)
    return told
  }
  try {
    await take({ name, bytes: counted(), end })
  } catch (error) {
    // The compressed bytes can be wrong in ways of their own.
    throw isOfCompression(error) ? damaged(`${name} is not what was written`, error) : error
  }
  return { name, ...end() }
}

const isOfCompression = (error: unknown) => /^(ZSTD_|Z_|ERR__ERROR)/.test((error as NodeJS.ErrnoException).code ?? '')

/** As a stream of its own: a failure on either side ends both. */
async function* decompressed(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpack = createZstdDecompress()
  const fed = pipeline(Readable.from(stored, { objectMode: false }), unpack)
  fed.catch(() => {})
  yield* unpack as AsyncIterable<Buffer>
  await fed
}

/** @throws BackupRefused unless the manifest tells of these parts, in this order */
function checkedManifest(content: Buffer, { parts, files }: Found): Manifest {
  const parsed = Manifest.safeParse(parsedJson(content))
  if (!parsed.success) throw damaged('its manifest cannot be read', parsed.error)
  const manifest = parsed.data
  const expected = [...tablesOf(manifest).map(({ name }) => name), ...(manifest.secrets.isIncluded ? [secretsPart] : [])]
  for (const [index, name] of expected.entries()) {
    if (parts[index]?.name === name) continue
    throw damaged(parts.some((each) => each.name === name) ? `${name} is not in its place` : `${name} is missing`)
  }
  const extra = parts[expected.length]
  if (extra) throw damaged(`${extra.name} is no part of it`)
  for (const [index, { name, sha256 }] of tablesOf(manifest).entries()) {
    if (parts[index]?.sha256 !== sha256) throw damaged(`${name} is not what was written`)
  }
  const { count, chain } = files.value()
  if (count !== manifest.files.count) throw damaged(`it holds ${count} pictures, videos and documents instead of ${manifest.files.count}`)
  if (chain !== manifest.files.chain) throw damaged('its pictures, videos and documents are not those that were written')
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

/** So many bytes at a time, in their order, with the hash of all that were read. */
function createSource(file: string) {
  const stream = fs.createReadStream(file, { highWaterMark: 256 * 1024 })
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const hash = createHash('sha256')
  let held: Buffer = Buffer.alloc(0)

  /** @returns whether there are as many as `length` bytes */
  const fill = async (length: number): Promise<boolean> => {
    if (held.length >= length) return true
    const parts = [held]
    let size = held.length
    while (size < length) {
      const next = await chunks.next()
      if (next.done) break
      parts.push(next.value)
      size += next.value.length
    }
    held = Buffer.concat(parts)
    return held.length >= length
  }

  return {
    async read(length: number): Promise<Buffer> {
      if (!(await fill(length))) throw new BackupRefused('The backup is cut off: its end is missing.')
      const bytes = held.subarray(0, length)
      held = held.subarray(length)
      hash.update(bytes)
      return bytes
    },
    async beginning(length: number): Promise<string> {
      await fill(length)
      return held.toString('latin1', 0, length)
    },
    digest: () => hash.copy().digest(),
    hasMore: () => fill(1),
    close: () => void stream.destroy(),
  }
}

async function readFirstLine(source: Source): Promise<void> {
  const [line, version] = firstLinePattern.exec(await source.beginning(longestFirstLine)) ?? []
  if (line === undefined) throw new BackupRefused('This is no backup of this application.')
  if (Number(version) > formatVersion) {
    throw new BackupRefused(
      `A newer release made this backup (its format is ${version}, known is ${formatVersion}). Restore it with that one.`,
    )
  }
  if (Number(version) < formatVersion) throw new BackupRefused(`The format ${version} of this backup is not known.`)
  await source.read(line.length)
}
