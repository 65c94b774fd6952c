// npm run audit:verify [-- --kept 1234:ab12…]
// Reads the audit log and says whether every row is as it was written and none is missing; works beside a running server.
// Exits 1 and names the first broken place otherwise. With --kept, the line that it printed at another time, it also finds
// a log that was written anew from the beginning.
import { parseArgs } from 'node:util'
import { ToldError } from '../error-line.ts'
import { type AuditBreak, type KeptPlace, verifyAudit } from '../features/audit/index.ts'
import { withDatabase } from './with-database.ts'

const kept = readArguments()

const words: Record<AuditBreak['kind'], (sequence: number) => string> = {
  changed: (sequence) => `Row ${sequence} is not what was written: it was edited, or does not follow from row ${sequence - 1}.`,
  missing: (sequence) => `Row ${sequence} is missing: it was deleted.`,
  cut_off: (sequence) => `The log does not end where it should: from row ${sequence} on, rows were deleted or added by hand.`,
  rewritten: (sequence) => `Row ${sequence} is not the one that was kept: the log was written anew.`,
}

await withDatabase(async ({ db }) => {
  const { rows, head, found } = await verifyAudit(db, kept)
  if (found) {
    console.log(`${rows} rows before it fit.`)
    throw new ToldError(words[found.kind](found.sequence))
  }
  console.log(`The audit log is whole: ${rows} ${rows === 1 ? 'row' : 'rows'}. Keep this line where the server cannot write:`)
  console.log(`${head.sequence}:${head.hash || '-'}`)
})

function readArguments(): KeptPlace | null {
  try {
    const { values } = parseArgs({ options: { kept: { type: 'string' } } })
    if (values.kept === undefined) return null
    const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64}|-)$/.exec(values.kept.trim()) ?? []
    if (sequence === undefined || hash === undefined) throw new Error('--kept takes the line that this command printed: 1234:ab12…')
    return { sequence: Number(sequence), hash: hash === '-' ? '' : hash }
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm run audit:verify [-- --kept 1234:ab12…]`)
    process.exit(1)
  }
}
