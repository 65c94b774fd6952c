// npm run audit:verify [-- --kept 1234:ab12…]
// Verifies that every row of the audit log is unchanged and none is missing. Works while the server runs. Exits 1 and names
// the first broken row if the log is invalid. With --kept and a line that it printed earlier, it also detects a log that was
// rewritten from the beginning.
import { parseArgs } from 'node:util'
import { UserFacingError } from '#server/error-line.ts'
import { type AuditBreak, type KnownEntry, verifyAudit } from '#server/features/audit/index.ts'
import { withDatabase } from './run-command.ts'

const known = readArguments()

const words: Record<AuditBreak['kind'], (sequence: number) => string> = {
  changed: (sequence) => `Row ${sequence} was altered: it was edited, or doesn't follow from row ${sequence - 1}.`,
  missing: (sequence) => `Row ${sequence} is missing: it was deleted.`,
  cut_off: (sequence) => `The log doesn't end where it should: from row ${sequence} on, rows were deleted or added manually.`,
  rewritten: (sequence) => `Row ${sequence} differs from the line you kept: the log was rewritten.`,
}

await withDatabase(async ({ db }) => {
  const { rows, head, found } = await verifyAudit(db, known)
  if (found) {
    console.log(`Intact before it: ${rows} ${rows === 1 ? 'row' : 'rows'}.`)
    throw new UserFacingError(words[found.kind](found.sequence))
  }
  console.log(`The audit log is intact: ${rows} ${rows === 1 ? 'row' : 'rows'}. Keep this line where the server can't write:`)
  console.log(`${head.sequence}:${head.hash || '-'}`)
})

function readArguments(): KnownEntry | null {
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
