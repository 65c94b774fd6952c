import type { Color, PDFFont, PDFPage } from '@cantoo/pdf-lib'

/** Text in a PDF: letters in whichever font has them, and lines that fit a width. All measures are points. */

export type Fonts = readonly PDFFont[]

/** Draws one line from its left end. */
export function drawLine(page: PDFPage, text: string, at: { x: number; y: number; size: number; fonts: Fonts; color: Color }): void {
  let x = at.x
  for (const { part, font } of stretchesOf(text, at.fonts)) {
    page.drawText(part, { x, y: at.y, size: at.size, font, color: at.color })
    x += font.widthOfTextAtSize(part, at.size)
  }
}

export const widthOf = (text: string, fonts: Fonts, size: number): number =>
  stretchesOf(text, fonts).reduce((sum, { part, font }) => sum + font.widthOfTextAtSize(part, size), 0)

/** Each letter in the first font that has it; what none has is left out, rather than shown as a box. */
function stretchesOf(text: string, fonts: Fonts): { part: string; font: PDFFont }[] {
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

/** Whether a font has every letter of a text. */
export const isWhole = (text: string, font: PDFFont): boolean =>
  [...text].every((letter) => charactersOf(font).has(letter.codePointAt(0) as number))

const characterSets = new WeakMap<PDFFont, Set<number>>()
function charactersOf(font: PDFFont): Set<number> {
  const known = characterSets.get(font)
  if (known) return known
  const characters = new Set(font.getCharacterSet())
  characterSets.set(font, characters)
  return characters
}

type Room = { width: number; fonts: Fonts; sizes: readonly number[]; mostLines: number; mostAtLast?: number }

/**
 * Words in lines no wider than `width`, in the largest size in which they are few enough. In the smallest there may be `mostAtLast`
 * lines, and the last one is cut with an ellipsis when there are still too many.
 */
export function fitted(text: string, { width, fonts, sizes, mostLines, mostAtLast = mostLines }: Room): { size: number; lines: string[] } {
  for (const size of sizes) {
    const lines = broken(text, fonts, size, width)
    if (lines.length <= mostLines) return { size, lines }
  }
  const size = sizes.at(-1) as number
  const lines = broken(text, fonts, size, width)
  if (lines.length <= mostAtLast) return { size, lines }
  let end = lines[mostAtLast - 1] as string
  while (end.length > 1 && widthOf(`${end}…`, fonts, size) > width) end = end.slice(0, -1)
  return { size, lines: [...lines.slice(0, mostAtLast - 1), `${end.trimEnd()}…`] }
}

function broken(text: string, fonts: Fonts, size: number, width: number): string[] {
  const fits = (part: string) => widthOf(part, fonts, size) <= width
  const lines: string[] = []
  // A word that is wider than the room, such as an address, may break anywhere.
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
