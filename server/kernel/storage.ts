import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Part of a file: from one byte to another (inclusive), or the last bytes. */
export type ByteRange = { first: number; last?: number } | { lastBytes: number }

export type StoredFile = {
  /** Of the whole file, in bytes. */
  size: number
  /** The range of bytes in `body`, inclusive. */
  first: number
  last: number
  body: Readable
}

/** A folder or an S3-compatible store. Keys are paths of letters, digits, `-`, `_`, `.` and `/`. */
export type Storage = {
  /** Atomic. @throws AppError unavailable if the disk is full or the connection fails */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Like `put`, for a local file of any size, which may be moved. */
  putFile(key: string, file: string, contentType: string): Promise<void>
  /** Null if there is no such file; `outOfRange` if the range starts past its end. */
  get(key: string, range?: ByteRange): Promise<StoredFile | { outOfRange: true; size: number } | null>
  /** Ignores missing files. */
  delete(keys: readonly string[]): Promise<void>
}

const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** Ensures that a key can't refer to a file outside the storage's root. Keys are built from IDs, so any other key is a bug. */
export function requireKey(key: string): string {
  if (key.length > 200 || !keyPattern.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`)
  return key
}

/** Null if the range is outside the file. */
export function resolveRange(range: ByteRange | undefined, size: number): { first: number; last: number } | null {
  if (!range) return { first: 0, last: size - 1 }
  if ('lastBytes' in range) return range.lastBytes > 0 && size > 0 ? { first: Math.max(0, size - range.lastBytes), last: size - 1 } : null
  const last = Math.min(range.last ?? size - 1, size - 1)
  return range.first <= last ? { first: range.first, last } : null
}

export async function readWhole(storage: Storage, key: string): Promise<Buffer | null> {
  const file = await storage.get(key)
  if (!file || 'outOfRange' in file) return null
  const parts: Buffer[] = []
  for await (const part of file.body) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Supports a single range. A request for several ranges, or for a range of another version, gets the whole file, as HTTP allows. */
export function rangeOf(request: Pick<FastifyRequest, 'headers'>, etag: string): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? []
  if (first !== '') {
    if (last === '') return { first: Number(first) }
    return Number(last) < Number(first) ? undefined : { first: Number(first), last: Number(last) }
  }
  return last === '' ? undefined : { lastBytes: Number(last) }
}

export function sendStored(
  reply: FastifyReply,
  stored: NonNullable<Awaited<ReturnType<Storage['get']>>>,
  { type, isPart }: { type: string; isPart: boolean },
): FastifyReply {
  if ('outOfRange' in stored) return reply.status(416).header('content-range', `bytes */${stored.size}`).send()
  if (isPart) reply.status(206).header('content-range', `bytes ${stored.first}-${stored.last}/${stored.size}`)
  return reply
    .type(type)
    .header('content-length', stored.last - stored.first + 1)
    .send(stored.body)
}

const outOfSpace = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether a write failed because of a full disk, a quota or the maximum file size. */
export const isOutOfSpace = (error: unknown): boolean => outOfSpace.has((error as NodeJS.ErrnoException).code ?? '')
