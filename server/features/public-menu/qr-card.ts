import type { Color } from '@cantoo/pdf-lib'
import { drawCode, ink, muted, newPdf } from '../../kernel/pdf-document.ts'
import { drawLine, type Fonts, fitted, isWhole, widthOf } from '../../kernel/pdf-text.ts'

export type QrCard = { name: string; type: string; address: string | null; location: string | null; url: string; brandName: string }

/** A6 upright, in points (1/72 inch). */
const width = 297.64
const height = 419.53
/** A cutter is off by 3 mm at most; nothing stands nearer to the edge than 10. */
const margin = 28.35
const codeSize = 170
const room = width - 2 * margin

/** A card for the counter that leads to a business's page: A6, black on white, with the fonts in it. */
export async function drawQrCard({ name, type, address, location, url, brandName }: QrCard): Promise<Uint8Array> {
  const { document, fonts } = await newPdf(`${name}: menu and reviews`, brandName)
  const { serif, text } = fonts
  const page = document.addPage([width, height])
  const line = (words: string, of: Fonts, size: number, y: number, color: Color) =>
    drawLine(page, words, { x: (width - widthOf(words, of, size)) / 2, y, size, fonts: of, color })
  // One name in two typefaces looks like a mistake.
  const headingFor = (words: string): Fonts => (isWhole(words, serif) ? [serif] : text)

  let y = height - margin - 22
  const title = fitted(name, { width: room, fonts: headingFor(name), sizes: [22, 18, 15], mostLines: 2 })
  for (const part of title.lines) {
    line(part, headingFor(name), title.size, y, ink)
    y -= title.size * 1.22
  }
  y -= 2
  // A farm's street is nobody's business; its column is empty too.
  const where = type === 'farm' ? location : [address, location].filter(Boolean).join(', ')
  const place = fitted(where ?? '', { width: room, fonts: text, sizes: [10.5], mostLines: 2 })
  for (const part of place.lines) {
    line(part, text, place.size, y, muted)
    y -= 15
  }

  const bottom = 92
  drawCode(page, url, (width - codeSize) / 2, bottom + (y - 4 - bottom - codeSize) / 2, codeSize)
  line('Menu and reviews', [serif], 18, 72, ink)
  const link = fitted(url.replace(/^https?:\/\//, ''), { width: room, fonts: text, sizes: [8.5, 7.5, 6.5], mostLines: 1, mostAtLast: 2 })
  for (const [i, part] of link.lines.entries()) line(part, text, link.size, 54 - i * 10, muted)
  line(brandName, text, 8.5, margin, muted)
  return document.save()
}
