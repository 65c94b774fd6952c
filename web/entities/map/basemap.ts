import type { ExpressionSpecification, LayerSpecification, RasterSourceSpecification, VectorSourceSpecification } from 'maplibre-gl'
import * as maplibre from 'maplibre-gl'
import { css, mix, ownLandLayers, ownLineLayers, ownNameLayers, type Palette, repaint } from './map-style.ts'
import { landColor, waterColor } from './scenery-style.ts'
import type { TileSettings } from './types.ts'

/**
 * Mutes raster tiles slightly, and gives vector tiles the page's colors. Supports the OpenMapTiles and Protomaps schemas, by layer name.
 * Returns a function that repaints the tiles. On failure, the map doesn't change.
 */
export async function addBasemap(map: maplibre.Map, tiles: TileSettings, palette: () => Palette): Promise<(palette: Palette) => void> {
  try {
    const basemap = tiles.pmtiles ? await pmtilesSource(tiles.pmtiles) : tileSource(tiles.url ?? '')
    // The map may have been removed in the meantime.
    if (!map.getLayer('county-lines')) return () => {}
    const layers = (colors: Palette) =>
      basemap.source.type === 'raster' ? pictureLayers(colors) : vectorLayers(colors, basemap.layerNames)
    const attribution = tiles.attribution ?? basemap.attribution
    map.addSource('basemap', { ...basemap.source, ...(attribution && { attribution }) })
    for (const layer of layers(palette())) map.addLayer(layer, 'county-lines')
    for (const id of hiddenLayers(basemap)) map.setLayoutProperty(id, 'visibility', 'none')
    return (colors) => repaint(map, layers(colors))
  } catch (error) {
    console.warn('The map tiles couldn’t be loaded.', error)
    return () => {}
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
  const metadata = (await archive.getMetadata()) as { vector_layers?: { id: string }[]; attribution?: string }
  const attribution = attributionOf(metadata.attribution)
  if (header.tileType !== TileType.Mvt) return { source: { type: 'raster', url, tileSize: 256 }, layerNames: null, attribution }
  const layerNames = metadata.vector_layers ? new Set(metadata.vector_layers.map(({ id }) => id)) : null
  return { source: { type: 'vector', url }, layerNames, attribution }
}

const OPEN_STREET_MAP = '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">© OpenStreetMap</a>'

/** The credit line is HTML and may come from anywhere, so only its text is used. */
export function attributionOf(html: unknown): string | undefined {
  if (typeof html !== 'string') return undefined
  if (/openstreetmap/i.test(html)) return OPEN_STREET_MAP
  const text = html
    .replace(/<[^>]*>/g, '')
    .replace(/[<>]/g, '')
    .trim()
  return text || undefined
}

type Basemap = {
  source: RasterSourceSpecification | VectorSourceSpecification
  layerNames: ReadonlySet<string> | null
  attribution?: string | undefined
}

export function tileSource(url: string): Basemap {
  const isVector = /\.(pbf|mvt)($|\?)/.test(url)
  return {
    source: isVector ? { type: 'vector', tiles: [url], maxzoom: 14 } : { type: 'raster', tiles: [url], tileSize: 256, maxzoom: 19 },
    layerNames: null,
  }
}

/** Raster tiles replace all of our layers except pins. Vector tiles replace only land and scenery. */
export function hiddenLayers({ source }: Basemap): string[] {
  return source.type === 'raster' ? [...ownLandLayers, ...ownNameLayers, ...ownLineLayers] : ownLandLayers
}

export function pictureLayers({ isDark }: Palette): LayerSpecification[] {
  return [
    {
      id: 'basemap-picture',
      type: 'raster',
      source: 'basemap',
      paint: { 'raster-saturation': -0.45, 'raster-brightness-max': isDark ? 0.55 : 1, 'raster-contrast': isDark ? 0.1 : -0.1 },
    },
  ]
}

export function vectorLayers(palette: Palette, known: ReadonlySet<string> | null): LayerSpecification[] {
  const { surface, line, leaf, muted, isDark } = palette
  const land = landColor(palette)
  const water = css(waterColor(palette))
  const green = css(mix(land, leaf, isDark ? 0.07 : 0.06))
  const road = css(isDark ? mix(line, land, 0.25) : surface)
  const roadEdge = css(mix(line, muted, isDark ? 0 : 0.08))
  const majorKinds = ['motorway', 'trunk', 'primary', 'secondary', 'highway', 'major_road']
  const isMajor: ExpressionSpecification = ['in', ['coalesce', ['get', 'class'], ['get', 'kind'], ''], ['literal', majorKinds]]
  const isStreet: ExpressionSpecification = ['!', isMajor]
  const isPlant: ExpressionSpecification = [
    'in',
    ['coalesce', ['get', 'class'], ['get', 'kind'], ''],
    ['literal', ['wood', 'forest', 'park', 'nature_reserve', 'national_park', 'grass', 'golf_course', 'cemetery', 'protected_area']],
  ]
  const width = (narrow: number, wide: number): ExpressionSpecification => [
    'interpolate',
    ['exponential', 1.6],
    ['zoom'],
    6,
    narrow,
    16,
    wide,
  ]
  const base = { source: 'basemap' as const }
  const all: LayerSpecification[] = [
    { id: 'basemap-land', type: 'background', paint: { 'background-color': css(land) } },
    ...['landcover', 'landuse', 'park'].map(
      (name): LayerSpecification => ({
        ...base,
        id: `basemap-${name}`,
        type: 'fill',
        'source-layer': name,
        filter: isPlant,
        paint: { 'fill-color': green },
      }),
    ),
    { ...base, id: 'basemap-water', type: 'fill', 'source-layer': 'water', paint: { 'fill-color': water } },
    ...['transportation', 'roads'].flatMap((name): LayerSpecification[] => [
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
      (name): LayerSpecification => ({
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
