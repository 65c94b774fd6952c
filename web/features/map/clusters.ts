import { MAX_ZOOM } from './zoom.ts'

/** Past this zoom a few businesses are better told apart in a list than by their places on a street. */
const STREET_ZOOM = 14
const FEW = 40

/**
 * Whether a cluster opens as a list of its businesses rather than by zooming in to where it breaks up. One whose members share a
 * coordinate (all farms of a city stand at its center) never does: its expansion zoom lies past the last.
 */
export function opensAsList(expansionZoom: number, count: number): boolean {
  return expansionZoom > MAX_ZOOM || (expansionZoom > STREET_ZOOM && count <= FEW)
}
