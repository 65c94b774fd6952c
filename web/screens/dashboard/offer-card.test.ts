import { expect, test } from 'vitest'
import { type OfferValues, offerOf, offerResolver, valuesOf } from './offer-card.tsx'

const typed: OfferValues = { price: '', currency: 'USD', title: 'Terrace club', perks: '' }
const check = async (values: Partial<OfferValues>) => {
  const { values: offer, errors } = await offerResolver({ ...typed, ...values }, undefined, {} as never)
  return { offer, errors: Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, error?.message])) }
}

test('treats an empty price as no price and drops empty perks', () => {
  expect(offerOf({ ...typed, price: ' $12.5 ', perks: ' One \n\n Two\n' })).toEqual({
    price: '12.5',
    currency: 'USD',
    title: 'Terrace club',
    perks: ['One', 'Two'],
  })
  expect(offerOf(typed).price).toBeNull()
  expect(valuesOf({ price: null, currency: 'USD', title: 'T', perks: ['One', 'Two'] }).perks).toBe('One\nTwo')
})

test('reports errors next to their fields', async () => {
  expect(await check({ price: '15.00' })).toEqual({
    offer: { price: '15.00', currency: 'USD', title: 'Terrace club', perks: [] },
    errors: {},
  })
  expect((await check({ price: '12.505' })).errors).toEqual({ price: 'Enter a price such as 12.50' })
  expect((await check({ price: '0' })).errors).toEqual({ price: 'Leave it empty to let people subscribe for free' })
  expect((await check({ title: ' ' })).errors).toEqual({ title: 'Title is required' })
  expect((await check({ perks: 'x\n'.repeat(9) })).errors).toEqual({ perks: 'At most 8 lines' })
  expect((await check({ perks: `fine\n${'x'.repeat(121)}` })).errors).toEqual({ perks: 'At most 120 characters' })
})
