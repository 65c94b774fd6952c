import { expect, test } from 'vitest'
import { buttonLook, lookOf } from './provider-look.ts'

test('uses a blue pill for Verified and a golden rectangle otherwise', () => {
  expect(lookOf('verified')).toEqual({ shape: 'pill', color: 'blue' })
  for (const plan of ['pro_partner', 'business_tools', undefined]) expect(lookOf(plan)).toEqual({ shape: 'rect', color: 'gold' })
})

test('matches our own buttons to the provider’s', () => {
  expect(buttonLook(lookOf('verified'))).toEqual({ variant: 'blue', className: expect.stringContaining('rounded-full') })
  expect(buttonLook(lookOf('pro_partner'))).toEqual({ variant: 'gold', className: 'w-full' })
})
