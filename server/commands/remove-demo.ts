// npm run demo:remove
import { removeDemo } from '../features/demo/index.ts'
import { createAnswerCache } from '../kernel/answer-cache.ts'
import { withDatabase } from './with-database.ts'

await withDatabase(async ({ db }) => {
  const { people, businesses } = await removeDemo({ db, cache: createAnswerCache() })
  console.log(
    businesses + people > 0
      ? `Removed ${businesses} demo businesses and ${people} demo people.`
      : 'There was no demo content; nothing was changed.',
  )
})
