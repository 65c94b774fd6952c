/** Heights at which a bottom sheet rests: only its header, half of its container, or all of it. */
export const sheetStops = ['peek', 'half', 'full'] as const
export type SheetStop = (typeof sheetStops)[number]

/** As CSS, relative to the sheet's container. `peek` is the height of the header. */
export const stopHeights: Record<SheetStop, string> = { peek: '5rem', half: '50%', full: '100%' }

/** The neighboring stop, or the same one at the end. */
export function stopBeside(stop: SheetStop, direction: 1 | -1): SheetStop {
  return sheetStops[sheetStops.indexOf(stop) + direction] ?? stop
}

/** The stop that a press on the handle leads to: one up, and from the top back to the bottom. */
export function stopAfter(stop: SheetStop): SheetStop {
  return sheetStops[(sheetStops.indexOf(stop) + 1) % sheetStops.length]!
}

/** How far a flick carries the sheet: as far as it would move at that speed for this many milliseconds. */
const glideMs = 180

/**
 * Where a released sheet comes to rest.
 * @param height in pixels, when released
 * @param speed in pixels per millisecond, upward
 * @param heights of the stops in pixels
 */
export function restingStop(height: number, speed: number, heights: Record<SheetStop, number>): SheetStop {
  const end = height + speed * glideMs
  return sheetStops.reduce((best, stop) => (Math.abs(heights[stop] - end) < Math.abs(heights[best] - end) ? stop : best))
}

/** Pixels of a height from {@link stopHeights} in a container. */
export function pixelsOf(height: string, containerHeight: number, rootFontSize: number): number {
  const value = Number.parseFloat(height)
  return height.endsWith('%') ? (value / 100) * containerHeight : value * rootFontSize
}
