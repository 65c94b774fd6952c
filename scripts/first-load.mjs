/**
 * What a first visit to each route loads, from the bundler's manifest: the entry, the route's own chunk and all that these import, in
 * bytes as a browser receives them (brotli). Code that is fetched later, by `import()`, does not count.
 *
 *     node scripts/first-load.mjs [--dist dist] [--hold]
 *
 * With `--hold` it fails when one of them loads more bytes of script than `most` allows.
 */
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'

/** @typedef {{ file: string, isEntry?: boolean, imports?: string[], css?: string[] }} Chunk */
/** @typedef {Record<string, Chunk>} Manifest */

/**
 * The most bytes of script of a first visit: to a page of visitors, to the screen to sign in, and of a member to home, Discover or a
 * business page. `npm run bench:web` and the end-to-end tests hold what a browser loads against them too.
 */
export const most = { visitors: 110 * 1024, signIn: 130 * 1024, members: 150 * 1024 }

/** What stands around screens and is loaded by itself: see web/features/layout/app-frame.tsx. */
const memberFrame = 'features/layout/member-frame.tsx'
const landingHeader = 'features/layout/landing-header.tsx'
const memberRoutes = ['index', 'discover', 'business.$id']

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
    const beside = name === 'landing' && manifest[landingHeader] ? [landingHeader] : []
    if (name) routes.set(name, closure(manifest, [...entries, key, ...beside]))
  }
  return routes
}

/**
 * The scripts of a first visit of somebody who is signed in, by the route file's name, for the screens that most of them open.
 * @param {Manifest} manifest
 * @returns {Map<string, string[]>}
 */
export function memberScripts(manifest) {
  const routes = filesByRoute(manifest)
  const frame = manifest[memberFrame] ? closure(manifest, [memberFrame]).scripts : []
  return new Map(
    memberRoutes.flatMap((name) => (routes.has(name) ? [[name, [...new Set([...(routes.get(name)?.scripts ?? []), ...frame])]]] : [])),
  )
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
  const { values } = parseArgs({ options: { dist: { type: 'string', default: 'dist' }, hold: { type: 'boolean' } } })
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
  for (const [name, scripts] of memberScripts(manifest))
    console.log(`${`${name}, signed in`.padEnd(24)}${String(total(scripts)).padStart(9)}`)

  if (!values.hold) return
  /** @param {string} what @param {string[] | undefined} scripts @param {number} limit */
  const hold = (what, scripts, limit) => {
    if (!scripts) throw new Error(`The manifest has no route for ${what}`)
    const bytes = total(scripts)
    const verdict = `${what} loads ${bytes} bytes of script, of at most ${limit}.`
    if (bytes <= limit) return console.log(verdict)
    console.error(verdict)
    for (const file of scripts) console.error(`  ${String(sentSize(file)).padStart(7)}  ${file}`)
    process.exitCode = 1
  }
  hold('The landing page', routes.get('landing')?.scripts, most.visitors)
  hold('The screen to sign in', routes.get('auth')?.scripts, most.signIn)
  for (const [name, scripts] of memberScripts(manifest)) hold(`For somebody signed in, ${name}`, scripts, most.members)
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) main()
