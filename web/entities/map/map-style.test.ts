import { createExpression, validateStyleMin } from '@maplibre/maplibre-gl-style-spec'
import type { LayerSpecification } from 'maplibre-gl'
import { describe, expect, test } from 'vitest'
import { hiddenLayers, pictureLayers, tileSource, vectorLayers } from './basemap.ts'
import { css, MAX_ZOOM, mapLayers, mapStyle, mix, opensAsList, type Palette, roles } from './map-style.ts'

test('zooms in on a cluster that splits before the last zoom', () => {
  expect(opensAsList(5, 2)).toBe(false)
  expect(opensAsList(14, 3)).toBe(false)
})

test('opens a cluster as a list of any length if it never splits', () => {
  expect(opensAsList(MAX_ZOOM + 1, 2)).toBe(true)
  expect(opensAsList(MAX_ZOOM + 1, 453)).toBe(true)
})

test('opens only a small cluster as a list at the highest zoom levels', () => {
  expect(opensAsList(MAX_ZOOM, 5)).toBe(true)
  expect(opensAsList(MAX_ZOOM, 200)).toBe(false)
})

test('mixes from the first color to the second', () => {
  expect(mix([0, 100, 200], [100, 0, 200], 0)).toEqual([0, 100, 200])
  expect(mix([0, 100, 200], [100, 0, 200], 1)).toEqual([100, 0, 200])
  expect(mix([0, 100, 200], [100, 0, 200], 0.25)).toEqual([25, 75, 200])
})

test('outputs CSS that the renderer parses', () => {
  expect(css([1, 2, 3])).toBe('rgb(1, 2, 3)')
  expect(css([1, 2, 3], 0.5)).toBe('rgba(1, 2, 3, 0.5)')
})

const palette = (isDark: boolean): Palette => {
  const gray = (at: number) => (isDark ? 255 - at * 20 : at * 20)
  const colors = Object.fromEntries(roles.map((role, at) => [role, [gray(at), gray(at), gray(at)]]))
  return { ...colors, isDark } as Palette
}

describe('mapStyle', () => {
  test.each([false, true])('is valid (dark: %s) and loads no external glyphs or pictures', (isDark) => {
    const style = mapStyle(palette(isDark))
    expect(validateStyleMin(style)).toEqual([])
    expect(style).not.toHaveProperty('glyphs')
    expect(style).not.toHaveProperty('sprite')
    expect(JSON.stringify(Object.values(style.sources).map((source) => ('data' in source ? source.data : source)))).not.toMatch(/https?:/)
  })

  test('changes only colors between themes, not layers or their order', () => {
    const shape = (layers: LayerSpecification[]) => layers.map((layer) => [layer.id, layer.type, Object.keys(layer.paint ?? {})])
    expect(shape(mapLayers(palette(true)))).toEqual(shape(mapLayers(palette(false))))
  })

  test.each([
    [{ count: 320 }, '320'],
    [{ total: 7, count: 1 }, '7'],
    [{ total: 999 }, '999'],
    [{ total: 1000 }, '1k'],
    [{ total: 1249 }, '1.2k'],
    [{ total: 12_480 }, '12.5k'],
  ])('formats the count of %o as %s', (properties, text) => {
    const layer = mapLayers(palette(false)).find(({ id }) => id === 'cluster-counts')
    const field = layer?.type === 'symbol' ? layer.layout?.['text-field'] : null
    const expression = createExpression(field, 'layers.cluster-counts.layout.text-field')
    if (expression.result === 'error') throw new Error(JSON.stringify(expression.value))
    expect(String(expression.value.evaluate({ zoom: 5 }, { type: 'Point', properties } as never))).toBe(text)
  })

  test.each([false, true])('draws open, closed and unknown hours in three colors (rough pins: %s)', (rough) => {
    const pins = mapLayers(palette(false)).find(({ id }) => id === 'pins')
    const expression = createExpression(pins?.type === 'circle' ? pins.paint?.['circle-color'] : null, 'layers.pins.paint.circle-color')
    if (expression.result === 'error') throw new Error(JSON.stringify(expression.value))
    const colors = ['open', 'closed', 'unknown'].map((hours) =>
      String(expression.value.evaluate({ zoom: 10 }, { type: 'Point', properties: { hours, rough } } as never)),
    )
    expect(new Set(colors).size).toBe(3)
  })
})

describe('the basemap', () => {
  test('recognizes raster or vector tiles by the URL’s extension', () => {
    expect(tileSource('https://tiles.example/{z}/{x}/{y}.png').source.type).toBe('raster')
    expect(tileSource('https://tiles.example/{z}/{x}/{y}.pbf?key=1').source.type).toBe('vector')
    expect(tileSource('https://tiles.example/{z}/{x}/{y}.mvt').source.type).toBe('vector')
  })

  test('has valid, uniquely named layers', () => {
    const style = mapStyle(palette(false))
    for (const [source, layers] of [
      [tileSource('https://t.example/{z}/{x}/{y}.pbf').source, vectorLayers(palette(false), null)],
      [tileSource('https://t.example/{z}/{x}/{y}.png').source, pictureLayers(palette(true))],
    ] as const) {
      expect(validateStyleMin({ ...style, sources: { ...style.sources, basemap: source }, layers: [...style.layers, ...layers] })).toEqual(
        [],
      )
    }
  })

  test('draws only layers that the tiles contain, if known', () => {
    const sources = (known: string[] | null) =>
      vectorLayers(palette(false), known && new Set(known)).flatMap((layer) => ('source-layer' in layer ? [layer['source-layer']] : []))
    expect(new Set(sources(['water', 'roads']))).toEqual(new Set(['water', 'roads']))
    expect(sources(null)).toContain('transportation')
  })

  test('hides only existing layers', () => {
    const ids = mapLayers(palette(false)).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(hiddenLayers(tileSource('a.png'))))
    expect(hiddenLayers(tileSource('a.pbf'))).not.toContain('place-names')
  })
})
