import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { menuFieldKeys } from '#contracts/menu-fields.ts'
import { NewMenuItem } from '#contracts/menus.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { emptyRow, emptyVariant } from '#server/features/menus/index.ts'
import { withOneVariant } from '#tests/support/menus.ts'
import { processorMs } from '#tests/support/processor-time.ts'
import { guessColumns } from './guess-columns.ts'
import { menuCell, readRow, withGuessedUnits } from './read-row.ts'
import * as read from './read-values.ts'

const resultOf = <Value>(found: read.Read<Value>) => ('value' in found ? found.value : found.error)

describe('the cell parser', () => {
  it.each([
    ['12.50', 1250],
    ['$12.5', 1250],
    ['12', 1200],
    ['12.5000', 1250],
    ['1,234.50', 123450],
    ['1.234,50', 123450],
    ['12,5', 1250],
    ['1,234', 123400],
    ['12,50 €', 1250],
    ['USD 9.99', 999],
    ['', null],
    ['.', 'Enter a price such as 12.50'],
    ['-5', 'Enter a price such as 12.50'],
    ['12.345', 'A price has at most two decimals'],
    ['free', 'Enter a price such as 12.50'],
    ['1000000', 'This price is too high'],
  ])('reads the price %s', (cell, expected) => expect(resultOf(read.readPrice(cell))).toBe(expected))

  it.each([
    ['2026-12-24', '2026-12-24'],
    ['2026-12-24T00:00:00-07:00', '2026-12-24'],
    ['2026-12-24 23:59', '2026-12-24'],
    ['12/24/2026', '2026-12-24'],
    ['1/5/27', '2027-01-05'],
    ['12/24/2026 11:59 PM', '2026-12-24'],
    ['', null],
    ['24/12/2026', 'Enter a date such as 2026-12-24'],
    ['2026-02-30', 'Enter a date such as 2026-12-24'],
    ['0000-01-01', 'Enter a date such as 2026-12-24'],
    ['Friday', 'Enter a date such as 2026-12-24'],
  ])('reads the day %s', (cell, expected) => expect(resultOf(read.readDate(cell))).toBe(expected))

  it('reads every formatted price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        (cents) => void expect(resultOf(read.readPrice(formatCents(cents)))).toBe(cents),
      ),
    )
  })

  it.each([
    ['3.5g', 3.5, 'g'],
    ['3.5 g', 3.5, 'g'],
    ['1/8 oz', 3.5, 'g'],
    ['1/4 oz', 7, 'g'],
    ['1/2oz', 14, 'g'],
    ['1 oz', 28, 'g'],
    ['12 oz', 12, 'oz'],
    ['2 x 0.5g', 1, 'g'],
    ['10 x 10mg', 10, 'piece'],
    ['2pk', 2, 'piece'],
    ['eighth', 3.5, 'g'],
    ['10', 10, null],
    ['100 MG', 100, 'mg'],
    ['', null, null],
    ['10 pack', 10, 'piece'],
    ['10-pack', 10, 'piece'],
    ['3.5-g', 3.5, 'g'],
    ['1ea', 1, 'piece'],
    ['1e-3 g', 0.001, 'g'],
  ])('reads the weight %s', (cell, amount, unit) => expect(resultOf(read.readWeight(cell))).toEqual({ amount, unit }))

  it.each([
    ['22.5%', 22.5, null, 'percent'],
    ['THC: 23.83%', 23.83, null, 'percent'],
    ['18.2-24.1%', 18.2, 24.1, 'percent'],
    ['18% – 22%', 18, 22, 'percent'],
    ['20-20%', 20, null, 'percent'],
    ['234 mg/g', 23.4, null, 'percent'],
    ['10 mg', 10, null, 'mg'],
    ['1e-7', 1e-7, null, null],
    ['0.8', 0.8, null, null],
    ['<1', null, null, null],
    ['ND', null, null, null],
    ['', null, null, null],
  ])('reads the potency %s', (cell, amount, max, unit) => expect(resultOf(read.readPotency(cell))).toEqual({ amount, max, unit }))

  it.each([
    ['12', 12, true],
    ['47.5 g', 47.5, true],
    ['0', 0, false],
    ['-3', 0, false],
    ['12ea', 12, true],
    ['In Stock', null, true],
    ['N', null, false],
    ['', null, null],
  ])('reads the stock %s', (cell, amount, isAvailable) => expect(resultOf(read.readStock(cell))).toEqual({ amount, isAvailable }))

  it.each([
    ['Indica', 'indica'],
    ['S', 'sativa'],
    ['Indica-dominant hybrid', 'hybrid'],
    ['H', 'hybrid'],
    ['CBD', null],
    ['', null],
  ])('reads the strain type %s', (cell, type) => expect(resultOf(read.readStrainType(cell))).toBe(type))

  it.each([
    ['Pre-rolls', 'Pre-Rolls'],
    ['Flowers,Pre-Roll', 'Pre-Rolls'],
    ['Flower', 'Flower'],
    ['Vape Carts', 'Vapes'],
    ['gummies', 'Edibles'],
    ['', null],
    ['Widgets', 'Other'],
  ])('reads the category %s', (cell, category) => expect(resultOf(read.readCategory(cell))).toBe(category))

  it.each([
    ['yes', true],
    ['In Stock', true],
    ['0', false],
    ['17', true],
    ['out of stock', false],
    ['', null],
    ['perhaps', 'Must be yes or no'],
  ])('reads the availability %s', (cell, expected) => expect(resultOf(read.readAvailability(cell))).toBe(expected))

  it('rejects an overlong number immediately', () => {
    const took = processorMs(() => {
      for (const cell of ['e', '1', '/', ' 1', '1,']) {
        for (const kind of [read.readPotency, read.readWeight, read.readPrice, read.readAvailability]) {
          expect(kind(`${cell.repeat(40_000)}!`)).toEqual({ error: expect.any(String) })
        }
      }
    })
    expect(took).toBeLessThan(200)
  })
})

