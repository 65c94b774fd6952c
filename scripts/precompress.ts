// node scripts/precompress.ts DIR: writes a .br and a .gz next to every static text file of the built web app.
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** Excludes HTML, because page templates are filled in before they are sent. */
const isText = /\.(js|mjs|css|svg|json|geojson|txt|xml|webmanifest|wasm|ttf)$/
/** Smaller files gain nothing. Small chunks are worth it: a page loads a dozen of them and saves a kilobyte or two. */
const minBytes = 256
/** The best quality takes seconds for large files and all the map's cells, but every byte counts in files that every page loads. */
const qualityFor = (file: string, bytes: number) =>
  bytes > 512 * 1024 || file.endsWith('.geojson') ? 9 : zlib.constants.BROTLI_MAX_QUALITY

async function compress(file: string): Promise<void> {
  const content = await fs.readFile(file)
  if (content.length < minBytes) return
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants
  const [br, gz] = await Promise.all([
    brotli(content, { params: { [BROTLI_PARAM_QUALITY]: qualityFor(file, content.length), [BROTLI_PARAM_SIZE_HINT]: content.length } }),
    gzip(content, { level: 9 }),
  ])
  // Either both exist or neither does: the server chooses by the browser's accepted encodings, not by size.
  if (br.length < content.length && gz.length < content.length)
    await Promise.all([fs.writeFile(`${file}.br`, br), fs.writeFile(`${file}.gz`, gz)])
}

const [dir] = process.argv.slice(2)
if (!dir) throw new Error('Which folder? node scripts/precompress.ts DIR')
const entries = await fs.readdir(dir, { recursive: true, withFileTypes: true })
const files = entries.filter((entry) => entry.isFile() && isText.test(entry.name)).map((entry) => path.join(entry.parentPath, entry.name))
// Only the server reads the manifest and the static pages' bundle.
const isServed = (file: string) =>
  ![`${path.sep}.vite${path.sep}`, `${path.sep}.static-pages${path.sep}`].some((place) => file.includes(place))
await Promise.all(files.filter(isServed).map(compress))
