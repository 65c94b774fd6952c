import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { newRowId, withoutVariant, withVariant, withWrites } from '#web/entities/menus/menu-edits.ts'
import { menuItem, menuVariant } from '#web/entities/menus/sample-item.test-support.ts'
import { blankItem, blankSize, itemResolver, readItem, SizesField, valuesOfItem, withoutOpenedFiles } from './item-fields.tsx'

const place = '019ab000-0000-7000-8000-0000000000aa'

const offer = { locationId: place, isOffered: true, price: '38.00', salePrice: null, isAvailable: true }
const item = menuItem({
  category: 'Flower',
  subcategory: 'Premium',
  strainType: 'hybrid',
  thc: 18.2,
  thcMax: 24.1,
  thcUnit: 'percent',
  description: 'Sweet.',
  variants: [
    menuVariant({ weight: 3.5, weightUnit: 'g', memberPrice: '30.00', salePrice: '32.00', stock: 4, offers: [offer] }),
    menuVariant({ id: '019ab000-0000-7000-8000-0000000000a2', weight: 7, weightUnit: 'g', isAvailable: false }),
  ],
})

test('round-trips an item with its sizes through the form', () => {
  const { id: _, image: _image, certificateUrl: _url, confirmedAt: _c, updatedAt: _u, version: _v, ...rest } = item
  expect(readItem(valuesOfItem(item))).toEqual({ item: { ...rest, imageId: null } })
})

test('reads a potency typed with its unit', () => {
  const read = (changes: object) => readItem({ ...valuesOfItem(item), ...changes })
  expect(read({ thc: '10 mg', thcMax: '' })).toMatchObject({ item: { thc: 10, thcMax: null, thcUnit: 'mg' } })
  expect(read({ thc: '10 g' })).toEqual({ errors: { thc: 'Must be a number in % or mg' } })
})

test('sends only files that the form changed', () => {
  const opened = valuesOfItem(item)
  const sent = (changes: object) => {
    const read = readItem({ ...opened, ...changes })
    return 'item' in read ? withoutOpenedFiles(read.item, opened) : read.errors
  }
  expect(sent({ name: 'New' })).not.toHaveProperty('imageId')
  expect(sent({ name: 'New' })).not.toHaveProperty('certificateId')
  expect(sent({ imageId: place, certificateId: place })).toMatchObject({ imageId: place, certificateId: place })
  const withFiles = { ...opened, imageId: place, certificateId: place }
  const cleared = readItem({ ...opened, imageId: '', certificateId: '' })
  expect('item' in cleared && withoutOpenedFiles(cleared.item, withFiles)).toMatchObject({ imageId: null, certificateId: null })
})

test('copies table input into the form, including added sizes but not removed ones', () => {
  const items = new Map([[item.id, item]])
  const [first, second] = item.variants
  const added = newRowId('b')
  let edits = withWrites({}, items, [{ id: item.id, variant: first!.id, key: 'price', text: '40' }])
  edits = withoutVariant(withVariant(edits, items, item.id, added), items, item.id, second!.id)
  expect(valuesOfItem(item, edits[item.id]).variants.map(({ id, price, weightUnit }) => [id, price, weightUnit])).toEqual([
    [first!.id, '40', 'g'],
    ['', '', 'g'],
  ])
})

test('sends no offer for a location whose values don’t differ from the item’s', () => {
  const values = { locationId: place, isOffered: true, price: '', salePrice: '', stock: '' as const }
  const read = (changes: object) =>
    readItem({ ...blankItem, name: 'x', variants: [{ ...blankSize(), price: '1', offers: [{ ...values, ...changes }] }] })
  expect(read({})).toMatchObject({ item: { variants: [{ offers: [] }] } })
  expect(read({ isOffered: false })).toMatchObject({
    item: { variants: [{ offers: [{ isOffered: false, price: null, salePrice: null, isAvailable: null }] }] },
  })
  expect(read({ price: 'x' })).toEqual({ errors: { 'variants.0.offers.0.price': 'Enter a price such as 12.50' } })
})

test('reads a size typed with its unit', () => {
  const read = (weight: string) => readItem({ ...blankItem, name: 'x', variants: [{ ...blankSize(), price: '1', weight }] })
  expect(read('20-pack')).toMatchObject({ item: { variants: [{ weight: 20, weightUnit: 'piece' }] } })
  expect(read('1/4 oz')).toMatchObject({ item: { variants: [{ weight: 0.25, weightUnit: 'oz' }] } })
})

test('reports an empty form’s missing values next to their fields', async () => {
  expect(readItem(blankItem)).toEqual({ errors: { name: 'Name is required', 'variants.0.price': 'Enter a price such as 12.50' } })
  const { errors } = await itemResolver(blankItem, undefined, { fields: {}, shouldUseNativeValidation: false })
  expect(errors).toMatchObject({ name: { message: 'Name is required' }, variants: [{ price: { type: 'validate' } }] })
})

test('states whether prices include tax only after the settings are known', () => {
  function Sizes({ pricesIncludeTax }: { pricesIncludeTax?: boolean }) {
    const { control } = useForm({ resolver: itemResolver, defaultValues: { ...blankItem, variants: [] } })
    const settings = pricesIncludeTax === undefined ? undefined : { currency: 'USD' as const, taxRate: null, pricesIncludeTax }
    return createElement(SizesField, { control, settings })
  }
  const hint = (props: { pricesIncludeTax?: boolean }) =>
    renderToStaticMarkup(createElement(Sizes, props)).match(/>([^<]*Imports[^<]*)</)?.[1]
  expect(hint({ pricesIncludeTax: true })).toBe('Prices include tax. Imports match sizes by SKU.')
  expect(hint({ pricesIncludeTax: false })).toBe('Prices don’t include tax. Imports match sizes by SKU.')
  expect(hint({})).toBe('Imports match sizes by SKU.')
})
