// node scripts/run.mjs FILE [arguments]: runs a TypeScript command with the pinned Node, installing first if necessary.

import { ensureInstalled } from './lib/install.mjs'
import { main, runInOurPlace, ScriptError } from './lib/project.mjs'

await main(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (!file) throw new ScriptError('Which file? node scripts/run.mjs FILE [arguments]')
  await ensureInstalled()
  runInOurPlace([file, ...args])
})