describe('the row parser', () => {
  const fields = ['sku', 'name', 'category', 'price', 'thc', 'weight', 'weightUnit', 'isAvailable', 'description', 'batch'] as const

  it('accepts only what the API would accept', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom('', '12.50', '3.5g', 'yes', '22%', 'x'.repeat(2001), '1e5', '-1', '1e999'),
    )
    fc.assert(
      fc.property(fc.array(cell, { minLength: fields.length, maxLength: fields.length }), (cells) => {
        const { item: itemChange, variant: variantChange, errors } = readRow({ row: 2, cells: cells.map((each) => each.trim()) }, fields)
        const item = { ...emptyRow('x'), name: 'A name', ...itemChange }
        const variant = { ...emptyVariant('x'), ...variantChange }
        if (errors.length > 0) return
        const values = Object.fromEntries(menuFieldKeys.map((field) => [field, menuCell(item, variant, field)]))
        const number = (text: string | undefined) => (text ? Number(text) : null)
        const given = {
          ...Object.fromEntries(Object.entries(values).map(([field, text]) => [field, text || null])),
          ...Object.fromEntries(
            (['thc', 'thcMax', 'cbd', 'cbdMax', 'weight', 'stock'] as const).map((field) => [field, number(values[field])]),
          ),
          isAvailable: variant.is_available,
        }
        expect(NewMenuItem.safeParse(withOneVariant(given)).error).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('prefers the unit after a number to the one in the unit column', () => {
    const { item, variant } = readRow({ row: 2, cells: ['22%', '5 g', 'oz', 'mg'] }, ['thc', 'weight', 'weightUnit', 'thcUnit'])
    expect(item).toEqual({ thc: 22, thc_max: null, thc_unit: 'percent' })
    expect(variant).toEqual({ weight: 5, weight_unit: 'g' })
    expect(readRow({ row: 2, cells: ['5', 'oz'] }, ['weight', 'weightUnit']).variant).toEqual({ weight: 5, weight_unit: 'oz' })
  })
})

describe('a potency without a unit', () => {
  const before = { ...emptyRow('1'), category: 'Flower', thc_unit: 'mg' } as const

  it('is a percentage for products that are smoked, and milligrams for all others', () => {
    expect(withGuessedUnits({ category: 'Flower', thc: 20, thc_unit: null })).toMatchObject({ thc_unit: 'percent' })
    expect(withGuessedUnits({ category: 'Edibles', thc: 20 })).toMatchObject({ thc_unit: 'mg' })
  })

  it('has the unit of the item on the menu, if it has one', () => {
    expect(withGuessedUnits({ thc: 20 }, before)).toEqual({ thc: 20 })
    expect(withGuessedUnits({ thc: 20 }, { ...before, thc_unit: null })).toEqual({ thc: 20, thc_unit: 'percent' })
    expect(withGuessedUnits({ thc: 20 }, { ...before, thc: 20, thc_unit: null })).toEqual({ thc: 20 })
  })
})

describe('the column mapping', () => {
  it.each([
    ['name,brand,category,strain,thc,cbd', ['name', 'brand', 'category', 'strain', 'thc', 'cbd']],
    [
      'SKU,Product Name,Master Category,Brand,Price,THC %,Quantity Available',
      ['sku', 'name', 'category', 'brand', 'price', 'thc', 'stock'],
    ],
    [
      'Name,Price,Sale Price,Member Price,QOH,Active,Species',
      ['name', 'price', 'salePrice', 'memberPrice', 'stock', 'isActive', 'strainType'],
    ],
    ['Name,Med Price,Special Price', ['name', 'price', 'salePrice']],
    [
      'Prod. Name (do not edit),Cat / Dept,Wt,RETAIL $ (OTD),Total THC%,UPC/SKU#,Price/g,Retail (wholesale)',
      ['name', 'category', 'weight', 'price', 'thc', 'sku', null, null],
    ],
    ['Name,Price (Med),Price (Rec),THC/CBD', ['name', null, 'price', null]],
    ['Name,Med Price,Rec Price', ['name', null, 'price']],
    ['External ID;Item Name;Type;Unit Price;UOM;Internal notes', ['sku', 'name', 'category', 'price', 'weightUnit', null]],
  ])('guesses the fields of the header %s', (header, fields) => expect(guessColumns(header.split(/[,;]/))).toEqual(fields))

  it('never maps two columns to the same field', () => {
    const header = fc.array(fc.constantFrom('name', 'Product', 'THC', 'thc%', 'price', 'Unit', 'Stock', 'x', ''), { maxLength: 12 })
    fc.assert(
      fc.property(header, (columns) => {
        const fields = guessColumns(columns).filter((field) => field !== null)
        expect(new Set(fields).size).toBe(fields.length)
      }),
    )
  })
})
