import * as maplibre from 'maplibre-gl'
import { ownLandLayers, ownNameLayers } from './map-style.ts'
import { css, mix, type Palette } from './palette.ts'
import type { TileSettings } from './types.ts'

/**
 * Tiles below the pins, when the configuration names some. Pictures are shown as they come, a little quieter; vector tiles are
 * drawn in the page's own colors, from the two common schemas (OpenMapTiles and Protomaps) by the names of their layers.
 */
export async function addBasemap(map: maplibre.Map, tiles: TileSettings, palette: () => Palette): Promise<void> {
  try {
    const source = tiles.pmtiles ? await pmtilesSource(tiles.pmtiles) : urlSource(tiles.url ?? '')
    if (!map.style) return
    map.addSource('basemap', { ...source.specification, ...(tiles.attribution && { attribution: tiles.attribution }) })
    const layers = source.specification.type === 'raster' ? rasterLayers(palette()) : vectorLayers(palette(), source.layerNames)
    for (const layer of layers) map.addLayer(layer, 'county-lines')
    const hidden =
      source.specification.type === 'raster' ? [...ownLandLayers, ...ownNameLayers, 'county-lines', 'state-lines'] : ownLandLayers
    for (const id of hidden) map.setLayoutProperty(id, 'visibility', 'none')
  } catch (error) {
    // The map's own land, lines and names are still there.
    console.warn('The map tiles could not be loaded.', error)
  }
}

type Basemap = {
  specification: maplibre.RasterSourceSpecification | maplibre.VectorSourceSpecification
  /** Null when they are not known. */
  layerNames: ReadonlySet<string> | null
}

function urlSource(url: string): Basemap {
  const isVector = /\.(pbf|mvt)($|\?)/.test(url)
  return {
    specification: isVector ? { type: 'vector', tiles: [url], maxzoom: 14 } : { type: 'raster', tiles: [url], tileSize: 256, maxzoom: 19 },
    layerNames: null,
  }
}

async function pmtilesSource(file: string): Promise<Basemap> {
  const { PMTiles, Protocol, TileType } = await import('pmtiles')
  const archive = new PMTiles(file)
  const header = await archive.getHeader()
  const protocol = new Protocol()
  protocol.add(archive)
  maplibre.addProtocol('pmtiles', protocol.tile)
  const url = `pmtiles://${file}`
  if (header.tileType !== TileType.Mvt) return { specification: { type: 'raster', url, tileSize: 256 }, layerNames: null }
  const metadata = (await archive.getMetadata()) as { vector_layers?: { id: string }[] }
  return {
    specification: { type: 'vector', url },
    layerNames: metadata.vector_layers ? new Set(metadata.vector_layers.map(({ id }) => id)) : null,
  }
}

function rasterLayers({ isDark }: Palette): maplibre.LayerSpecification[] {
  return [
    {
      id: 'basemap-picture',
      type: 'raster',
      source: 'basemap',
      paint: { 'raster-saturation': -0.45, 'raster-brightness-max': isDark ? 0.55 : 1, 'raster-contrast': isDark ? 0.1 : -0.1 },
    },
  ]
}

export function vectorLayers(palette: Palette, known: ReadonlySet<string> | null): maplibre.LayerSpecification[] {
  const { ground, surface, sunk, line, leaf, muted, isDark } = palette
  const land = isDark ? mix(ground, surface, 0.5) : ground
  const water = css(mix(sunk, line, isDark ? 0 : 0.3))
  const green = css(mix(land, leaf, isDark ? 0.07 : 0.06))
  const road = css(isDark ? mix(line, land, 0.25) : surface)
  const roadEdge = css(mix(line, muted, isDark ? 0 : 0.08))
  const majorKinds = ['motorway', 'trunk', 'primary', 'secondary', 'highway', 'major_road']
  const isMajor: maplibre.ExpressionSpecification = ['in', ['coalesce', ['get', 'class'], ['get', 'kind'], ''], ['literal', majorKinds]]
  const isStreet: maplibre.ExpressionSpecification = ['!', isMajor]
  const isPlant: maplibre.ExpressionSpecification = [
    'in',
    ['coalesce', ['get', 'class'], ['get', 'kind'], ''],
    ['literal', ['wood', 'forest', 'park', 'nature_reserve', 'national_park', 'grass', 'golf_course', 'cemetery', 'protected_area']],
  ]
  const width = (narrow: number, wide: number): maplibre.ExpressionSpecification => [
    'interpolate',
    ['exponential', 1.6],
    ['zoom'],
    6,
    narrow,
    16,
    wide,
  ]
  const base = { source: 'basemap' as const }
  const all: maplibre.LayerSpecification[] = [
    { id: 'basemap-land', type: 'background', paint: { 'background-color': css(land) } },
    ...['landcover', 'landuse', 'park'].map(
      (name): maplibre.LayerSpecification => ({
        ...base,
        id: `basemap-${name}`,
        type: 'fill',
        'source-layer': name,
        filter: isPlant,
        paint: { 'fill-color': green },
      }),
    ),
    { ...base, id: 'basemap-water', type: 'fill', 'source-layer': 'water', paint: { 'fill-color': water } },
    ...['transportation', 'roads'].flatMap((name): maplibre.LayerSpecification[] => [
      {
        ...base,
        id: `basemap-${name}-streets`,
        type: 'line',
        'source-layer': name,
        filter: isStreet,
        minzoom: 12,
        paint: { 'line-color': roadEdge, 'line-width': width(0.2, 5) },
      },
      {
        ...base,
        id: `basemap-${name}-edges`,
        type: 'line',
        'source-layer': name,
        filter: isMajor,
        paint: { 'line-color': roadEdge, 'line-width': width(0.8, 13) },
      },
      {
        ...base,
        id: `basemap-${name}`,
        type: 'line',
        'source-layer': name,
        filter: isMajor,
        minzoom: 9,
        paint: { 'line-color': road, 'line-width': width(0.3, 10) },
      },
    ]),
    ...['transportation_name', 'roads'].map(
      (name): maplibre.LayerSpecification => ({
        ...base,
        id: `basemap-${name}-names`,
        type: 'symbol',
        'source-layer': name,
        minzoom: 13,
        layout: {
          'symbol-placement': 'line',
          'text-field': ['coalesce', ['get', 'name:en'], ['get', 'name'], ''],
          'text-font': ['Map Medium', 'Inter Variable'],
          'text-size': 11,
        },
        paint: { 'text-color': css(muted), 'text-halo-color': css(land), 'text-halo-width': 1.4 },
      }),
    ),
  ]
  return all.filter((layer) => known === null || !('source-layer' in layer) || known.has(layer['source-layer'] ?? ''))
}
