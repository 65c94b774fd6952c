// npm run demo:load: adds the demo content's fictional people and businesses.

import { UserFacingError } from '#server/error-line.ts'
import { demoConsumer, demoOwner, demoPassword, loadDemo } from '#server/features/demo/index.ts'
import { systemClock } from '#server/kernel/context.ts'
import { withDatabase } from './run-command.ts'

await withDatabase(async ({ db, config }) => {
  if (!config.isOnThisMachine) {
    throw new UserFacingError(
      'Demo accounts have a public password, and PUBLIC_URL points beyond this machine. Load the demo content elsewhere.',
    )
  }
  if (!(await loadDemo({ db, clock: systemClock }))) return console.log('The demo content is already loaded.')
  console.log(`Loaded the demo content. Sign in as ${demoConsumer} (a person) or ${demoOwner} (a business) with “${demoPassword}”.`)
})
