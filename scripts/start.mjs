// npm start: on Node 18 or newer, installs and builds anything missing, then runs the server with the pinned Node.
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { main, runInOurPlace } from './lib/project.mjs'

await main(async () => {
  await ensureInstalled()
  await ensureBuilt()
  runInOurPlace(['server/main.ts'], { NODE_ENV: process.env.NODE_ENV || 'production' })
})
