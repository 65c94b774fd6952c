import * as maplibre from 'maplibre-gl'
import { type Basemap, hiddenLayers, pictureLayers, tileSource, vectorLayers } from './basemap-layers.ts'
import { type Palette, repaint } from './map-style.ts'
import type { TileSettings } from './types.ts'

/** Adds the configured tiles below the pins and returns a function to repaint them. On failure, the map stays as it was. */
export async function addBasemap(map: maplibre.Map, tiles: TileSettings, palette: () => Palette): Promise<(palette: Palette) => void> {
  try {
    const basemap = tiles.pmtiles ? await pmtilesSource(tiles.pmtiles) : tileSource(tiles.url ?? '')
    // The map may have been removed in the meantime.
    if (!map.getLayer('county-lines')) return () => {}
    const layers = (colors: Palette) =>
      basemap.source.type === 'raster' ? pictureLayers(colors) : vectorLayers(colors, basemap.layerNames)
    map.addSource('basemap', { ...basemap.source, ...(tiles.attribution && { attribution: tiles.attribution }) })
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
  if (header.tileType !== TileType.Mvt) return { source: { type: 'raster', url, tileSize: 256 }, layerNames: null }
  const metadata = (await archive.getMetadata()) as { vector_layers?: { id: string }[] }
  const layerNames = metadata.vector_layers ? new Set(metadata.vector_layers.map(({ id }) => id)) : null
  return { source: { type: 'vector', url }, layerNames }
}
