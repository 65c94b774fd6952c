import { expect, test } from 'vitest'
import { brokenLimits, type Limits, measureScenario } from './keepers/measure.ts'
import { scenarios } from './keepers/simulate-hunts.ts'

/**
 * The short form of `npm run check:keepers`. With 30 hunts, the standard error of a claim is 9 points, of a gain beside the reference 5, and
 * of a coverage 2; tenths of the scale hold too few hunts. Ignoring who scored, or that clones shared a room, breaks these limits.
 */
const hunts = 30
const limits: Limits = { overall: 27, tenth: 100, coverage: [70, 90], gain: 15 }

test.each(scenarios)('is about as right as it claims and as the reference: $name', (scenario) => {
  expect(brokenLimits(measureScenario(scenario, hunts, hunts, 20_261_121), limits)).toEqual([])
})
