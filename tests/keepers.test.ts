import { expect, test } from 'vitest'
import { brokenLimits, type Limits, measureScenario } from './keepers/measure.ts'
import { scenarios } from './keepers/simulate-hunts.ts'

/** The short form of `npm run check:keepers`: with 30 hunts, a claim's standard error is 9 points, and that of a coverage 1.5. */
const hunts = 30
const limits: Limits = { overall: 26, tenth: 30, coverage: [70, 90], gain: 8 }

test.each(scenarios)('is about as right as it claims and as the reference: $name', (scenario) => {
  expect(brokenLimits(measureScenario(scenario, hunts, hunts, 20_261_121), limits)).toEqual([])
})
