// npm run bench:web, npm run bench:peers: install and build anything missing, including Lighthouse or NodeBB, then measure.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureBuilt } from './lib/build.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { main, readJson, root, runInOurPlace, ScriptError } from './lib/project.mjs'

const tools = { peers: 'nodebb', web: 'lighthouse' }

await main(async () => {
  const [bench, ...options] = process.argv.slice(2)
  await ensureInstalled({ tools: true })
  await ensureBuilt()
  ensureTool(path.join(root, 'bench', bench), tools[bench])
  const chromium = bench === 'web' && ensureChromium()
  runInOurPlace([`bench/${bench}.ts`, ...options], { NODE_ENV: 'production', ...(chromium ? { CHROMIUM: chromium } : {}) })
})

/**
 * Installs packages that only a benchmark needs into a separate folder: hundreds of megabytes that neither the product nor its tests use.
 */
function ensureTool(folder, name) {
  const wanted = readJson(path.join(folder, 'package.json'))?.dependencies[name]
  if (readJson(path.join(folder, 'node_modules', name, 'package.json'))?.version === wanted) return
  console.log(`Installing ${name}…`)
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new ScriptError(`Installing ${name} failed. Check the connection to the npm registry, then try again.`)
}
