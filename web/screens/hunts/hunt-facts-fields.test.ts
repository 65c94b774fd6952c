import { expect, test } from 'vitest'
import { isSameName } from './hunt-dialogs.tsx'
import { emptyHunt, nameOfCross, newHuntResolver } from './hunt-facts-fields.tsx'

const resolve = (values: object) =>
  newHuntResolver({ ...emptyHunt, huntName: 'A hunt', ...values }, undefined, { fields: {}, shouldUseNativeValidation: false } as never)

test('requires only a name', async () => {
  expect(await resolve({})).toMatchObject({
    values: { huntName: 'A hunt', seedCount: 0, germinationDate: null, plantLimit: null, cross: null },
  })
})

test('includes the known parents of the cross, even without a father', async () => {
  const { values } = await resolve({ mother: 'Gelato', father: 'left over', isSelfed: true, seedCount: '12', seedType: 'feminized' })
  expect(values).toMatchObject({
    seedCount: 12,
    cross: { mother: 'Gelato', father: '', isSelfed: true, generation: '', seedType: 'feminized' },
  })
})

test('reports errors next to their fields', async () => {
  const { errors } = await resolve({ huntName: ' ', seedCount: 'twelve', plantLimit: '0' })
  expect(errors).toMatchObject({
    huntName: { message: 'Hunt name is required' },
    seedCount: { message: 'Must be a whole number' },
    plantLimit: { message: 'At least 1' },
  })
})

test('describes a cross by its parents’ names', () => {
  expect(nameOfCross({ mother: 'Zkittlez ', father: 'Gelato', isSelfed: false })).toBe('Zkittlez × Gelato')
  expect(nameOfCross({ mother: 'Gelato', father: '', isSelfed: true })).toBe('Gelato S1')
  expect(nameOfCross({ mother: '', father: '', isSelfed: true })).toBe('')
})

test('accepts a hunt’s name as typed on a phone', () => {
  for (const typed of ['Gelato × Wedding Cake', 'gelato x wedding cake', ' GelatoXWedding  Cake ']) {
    expect(isSameName(typed, 'Gelato × Wedding Cake'), typed).toBe(true)
  }
  expect(isSameName('Gelato', 'Gelato × Wedding Cake')).toBe(false)
  expect(isSameName('', 'Gelato × Wedding Cake')).toBe(false)
})
