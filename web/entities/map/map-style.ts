import type {
  AllPaintProperties,
  ExpressionSpecification,
  LayerSpecification,
  Map as MapLibre,
  StyleSpecification,
  VariableAnchorOffsetCollectionSpecification,
} from 'maplibre-gl'
import { css, mix, type PaintedColors, type Rgb, readColors } from '#web/ui/painted-colors.ts'
import backdropUrl from './assets/backdrop.geojson?url'
import landUrl from './assets/land.geojson?url'
import namesUrl from './assets/names.geojson?url'
import {
  abroadLayers,
  landColor,
  NATURAL_EARTH,
  sceneryLandLayers,
  sceneryLayers,
  sceneryNameLayers,
  sceneryNames,
  waterColor,
} from './scenery-style.ts'

export { css, mix, watchColors as watchPalette } from '#web/ui/painted-colors.ts'

/** A transparent image that reserves space: place names avoid images, but not circles. */
export const ROOM = 'room'
export const ROOM_SIZE = 14

const CLUSTER_RADIUS = 56
const regular = ['Map Medium', 'Inter Variable']
const strong = ['Map Semibold', 'Inter Variable']

/** Tiles can replace these; see `hiddenLayers` in basemap.ts. */
export const ownLandLayers = ['land', 'coast', 'town-tint', 'place-tint', ...sceneryLandLayers]
export const ownLineLayers = ['county-lines', 'state-lines']
export const ownNameLayers = ['state-names', 'place-names', 'town-names', ...sceneryNameLayers]

/**
 * A muted style with hairlines, so pins stand out. Text uses the page's font. Without a `glyphs` server, the renderer rasterizes letters
 * locally and reads the weight from the font's name, so map.css has two families.
 */
export function mapStyle(palette: Palette): StyleSpecification {
  const nothing = { type: 'FeatureCollection' as const, features: [] }
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: landUrl, maxzoom: 9 },
      backdrop: { type: 'geojson', data: backdropUrl, maxzoom: 9, attribution: NATURAL_EARTH },
      // detail.ts adds scenery, counties and towns; map-view.ts adds pins, including marked ones.
      scenery: { type: 'geojson', data: nothing, maxzoom: 10 },
      counties: { type: 'geojson', data: nothing, maxzoom: 9 },
      names: { type: 'geojson', data: namesUrl, maxzoom: 8, attribution: GEONAMES },
      towns: { type: 'geojson', data: nothing, maxzoom: 11 },
      pins: {
        type: 'geojson',
        data: nothing,
        cluster: true,
        clusterRadius: CLUSTER_RADIUS,
        // Pins at the same spot remain clustered up to the last zoom, where the cluster opens as a list.
        clusterMaxZoom: MAX_ZOOM,
        maxzoom: MAX_ZOOM + 1,
        clusterProperties: { total: ['+', ['get', 'count']] },
      },
      marked: { type: 'geojson', data: nothing },
    },
    layers: mapLayers(palette),
  }
}

const GEONAMES = '<a href="https://www.geonames.org/" target="_blank" rel="noreferrer">Place names © GeoNames</a>'

const total: ExpressionSpecification = ['coalesce', ['get', 'total'], ['get', 'count'], 1]
const isCluster: ExpressionSpecification = ['any', ['has', 'point_count'], ['>', ['get', 'count'], 1]]
const isPin: ExpressionSpecification = ['all', ['!', ['has', 'point_count']], ['==', ['get', 'count'], 1]]
const isClosed: ExpressionSpecification = ['==', ['get', 'hours'], 'closed']
const hasUnknownHours: ExpressionSpecification = ['==', ['get', 'hours'], 'unknown']
const bubbleRadius: ExpressionSpecification = ['interpolate', ['linear'], ['log10', total], 0.3, 12.5, 1, 15.5, 2, 20, 3, 27, 4, 34]
/** 7 · 84 · 1.2k */
const countText: ExpressionSpecification = [
  'case',
  ['<', total, 1000],
  ['to-string', total],
  ['concat', ['to-string', ['/', ['round', ['/', total, 100]], 10]], 'k'],
]
/** The build computed the minimum zoom of each place name. */
const hasItsTurn: ExpressionSpecification = ['<=', ['get', 'zoom'], ['zoom']]

/** Centers a place's name, or moves it just outside a pin, a small bubble or a large one. */
const aroundBubbles: VariableAnchorOffsetCollectionSpecification = [
  ...['center', [0, 0], 'top', [0, 0.8], 'bottom', [0, -0.8], 'left', [0.9, 0], 'right', [-0.9, 0]],
  ...['top', [0, 1.6], 'bottom', [0, -1.6], 'left', [1.7, 0], 'right', [-1.7, 0]],
  ...['top', [0, 2.7], 'bottom', [0, -2.7], 'left', [2.8, 0], 'right', [-2.8, 0]],
] as VariableAnchorOffsetCollectionSpecification

