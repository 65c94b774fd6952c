import sharp from 'sharp'
import { type BusinessType, businessTypeLabels } from '../../../contracts/business-types.ts'
import { drawCover } from '../../../web/ui/cover/draw-cover.ts'
import { outline, widthOf, wrapped } from './text-outline.ts'

/** What Open Graph asks for, and what every service shows whole. */
export const previewWidth = 1200
export const previewHeight = 630

const paper = '#fbfaf6'
const ink = '#15261e'
const muted = '#4c5b53'
const leaf = '#1d6839'
const margin = 72
const panel = 250
const room = previewWidth - 2 * margin

export type Previewed = { id: string; type: BusinessType; name: string; city: string | null }

/** The picture of a link to a business: its cover, and below it what it is called, what it is and in which city. */
export function previewSvg({ id, type, name, city }: Previewed, brandName: string): string {
  const top = previewHeight - panel
  const size = widthOf(name, 'serif', 64) <= room ? 64 : 50
  const lines = wrapped(name, 'serif', size, room, 2)
  const first = lines.length === 1 ? top + 112 : top + 84
  const facts = [businessTypeLabels[type], city].filter(Boolean).join(' · ')
  const brandWidth = widthOf(brandName, 'serif', 30)
  const [factsLine = ''] = wrapped(facts, 'sans', 30, room - brandWidth - 40, 1)
  const base = previewHeight - 52
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${previewWidth}" height="${previewHeight}" viewBox="0 0 ${previewWidth} ${previewHeight}">`,
    `<rect width="${previewWidth}" height="${previewHeight}" fill="${paper}"/>`,
    drawCover(id, type, { width: previewWidth, height: top, theme: 'light' }),
    `<rect y="${top}" width="${previewWidth}" height="2" fill="${leaf}" opacity="0.18"/>`,
    ...lines.map((line, i) => outline(line, { x: margin, y: first + i * size * 1.14, size, face: 'serif', fill: ink })),
    outline(factsLine, { x: margin, y: base, size: 30, face: 'sans', fill: muted }),
    outline(brandName, { x: previewWidth - margin - brandWidth, y: base, size: 30, face: 'serif', fill: leaf }),
    '</svg>',
  ].join('')
}

/** For pages that are nobody's: a view of hills, the brand and its line. */
export function siteSvg(brandName: string, tagline: string): string {
  const top = previewHeight - panel
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${previewWidth}" height="${previewHeight}" viewBox="0 0 ${previewWidth} ${previewHeight}">`,
    `<rect width="${previewWidth}" height="${previewHeight}" fill="${paper}"/>`,
    drawCover('the-site-itself', 'farm', { width: previewWidth, height: top, theme: 'light' }),
    outline(brandName, { x: margin, y: top + 124, size: 84, face: 'serif', fill: ink }),
    outline(tagline, { x: margin, y: previewHeight - 58, size: 34, face: 'sans', fill: muted }),
    '</svg>',
  ].join('')
}

export const toPng = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg), { density: 72, limitInputPixels: previewWidth * previewHeight * 4 })
    .png({ compressionLevel: 9, palette: true, quality: 90 })
    .toBuffer()
