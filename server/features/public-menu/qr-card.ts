import fs from 'node:fs'
import * as fontkit from '@cantoo/fontkit'
import { PDFDocument, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib'
import { encode } from 'uqr'

type Card = { name: string; type: string; address: string | null; location: string | null; url: string; brandName: string }

/** A6 upright, in points (1/72 inch). */
const width = 297.64
const height = 419.53
/** A cutter is off by 3 mm at most; nothing stands nearer to the edge than 10. */
const margin = 28.35
const codeSize = 170
/** White around the code, in modules, as the standard asks. */
const quiet = 4

const ink = rgb(0.09, 0.16, 0.13)
const muted = rgb(0.34, 0.4, 0.37)

const readFont = (name: string) => fs.readFileSync(new URL(`../../../data/fonts/${name}`, import.meta.url))

/** A card for the counter that leads to a business's page: A6, black on white, with the fonts in it. */
export async function drawQrCard({ name, type, address, location, url, brandName }: Card): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.registerFontkit(fontkit)
  const embed = (file: string) => document.embedFont(readFont(file), { subset: true })
  const [serif, sans, sansMore] = [await embed('fraunces.ttf'), await embed('inter.ttf'), await embed('inter-ext.ttf')]
  document.setTitle(`${name}: menu and reviews`)
  document.setProducer(brandName)
  document.setCreator(brandName)
  const page = document.addPage([width, height])
  const line = lineWriter(page)
  const text = [sans, sansMore]
  // One name in two typefaces looks like a mistake.
  const headingFor = (words: string) => (isWhole(words, serif) ? [serif] : text)

  let y = height - margin - 22
  const title = fitted(name, headingFor(name), [22, 18, 15], 2)
  for (const part of title.lines) {
    line(part, headingFor(name), title.size, y, ink)
    y -= title.size * 1.22
  }
  y -= 2
  // A farm's street is nobody's business; its column is empty too.
  const where = type === 'farm' ? location : [address, location].filter(Boolean).join(', ')
  const place = fitted(where ?? '', text, [10.5], 2)
  for (const part of place.lines) {
    line(part, text, place.size, y, muted)
    y -= 15
  }

  const bottom = 92
  drawCode(page, url, (width - codeSize) / 2, bottom + (y - 4 - bottom - codeSize) / 2, codeSize)
  line('Menu and reviews', [serif], 18, 72, ink)
  const link = fitted(url.replace(/^https?:\/\//, ''), text, [8.5, 7.5, 6.5], 1, 2)
  for (const [i, part] of link.lines.entries()) line(part, text, link.size, 54 - i * 10, muted)
  line(brandName, text, 8.5, margin, muted)
  return document.save()
}

/** Modules side by side are one rectangle: hairlines between them would show on a screen. */
function drawCode(page: PDFPage, url: string, left: number, bottom: number, size: number): void {
  const { data, size: count } = encode(url, { ecc: 'M', border: 0 })
  const module = size / (count + 2 * quiet)
  const path = data.flatMap((row, y) => {
    const runs: string[] = []
    for (let x = 0; x < count; x++) {
      if (!row[x] || row[x - 1]) continue
      let end = x
      while (row[end]) end++
      runs.push(`M${x + quiet} ${y + quiet}H${end + quiet}V${y + quiet + 1}H${x + quiet}Z`)
    }
    return runs
  })
  page.drawSvgPath(path.join(''), { x: left, y: bottom + size, scale: module, color: rgb(0, 0, 0) })
}

type Line = (text: string, fonts: readonly PDFFont[], size: number, y: number, color: ReturnType<typeof rgb>) => void

const lineWriter =
  (page: PDFPage): Line =>
  (text, fonts, size, y, color) => {
    let x = (width - widthOf(text, fonts, size)) / 2
    for (const { part, font } of runs(text, fonts)) {
      page.drawText(part, { x, y, size, font, color })
      x += font.widthOfTextAtSize(part, size)
    }
  }

const widthOf = (text: string, fonts: readonly PDFFont[], size: number) =>
  runs(text, fonts).reduce((sum, { part, font }) => sum + font.widthOfTextAtSize(part, size), 0)

/** Each letter in the first font that has it; what none has is left out, rather than shown as a box. */
function runs(text: string, fonts: readonly PDFFont[]): { part: string; font: PDFFont }[] {
  const found: { part: string; font: PDFFont }[] = []
  for (const letter of text.normalize('NFC').replace(/\s+/g, ' ')) {
    const font = fonts.find((each) => charactersOf(each).has(letter.codePointAt(0) as number))
    if (!font) continue
    const last = found.at(-1)
    if (last?.font === font) last.part += letter
    else found.push({ part: letter, font })
  }
  return found
}

const isWhole = (text: string, font: PDFFont) => [...text].every((letter) => charactersOf(font).has(letter.codePointAt(0) as number))

const characterSets = new WeakMap<PDFFont, Set<number>>()
function charactersOf(font: PDFFont): Set<number> {
  const known = characterSets.get(font)
  if (known) return known
  const characters = new Set(font.getCharacterSet())
  characterSets.set(font, characters)
  return characters
}

/**
 * Words in lines as wide as the card, in the largest size in which they are few enough. In the smallest there may be `mostAtLast`
 * lines, and the last one is cut with an ellipsis when there are still too many.
 */
function fitted(text: string, fonts: readonly PDFFont[], sizes: readonly number[], mostLines: number, mostAtLast = mostLines) {
  for (const size of sizes) {
    const lines = broken(text, fonts, size)
    if (lines.length <= mostLines) return { size, lines }
  }
  const size = sizes.at(-1) as number
  const lines = broken(text, fonts, size)
  if (lines.length <= mostAtLast) return { size, lines }
  let end = lines[mostAtLast - 1] as string
  while (end.length > 1 && widthOf(`${end}…`, fonts, size) > room) end = end.slice(0, -1)
  return { size, lines: [...lines.slice(0, mostAtLast - 1), `${end.trimEnd()}…`] }
}

const room = width - 2 * margin

function broken(text: string, fonts: readonly PDFFont[], size: number): string[] {
  const fits = (part: string) => widthOf(part, fonts, size) <= room
  const lines: string[] = []
  // A word that is wider than the card, such as an address, may break anywhere.
  const words = text
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word) => (fits(word) ? [{ word, glue: ' ' }] : pieces(word, fits)))
  for (const { word, glue } of words) {
    const last = lines.at(-1)
    const joined = last === undefined ? word : last + glue + word
    if (last !== undefined && fits(joined)) lines[lines.length - 1] = joined
    else lines.push(word)
  }
  return lines
}

function pieces(word: string, fits: (part: string) => boolean): { word: string; glue: string }[] {
  const parts: string[] = ['']
  for (const letter of word) {
    const grown = (parts.at(-1) as string) + letter
    if (fits(grown)) parts[parts.length - 1] = grown
    else parts.push(letter)
  }
  return parts.map((part, i) => ({ word: part, glue: i === 0 ? ' ' : '' }))
}
