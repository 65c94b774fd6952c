/** The sheet shows only its header, half of its container, or all of it. */
export const sheetStops = ['peek', 'half', 'full'] as const
export type SheetStop = (typeof sheetStops)[number]

/** CSS values relative to the sheet's container. `peek` is the header's height. */
export const stopHeights: Record<SheetStop, string> = { peek: '5rem', half: '50%', full: '100%' }

export function stopBeside(stop: SheetStop, direction: 1 | -1): SheetStop {
  return sheetStops[sheetStops.indexOf(stop) + direction] ?? stop
}

/** Pressing the handle moves the sheet one stop up, and from the top back to the bottom. */
export function nextStop(stop: SheetStop): SheetStop {
  return sheetStops[(sheetStops.indexOf(stop) + 1) % sheetStops.length]!
}

/** In milliseconds. A flick moves the sheet as far as it would go at that speed in this time. */
const glideMs = 180

/**
 * @param height in pixels, when released
 * @param speed in pixels per millisecond, upward
 * @param heights of the stops in pixels
 */
export function restingStop(height: number, speed: number, heights: Record<SheetStop, number>): SheetStop {
  const end = height + speed * glideMs
  return sheetStops.reduce((best, stop) => (Math.abs(heights[stop] - end) < Math.abs(heights[best] - end) ? stop : best))
}

export function pixelsOf(height: string, containerHeight: number, rootFontSize: number): number {
  const value = Number.parseFloat(height)
  return height.endsWith('%') ? (value / 100) * containerHeight : value * rootFontSize
}
