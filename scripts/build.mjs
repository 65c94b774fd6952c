// npm run build: builds the web app ahead of the first start, as an image does. npm start does it when it is missing.
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { main } from './lib/project.mjs'

await main(async () => {
  await ensureInstalled()
  await ensureBuilt()
})
