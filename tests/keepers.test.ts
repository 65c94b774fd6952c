import { expect, test } from 'vitest'
import { brokenLimits, type Limits, measureScenario } from './keepers/measure.ts'
import { scenarios } from './keepers/simulate-hunts.ts'

/**
 * The short form of `npm run check:keepers`. With 30 hunts, the standard error is 9 points for a claim, 5 for a gain compared with the
 * reference's, and 2 for coverage; tenths of the scale contain too few hunts to check. A ranking that ignores who scored, or that clones
 * shared a room, exceeds these limits.
 */
const hunts = 30
const limits: Limits = { overall: 27, tenth: 100, coverage: [70, 90], gain: 15 }

test.each(scenarios)('is right about as often as it claims and gains about as much as the reference: $name', (scenario) => {
  expect(brokenLimits(measureScenario(scenario, hunts, hunts, 20_261_121), limits)).toEqual([])
})
