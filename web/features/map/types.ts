import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Precision } from '../../../contracts/businesses.ts'

/** One business, or a counted cell of many where the server has too many to send (then only its place and count are known). */
export type MapPin = {
  id: string
  slug: string | null
  name: string | null
  type: BusinessType | null
  latitude: number
  longitude: number
  precision: Precision | null
  count: number
}

/** Degrees; `west` is greater than `east` when the box crosses the antimeridian. */
export type MapBox = { west: number; south: number; east: number; north: number }

/** What the map shows after a move. */
export type MapArea = MapBox & {
  zoom: number
  /** The person moved the map; false for the first view, for moves to a `target` and for changes of size. */
  byPerson: boolean
}

/** Where the map goes. A new value moves it; the same value does not. */
export type MapTarget = MapBox | { latitude: number; longitude: number; zoom: number }

/** Tiles from the configuration, below the pins. Without them the map draws states, counties and towns by itself. */
export type TileSettings = {
  /** A tile URL with {z}, {x} and {y}; vector tiles when it ends in .pbf or .mvt, pictures else. */
  url?: string | undefined
  /** The URL of a PMTiles file; preferred to `url`. */
  pmtiles?: string | undefined
  /** HTML that the tiles' license asks for. */
  attribution?: string | undefined
}

export type BusinessMapProps = {
  pins: readonly MapPin[]
  /** The first view, and where to go from then on; the 48 contiguous states when there is none. */
  target?: MapTarget | undefined
  selectedId?: string | null | undefined
  /** A business that the pointer is on in the list beside the map. */
  hoveredId?: string | null | undefined
  tiles?: TileSettings | undefined
  /** The map's name for those who do not see it. */
  label?: string | undefined
  /** After every move, and once when the map is ready. */
  onAreaChange?: ((area: MapArea) => void) | undefined
  onSelect?: ((pin: MapPin | null) => void) | undefined
  onHover?: ((pin: MapPin | null) => void) | undefined
  /** Follows a link of the map inside the app; without it links load the page. */
  onNavigate?: ((href: string) => void) | undefined
  className?: string | undefined
}
