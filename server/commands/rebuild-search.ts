// npm run search:rebuild: looks at everything that can be searched and puts right what the index has of it.
import { createPostgresSearch } from '../adapters/search/postgres.ts'
import { inTransaction } from '../db/transaction.ts'
import { indexAll } from '../features/search/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { askForSearchPass } from '../kernel/search.ts'
import { withDatabase } from './with-database.ts'

await withDatabase(async ({ db, log, signal }) => {
  const index = createPostgresSearch(db)
  const startedAt = performance.now()
  // One that was stopped half-way, or that the server is at, goes on from where it is.
  await inTransaction(db, askForSearchPass)
  await indexAll({ db, log, clock: systemClock, index }, signal)
  if (signal.aborted) return console.log('Stopped. The server, or this command, goes on from here.')
  await index.prune()
  const { count } = await db
    .selectFrom('search_documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  console.log(`${count.toLocaleString('en-US')} entries, looked at in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
})
