/**
 * What a first visit to each route loads, from the bundler's manifest: the entry, the route's own chunk and all that these import, in
 * bytes as a browser receives them (brotli). Code that is fetched later, by `import()`, does not count.
 *
 *     node scripts/first-load.mjs [--dist dist] [--limit 112640]
 *
 * With `--limit` it fails when the landing page loads more bytes of script than that.
 */
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'

/** @typedef {{ file: string, isEntry?: boolean, imports?: string[], css?: string[] }} Chunk */
/** @typedef {Record<string, Chunk>} Manifest */

const routeKey = /^routes\/(.+?)\.tsx\?tsr-split=component/

/**
 * The files of a first visit to every route, by the route file's name ("landing", "business.$id").
 * @param {Manifest} manifest
 * @returns {Map<string, { scripts: string[], styles: string[] }>}
 */
export function filesByRoute(manifest) {
  const entries = Object.keys(manifest).filter((key) => manifest[key].isEntry)
  /** @type {Map<string, { scripts: string[], styles: string[] }>} */
  const routes = new Map()
  for (const key of Object.keys(manifest)) {
    const name = routeKey.exec(key)?.[1]
    if (name) routes.set(name, closure(manifest, [...entries, key]))
  }
  return routes
}

/** @param {Manifest} manifest @param {string[]} keys */
function closure(manifest, keys) {
  const scripts = new Set()
  const styles = new Set()
  /** @param {string} key */
  const visit = (key) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The manifest names ${key} but does not describe it`)
    if (scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return { scripts: [...scripts], styles: [...styles] }
}

/**
 * The size of a file of a build as it is sent. After scripts/precompress.ts that is the file beside it, or the file itself where that
 * script found nothing to gain; before, what the best compression would make of it.
 * @param {string} dist
 * @returns {(file: string) => number}
 */
function measure(dist) {
  const isPrecompressed = fs.readdirSync(path.join(dist, 'assets')).some((name) => name.endsWith('.br'))
  return (file) => {
    const place = path.join(dist, file)
    if (fs.existsSync(`${place}.br`)) return fs.statSync(`${place}.br`).size
    return isPrecompressed ? fs.statSync(place).size : brotliCompressSync(fs.readFileSync(place)).length
  }
}

function main() {
  const { values } = parseArgs({ options: { dist: { type: 'string', default: 'dist' }, limit: { type: 'string' } } })
  const dist = path.resolve(/** @type {string} */ (values.dist))
  const manifest = JSON.parse(fs.readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8'))
  const routes = filesByRoute(manifest)

  const sentSize = measure(dist)
  /** @param {string[]} files */
  const total = (files) => files.reduce((sum, file) => sum + sentSize(file), 0)

  console.log(`${'route'.padEnd(24)}${'script'.padStart(9)}${'style'.padStart(9)}   (bytes, brotli)`)
  for (const [name, { scripts, styles }] of [...routes].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(`${name.padEnd(24)}${String(total(scripts)).padStart(9)}${String(total(styles)).padStart(9)}`)
  }
  if (values.limit === undefined) return
  const landing = routes.get('landing')
  if (!landing) throw new Error('The manifest has no landing route')
  const limit = Number(values.limit)
  if (!(limit > 0)) throw new Error('--limit must be a number of bytes')
  const bytes = total(landing.scripts)
  const verdict = `The landing page loads ${bytes} bytes of script, of at most ${limit}.`
  if (bytes <= limit) return console.log(verdict)
  console.error(verdict)
  for (const file of landing.scripts) console.error(`  ${String(sentSize(file)).padStart(7)}  ${file}`)
  process.exitCode = 1
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) main()
