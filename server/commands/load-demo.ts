// npm run demo:load: adds the invented people and businesses of the demo content.

import { ToldError } from '../error-line.ts'
import { demoConsumer, demoOwner, demoPassword, loadDemo } from '../features/demo/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { withDatabase } from './with-database.ts'

await withDatabase(async ({ db, config }) => {
  if (!config.isOnThisMachine) {
    throw new ToldError('Demo accounts have a public password, and PUBLIC_URL is not this machine: load the demo content elsewhere.')
  }
  if (!(await loadDemo({ db, clock: systemClock }))) return console.log('The demo content is there already.')
  console.log(`Loaded the demo content. Sign in as ${demoConsumer} (a person) or ${demoOwner} (a business) with “${demoPassword}”.`)
})
