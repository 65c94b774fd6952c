import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { cellsIn } from './area.ts'
import type { MapBox } from './types.ts'

type Detail = {
  source: string
  /** Slightly below the zoom at which the layer is drawn, so that it's fetched in time. */
  zoom: number
  files: ReadonlyMap<string, string>
}

/** In cells; see scripts/build-map-data.ts and scripts/build-map-scenery.ts. */
export const details: readonly Detail[] = [
  {
    source: 'scenery',
    zoom: 5,
    files: byCell(import.meta.glob<string>('./assets/scenery/*.geojson', { query: '?url', import: 'default', eager: true })),
  },
  {
    source: 'counties',
    zoom: 5.5,
    files: byCell(import.meta.glob<string>('./assets/counties/*.geojson', { query: '?url', import: 'default', eager: true })),
  },
  {
    source: 'towns',
    zoom: 6.5,
    files: byCell(import.meta.glob<string>('./assets/towns/*.geojson', { query: '?url', import: 'default', eager: true })),
  },
]

/** In degrees. Leaves room for dragging, and for lines and names that reach into the view. */
const MARGIN = 1

export function updateDetail(map: MapLibre, view: () => MapBox): void {
  const removed = new AbortController()
  const fillers = details.map((detail) => ({ zoom: detail.zoom, fill: filler(map, detail, removed.signal) }))
  const look = (isNewMove: boolean) => {
    const due = fillers.filter(({ zoom }) => map.getZoom() >= zoom)
    if (due.length === 0) return
    const cells = cellsIn(view(), MARGIN)
    for (const { fill } of due) void fill(cells, isNewMove)
  }
  map.on('movestart', () => look(true))
  map.on('move', () => look(false))
  look(true)
  map.on('remove', () => removed.abort())
}

function filler(map: MapLibre, { source, files }: Detail, signal: AbortSignal) {
  const here = new Set<string>()
  const failed = new Set<string>()
  let wanted: readonly string[] = []
  let isFilling = false
  let lastId = 0

  async function load(cell: string): Promise<GeoJSON.Feature[] | null> {
    try {
      const response = await fetch(files.get(cell) as string, { signal })
      if (!response.ok) throw new Error(`${response.url} responded with ${response.status}`)
      return ((await response.json()) as GeoJSON.FeatureCollection).features
    } catch (error) {
      if (!signal.aborted) console.warn(`The map’s ${source} couldn’t be loaded.`, error)
      return null
    }
  }

  async function add(features: GeoJSON.Feature[]) {
    for (const feature of features) feature.id = ++lastId
    await map.getSource<GeoJSONSource>(source)?.updateData({ add: features })
  }

  async function addAll(missing: string[]) {
    const coming = missing.map((cell) => ({ cell, features: load(cell) }))
    // Add one at a time, because together they would take longer than a frame.
    for (const { cell, features: promised } of coming) {
      const features = await promised
      if (signal.aborted) return
      if (features) await add(features)
      const those = features ? here : failed
      those.add(cell)
    }
  }

  const missing = () => wanted.filter((cell) => files.has(cell) && !here.has(cell) && !failed.has(cell))

  return async (cells: readonly string[], again: boolean) => {
    wanted = cells
    if (again) failed.clear()
    if (isFilling) return
    isFilling = true
    try {
      while (missing().length > 0 && !signal.aborted) await addAll(missing())
    } finally {
      isFilling = false
    }
  }
}

function byCell(files: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(files).map(([file, url]) => [file.slice(file.lastIndexOf('/') + 1, -'.geojson'.length), url]))
}
