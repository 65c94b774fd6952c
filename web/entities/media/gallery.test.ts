import { expect, test } from 'vitest'
import type { Media } from '#contracts/media.ts'
import { galleryLayout } from './gallery.tsx'

const picture = (width: number, height: number): Media => ({
  id: `${width}x${height}`,
  kind: 'image',
  width,
  height,
  placeholder: null,
  alt: '',
  sources: [],
  videoUrl: null,
  durationSeconds: null,
  documentUrl: null,
  pageCount: null,
})
const many = (count: number) => galleryLayout(Array.from({ length: count }, () => picture(800, 600)))

test('preserves the shape of a single picture within limits', () => {
  expect(galleryLayout([picture(800, 600)]).ratio).toBeCloseTo(4 / 3)
  expect(galleryLayout([picture(4000, 500)]).ratio).toBeCloseTo(1.91)
  expect(galleryLayout([picture(500, 4000)]).ratio).toBeCloseTo(0.8)
})

test('lays out one, two, three, four, or more pictures', () => {
  expect([1, 2, 3, 4, 7].map((count) => many(count).cells.length)).toEqual([1, 2, 3, 4, 4])
  expect([1, 2, 3, 4, 7].map((count) => many(count).hidden)).toEqual([0, 0, 0, 0, 3])
  expect(many(3).cells.map(({ isTall }) => isTall)).toEqual([true, false, false])
  expect(many(4).cells.some(({ isTall }) => isTall)).toBe(false)
})
