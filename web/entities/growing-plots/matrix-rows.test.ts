import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast, type Oklch } from '#web/ui/cover/tones.ts'
import { readTokens } from '#web/ui/read-tokens.test-support.ts'
import {
  type MatrixGenotype,
  type MatrixTrait,
  matrixCellText,
  matrixColumns,
  nextOrder,
  orderedGenotypes,
  spokenCell,
  tintOf,
} from './matrix-rows.ts'

const height: MatrixTrait = { id: 'h', name: 'Height', unit: 'cm', digits: 1, direction: 'max' }
const days: MatrixTrait = { id: 'd', name: 'Days of flower', unit: 'd', direction: 'min' }
const genotype = (name: string, value: number | null, flower: number | null = null): MatrixGenotype => ({
  genotypeId: name,
  name,
  cells: {
    h: value === null ? null : { value, desirability: 0.62, count: 3 },
    d: flower === null ? undefined : { value: flower, desirability: null },
  },
})
const rows = [genotype('#1', 100.04, 60), genotype('#2', null), genotype('#3', 120, 70), genotype('#4', 0)]

test('shows the same number in a cell and in the table', () => {
  const column = matrixColumns([height]).find(({ key }) => key === 'h')!
  expect(column.value(rows[0]!)).toBe(100.04)
  expect(matrixCellText(height, rows[0]!.cells.h ?? null)).toBe('100.0')
  expect(column.value(rows[1]!)).toBeNull()
  expect(column.value(rows[3]!)).toBe(0)
})

test('gives screen readers the value, unit, desirability, and number of observations', () => {
  expect(spokenCell(rows[0]!, height, rows[0]!.cells.h ?? null)).toBe('#1, Height: 100.0\u00a0cm, 62% desirable, from 3 observations')
  expect(spokenCell(rows[1]!, height, null)).toBe('#2, Height: not measured')
})

test('puts missing values last in either sort order', () => {
  const names = (isRising: boolean) => orderedGenotypes(rows, { traitId: 'h', isRising }).map(({ name }) => name)
  expect(names(true)).toEqual(['#4', '#1', '#3', '#2'])
  expect(names(false)).toEqual(['#3', '#1', '#4', '#2'])
  expect(orderedGenotypes(rows, null)).toBe(rows)
})

test('sorts best first on the first press and restores the order on the third', () => {
  const first = nextOrder(null, days)
  expect(first).toEqual({ traitId: 'd', isRising: true })
  expect(nextOrder(null, height)).toEqual({ traitId: 'h', isRising: false })
  const second = nextOrder(first, days)
  expect(second).toEqual({ traitId: 'd', isRising: false })
  expect(nextOrder(second, days)).toBeNull()
})

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const tokens = readTokens(readFileSync(new URL('../../ui/tokens.css', import.meta.url), 'utf8'))[theme]

  test('keeps figures readable on the darkest tint', () => {
    const ground = mixedInOklab(tokens.surface!, tokens.leaf!, tintOf(1))
    expect(contrast(tokens.ink!, ground)).toBeGreaterThan(4.5)
    expect(contrast(tokens['leaf-strong']!, ground)).toBeGreaterThan(1.8)
  })
})

/** Like CSS `color-mix(in oklab, …)`. */
function mixedInOklab(one: Oklch, other: Oklch, share: number): Oklch {
  const lab = ([lightness, chroma, hue]: Oklch) => [
    lightness,
    chroma * Math.cos((hue * Math.PI) / 180),
    chroma * Math.sin((hue * Math.PI) / 180),
  ]
  const [first, second] = [lab(one), lab(other)]
  const [lightness, a, b] = first.map((channel, nth) => channel + ((second[nth] as number) - channel) * share) as [number, number, number]
  return [lightness, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI]
}
