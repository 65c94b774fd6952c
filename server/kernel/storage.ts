import type { Readable } from 'node:stream'

/** Part of a file: from one byte to another (inclusive), or the last bytes. */
export type ByteRange = { first: number; last?: number } | { lastBytes: number }

export type StoredFile = {
  /** Size of the whole file, in bytes. */
  size: number
  /** The range of bytes in `body`, inclusive. */
  first: number
  last: number
  body: Readable
}

/** File storage: a folder, or an S3-compatible store. Keys are paths of letters, digits, `-`, `.` and `/`. */
export type Storage = {
  /** Atomic. @throws AppError unavailable if there is no space or no connection */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** As `put`, for a local file of any size, which may be moved. */
  putFile(key: string, file: string, contentType: string): Promise<void>
  /** Null if there is no such file; `outOfRange` if the range starts past its end. */
  get(key: string, range?: ByteRange): Promise<StoredFile | { outOfRange: true; size: number } | null>
  /** Ignores missing files. */
  delete(keys: readonly string[]): Promise<void>
}

const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** Ensures that a key can't refer to a file outside the storage's root. Our keys are built from IDs, so anything else is a bug. */
export function requireKey(key: string): string {
  if (key.length > 200 || !keyPattern.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`)
  return key
}

/** Resolves a range for a file of this size; null if it is out of range. */
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
