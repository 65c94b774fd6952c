// npm run db:migrate: migrates the database, as every server start does.
import { withDatabase } from './run-command.ts'

await withDatabase(async ({ database }) => {
  const { migrated } = database
  for (const name of migrated) console.log(`Applied ${name}`)
  console.log(
    migrated.length === 0 ? 'The database is up to date.' : `Applied ${migrated.length} migration${migrated.length === 1 ? '' : 's'}.`,
  )
})
