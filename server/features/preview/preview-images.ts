import fs from 'node:fs'
import * as fontkit from '@cantoo/fontkit'
import sharp from 'sharp'
import { type BusinessType, businessTypeLabels } from '#contracts/business-types.ts'
import { drawCover } from '#web/ui/cover/draw-cover.ts'

/** The usual size of link previews, 1.91:1, in pixels. */
const previewWidth = 1200
const previewHeight = 630

const paper = '#fbfaf6'
const ink = '#15261e'
const muted = '#4c5b53'
const leaf = '#1d6839'
const margin = 72
const panel = 250
const room = previewWidth - 2 * margin

type Previewed = { id: string; type: BusinessType; name: string; city: string | null }

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

// Text is drawn as outlines, because a server may lack fonts. Sizes are in pixels.

type Font = fontkit.Font

const readFont = (name: string) => fontkit.create(fs.readFileSync(new URL(`../../../data/fonts/${name}`, import.meta.url))) as Font

let loaded: { serif: Font; sans: Font; more: Font } | undefined
const fonts = () => {
  loaded ??= { serif: readFont('fraunces.ttf'), sans: readFont('inter.ttf'), more: readFont('inter-ext.ttf') }
  return loaded
}

type Face = 'serif' | 'sans'

/** Splits text by font and drops letters that no font has. If the serif lacks any letter of a name, the whole name is set in sans. */
function stretches(text: string, face: Face): { part: string; font: Font }[] {
  const { serif, sans, more } = fonts()
  const has = (font: Font, letter: string) => font.hasGlyphForCodePoint(letter.codePointAt(0) as number)
  const isWhole = face === 'serif' && [...text].every((letter) => has(serif, letter))
  const found: { part: string; font: Font }[] = []
  for (const letter of text) {
    const font = (isWhole ? [serif] : [sans, more]).find((each) => has(each, letter))
    if (!font) continue
    const last = found.at(-1)
    if (last?.font === font) last.part += letter
    else found.push({ part: letter, font })
  }
  return found
}

const widthOf = (text: string, face: Face, size: number): number =>
  stretches(text, face).reduce((sum, { part, font }) => sum + (font.layout(part).advanceWidth / font.unitsPerEm) * size, 0)

function outline(text: string, at: { x: number; y: number; size: number; face: Face; fill: string }): string {
  let { x } = at
  const paths: string[] = []
  for (const { part, font } of stretches(text, at.face)) {
    const scale = at.size / font.unitsPerEm
    const { glyphs, positions } = font.layout(part)
    for (const [i, glyph] of glyphs.entries()) {
      const position = positions?.[i]
      if (!position) continue
      const d = glyph.path.toSVG()
      if (d) paths.push(`<path transform="translate(${round(x + position.xOffset * scale)} ${at.y}) scale(${scale} ${-scale})" d="${d}"/>`)
      x += position.xAdvance * scale
    }
  }
  return `<g fill="${at.fill}">${paths.join('')}</g>`
}

const round = (value: number) => Math.round(value * 100) / 100

/** Wraps text to at most `maxLines` lines of `width`. An ellipsis replaces what doesn't fit. */
function wrapped(text: string, face: Face, size: number, width: number, maxLines: number): string[] {
  const lines: string[] = ['']
  for (const word of text.normalize('NFC').split(/\s+/).filter(Boolean)) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (lines.at(-1) === '' || widthOf(longer, face, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const shown = lines.slice(0, maxLines)
  const isCut = lines.length > maxLines
  return shown.map((line, i) => cut(line, face, size, width, isCut && i === shown.length - 1))
}

function cut(line: string, face: Face, size: number, width: number, isCut: boolean): string {
  if (!isCut && widthOf(line, face, size) <= width) return line
  const letters = [...line]
  while (letters.length > 1 && widthOf(`${letters.join('').trimEnd()}…`, face, size) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}
