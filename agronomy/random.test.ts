import { expect, test } from 'vitest'
import { createRandom, nextNormal, seedOf, sliceNormals, writeStratifiedNormals } from './random.ts'

/** Every engine must produce these values, because rankings on the server and in browsers use the same draws. */
test('reproduces known values from fixed seeds', () => {
  const random = createRandom(7)
  expect([random(), random(), random()]).toEqual([80695229, 407226324, 3558214028])
  const normals = createRandom(7)
  expect([nextNormal(normals), nextNormal(normals)]).toEqual([-2.079443079104463, -1.311675832276208])
  expect(seedOf('candidate 7')).toBe(1268861883)
  expect(seedOf('')).toBe(0x811c9dc5)
})

test('creates different streams for different seeds', () => {
  const first = new Set(Array.from({ length: 1000 }, (_, seed) => createRandom(seed)()))
  expect(first.size).toBe(1000)
  expect(seedOf('a', 1)).not.toBe(seedOf('a', 2))
})

test('draws uniform bits and standard normal values', () => {
  const random = createRandom(1)
  const counts = Array.from({ length: 16 }, () => 0)
  for (let i = 0; i < 32_000; i++) counts[random() >>> 28]!++
  // Chi-squared with 15 degrees of freedom exceeds 37.7 with a probability of 0.1%.
  expect(counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)).toBeLessThan(37.7)

  const normals = Array.from({ length: 20_000 }, () => nextNormal(random))
  const mean = normals.reduce((sum, value) => sum + value, 0) / normals.length
  const variance = normals.reduce((sum, value) => sum + (value - mean) ** 2, 0) / normals.length
  expect(mean).toBeCloseTo(0, 1)
  expect(Math.abs(variance - 1)).toBeLessThan(0.04)
})

test('draws from each stratum once, in an independent random order', () => {
  const slices = sliceNormals(500)
  const target = new Float64Array(1000).fill(99)
  writeStratifiedNormals(createRandom(1), slices, target, 0, 2)
  const first = target.filter((_, i) => i % 2 === 0)
  expect(target.filter((_, i) => i % 2 === 1).every((value) => value === 99)).toBe(true)
  expect([...first].sort((a, b) => a - b)).toEqual([...slices])
  writeStratifiedNormals(createRandom(2), slices, target, 1, 2)
  const second = target.filter((_, i) => i % 2 === 1)
  const correlation = first.reduce((sum, value, i) => sum + value * (second[i] as number), 0) / 500
  expect(Math.abs(correlation)).toBeLessThan(0.15)
})
