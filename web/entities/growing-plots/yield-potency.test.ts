import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testLook } from './look.test-support.ts'
import { yieldPotencyColumns, yieldPotencyRows, yieldPotencySeries } from './tracker-plot-rows.ts'
import { yieldPotencyOption } from './yield-potency-plot.tsx'

const yields = { name: 'Dry yield', unit: 'g' }
const potency = { name: 'THC', unit: '%' }
const genotypes = fc
  .array(
    fc.record({ yield: fc.integer({ min: 0, max: 30 }), potency: fc.double({ min: 0, max: 35, noNaN: true }), isKeeper: fc.boolean() }),
  )
  .map((all) => all.map((each, nth) => ({ ...each, genotypeId: `g${nth}`, name: `#${nth}` })))

test('draws each genotype once at its row’s values', () => {
  fc.assert(
    fc.property(genotypes, (all) => {
      const rows = yieldPotencyRows(all)
      const [nameColumn, yieldColumn, potencyColumn] = yieldPotencyColumns(yields, potency)
      const { series } = yieldPotencyOption(rows, yields, potency, [], testLook())
      const drawn = (series as { type: string; data: { name: string; value: number[] }[] }[])
        .filter(({ type }) => type === 'scatter')
        .flatMap(({ data }) => data)
      const byName = (one: { name: unknown }, other: { name: unknown }) => String(one.name).localeCompare(String(other.name))
      expect(drawn.map(({ name, value }) => ({ name, value })).sort(byName)).toEqual(
        rows.map((row) => ({ name: nameColumn?.value(row), value: [yieldColumn?.value(row), potencyColumn?.value(row)] })).sort(byName),
      )
    }),
  )
})

test('draws no point beyond the stepped line, which has a corner at each point of the Pareto front', () => {
  fc.assert(
    fc.property(genotypes, (all) => {
      const rows = yieldPotencyRows(all)
      const { steps } = yieldPotencySeries(rows)
      for (const row of rows) {
        const isUnder = steps.some(([x, y]) => x >= row.yield && y >= row.potency)
        expect(isUnder).toBe(true)
        if (row.isOnFront) expect(steps).toContainEqual([row.yield, row.potency])
      }
    }),
  )
})
