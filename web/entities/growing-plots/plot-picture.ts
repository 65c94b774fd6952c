import { css, type Look } from './palette.ts'
import { dayText } from './plot-table.ts'

/** A plot to paint into a file, sized in CSS pixels independently of the screen. */
export type Picture = {
  width: number
  height: number
  /** Paints from the origin at the upper left corner. `scale` is file pixels per CSS pixel. */
  paint: (context: CanvasRenderingContext2D, look: Look, scale: number) => void | Promise<void>
}

export type PictureTexts = { title: string; help: string; huntName: string /** `2026-11-21`. */; day: string }

/** Canvas size limit on phones. */
const maxPixels = 16_000_000
const margin = 32
const below = 24

/** Paints the plot with title, hunt name, day and help text, in the current theme. */
export async function paintPicture(picture: Picture, texts: PictureTexts, look: Omit<Look, 'width' | 'height'>): Promise<Blob> {
  await document.fonts.ready
  const { palette, font, displayFont } = look
  const width = picture.width + 2 * margin
  const measure = document.createElement('canvas').getContext('2d')
  if (!measure) throw new Error('This browser can’t create pictures.')
  measure.font = `14px ${font}`
  const help = wrapped(texts.help, picture.width, (text) => measure.measureText(text).width)
  const head = margin + 34 + 24 + help.length * 20 + 16
  const height = head + picture.height + below
  const scale = Math.min(2, Math.sqrt(maxPixels / (width * height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(width * scale)
  canvas.height = Math.floor(height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser can’t create pictures.')
  context.scale(scale, scale)
  context.fillStyle = css(palette.surface)
  context.fillRect(0, 0, width, height)
  context.textBaseline = 'alphabetic'
  context.fillStyle = css(palette.ink)
  context.font = `560 26px ${displayFont}`
  context.fillText(texts.title, margin, margin + 22, picture.width)
  context.fillStyle = css(palette.muted)
  context.font = `14px ${font}`
  context.fillText(`${texts.huntName} · ${dayText(texts.day)}`, margin, margin + 50, picture.width)
  for (const [nth, line] of help.entries()) context.fillText(line, margin, margin + 74 + nth * 20)
  context.save()
  context.translate(margin, head)
  await picture.paint(context, { ...look, width: picture.width, height: picture.height }, scale)
  context.restore()
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture couldn’t be created.'))), 'image/png'),
  )
}

/** Wraps text to lines of at most `room`; a single longer word stays whole. */
export function wrapped(text: string, room: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer) <= room) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

export function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text
  let end = text.length - 1
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > room) end -= 1
  return `${text.slice(0, end)}…`
}
