import type { Readable } from 'node:stream'

/** Part of a file: from one byte to another (both included), or the last so many. */
export type ByteRange = { first: number; last?: number } | { lastBytes: number }

export type StoredFile = {
  /** Of the whole file, in bytes. */
  size: number
  /** Which bytes `body` carries, both included. */
  first: number
  last: number
  body: Readable
}

/** Where files lie: a folder, or a store that speaks S3. Keys are paths of letters, digits, `-`, `.` and `/`. */
export type Storage = {
  /** All or nothing: a file is never there in part. @throws AppError unavailable when there is no room or no connection */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** The same with a file of this machine, of any size; it may be gone from its place afterwards. */
  putFile(key: string, file: string, contentType: string): Promise<void>
  /** Null when there is none; `out of range` when the range begins behind its end. */
  get(key: string, range?: ByteRange): Promise<StoredFile | { outOfRange: true; size: number } | null>
  /** What is not there is no error. */
  delete(keys: readonly string[]): Promise<void>
}

const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** A key can name nothing but a file below the storage's root. Ours are made of ids; anything else is a mistake of ours. */
export function requireKey(key: string): string {
  if (key.length > 200 || !keyPattern.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`)
  return key
}

/** The bytes that a range names in a file of this size, or null when it names none. */
export function resolveRange(range: ByteRange | undefined, size: number): { first: number; last: number } | null {
  if (!range) return { first: 0, last: size - 1 }
  if ('lastBytes' in range) return range.lastBytes > 0 && size > 0 ? { first: Math.max(0, size - range.lastBytes), last: size - 1 } : null
  const last = Math.min(range.last ?? size - 1, size - 1)
  return range.first <= last ? { first: range.first, last } : null
}

/** Reads a file to its end. Null when there is none. */
export async function readWhole(storage: Storage, key: string): Promise<Buffer | null> {
  const file = await storage.get(key)
  if (!file || 'outOfRange' in file) return null
  const parts: Buffer[] = []
  for await (const part of file.body) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
