import * as z from 'zod'
import { UserFacingError } from '#server/error-line.ts'

/**
 * A backup is a single file: a first line, then frames. Each frame has a letter, the length of its content (four bytes, big-endian)
 * and the content.
 *
 *     P  start of a part: JSON { name, isCompressed }
 *     D  data of the part, compressed with Zstandard if `isCompressed`
 *     F  end of the part: JSON { sha256, bytes } of its uncompressed data
 *     M  the manifest: JSON, see manifest.ts
 *     E  the end: the SHA-256 of everything before this frame. Nothing follows.
 */
export const formatVersion = 1
export const firstLine = (version: number = formatVersion): string => `sungrove-backup ${version}\n`

/** Matches the first line of any format version. */
export const firstLinePattern = /^sungrove-backup (\d{1,6})\n/
export const maxFirstLineLength = firstLine(999_999).length

export type FrameKind = 'P' | 'D' | 'F' | 'M' | 'E'
export type PartHead = { name: string; isCompressed: boolean }
export type PartEnd = { sha256: string; bytes: number }

export const frameHeadBytes = 5
/** Data frames are far smaller than this; so is the manifest of a thousand tables. */
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

/** `digest` is computed by row-digest.ts and doesn't depend on the order of rows. */
const Table = Part.extend({ columns: z.array(z.string()).min(1), rows: Count, digest: Hash })
export type TableOfBackup = z.infer<typeof Table>

export const Manifest = z.object({
  format: z.literal(formatVersion),
  release: z.string(),
  postgres: z.string(),
  takenAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(Table),
  /** Waiting and failed jobs; null if there was no queue yet. */
  jobs: Table.extend({ queues: z.array(z.string()) }).nullable(),
  files: z.object({
    isIncluded: z.boolean(),
    count: Count,
    bytes: Count,
    /** Hash of the names and SHA-256 of all files, in order. */
    chain: Hash,
    /** Files named by the snapshot but deleted during the backup, together with their rows. */
    removedMeanwhile: Count,
    /** Files that rows still name, but that are missing from storage. */
    missing: Count,
  }),
  /** Salted hashes, enough to detect a different secret but not to recover one. */
  secrets: z.object({ salt: z.string(), session: z.string(), vapid: z.string().nullable(), isIncluded: z.boolean() }),
})
export type Manifest = z.infer<typeof Manifest>

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

export const tablesOf = ({ tables, jobs }: Manifest): TableOfBackup[] => (jobs ? [...tables, jobs] : tables)

/** The file isn't a complete backup, or doesn't fit the target. Checking has written nothing when it is thrown. */
export class BackupRefused extends UserFacingError {
  override name = 'BackupRefused'
}
