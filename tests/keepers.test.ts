import { expect, test } from 'vitest'
import { brokenLimits, limitsOf, measureScenario } from './keepers/measure.ts'
import { scenarios } from './keepers/simulate-hunts.ts'

/**
 * The short form of `npm run check:keepers`. With 60 hunts, the standard error is 6 points for a claim and 1 for coverage, and the limits
 * are widened accordingly. A ranking that ignores who scored, lets males compete, or counts clones in one room as full proof
 * exceeds them.
 */
test.each(scenarios)('is right about as often as it predicts and gains about as much as the reference: $name', (scenario) => {
  expect(brokenLimits(measureScenario(scenario, 60, 10, 20_261_121), limitsOf(scenario))).toEqual([])
})
