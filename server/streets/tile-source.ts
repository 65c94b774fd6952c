import fs from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { RangeResponse, Source } from 'pmtiles'
import { UserFacingError } from '#server/error-line.ts'

/** A planet file, here or on the web. Every read returns exactly the bytes that were asked for. */
export type TileSource = Source & {
  /** Changes with the file's content; tells whether an interrupted extract can go on. */
  version(): Promise<string>
  close(): Promise<void>
}

export type SourceSettings = {
  signal?: AbortSignal | undefined
  timeLimitMs?: number
  /** Before the second and third try. */
  pauseMs?: number
}

const maxTries = 3

/** @throws UserFacingError if there is no such file */
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
      if (response.status === 200) throw new UserFacingError(`${host} doesn't send parts of files, so nothing can be extracted from it.`)
      const message = `${host} answered with status ${response.status}.`
      // Too many requests, and faults of the server, may pass; anything else won't.
      throw response.status === 429 || response.status >= 500 ? new Error(message) : new UserFacingError(message)
    }
    const total = response.headers.get('content-range')?.split('/')[1]
    const current = `${response.headers.get('etag') ?? response.headers.get('last-modified') ?? ''} ${total}`
    if (version !== undefined && version !== current) {
      await response.body?.cancel()
      throw new UserFacingError(`The file at ${host} was replaced while it was read. Run the command again.`)
    }
    version = current
    return { data: exactly(await bodyOf(response, length), offset, length) }
  }

  const getBytes: TileSource['getBytes'] = async (offset, length) => {
    for (let tries = 1; ; tries++) {
      try {
        return await read(offset, length)
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof UserFacingError) throw error
        if (tries === maxTries) throw new UserFacingError(`${host} can't be read (${reasonOf(error)}). Run the command again to go on.`)
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

/** Stops at the length that was asked for, because a server may send more. */
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
  // The length is the archive's own; if it isn't there, the file was cut off or its directories are wrong.
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
