/**
 * Prints what a first visit to each route loads, from the bundler's manifest: the entry, the route's own chunks and everything they import,
 * in bytes as a browser receives them (brotli). Code fetched later, by `import()`, doesn't count.
 *
 *     node scripts/first-load.mjs [--dist dist] [--hold]
 *
 * With `--hold`, fails if a route loads more bytes of script than `scriptLimits` allows.
 */
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'

/** @typedef {{ file: string, isEntry?: boolean, imports?: string[], css?: string[] }} Chunk */
/** @typedef {Record<string, Chunk>} Manifest */

/**
 * Limits in bytes of script on a first visit: of visitors' static pages, of the sign-in screen, and of home, Discover and business pages
 * for members. `npm run bench:web` and the end-to-end tests also compare a browser's downloads with them.
 */
export const scriptLimits = { visitors: 60 * 1024, signIn: 130 * 1024, members: 170 * 1024 }

/** Part of the first screen, but in a separate chunk: see web/routes/__root.tsx. */
const memberFrame = 'screens/layout/member-frame.tsx'
const authScreen = 'screens/sign-in/auth-screen.tsx'
/** Visitors' pages, without the app: see web/static-pages.tsx. */
const staticPage = 'static-page.html'
const memberRoutes = ['index', 'discover', 'business.$id']

const routeKey = /^routes\/(.+?)\.tsx\?tsr-split=(loader|component)$/

/**
 * The files of a first visit to every route, by the route file's name ("landing", "business.$id").
 * @param {Manifest} manifest
 * @returns {Map<string, { scripts: string[], styles: string[] }>}
 */
export function filesByRoute(manifest) {
  /** @type {Map<string, string[]>} */
  const keys = new Map()
  for (const key of Object.keys(manifest)) {
    const name = routeKey.exec(key)?.[1]
    if (name) keys.set(name, [...(keys.get(name) ?? []), key])
  }
  return new Map([...keys].map(([name, ofRoute]) => [name, closure(manifest, ['index.html', ...ofRoute])]))
}

/**
 * The scripts of a signed-in person's first visit, by the route file's name, for the most visited screens.
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
    if (!chunk) throw new Error(`The manifest names ${key} but doesn't describe it`)
    if (scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return { scripts: [...scripts], styles: [...styles] }
}

/**
 * The transferred size of a built file. After scripts/precompress.ts, that of the compressed file next to it, or of the file itself if
 * compression gained nothing; before that, the size at best compression.
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
  const checkLimit = (what, scripts, limit) => {
    if (!scripts) throw new Error(`The manifest has no route for ${what}`)
    const bytes = total(scripts)
    const verdict = `${what} loads ${bytes} bytes of script, of at most ${limit}.`
    if (bytes <= limit) return console.log(verdict)
    console.error(verdict)
    for (const file of scripts) console.error(`  ${String(sentSize(file)).padStart(7)}  ${file}`)
    process.exitCode = 1
  }
  checkLimit('A page for visitors', closure(manifest, [staticPage]).scripts, scriptLimits.visitors)
  checkLimit('The sign-in screen', closure(manifest, ['index.html', authScreen]).scripts, scriptLimits.signIn)
  for (const [name, scripts] of memberScripts(manifest)) checkLimit(`${name}, signed in,`, scripts, scriptLimits.members)
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) main()
