import { expect, test } from 'vitest'
import { reasonText } from './not-in-running.tsx'

test('explains why a pheno is out, naming the trait that rules it out', () => {
  expect(reasonText('must', 'First pollen sacs')).toBe('Ruled out by First pollen sacs')
  expect(reasonText('male', undefined)).toBe('Male')
  expect(reasonText('harvested', undefined)).toBe('Harvested, with no living plant or clone')
})
