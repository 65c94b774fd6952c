import fs from 'node:fs'
import * as fontkit from '@cantoo/fontkit'
import {
  type Color,
  fill,
  PDFDocument,
  type PDFFont,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  rgb,
  setFillingRgbColor,
} from '@cantoo/pdf-lib'
import { encode } from 'uqr'

export type PdfFonts = {
  /** For headings. Lacks some letters. */
  serif: PDFFont
  /** For text: the main font, and one for letters it lacks. */
  text: readonly PDFFont[]
}

export const ink = rgb(0.09, 0.16, 0.13)
export const muted = rgb(0.34, 0.4, 0.37)
/** One millimeter in points. */
export const mm = 72 / 25.4

const readFont = (name: string) => fs.readFileSync(new URL(`../../data/fonts/${name}`, import.meta.url))

export async function newPdf(title: string, brandName: string): Promise<{ document: PDFDocument; fonts: PdfFonts }> {
  const document = await PDFDocument.create()
  document.registerFontkit(fontkit)
  const embed = (file: string) => document.embedFont(readFont(file), { subset: true })
  const [serif, sans, sansMore] = [await embed('fraunces.ttf'), await embed('inter.ttf'), await embed('inter-ext.ttf')]
  document.setTitle(title)
  document.setProducer(brandName)
  document.setCreator(brandName)
  return { document, fonts: { serif, text: [sans, sansMore] } }
}

/** The quiet zone of a QR code in modules (ISO/IEC 18004). */
export const quietModules = 4

/** A QR code's dark modules as horizontal runs, in a square of `size` modules that includes the quiet zone. */
export function qrCodeRuns(text: string): { size: number; stretches: { x: number; y: number; length: number }[] } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const stretches = data.flatMap((row, y) => {
    const found: { x: number; y: number; length: number }[] = []
    for (let x = 0; x < size; x++) {
      if (!row[x] || row[x - 1]) continue
      let end = x
      while (row[end]) end++
      found.push({ x: x + quietModules, y: y + quietModules, length: end - x })
    }
    return found
  })
  return { size: size + 2 * quietModules, stretches }
}

/** In points, including the quiet zone. `left` and `bottom` are the lower left corner. */
export function drawQrCode(page: PDFPage, text: string, left: number, bottom: number, side: number): void {
  const { size, stretches } = qrCodeRuns(text)
  const module = side / size
  page.pushOperators(
    pushGraphicsState(),
    setFillingRgbColor(0, 0, 0),
    // Adjacent modules form one rectangle, because hairlines between them would show on a screen.
    ...stretches.map(({ x, y, length }) => rectangle(left + x * module, bottom + side - (y + 1) * module, length * module, module)),
    fill(),
    popGraphicsState(),
  )
}

/** In order of preference: each letter of a text uses the first font that has it. All measures below are in points. */
export type Fonts = readonly PDFFont[]

export function drawLine(page: PDFPage, text: string, at: { x: number; y: number; size: number; fonts: Fonts; color: Color }): void {
  let x = at.x
  for (const { part, font } of splitByFont(text, at.fonts)) {
    page.drawText(part, { x, y: at.y, size: at.size, font, color: at.color })
    x += font.widthOfTextAtSize(part, at.size)
  }
}

export const widthOf = (text: string, fonts: Fonts, size: number): number =>
  splitByFont(text, fonts).reduce((sum, { part, font }) => sum + font.widthOfTextAtSize(part, size), 0)

/** Uses the first font that has each letter. Drops letters that no font has, which would otherwise appear as a box. */
function splitByFont(text: string, fonts: Fonts): { part: string; font: PDFFont }[] {
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

export const hasAllGlyphs = (text: string, font: PDFFont): boolean =>
  [...text].every((letter) => charactersOf(font).has(letter.codePointAt(0) as number))

const characterSets = new WeakMap<PDFFont, Set<number>>()
function charactersOf(font: PDFFont): Set<number> {
  const known = characterSets.get(font)
  if (known) return known
  const characters = new Set(font.getCharacterSet())
  characterSets.set(font, characters)
  return characters
}

type Room = { width: number; fonts: Fonts; sizes: readonly number[]; maxLines: number; maxLinesSmallest?: number }

/**
 * Wraps text to `width` in the largest size that needs at most `maxLines` lines. The smallest size may use `maxLinesSmallest` lines, and
 * the last of them is cut off with an ellipsis if necessary.
 */
export function fitText(
  text: string,
  { width, fonts, sizes, maxLines, maxLinesSmallest = maxLines }: Room,
): { size: number; lines: string[] } {
  for (const size of sizes) {
    const lines = breakLines(text, fonts, size, width)
    if (lines.length <= maxLines) return { size, lines }
  }
  const size = sizes.at(-1) as number
  const lines = breakLines(text, fonts, size, width)
  if (lines.length <= maxLinesSmallest) return { size, lines }
  let end = lines[maxLinesSmallest - 1] as string
  while (end.length > 1 && widthOf(`${end}…`, fonts, size) > width) end = end.slice(0, -1)
  return { size, lines: [...lines.slice(0, maxLinesSmallest - 1), `${end.trimEnd()}…`] }
}

function breakLines(text: string, fonts: Fonts, size: number, width: number): string[] {
  const fits = (part: string) => widthOf(part, fonts, size) <= width
  const lines: string[] = []
  // A word wider than the line, such as a URL, may break anywhere.
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
