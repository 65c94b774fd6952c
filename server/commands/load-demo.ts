// npm run demo:load
import { loadDemo } from '../features/demo/index.ts'
import { createAnswerCache } from '../kernel/answer-cache.ts'
import { systemClock } from '../kernel/clock.ts'
import { withDatabase } from './with-database.ts'

await withDatabase(async ({ db }) => {
  const isLoaded = await loadDemo({ db, clock: systemClock, cache: createAnswerCache() })
  console.log(isLoaded ? 'The demo content is loaded.' : 'The demo content is there already; nothing was changed.')
})
