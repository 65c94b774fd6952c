import pg from 'pg'
import { createPostgresSearch } from '#server/adapters/search/postgres.ts'
import { setAsideConstraints } from '#server/backup/secrets.ts'
import { withDatabase } from '#server/commands/run-command.ts'
import { UserFacingError } from '#server/error-line.ts'
import { indexAll } from '#server/features/search/index.ts'
import { systemClock } from '#server/kernel/context.ts'
import { shapeOf } from './dataset-shape.ts'
import { loadSearchDataset } from './search-dataset.ts'

/** First step of `npm run bench:search`: fills an empty database with this many searchable documents. */
await withDatabase(async ({ db, database, log }) => {
  const documents = Number(process.argv[2])
  // 1,000 documents are 615 posts, 308 products, 37 public profiles and 31 businesses.
  const shape = shapeOf(Math.round(documents * 0.615), new Date(new Date().setUTCHours(0, 0, 0, 0)))
  if (await db.selectFrom('businesses').select('id').limit(1).executeTakeFirst()) throw new UserFacingError('The database is not empty.')
  await loadSearchDataset(db, database.url, shape)
  const startedAt = performance.now()
  const client = new pg.Client({ connectionString: database.url, application_name: 'sungrove bench' })
  await client.connect()
  await client.query("set maintenance_work_mem = '512MB'")
  const restore = await setAsideConstraints(client, ['search_documents'])
  await indexAll({ db, log, clock: systemClock, index: createPostgresSearch(db) })
  console.log(`Documents in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  await restore()
  await client.query('vacuum analyze')
  await client.end()
  console.log(`With their indexes in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
})
