import { expect, test } from 'vitest'
import { lookOf } from './provider-look.ts'

test('Verified is bought with a blue pill, everything else with a golden rectangle', () => {
  expect(lookOf('verified')).toEqual({ shape: 'pill', color: 'blue' })
  for (const plan of ['pro_partner', 'business_tools', undefined]) expect(lookOf(plan)).toEqual({ shape: 'rect', color: 'gold' })
})
