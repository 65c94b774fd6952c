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
  /** For headings; not every letter is in it. */
  serif: PDFFont
  /** For text: the first, and one for the letters that it has not. */
  text: readonly PDFFont[]
}

export const ink = rgb(0.09, 0.16, 0.13)
export const muted = rgb(0.34, 0.4, 0.37)
/** Of a millimeter, in points. */
export const mm = 72 / 25.4

const readFont = (name: string) => fs.readFileSync(new URL(`../../data/fonts/${name}`, import.meta.url))

/** An empty document that has our fonts in it, as far as they are used. */
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

/** White around a code, in modules, as the standard asks (ISO/IEC 18004). */
export const quietModules = 4

/** The dark modules of a code that says `text`, each row's as stretches, within a square of `size` modules that has the white around it. */
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

/** A code with its white around it, in a square whose lower left corner is given, in points. */
export function drawCode(page: PDFPage, text: string, left: number, bottom: number, side: number): void {
  const { size, stretches } = codeStretches(text)
  const module = side / size
  page.pushOperators(
    pushGraphicsState(),
    setFillingRgbColor(0, 0, 0),
    // Modules side by side are one rectangle: hairlines between them would show on a screen.
    ...stretches.map(({ x, y, length }) => rectangle(left + x * module, bottom + side - (y + 1) * module, length * module, module)),
    fill(),
    popGraphicsState(),
  )
}
