import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { cacheDir, nodeEnvironment, pinnedNode, root, ScriptError, sha256, withLock } from './project.mjs'

const dist = path.join(root, 'dist')
/** Stores the digest of the build's inputs. */
const marker = path.join(dist, '.built')
/** A test compares this list to the web app's imports. */
export const inputs = [
  'web',
  'agronomy',
  'compliance',
  'contracts',
  'data/compliance-rules.json',
  'data/look-alikes.json',
  'vite.config.ts',
  'vite.static-pages.config.ts',
  'tsconfig.base.json',
  'package-lock.json',
  'scripts/precompress.ts',
  'scripts/offline-worker-plugin.ts',
]

export async function ensureBuilt() {
  const wanted = digestOf(inputs)
  if (isBuilt(wanted)) return
  await withLock('build', 'Another process is building the web app; waiting for it.', async () => {
    if (!isBuilt(wanted)) build(wanted)
  })
}

function build(digest) {
  console.log('Building the web app…')
  const started = Date.now()
  // Built in the cache folder and swapped in when complete, so a failed build loses nothing.
  const draft = path.join(cacheDir, 'dist')
  run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--outDir', draft, '--emptyOutDir')
  run('node_modules/vite/bin/vite.js', 'build', '--config', 'vite.static-pages.config.ts', '--outDir', path.join(draft, '.static-pages'))
  run('scripts/precompress.ts', draft)
  keepPreviousFiles(dist, draft)
  fs.writeFileSync(path.join(draft, '.built'), digest)
  fs.rmSync(dist, { recursive: true, force: true })
  fs.renameSync(draft, dist)
  console.log(`Built the web app in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
}

/**
 * Copies files of the build in `from` that are missing from the build in `to`. Running servers and open pages use the old names: without
 * them, every visit between a build and the restart would get stuck at "Loading...". Copies only files listed in the manifest, so each
 * build keeps one predecessor rather than all of them.
 */
export function keepPreviousFiles(from, to) {
  const manifest = path.join(from, '.vite/manifest.json')
  if (!fs.existsSync(manifest)) return
  const chunks = Object.values(JSON.parse(fs.readFileSync(manifest, 'utf8')))
  const files = new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]))
  for (const file of [...files].flatMap((name) => [name, `${name}.br`, `${name}.gz`])) {
    const copy = path.join(to, file)
    if (!fs.existsSync(copy) && fs.existsSync(path.join(from, file))) fs.copyFileSync(path.join(from, file), copy)
  }
}

function run(script, ...args) {
  const { status, signal } = spawnSync(pinnedNode(), [path.join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: nodeEnvironment({ NODE_ENV: 'production' }),
  })
  if (status !== 0) throw new ScriptError(`Building the web app failed (${script}, ${status ?? signal}).`)
}

function isBuilt(digest) {
  try {
    return fs.readFileSync(marker, 'utf8') === digest
  } catch {
    return false
  }
}

function digestOf(names) {
  const files = names.flatMap((name) => filesIn(path.join(root, name)))
  return sha256(...files.flatMap((file) => [path.relative(root, file), fs.readFileSync(file)]))
}

function filesIn(place) {
  if (!fs.statSync(place).isDirectory()) return [place]
  const names = fs.readdirSync(place).sort()
  return names.filter((name) => !/\.(test|gen)\.tsx?$/.test(name)).flatMap((name) => filesIn(path.join(place, name)))
}
