import fs from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { Compression, type Entry, type Header, type RangeResponse, type Source } from 'pmtiles'
import { UserFacingError } from '#server/error-line.ts'

/**
 * Writes the parts of a PMTiles archive (version 3) that the library only reads:
 * https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */

const gzip = promisify(zlib.gzip)

const headerBytes = 127
/** The header and root directory come first, within this length, so one request reads both. Tiles follow. */
export const tileDataStart = 16_384
const maxRootBytes = tileDataStart - headerBytes
/** More entries than this never fit into the root, so trying would only waste memory. */
const maxRootEntries = 2 ** 16
const firstLeafSize = 4_096

type Directories = { root: Buffer; leaves: Buffer }

/** Writes all entries into the root or, if there are too many, into leaves that the root points to. */
export async function writeDirectories(entries: readonly Entry[]): Promise<Directories> {
  if (entries.length <= maxRootEntries) {
    const whole = await gzip(directoryBytes(entries))
    if (whole.length <= maxRootBytes) return { root: whole, leaves: Buffer.alloc(0) }
  }
  for (let size = firstLeafSize; ; size *= 2) {
    const leaves: Buffer[] = []
    const pointers: Entry[] = []
    let offset = 0
    for (let start = 0; start < entries.length; start += size) {
      const leaf = await gzip(directoryBytes(entries.slice(start, start + size)))
      pointers.push({ tileId: (entries[start] as Entry).tileId, offset, length: leaf.length, runLength: 0 })
      offset += leaf.length
      leaves.push(leaf)
    }
    const root = await gzip(directoryBytes(pointers))
    if (root.length <= maxRootBytes) return { root, leaves: Buffer.concat(leaves) }
  }
}

/** Column by column: IDs as differences, run lengths, lengths, and offsets, where 0 means right after the previous tile. */
function directoryBytes(entries: readonly Entry[]): Buffer {
  const bytes: number[] = []
  pushVarint(bytes, entries.length)
  let lastId = 0
  for (const { tileId } of entries) {
    pushVarint(bytes, tileId - lastId)
    lastId = tileId
  }
  for (const { runLength } of entries) pushVarint(bytes, runLength)
  for (const { length } of entries) pushVarint(bytes, length)
  for (const [i, { offset }] of entries.entries()) {
    const previous = entries[i - 1]
    pushVarint(bytes, previous && offset === previous.offset + previous.length ? 0 : offset + 1)
  }
  return Buffer.from(bytes)
}

/** Avoids bitwise operators, because offsets may need more than 32 bits. */
function pushVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
}

export function writeHeader(header: Header): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write('PMTiles', 'latin1')
  bytes.writeUInt8(3, 7)
  const longs = [
    header.rootDirectoryOffset,
    header.rootDirectoryLength,
    header.jsonMetadataOffset,
    header.jsonMetadataLength,
    header.leafDirectoryOffset,
    header.leafDirectoryLength ?? 0,
    header.tileDataOffset,
    header.tileDataLength ?? 0,
    header.numAddressedTiles,
    header.numTileEntries,
    header.numTileContents,
  ]
  for (const [i, value] of longs.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 + i * 8)
  bytes.writeUInt8(header.clustered ? 1 : 0, 96)
  bytes.writeUInt8(header.internalCompression, 97)
  bytes.writeUInt8(header.tileCompression, 98)
  bytes.writeUInt8(header.tileType, 99)
  bytes.writeUInt8(header.minZoom, 100)
  bytes.writeUInt8(header.maxZoom, 101)
  for (const [i, degrees] of [header.minLon, header.minLat, header.maxLon, header.maxLat].entries()) {
    bytes.writeInt32LE(Math.round(degrees * 1e7), 102 + i * 4)
  }
  bytes.writeUInt8(header.centerZoom, 118)
  bytes.writeInt32LE(Math.round(header.centerLon * 1e7), 119)
  bytes.writeInt32LE(Math.round(header.centerLat * 1e7), 123)
  return bytes
}

export const rootStart = headerBytes

export const writeMetadata = (metadata: object): Promise<Buffer> => gzip(JSON.stringify(metadata))

/** Far more than any directory or document has. A small file may claim to contain gigabytes. */
const maxUnpackedBytes = 64 * 1024 * 1024

