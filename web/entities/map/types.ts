import type { BusinessType } from '#contracts/business-types.ts'
import type { Precision } from '#contracts/businesses.ts'

/** A business, or a counted cell if there are too many to send (then only position and count are known). */
export type MapPin = {
  id: string
  slug: string | null
  name: string | null
  type: BusinessType | null
  latitude: number
  longitude: number
  precision: Precision | null
  /** As of the response; missing or null if the hours aren't stated. */
  openNow?: { isOpen: boolean; changesAt: string | null } | null | undefined
  count: number
}

/** A pin as drawn: open or closed now, or null if unknown. */
export type ShownPin = Omit<MapPin, 'openNow'> & { isOpen: boolean | null }

/** In degrees. `west` is greater than `east` if the box crosses the antimeridian. */
export type MapBox = { west: number; south: number; east: number; north: number }

/** The part of the map that nothing covers. */
export type MapArea = MapBox & {
  zoom: number
  /** True for moves by the person; false for the initial view, moves to a `target`, and resizes. */
  byPerson: boolean
}

/** Where to move the map. Only a changed value moves it. */
export type MapTarget = MapBox | { latitude: number; longitude: number; zoom: number }

/** Configured tiles below the pins. Without them the map draws states, water, parks and towns itself. */
export type TileSettings = {
  /** Tile URL with {z}, {x} and {y}: vector tiles if it ends in .pbf or .mvt, otherwise raster. */
  url?: string | undefined
  /** URL of a PMTiles file; takes precedence over `url`. */
  pmtiles?: string | undefined
  /** HTML required by the tiles' license. */
  attribution?: string | undefined
}

export type BusinessMapProps = {
  pins: readonly MapPin[]
  /** Initial view and later targets; the 48 contiguous states by default. */
  target?: MapTarget | undefined
  selectedId?: string | null | undefined
  /** The business hovered in the list beside the map. */
  hoveredId?: string | null | undefined
  tiles?: TileSettings | undefined
  label?: string | undefined
  /** Height of what covers the map's lower edge, in % or rem. It also sets `--covered-below`, which the credit line stays above. */
  covered?: string | undefined
  /** By default, a selected business opens as a card on the map. With `groups`, only several at one spot do. */
  cards?: 'all' | 'groups' | undefined
  /** Called after every move, and once when the map is ready. */
  onAreaChange?: ((area: MapArea) => void) | undefined
  onSelect?: ((pin: MapPin | null) => void) | undefined
  /** Several businesses at one spot were opened as a list on the map. */
  onGroup?: (() => void) | undefined
  onHover?: ((pin: MapPin | null) => void) | undefined
  /** Navigates inside the app; without it, links load the page. */
  onNavigate?: ((href: string) => void) | undefined
  className?: string | undefined
}
