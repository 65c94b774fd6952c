import fs from 'node:fs'
import path from 'node:path'

/** Fonts keep their names between builds, and so does code that only renders static pages. */
const isRenamed = (name: string) => /\.(js|css)$/.test(name)

/** Files that contain file names: everything the server reads or sends as text, except the static pages' bundle. */
const holdsNames = (file: string) => /\.(js|css|html|json)$/.test(file) && !file.startsWith('.static-pages')

/**
 * Derives the next deployment's build from the current one: renames each script and style sheet with all references to it, and
 * changes the service worker's version. None of the old names remains.
 */
export function writeNextBuild(dist: string, to: string): void {
  const assets = new Set(fs.readdirSync(path.join(dist, 'assets')).filter(isRenamed))
  const renamed = (text: string) => text.replace(/(?<=\/)[\w-]+\.(?:js|css)\b/g, (name) => (assets.has(name) ? nextName(name) : name))
  for (const file of fs.readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const from = path.join(dist, file)
    // The compressed copies contain the old text, so the server sends the new text uncompressed.
    if (!fs.statSync(from).isFile() || /\.(br|gz)$/.test(file)) continue
    const isAsset = path.dirname(file) === 'assets' && isRenamed(file)
    const target = path.join(to, isAsset ? path.join('assets', nextName(path.basename(file))) : file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    if (!holdsNames(file)) fs.copyFileSync(from, target)
    else fs.writeFileSync(target, withVersion(file, renamed(fs.readFileSync(from, 'utf8'))))
  }
}

const nextName = (name: string) => name.replace(/\.(js|css)$/, '-next.$1')

function withVersion(file: string, text: string): string {
  if (file !== 'sw.js') return text
  const next = text.replace(/version:\s*[`"'][\w-]+/, (found) => `${found}-next`)
  if (next === text) throw new Error('The service worker no longer states its version in the expected form.')
  return next
}
