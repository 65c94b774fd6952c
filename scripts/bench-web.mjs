// npm run bench:web: installs and builds what is missing, including Lighthouse, then measures the pages of the web app in a browser.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureBuilt } from './lib/build.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { main, readJson, root, runInOurPlace, ScriptError } from './lib/project.mjs'

const folder = path.join(root, 'bench/web')

await main(async () => {
  await ensureInstalled({ tools: true })
  await ensureBuilt()
  ensureLighthouse()
  const chromium = ensureChromium()
  runInOurPlace(['bench/web.ts', ...process.argv.slice(2)], { NODE_ENV: 'production', ...(chromium ? { CHROMIUM: chromium } : {}) })
})

/** Installs into a separate folder: these 180 MB are needed by neither the product nor its tests. */
function ensureLighthouse() {
  const wanted = readJson(path.join(folder, 'package.json'))?.dependencies.lighthouse
  if (readJson(path.join(folder, 'node_modules/lighthouse/package.json'))?.version === wanted) return
  console.log('Installing Lighthouse …')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new ScriptError('Installing Lighthouse failed. Check the connection to the npm registry, then try again.')
}
