import { parentPort, workerData } from 'node:worker_threads'
import { connect } from '#server/db/connect.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type ImportOutcome, type ImportTask, importDocument } from './import-hunt.ts'

const { databaseUrl, settings, actor, now, sent } = workerData as ImportTask
const bytes = Buffer.from(sent.bytes.buffer, sent.bytes.byteOffset, sent.bytes.byteLength)
// Ignores warnings about lost connections, because statements that use them fail anyway.
const database = connect(databaseUrl, { ...settings, databasePoolSize: 1, applicationName: 'sungrove import' }, { warn() {} })
const outcome = await importDocument({ db: database.db, clock: { now: () => now } }, actor, { ...sent, bytes }).then(
  (hunt): ImportOutcome => ({ hunt }),
  (error: unknown): ImportOutcome => {
    if (!(error instanceof AppError)) return { failed: { message: String(error), code: (error as NodeJS.ErrnoException).code } }
    const { code, message, fields, retryAfterSeconds } = error
    return { refused: [code, { message, ...(fields && { fields }), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }] }
  },
)
await database.close()
parentPort?.postMessage(outcome)
