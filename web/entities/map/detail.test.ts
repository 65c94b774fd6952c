import type { Map as MapLibre } from 'maplibre-gl'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { updateDetail } from './detail.ts'
import type { MapBox } from './types.ts'

const colorado: MapBox = { west: -108.5, south: 37, east: -103, north: 38.5 }
const kansas: MapBox = { west: -98.9, south: 37, east: -96.1, north: 38.5 }

function fakeMap(view: MapBox, zoom: number) {
  const on: { event: string; act: () => void }[] = []
  const added: string[] = []
  const ids: unknown[] = []
  const map = {
    getZoom: () => state.zoom,
    on: (event: string, act: () => void) => on.push({ event, act }),
    getSource: (source: string) => ({
      async updateData({ add }: { add: GeoJSON.Feature[] }) {
        added.push(...add.map(({ properties }) => `${source} ${properties?.cell}`))
        ids.push(...add.map(({ id }) => `${source} ${id}`))
      },
    }),
  }
  const fire = (name: string) => {
    for (const { event, act } of on) if (event === name) act()
  }
  const state = { view, zoom }
  return {
    map: map as unknown as MapLibre,
    state,
    added,
    ids,
    fire,
    keep: () => updateDetail(map as unknown as MapLibre, () => state.view),
  }
}

const asked: string[] = []
let refused: string | null = null

beforeEach(() => {
  asked.length = 0
  refused = null
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubGlobal('fetch', async (url: string, { signal }: { signal: AbortSignal }) => {
    const [, kind, cell] = /\/(scenery|counties|towns)\/([^/]+)\.geojson/.exec(url) as unknown as [string, string, string]
    asked.push(`${kind} ${cell}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
    signal.throwIfAborted()
    if (refused === `${kind} ${cell}`) return new Response('', { status: 503 })
    return Response.json({
      type: 'FeatureCollection',
      features: [1, 2].map(() => ({ type: 'Feature', properties: { cell }, geometry: null })),
    })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const cellsOf = (sources: string[], cells: string[]) => sources.flatMap((source) => cells.map((cell) => `${source} ${cell}`))

const settled = async (expectation: () => void = () => {}) => {
  await vi.waitFor(expectation, { timeout: 10_000 })
  await new Promise((resolve) => setTimeout(resolve, 30))
}

test('requests nothing for a national view, and visible detail once when zoomed in', async () => {
  const { state, added, ids, fire, keep } = fakeMap(colorado, 4)
  keep()
  await settled()
  expect(asked).toEqual([])
  state.zoom = 6
  fire('move')
  await settled(() => expect(new Set(asked)).toEqual(new Set(cellsOf(['scenery', 'counties'], ['-110_35', '-105_35']))))
  state.zoom = 8
  fire('move')
  fire('move')
  await settled(() => expect(added).toHaveLength(12))
  fire('move')
  await settled()
  expect(asked.toSorted()).toEqual(cellsOf(['counties', 'scenery', 'towns'], ['-105_35', '-110_35']))
  expect(added).toHaveLength(12)
  expect(new Set(ids).size).toBe(12)
})

test('applies a move made during loading', async () => {
  const { state, added, fire, keep } = fakeMap(colorado, 6)
  keep()
  state.view = kansas
  fire('move')
  const all = cellsOf(['scenery', 'counties'], ['-110_35', '-105_35', '-100_35'])
  await settled(() => expect(new Set(added)).toEqual(new Set(all)))
})

test('keeps the other files when one fails, and retries it at the next move', async () => {
  const { added, fire, keep } = fakeMap(colorado, 6)
  refused = 'counties -110_35'
  keep()
  const others = ['counties -105_35', ...cellsOf(['scenery'], ['-110_35', '-105_35'])]
  await settled(() => expect(new Set(added)).toEqual(new Set(others)))
  fire('move')
  await settled()
  expect(asked).toHaveLength(4)
  refused = null
  fire('movestart')
  await settled(() => expect(new Set(added)).toEqual(new Set(['counties -110_35', ...others])))
  expect(asked).toHaveLength(5)
})

test('adds nothing to a removed map and logs no warning', async () => {
  const { added, fire, keep } = fakeMap(colorado, 8)
  keep()
  fire('remove')
  await settled()
  expect(added).toEqual([])
  expect(console.warn).not.toHaveBeenCalled()
})
