import { setImmediate as otherWork } from 'node:timers/promises'
import { type PDFPage, rgb } from '@cantoo/pdf-lib'
import { labelSheets } from '../../../contracts/labels.ts'
import { drawCode, ink, mm, muted, newPdf, type PdfFonts } from '../../kernel/pdf-document.ts'
import { drawLine, fitted, widthOf } from '../../kernel/pdf-text.ts'

type Card = { jarName: string; cardNumber: number; url: string }

const papers = { Letter: labelSheets['cut-letter'], A4: labelSheets['cut-a4'] }
/** Large enough to find by a jar, and to scan over a table. */
const columns = 2
const rows = 4
const height = 62

/** Cards to cut, eight on a sheet: the jar's name, and the code that its tester scans. */
export async function drawCards(cards: readonly Card[], paper: 'Letter' | 'A4', brandName: string): Promise<Uint8Array> {
  const { document, fonts } = await newPdf('Cards of a blind panel', brandName)
  const { paperWidth, paperHeight } = papers[paper]
  const margin = 10
  const width = (paperWidth - 2 * margin) / columns
  let page: PDFPage | null = null
  for (const [i, card] of cards.entries()) {
    const place = i % (columns * rows)
    if (page === null || place === 0) {
      await otherWork()
      page = document.addPage([paperWidth * mm, paperHeight * mm])
    }
    const x = margin + (place % columns) * width
    const y = paperHeight - (paperHeight - rows * height) / 2 - (Math.floor(place / columns) + 1) * height
    drawCard(page, card, { x: x * mm, y: y * mm, width: width * mm, height: height * mm }, fonts)
  }
  return document.save()
}

type Box = { x: number; y: number; width: number; height: number }

function drawCard(page: PDFPage, { jarName, cardNumber, url }: Card, { x, y, width, height }: Box, { text }: PdfFonts): void {
  page.drawRectangle({ x, y, width, height, borderWidth: 0.25, borderColor: rgb(0.75, 0.75, 0.75) })
  const side = 46 * mm
  drawCode(page, url, x + width - side - 3 * mm, y + (height - side) / 2, side)
  const left = x + 7 * mm
  const room = width - side - 12 * mm
  const line = (words: string, size: number, at: number, color = ink) => drawLine(page, words, { x: left, y: at, size, fonts: text, color })
  line('Jar', 10, y + height - 17 * mm, muted)
  const name = fitted(jarName, { width: room, fonts: text, sizes: [44, 38, 32, 24], mostLines: 1 })
  line(name.lines[0] ?? jarName, name.size, y + height - 18 * mm - name.size * 0.9)
  const scan = 'Scan, taste, score'
  line(scan, widthOf(scan, text, 10) <= room ? 10 : 8, y + 16 * mm)
  line(`Card ${cardNumber}. One answer.`, 9, y + 11 * mm, muted)
}
