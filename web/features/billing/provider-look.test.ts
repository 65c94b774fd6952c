import { expect, test } from 'vitest'
import { buttonLook, lookOf } from './provider-look.ts'

test('Verified is bought with a blue pill, everything else with a golden rectangle', () => {
  expect(lookOf('verified')).toEqual({ shape: 'pill', color: 'blue' })
  for (const plan of ['pro_partner', 'business_tools', undefined]) expect(lookOf(plan)).toEqual({ shape: 'rect', color: 'gold' })
})

test('a button of ours has the same look as the provider’s', () => {
  expect(buttonLook(lookOf('verified'))).toEqual({ variant: 'blue', className: expect.stringContaining('rounded-full') })
  expect(buttonLook(lookOf('pro_partner'))).toEqual({ variant: 'gold', className: 'w-full' })
})
