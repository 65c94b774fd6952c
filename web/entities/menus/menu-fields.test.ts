import { expect, test } from 'vitest'
import { itemFieldKeys, menuFields, variantFieldKeys } from '#contracts/menu-fields.ts'
import { cellText, columnKeys, columns, formRows, readCell, sizeFields } from './menu-fields.ts'
import { menuItem, menuVariant } from './sample-item.test-support.ts'

test.each([
  ['price', '$1,250.5', '1250.5'],
  ['price', '35', '35'],
  ['price', '12,50 €', { error: 'Enter a price such as 12.50' }],
  ['price', '', { error: 'Enter a price such as 12.50' }],
  ['memberPrice', '', null],
  ['thc', '24.1 %', 24.1],
  ['thc', '.5', 0.5],
  ['thc', '3.5 g', { error: 'Must be a number in % or mg' }],
  ['thc', '-1', { error: 'Must be a number' }],
  ['thc', '1e5', { error: 'Must be a number' }],
  ['weight', '3.5g', 3.5],
  ['weight', '', null],
  ['weight', '1/4', 0.25],
  ['weight', '1/8 oz', 0.125],
  ['weight', '1/0', { error: 'Must be a number' }],
  ['thc', '1/4', { error: 'Must be a number' }],
  ['weightUnit', 'G', 'g'],
  ['weightUnit', 'each', 'piece'],
  ['weightUnit', 'pk', 'piece'],
  ['weightUnit', 'jar', { error: 'Unit: choose from the list' }],
  ['thcUnit', '%', 'percent'],
  ['strainType', 'SATIVA', 'sativa'],
  ['stock', '12', 12],
  ['salePrice', '$30', '30'],
  ['category', 'pre-rolls', 'Pre-Rolls'],
  ['category', 'Snacks', { error: 'Category: choose from the list' }],
  ['isAvailable', 'out of stock', false],
  ['isAvailable', 'TRUE', true],
  ['isAvailable', 'in', true],
  ['isAvailable', '12', true],
  ['isAvailable', '0', false],
  ['isAvailable', 'perhaps', { error: 'Enter In Stock, Out of Stock or a quantity' }],
  ['name', '  Blue Dream ', 'Blue Dream'],
  ['name', ' ', { error: 'Name is required' }],
  ['name', 'x'.repeat(161), { error: 'At most 160 characters' }],
] as const)('reads a %s cell with "%s" as %o', (key, text, meaning) => {
  const read = readCell(key, text)
  expect('error' in read ? { error: read.error } : read.value).toEqual(meaning)
})

test('reads a cell’s displayed text back as its value', () => {
  const item = menuItem({ category: 'Flower', strainType: 'hybrid', thc: 18.2, thcMax: 24.1, thcUnit: 'percent' })
  for (const key of itemFieldKeys) expect(readCell(key, cellText(item, key)), key).toEqual({ value: item[key] })
  const variant = menuVariant({ weight: 3.5, weightUnit: 'g', salePrice: '30.00', stock: 4, isAvailable: false })
  for (const key of variantFieldKeys) expect(readCell(key, cellText(variant, key)), key).toEqual({ value: variant[key] })
})

test('lists the columns in the order of the table', () => {
  expect(columns.slice(0, 7).map(({ label }) => label)).toEqual(['Name', 'Size', 'Unit', 'Price', 'Sale', 'Subscribers', 'Stock'])
  expect(columnKeys).not.toContain('description')
})

test('includes every field in the form', () => {
  expect([...formRows.flat(), ...sizeFields, 'isAvailable'].toSorted()).toEqual(Object.keys(menuFields).toSorted())
})
