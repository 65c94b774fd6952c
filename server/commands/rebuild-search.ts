// npm run search:rebuild: checks all searchable content and fixes the index.
import { createPostgresSearch } from '#server/adapters/search/postgres.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { indexAll } from '#server/features/search/index.ts'
import { systemClock } from '#server/kernel/context.ts'
import { requestFullReindex } from '#server/kernel/search.ts'
import { withDatabase } from './run-command.ts'

await withDatabase(async ({ db, log, signal }) => {
  const index = createPostgresSearch(db)
  const startedAt = performance.now()
  // A pass that was interrupted, or that the server is running, finishes before the requested one starts.
  await inTransaction(db, requestFullReindex)
  await indexAll({ db, log, clock: systemClock, index }, signal)
  if (signal.aborted) return console.log('Stopped. The server, or this command, will continue from here.')
  await index.prune()
  const count = await countRows(db.selectFrom('search_documents'))
  console.log(`Checked ${count.toLocaleString('en-US')} entries in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
})
