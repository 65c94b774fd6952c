import { describe, expect, test } from 'vitest'
import { clearing, drawFanlight, drawStaging, drawTrails, fanlightRadius, stagingHeight, stagingWidth } from './hero-scene.tsx'

const starts = (d: string) => [...d.matchAll(/M(-?\d+) (-?\d+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))

describe('the row of pots', () => {
  const pots = drawStaging(11)
  const leaves = pots.flatMap(({ plant }) => starts(plant.back + plant.front))

  test('looks the same for the same seed', () => {
    expect(drawStaging(11)).toEqual(pots)
    expect(drawStaging(12)).not.toEqual(pots)
  })

  test('never covers the sun', () => {
    const sun = clearing * stagingWidth
    const inFront = leaves.filter(({ x }) => Math.abs(x - sun) < 88)
    expect(inFront.length).toBeGreaterThan(0)
    for (const { y } of inFront) expect(y).toBeGreaterThan(stagingHeight * 0.6)
  })

  test('stands on the sill within its frame', () => {
    for (const { body } of pots) expect(body).toContain(`L${body.match(/L(\d+)/)?.[1]} ${stagingHeight}`)
    for (const { y } of leaves) expect(y).toBeGreaterThan(0)
  })
})

describe('the fanlight', () => {
  const { tints, bars, hoops } = drawFanlight(7)

  test('gives every pane at most one tint', () => {
    const panes = tints.flatMap((tint) => tint.split('M').filter(Boolean))
    expect(new Set(panes).size).toBe(panes.length)
    expect(panes.length).toBeLessThanOrEqual(112)
    expect(tints.every(Boolean)).toBe(true)
  })

  test('opens upward from its hub', () => {
    for (const { x, y } of [...starts(bars), ...starts(hoops)]) {
      expect(y).toBeLessThanOrEqual(0)
      expect(Math.hypot(x, y)).toBeLessThanOrEqual(fanlightRadius + 1)
    }
  })
})

test('draws no path with an invalid number', () => {
  const { back, front, stems } = drawTrails(5)
  const drawn = [back, front, stems, ...drawStaging(3).flatMap(({ body, rim, plant }) => [body, rim, ...Object.values(plant)])]
  expect(drawn.join('')).not.toMatch(/NaN|undefined|Infinity/)
})