/** Also used to repaint for another theme, because only colors differ. */
export function mapLayers(palette: Palette): LayerSpecification[] {
  const { surface, ink, muted, line, leaf } = palette
  const land = landColor(palette)
  const hairline = palette.isDark ? mix(line, land, 0.2) : mix(line, muted, 0.06)
  const stateLine = mix(line, muted, palette.isDark ? 0.18 : 0.3)
  const placeText = mix(muted, land, 0.05)
  const halo = { 'text-halo-color': css(land, 0.9), 'text-halo-width': 1.4, 'text-halo-blur': 0.4 }
  return [
    { id: 'ground', type: 'background', paint: { 'background-color': css(waterColor(palette)) } },
    ...abroadLayers(palette),
    {
      id: 'land',
      type: 'fill',
      source: 'land',
      filter: ['==', ['get', 'kind'], 'land'],
      paint: { 'fill-color': css(land), 'fill-antialias': false },
    },
    townTint('town-tint', 'towns', 6.5, palette),
    // Compiling this layer's shader later would freeze the map while zooming.
    townTint('place-tint', 'names', MIN_ZOOM, palette),
    ...sceneryLayers(palette),
    {
      id: 'county-lines',
      type: 'line',
      source: 'counties',
      minzoom: 6,
      paint: { 'line-color': css(hairline), 'line-width': 0.8, 'line-opacity': ['interpolate', ['linear'], ['zoom'], 6, 0, 6.8, 1] },
    },
    {
      id: 'coast',
      type: 'line',
      source: 'land',
      filter: ['==', ['get', 'kind'], 'land'],
      paint: { 'line-color': css(stateLine), 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.6, 8, 1] },
    },
    {
      id: 'state-lines',
      type: 'line',
      source: 'land',
      filter: ['==', ['get', 'kind'], 'border'],
      layout: { 'line-join': 'round' },
      paint: { 'line-color': css(stateLine), 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.6, 6, 1, 10, 1.6] },
    },
    ...sceneryNames(palette, regular),
    {
      id: 'town-names',
      type: 'symbol',
      source: 'towns',
      minzoom: 7,
      filter: hasItsTurn,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': regular,
        'text-size': ['interpolate', ['linear'], ['zoom'], 7, 11, 12, 12.5],
        'text-variable-anchor-offset': aroundBubbles,
        'text-max-width': 7,
        'symbol-sort-key': ['get', 'zoom'],
      },
      paint: { 'text-color': css(mix(placeText, land, 0.14)), ...halo },
    },
    {
      id: 'place-names',
      type: 'symbol',
      source: 'names',
      filter: ['all', ['==', ['get', 'kind'], 'place'], hasItsTurn],
      layout: {
        'text-field': ['get', 'name'],
        'text-font': regular,
        'text-size': ['interpolate', ['linear'], ['zoom'], 3, 10.5, 6, 12, 9, ['case', ['<=', ['get', 'zoom'], 5], 15, 13]],
        'text-variable-anchor-offset': aroundBubbles,
        'text-max-width': 7,
        'symbol-sort-key': ['get', 'zoom'],
      },
      paint: { 'text-color': css(placeText), ...halo },
    },
    {
      id: 'state-names',
      type: 'symbol',
      source: 'names',
      minzoom: 3,
      maxzoom: 7.5,
      filter: ['==', ['get', 'kind'], 'state'],
      layout: {
        'text-field': ['step', ['zoom'], ['get', 'code'], 4.4, ['upcase', ['get', 'name']]],
        'text-font': strong,
        'text-size': ['interpolate', ['linear'], ['zoom'], 3, 10, 7, 13],
        'text-letter-spacing': 0.14,
        'text-max-width': 6,
      },
      paint: { 'text-color': css(mix(muted, land, palette.isDark ? 0.5 : 0.45)), ...halo },
    },
    {
      id: 'pin-names',
      type: 'symbol',
      source: 'pins',
      minzoom: 11.5,
      filter: isPin,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': regular,
        'text-size': 12,
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-justify': 'auto',
        'text-radial-offset': 0.85,
        'text-max-width': 9,
        'text-padding': 4,
      },
      paint: { 'text-color': css(ink), ...halo },
    },
    {
      id: 'open-rings',
      type: 'circle',
      source: 'pins',
      filter: ['all', isPin, ['==', ['get', 'hours'], 'open']],
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, 5.5, 6, 8, 10, 9.5],
        'circle-color': css(surface),
        'circle-stroke-color': css(leaf),
        'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 3, 1, 8, 1.5],
      },
    },
    {
      id: 'pins',
      type: 'circle',
      source: 'pins',
      filter: isPin,
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, 3.5, 6, 5, 10, 6],
        'circle-color': [
          'case',
          isClosed,
          css(surface),
          hasUnknownHours,
          ['case', ['get', 'rough'], css(mix(muted, surface, 0.25)), css(muted)],
          ['get', 'rough'],
          css(mix(leaf, surface, 0.4)),
          css(leaf),
        ],
        'circle-stroke-color': ['case', isClosed, css(muted), css(surface)],
        'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 3, 1, 8, 2],
      },
    },
    {
      id: 'pin-room',
      type: 'symbol',
      source: 'pins',
      minzoom: 5,
      filter: isPin,
      layout: { 'icon-image': ROOM, 'icon-allow-overlap': true },
    },
    {
      id: 'clusters',
      type: 'circle',
      source: 'pins',
      filter: isCluster,
      layout: { 'circle-sort-key': total },
      paint: {
        'circle-radius': bubbleRadius,
        'circle-color': css(mix(leaf, land, 0.06)),
        'circle-stroke-color': css(land, 0.75),
        'circle-stroke-width': 1.5,
      },
    },
    {
      id: 'cluster-counts',
      type: 'symbol',
      source: 'pins',
      filter: isCluster,
      layout: {
        'text-field': countText,
        'text-font': strong,
        'text-size': ['interpolate', ['linear'], ['log10', total], 0.3, 12, 2, 13, 4, 15],
        'text-allow-overlap': true,
        'icon-image': ROOM,
        // Slightly smaller than the circle, because the corners of the square image would push names too far away.
        'icon-size': ['/', bubbleRadius, ROOM_SIZE / 1.7],
        'icon-allow-overlap': true,
        'symbol-sort-key': ['-', 0, total],
      },
      paint: { 'text-color': css(palette['on-leaf']) },
    },
    markedLayer(palette),
  ]
}

