import * as z from 'zod'
import { formatVersion } from './format.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().min(0)

const Part = z.object({ name: z.string(), sha256: Hash, bytes: Count })

/** `digest` is the one of row-digest.ts: the same for the same rows in any order. */
const Table = Part.extend({ columns: z.array(z.string()).min(1), rows: Count, digest: Hash })
export type TableOfBackup = z.infer<typeof Table>

/** What a backup holds, and what it was made of. */
export const Manifest = z.object({
  format: z.literal(formatVersion),
  /** The release that made it. */
  release: z.string(),
  postgres: z.string(),
  /** The moment of which everything in it is. */
  takenAt: z.iso.datetime(),
  /** The migrations that the database had, by name. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(Table),
  /** The jobs that waited, or had failed; null where there was no queue yet. */
  jobs: Table.extend({ queues: z.array(z.string()) }).nullable(),
  files: z.object({
    isIncluded: z.boolean(),
    count: Count,
    bytes: Count,
    /** Of the names and SHA-256 of all files, one after the other. */
    chain: Hash,
    /** Rows of the snapshot name them, and nothing does any more: they were removed while the backup was made. */
    removedMeanwhile: Count,
    /** Rows name them still, and the storage has none. */
    missing: Count,
  }),
  /** Salted hashes: enough to tell another secret, too little to find one. */
  secrets: z.object({ salt: z.string(), session: z.string(), vapid: z.string().nullable(), isIncluded: z.boolean() }),
})
export type Manifest = z.infer<typeof Manifest>

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

/** Every table, the queue's included, in the order in which they lie in the file. */
export const tablesOf = ({ tables, jobs }: Manifest): TableOfBackup[] => (jobs ? [...tables, jobs] : tables)
