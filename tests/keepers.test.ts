import { expect, test } from 'vitest'
import { brokenLimits, limitsOf, measureScenario } from './keepers/measure.ts'
import { scenarios } from './keepers/simulate-hunts.ts'

/**
 * The short form of `npm run check:keepers`, which breaks the limits only if the ranking is far off: in 60 hunts, the standard error of a
 * claim is 6 points and of a coverage 1. Ignoring who scored, or that clones shared a room, breaks them.
 */
test.each(scenarios)('is about as right as it claims and as the reference: $name', (scenario) => {
  expect(brokenLimits(measureScenario(scenario, 60, 10, 20_261_121), limitsOf(scenario))).toEqual([])
})
