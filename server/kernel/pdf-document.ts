import fs from 'node:fs'
import * as fontkit from '@cantoo/fontkit'
import {
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
  /** For headings; lacks some letters. */
  serif: PDFFont
  /** For text: the main font, and one for letters it lacks. */
  text: readonly PDFFont[]
}

export const ink = rgb(0.09, 0.16, 0.13)
export const muted = rgb(0.34, 0.4, 0.37)
/** A millimeter in points. */
export const mm = 72 / 25.4

const readFont = (name: string) => fs.readFileSync(new URL(`../../data/fonts/${name}`, import.meta.url))

/** A new document with our fonts embedded as subsets. */
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
export function codeStretches(text: string): { size: number; stretches: { x: number; y: number; length: number }[] } {
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

/** Draws a QR code with its quiet zone into a square with the given lower left corner, in points. */
export function drawCode(page: PDFPage, text: string, left: number, bottom: number, side: number): void {
  const { size, stretches } = codeStretches(text)
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
