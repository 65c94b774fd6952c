import { setImmediate as otherWork } from 'node:timers/promises'
import { type PDFPage, rgb } from '@cantoo/pdf-lib'
import { type LabelSheet, labelsOf } from '../../../contracts/labels.ts'
import { drawCode, ink, mm, muted, newPdf, type PdfFonts } from '../../kernel/pdf-document.ts'
import { drawLine, fitted } from '../../kernel/pdf-text.ts'

export type Label = {
  /** "#7-2" */
  name: string
  /** What the grower calls the phenotype; may be empty. */
  label: string
  code: string
  url: string
  huntName: string | null
}

/** Printers are off by a millimeter or so. */
const inset = 1.5

/** Sheets of labels as a PDF, to be printed at 100 %. `start`: on the first sheet, the label to begin with, counted from 1. */
export async function drawLabels(sheet: LabelSheet, labels: readonly Label[], start: number, brandName: string): Promise<Uint8Array> {
  const { document, fonts } = await newPdf('Plant labels', brandName)
  const perSheet = labelsOf(sheet)
  const first = Math.min(start, perSheet) - 1
  let page: PDFPage | null = null
  for (const [i, label] of labels.entries()) {
    const place = (first + i) % perSheet
    if (page === null || place === 0) {
      // Drawing takes the one thread there is.
      await otherWork()
      page = document.addPage([sheet.paperWidth * mm, sheet.paperHeight * mm])
    }
    drawLabel(page, sheet, place, label, fonts)
  }
  return document.save()
}

/** Where a label lies on its sheet, in millimeters from the upper left. */
export const placeOnSheet = (sheet: LabelSheet, place: number): { left: number; top: number } => ({
  left: sheet.left + (place % sheet.columns) * sheet.pitchX,
  top: sheet.top + Math.floor(place / sheet.columns) * sheet.pitchY,
})

/** The code at the left, as large as the label is high; beside it the number, as large as fits. */
function drawLabel(page: PDFPage, sheet: LabelSheet, place: number, { name, label, code, url, huntName }: Label, fonts: PdfFonts): void {
  const { left, top } = placeOnSheet(sheet, place)
  const x0 = left * mm
  const y0 = (sheet.paperHeight - top - sheet.height) * mm
  const width = sheet.width * mm
  const height = sheet.height * mm
  if (sheet.isCut) page.drawRectangle({ x: x0, y: y0, width, height, borderWidth: 0.25, borderColor: rgb(0.75, 0.75, 0.75) })

  // Its own white is around the code already.
  const side = Math.min(height - mm, width / 2)
  drawCode(page, url, x0 + mm, y0 + (height - side) / 2, side)
  const x = x0 + mm + side + mm
  const room = { width: x0 + width - inset * mm - x, fonts: fonts.text, mostLines: 1 }
  const line = (words: string, size: number, y: number, color = ink) => drawLine(page, words, { x, y, size, fonts: fonts.text, color })

  // Where more stands below it, it leaves room for that.
  const highest = height * (label === '' ? 0.42 : 0.34)
  const number = fitted(name, { ...room, sizes: [44, 36, 30, 24, 20, 17, 14, 11].filter((size) => size <= highest) })
  const more = fitted(label, { ...room, sizes: [11, 9.5, 8], mostAtLast: height > 85 ? 2 : 1 })
  const hunt = fitted(huntName ?? '', { ...room, sizes: [7.5, 6.5] })
  let y = y0 + height - inset * mm - number.size * 0.82
  line(number.lines[0] ?? name, number.size, y)
  y -= number.size * 0.25
  for (const words of more.lines) {
    y -= more.size * 1.15
    line(words, more.size, y)
  }
  const foot = y0 + inset * mm + 2
  const codeSize = fitted(code, { ...room, sizes: [12, 10.5, 9] })
  line(codeSize.lines[0] ?? code, codeSize.size, foot + (hunt.lines.length > 0 ? hunt.size * 1.3 : 0))
  for (const words of hunt.lines) line(words, hunt.size, foot, muted)
}
