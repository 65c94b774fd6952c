import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import { css, mix, type PaintedColors, type Rgb } from '#web/ui/painted-colors.ts'

export type SceneryRole = 'ground' | 'surface' | 'sunk' | 'ink' | 'muted' | 'leaf' | 'plot-sky'
type Palette = PaintedColors<SceneryRole>

export const NATURAL_EARTH = '<a href="https://www.naturalearthdata.com/" target="_blank" rel="noreferrer">Made with Natural Earth</a>'

/** Hidden under tiles, which have their own scenery. */
export const sceneryLandLayers = ['abroad', 'abroad-edge', 'lakes-below', 'built-up', 'parks', 'rivers', 'streams', 'lakes', 'ponds']
export const sceneryNameLayers = ['river-names', 'lake-names', 'pond-names', 'park-names']

export const waterColor = ({ sunk, 'plot-sky': sky, isDark }: Palette): Rgb => mix(sunk, sky, isDark ? 0.13 : 0.17)
export const landColor = ({ ground, surface, isDark }: Palette): Rgb => (isDark ? mix(ground, surface, 0.5) : ground)

/** The build computed the minimum zoom of each shape and name. */
const hasItsTurn: ExpressionSpecification = ['<=', ['get', 'zoom'], ['zoom']]
const ofKind = (kind: string): FilterSpecification => ['==', ['get', 'kind'], kind]
const dueOfKind = (kind: string): FilterSpecification => ['all', ['==', ['get', 'kind'], kind], hasItsTurn]

export function abroadLayers(palette: Palette): LayerSpecification[] {
  const color = css(mix(landColor(palette), palette.muted, palette.isDark ? 0.06 : 0.09))
  const base = { source: 'backdrop' }
  return [
    { ...base, id: 'abroad', type: 'fill', filter: ofKind('abroad'), paint: { 'fill-color': color } },
    {
      ...base,
      id: 'abroad-edge',
      type: 'line',
      filter: ofKind('abroad'),
      // Covers the gap along the U.S. border, which comes from a different survey.
      paint: { 'line-color': color, 'line-width': ['interpolate', ['exponential', 2], ['zoom'], 5, 1, 12, 48] },
    },
    { ...base, id: 'lakes-below', type: 'fill', filter: ofKind('lake-below'), paint: { 'fill-color': css(waterColor(palette)) } },
  ]
}

/**
 * Water, parks and built-up areas. `backdrop` has the shapes for low zooms, and `scenery` the rest, in cells
 * (scripts/build-map-scenery.ts).
 */
export function sceneryLayers(palette: Palette): LayerSpecification[] {
  const land = landColor(palette)
  const water = css(waterColor(palette))
  const green = css(mix(land, palette.leaf, palette.isDark ? 0.16 : 0.17))
  const town = css(mix(land, palette.muted, palette.isDark ? 0.1 : 0.11))
  const river = css(mix(waterColor(palette), palette['plot-sky'], palette.isDark ? 0.1 : 0.12))
  const riverLine = (id: string, source: string, minzoom: number): LayerSpecification => ({
    ...{ id, source, minzoom },
    type: 'line',
    filter: dueOfKind('river'),
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: {
      'line-color': river,
      'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.5, 6, ['case', ['<', ['get', 'zoom'], 5], 1.3, 0.7], 12, 3],
    },
  })
  const detail = { source: 'scenery', minzoom: 5.5 }
  return [
    { ...detail, id: 'built-up', type: 'fill', filter: ofKind('urban'), paint: { 'fill-color': town } },
    { ...detail, id: 'parks', type: 'fill', filter: ofKind('park'), paint: { 'fill-color': green } },
    riverLine('rivers', 'backdrop', 3),
    riverLine('streams', 'scenery', 5.5),
    { id: 'lakes', source: 'backdrop', type: 'fill', filter: dueOfKind('lake'), paint: { 'fill-color': water } },
    { ...detail, id: 'ponds', type: 'fill', filter: dueOfKind('lake'), paint: { 'fill-color': water } },
  ]
}

/** Drawn below the names of places, which take precedence where space is short. */
export function sceneryNames(palette: Palette, font: string[]): LayerSpecification[] {
  const halo = { 'text-halo-color': css(landColor(palette), 0.7), 'text-halo-width': 1.2 }
  const blue = css(mix(palette.muted, palette['plot-sky'], 0.6))
  const green = css(mix(palette.muted, palette.leaf, 0.55))
  const name = { 'text-field': ['get', 'name'] as ExpressionSpecification, 'text-font': font, 'text-size': 11, 'text-max-width': 7 }
  const pointName = (id: string, source: string, kind: string, color: string): LayerSpecification => ({
    ...{ id, source, type: 'symbol', filter: dueOfKind(kind), layout: name },
    paint: { 'text-color': color, ...halo },
  })
  return [
    {
      ...{ id: 'river-names', source: 'backdrop', type: 'symbol', minzoom: 7 },
      filter: ['all', ['==', ['get', 'kind'], 'river'], ['has', 'name']],
      layout: { ...name, 'symbol-placement': 'line', 'symbol-spacing': 400, 'text-letter-spacing': 0.04 },
      paint: { 'text-color': blue, ...halo },
    },
    pointName('park-names', 'scenery', 'park-name', green),
    pointName('pond-names', 'scenery', 'lake-name', blue),
    pointName('lake-names', 'backdrop', 'lake-name', blue),
  ]
}