function townTint(id: string, source: string, minzoom: number, { muted, ground }: Palette): LayerSpecification {
  const pixelsPerKilometer = (zoom: number) => (512 * 2 ** zoom) / 40_075
  const radius = (zoom: number): ExpressionSpecification => ['*', ['get', 'reach'], pixelsPerKilometer(zoom)]
  return {
    id,
    type: 'circle',
    source,
    minzoom,
    maxzoom: 13,
    filter: ['has', 'reach'],
    paint: {
      'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 6, radius(6), 13, radius(13)],
      'circle-color': css(mix(muted, ground, 0.2)),
      // The renderer would skip fully transparent circles, and not compile their shader.
      'circle-opacity': ['interpolate', ['linear'], ['zoom'], 6.5, 0.001, 8, 0.1, 10, 0.09, 13, 0],
      'circle-blur': 1,
    },
  }
}

/** Marked pins are above everything else, because their businesses may be inside a cluster. */
function markedLayer({ ink, ground }: Palette): LayerSpecification {
  return {
    id: 'marked',
    type: 'symbol',
    source: 'marked',
    layout: {
      'icon-image': ['case', ['get', 'selected'], SELECTED_PIN, POINTED_PIN],
      'icon-anchor': 'bottom',
      'icon-offset': [0, 2],
      'icon-allow-overlap': true,
      'text-field': ['get', 'name'],
      'text-font': strong,
      'text-size': 13,
      'text-anchor': 'top',
      'text-offset': [0, 0.35],
      'text-max-width': 12,
      'text-allow-overlap': true,
      'symbol-sort-key': ['case', ['get', 'selected'], 1, 0],
    },
    paint: { 'text-color': css(ink), 'text-halo-color': css(ground, 0.95), 'text-halo-width': 2.2 },
  }
}

export const SELECTED_PIN = 'selected-pin'
export const POINTED_PIN = 'pointed-pin'

/** Image pixels per CSS pixel, for high-density screens. */
export const PIN_PIXEL_RATIO = 3

const WIDTH = 30
const HEIGHT = 40

export function drawPin(palette: Palette, selected: boolean): ImageData | null {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH * PIN_PIXEL_RATIO
  canvas.height = HEIGHT * PIN_PIXEL_RATIO
  const context = canvas.getContext('2d')
  if (!context) return null
  const body: Rgb = selected ? palette.ink : palette.leaf
  context.scale(PIN_PIXEL_RATIO, PIN_PIXEL_RATIO)
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

export function repaint(map: MapLibre, layers: readonly LayerSpecification[]): void {
  for (const layer of layers) {
    if (!map.getLayer(layer.id)) continue
    for (const [name, value] of Object.entries(layer.paint ?? {})) {
      map.setPaintProperty(layer.id, name as keyof AllPaintProperties, value)
    }
  }
}

export const MIN_ZOOM = 2
/** At this zoom, a few streets fill the screen. */
export const MAX_ZOOM = 16

/** Beyond this zoom, a list shows a few businesses better than the map. */
const STREET_ZOOM = 14
const FEW = 40

/**
 * Members at the same coordinate, such as farms in one city, never split up: their expansion zoom is beyond the maximum, so they open as a
 * list.
 */
export function opensAsList(expansionZoom: number, count: number): boolean {
  return expansionZoom > MAX_ZOOM || (expansionZoom > STREET_ZOOM && count <= FEW)
}

export const roles = ['ground', 'surface', 'sunk', 'ink', 'muted', 'line', 'edge', 'leaf', 'leaf-soft', 'on-leaf', 'plot-sky'] as const

export type Palette = PaintedColors<(typeof roles)[number]>

export const readPalette = (element: HTMLElement): Palette => readColors(element, roles)