/** Limits the unpacked size, which the library doesn't. */
export async function decompress(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None || compression === Compression.Unknown) return bytes
  if (compression !== Compression.Gzip) throw new Error('its directories use an unsupported compression')
  const unpacked = await promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)(Buffer.from(bytes), { maxOutputLength: maxUnpackedBytes })
  return unpacked.buffer.slice(unpacked.byteOffset, unpacked.byteOffset + unpacked.byteLength) as ArrayBuffer
}

/** The archive to extract from, local or on the web. Every read returns exactly the requested bytes. */
export type TileSource = Source & {
  /** Changes with the file's content and so determines whether an interrupted extract can continue. */
  version(): Promise<string>
  close(): Promise<void>
}

export type SourceSettings = {
  signal?: AbortSignal | undefined
  timeLimitMs?: number
  /** Pause before the second attempt. Doubled before the third. */
  pauseMs?: number
}

const maxTries = 3

/** @throws UserFacingError if a local file can't be opened */
export function openSource(address: string, settings: SourceSettings = {}): Promise<TileSource> {
  return /^https?:/.test(address) ? Promise.resolve(webSource(address, settings)) : fileSource(address)
}

async function fileSource(file: string): Promise<TileSource> {
  const handle = await fs.open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new UserFacingError(error.code === 'ENOENT' ? `File not found: ${file}.` : `${file} can't be read (${error.code}).`)
  })
  return {
    getKey: () => file,
    async version() {
      const { size, mtimeMs } = await handle.stat()
      return `${size}-${mtimeMs}`
    },
    async getBytes(offset, length) {
      const bytes = Buffer.alloc(length)
      const { bytesRead } = await handle.read(bytes, 0, length, offset)
      return { data: exactly(bytes.subarray(0, bytesRead), offset, length) }
    },
    close: () => handle.close(),
  }
}

function webSource(url: string, { signal, timeLimitMs = 60_000, pauseMs = 2_000 }: SourceSettings): TileSource {
  const { host } = new URL(url)
  let version: string | undefined

  async function read(offset: number, length: number): Promise<RangeResponse> {
    const range = `bytes=${offset}-${offset + length - 1}`
    const response = await fetch(url, {
      headers: { range, 'accept-encoding': 'identity', 'user-agent': 'Sungrove map streets' },
      signal: AbortSignal.any([AbortSignal.timeout(timeLimitMs), ...(signal ? [signal] : [])]),
    })
    if (response.status !== 206) {
      await response.body?.cancel()
      if (response.status === 200) throw new UserFacingError(`${host} doesn't support range requests, so nothing can be extracted from it.`)
      const message = `${host} responded with status ${response.status}.`
      // Rate limits and server errors may be temporary. Anything else is final.
      throw response.status === 429 || response.status >= 500 ? new Error(message) : new UserFacingError(message)
    }
    const total = response.headers.get('content-range')?.split('/')[1]
    const current = `${response.headers.get('etag') ?? response.headers.get('last-modified') ?? ''} ${total}`
    if (version !== undefined && version !== current) {
      await response.body?.cancel()
      throw new UserFacingError(`The file at ${host} was replaced while it was being read. Run the command again.`)
    }
    version = current
    const bytes = await bodyOf(response, length)
    if (bytes.length > length) throw new UserFacingError(`${host} sent more bytes than requested, so nothing can be extracted from it.`)
    return { data: exactly(bytes, offset, length) }
  }

  const getBytes: TileSource['getBytes'] = async (offset, length) => {
    for (let tries = 1; ; tries++) {
      try {
        return await read(offset, length)
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof UserFacingError) throw error
        if (tries === maxTries) throw new UserFacingError(`${host} can't be read (${reasonOf(error)}). Run the command again to continue.`)
        await wait(pauseMs * tries, undefined, signal ? { signal } : {})
      }
    }
  }
  return {
    getKey: () => url,
    getBytes,
    async version() {
      if (version === undefined) await getBytes(0, 1)
      return version as string
    },
    async close() {},
  }
}

/** Stops once the requested length is exceeded, because a server may send much more. */
async function bodyOf(response: Response, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > length) break
  }
  return Buffer.concat(chunks)
}

function exactly(bytes: Buffer, offset: number, length: number): ArrayBuffer {
  // The length comes from the archive itself. If bytes are missing, the file was cut off or its directories are wrong.
  if (bytes.length !== length) throw new SourceDamaged(`${length} bytes at ${offset} are missing`)
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length) as ArrayBuffer
}

export class SourceDamaged extends UserFacingError {
  constructor(reason: string) {
    super(`The source is damaged: ${reason}.`)
  }
}

const reasonOf = (error: unknown) => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}
