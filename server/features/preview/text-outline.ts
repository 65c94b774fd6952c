import fs from 'node:fs'
import * as fontkit from '@cantoo/fontkit'

/** Text as outlines: a server has no fonts of its own that could be counted on. Sizes in pixels. */

type Font = fontkit.Font

const readFont = (name: string) => fontkit.create(fs.readFileSync(new URL(`../../../data/fonts/${name}`, import.meta.url))) as Font

let loaded: { serif: Font; sans: Font; more: Font } | undefined
const fonts = () => {
  loaded ??= { serif: readFont('fraunces.ttf'), sans: readFont('inter.ttf'), more: readFont('inter-ext.ttf') }
  return loaded
}

export type Face = 'serif' | 'sans'

/** Every letter in the first font that has it; what none has is left out. One name in two typefaces looks like a mistake. */
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

export const widthOf = (text: string, face: Face, size: number): number =>
  stretches(text, face).reduce((sum, { part, font }) => sum + (font.layout(part).advanceWidth / font.unitsPerEm) * size, 0)

/** The paths of a line of text that begins at `x` on the baseline `y`. */
export function outline(text: string, at: { x: number; y: number; size: number; face: Face; fill: string }): string {
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

/** Words in at most `mostLines` lines no wider than `width`; what does not fit ends with an ellipsis. */
export function wrapped(text: string, face: Face, size: number, width: number, mostLines: number): string[] {
  const lines: string[] = ['']
  for (const word of text.normalize('NFC').split(/\s+/).filter(Boolean)) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (lines.at(-1) === '' || widthOf(longer, face, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const kept = lines.slice(0, mostLines)
  const isCut = lines.length > mostLines
  return kept.map((line, i) => cut(line, face, size, width, isCut && i === kept.length - 1))
}

function cut(line: string, face: Face, size: number, width: number, isCut: boolean): string {
  if (!isCut && widthOf(line, face, size) <= width) return line
  const letters = [...line]
  while (letters.length > 1 && widthOf(`${letters.join('').trimEnd()}…`, face, size) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}
