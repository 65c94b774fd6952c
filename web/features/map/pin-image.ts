import { css, type Palette, type Rgb } from './palette.ts'

/** Names of the two pictures that stand up from the map: the selected business and the one that is pointed at. */
export const SELECTED_PIN = 'selected-pin'
export const POINTED_PIN = 'pointed-pin'

/** Pixels of the picture to one of the page, so that it is sharp on a fine screen. */
export const PIN_PIXEL_RATIO = 3

const WIDTH = 30
const HEIGHT = 40

/** Draws a pin whose point stands in the middle of its lower edge. */
export function drawPin(palette: Palette, selected: boolean): ImageData | null {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH * PIN_PIXEL_RATIO
  canvas.height = HEIGHT * PIN_PIXEL_RATIO
  const context = canvas.getContext('2d')
  if (!context) return null
  const body: Rgb = selected ? palette.ink : palette.leaf
  context.scale(PIN_PIXEL_RATIO, PIN_PIXEL_RATIO)
  // A circle whose sides run down to the point.
  context.beginPath()
  context.moveTo(15, 38)
  context.bezierCurveTo(12.5, 33.5, 2.5, 25.5, 2.5, 15)
  context.arc(15, 15, 12.5, Math.PI, 0)
  context.bezierCurveTo(27.5, 25.5, 17.5, 33.5, 15, 38)
  context.closePath()
  context.fillStyle = css(body)
  context.fill()
  context.lineWidth = 2.5
  context.lineJoin = 'round'
  context.strokeStyle = css(palette.surface)
  context.stroke()
  context.beginPath()
  context.arc(15, 15, 4.5, 0, 2 * Math.PI)
  context.fillStyle = css(palette.surface)
  context.fill()
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
