import type { BusinessType } from '#contracts/business-types.ts'
import type { Precision } from '#contracts/businesses.ts'

/** If there are too many businesses to send, a pin is a cell of the map, with only a position and a count. */
export type MapPin = {
  id: string
  slug: string | null
  name: string | null
  type: BusinessType | null
  latitude: number
  longitude: number
  precision: Precision | null
  /** As of the response. Null if the hours are unknown; missing on maps that don't show who is open. */
  openNow?: { isOpen: boolean; changesAt: string | null } | null | undefined
  count: number
}

export type ShownPin = Omit<MapPin, 'openNow'> & { isOpen: boolean | null | undefined }

/** In degrees. `west` is greater than `east` if the box crosses the antimeridian. */
export type MapBox = { west: number; south: number; east: number; north: number }

export type MapArea = MapBox & {
  zoom: number
  /** False for the initial view, resizes, and moves to a `target` or the selected pin. */
  byPerson: boolean
}

/** The map moves when this changes. */
export type MapTarget = MapBox | { latitude: number; longitude: number; zoom: number }

/** Tiles go below the pins. Without tiles, the map draws states, water, parks and towns itself. */
export type TileSettings = {
  /** Contains {z}, {x} and {y}. Vector tiles if it ends in .pbf or .mvt, otherwise raster. */
  url?: string | undefined
  /** URL of a PMTiles file; takes precedence over `url`. */
  pmtiles?: string | undefined
  /** HTML required by the tiles' license. */
  attribution?: string | undefined
}

export type BusinessMapProps = {
  pins: readonly MapPin[]
  /** The initial view and later moves. Defaults to the 48 contiguous states. */
  target?: MapTarget | undefined
  selectedId?: string | null | undefined
  hoveredId?: string | null | undefined
  tiles?: TileSettings | undefined
  label?: string | undefined
  /**
   * Height of the content that covers the map's lower edge, in % or rem. The caller also sets `--covered-below`, which moves the credit
   * line above that content.
   */
  covered?: string | undefined
  /** By default, a selected business opens as a card on the map. With `groups`, only several businesses at one spot open as a card. */
  cards?: 'all' | 'groups' | undefined
  onAreaChange?: ((area: MapArea) => void) | undefined
  onSelect?: ((pin: MapPin | null) => void) | undefined
  /** Called when a list of several businesses at one spot opens on the map. */
  onGroup?: (() => void) | undefined
  onHover?: ((pin: MapPin | null) => void) | undefined
  /** Without this, following a link loads the whole page. */
  onNavigate?: ((href: string) => void) | undefined
  className?: string | undefined
}
