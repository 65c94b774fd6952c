/**
 * Subsets the full variable fonts for the design system and writes web/ui/fonts/ (committed, so a build needs neither this script nor
 * its packages). Rerun it after a change here: `node scripts/build-fonts.mjs`.
 *
 * The preloaded pair has Latin-1 and typographic marks. A second pair has more Latin letters (names of people and places); a browser
 * fetches it only if such a letter is on the page. Inter keeps the weights 400–700 and the features the tokens use. Fraunces is fixed at
 * the weight and softness of our headings and keeps a range of optical sizes.
 *
 * data/fonts/ gets static instances as plain TrueType, for PDF files made by the server.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const require = createRequire(import.meta.url)
const outDir = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'web', 'ui', 'fonts')

// biome-ignore format: one list
const latin = [[0x20, 0x7e], [0xa0, 0xff], [0x152, 0x153], [0x160, 0x161], [0x178, 0x178], [0x17d, 0x17e], [0x2010, 0x2015], [0x2018, 0x201e], [0x2020, 0x2022], [0x2026, 0x2026], [0x2030, 0x2030], [0x2032, 0x2033], [0x2039, 0x203a], [0x2044, 0x2044], [0x2080, 0x2089], [0x20ac, 0x20ac], [0x2122, 0x2122], [0x2190, 0x2193], [0x2212, 0x2212], [0x2248, 0x2248], [0x2260, 0x2260], [0x2264, 0x2265]]
// biome-ignore format: one list
const latinExtended = [[0x100, 0x151], [0x154, 0x15f], [0x162, 0x177], [0x179, 0x17c], [0x17f, 0x24f], [0x1e00, 0x1eff]]

const inter = {
  variationAxes: { wght: { min: 400, max: 700, default: 400 } },
  keepFeatures: ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'cv05', 'ss03'],
}
const fraunces = {
  variationAxes: { wght: 560, SOFT: 60, WONK: 0, opsz: { min: 18, max: 48, default: 36 } },
  keepFeatures: ['kern', 'liga', 'ccmp', 'locl', 'mark', 'mkmk', 'lnum', 'tnum'],
}

const files = [
  { out: 'inter.woff2', source: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', ranges: latin, ...inter },
  { out: 'inter-ext.woff2', source: '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2', ranges: latinExtended, ...inter },
  { out: 'fraunces.woff2', source: '@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2', ranges: latin, ...fraunces },
  {
    out: 'fraunces-ext.woff2',
    source: '@fontsource-variable/fraunces/files/fraunces-latin-ext-full-normal.woff2',
    ranges: latinExtended,
    ...fraunces,
  },
]

const printDir = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'data', 'fonts')
const forPrint = { keepFeatures: ['kern'] }
const printFiles = [
  { out: 'inter.ttf', source: files[0].source, ranges: latin, variationAxes: { wght: 400 }, ...forPrint },
  { out: 'inter-ext.ttf', source: files[1].source, ranges: latinExtended, variationAxes: { wght: 400 }, ...forPrint },
  { out: 'fraunces.ttf', source: files[2].source, ranges: latin, variationAxes: { wght: 560, SOFT: 60, WONK: 0, opsz: 30 }, ...forPrint },
]

const characters = (ranges) =>
  ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))).join('')

async function build(dir, list, targetFormat) {
  await mkdir(dir, { recursive: true })
  for (const { out, source, ranges, ...options } of list) {
    const original = await readFile(require.resolve(source))
    const subset = await subsetFont(original, characters(ranges), { targetFormat, noHinting: true, ...options })
    await writeFile(path.join(dir, out), subset)
    console.log(`${out.padEnd(20)} ${(original.length / 1024).toFixed(1)} → ${(subset.length / 1024).toFixed(1)} KB`)
  }
}

await build(outDir, files, 'woff2')
await build(printDir, printFiles, 'truetype')

const unicodeRange = (ranges) =>
  ranges
    .map(([from, to]) => `U+${from.toString(16)}${to === from ? '' : `-${to.toString(16)}`}`)
    .join(', ')
    .toUpperCase()
console.log(`latin: ${unicodeRange(latin)}\nlatin extended: ${unicodeRange(latinExtended)}`)
