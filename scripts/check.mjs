// npm run check: checks format, lint, types, unused code, docs/specification.md and wording.
import { runChecks } from './lib/checks.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { main } from './lib/project.mjs'

await main(async () => {
  await ensureInstalled({ tools: true })
  const { failed } = await runChecks()
  process.exitCode = failed > 0 ? 1 : 0
})
