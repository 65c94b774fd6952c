export const MIN_ZOOM = 2
/** Streets fill the screen; even tiles have no further detail. */
export const MAX_ZOOM = 16

/** Beyond this zoom, a few businesses are easier to tell apart in a list than on the map. */
const STREET_ZOOM = 14
const FEW = 40

/**
 * Whether a cluster opens as a list instead of zooming in. Members at the same coordinate (farms are pinned to the center of their
 * city) never split up, so their expansion zoom is beyond the maximum.
 */
export function opensAsList(expansionZoom: number, count: number): boolean {
  return expansionZoom > MAX_ZOOM || (expansionZoom > STREET_ZOOM && count <= FEW)
}
