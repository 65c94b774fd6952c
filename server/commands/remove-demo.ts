// npm run demo:remove: removes only the demo content and people's interactions with it.
import { removeDemo } from '#server/features/demo/index.ts'
import { withDatabase } from './run-command.ts'

await withDatabase(async ({ db }) => {
  const { businesses, people } = await removeDemo({ db })
  console.log(
    businesses + people === 0 ? 'There was no demo content.' : `Removed ${businesses} demo businesses and ${people} demo accounts.`,
  )
})
