// npm run build: builds the web app before the first start, as in a container image. `npm start` builds it if it is missing.
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { main } from './lib/project.mjs'

await main(async () => {
  await ensureInstalled()
  await ensureBuilt()
})
