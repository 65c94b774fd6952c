// npm run demo:remove: removes the demo content and what people did with it, and nothing else.
import { removeDemo } from '../features/demo/index.ts'
import { withDatabase } from './with-database.ts'

await withDatabase(async ({ db }) => {
  const { businesses, people } = await removeDemo({ db })
  console.log(
    businesses + people === 0 ? 'There was no demo content.' : `Removed ${businesses} demo businesses and ${people} demo accounts.`,
  )
})
