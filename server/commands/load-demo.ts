// npm run demo:load: adds the invented people and businesses of the demo content.
import { demoConsumer, demoOwner, demoPassword, loadDemo } from '../features/demo/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { withDatabase } from './with-database.ts'

await withDatabase(async ({ db }) => {
  if (!(await loadDemo({ db, clock: systemClock }))) return console.log('The demo content is there already.')
  console.log(`Loaded the demo content. Sign in as ${demoConsumer} (a person) or ${demoOwner} (a business) with “${demoPassword}”.`)
})
