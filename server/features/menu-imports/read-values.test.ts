import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { menuFieldKeys } from '#contracts/menu-fields.ts'
import { NewMenuItem } from '#contracts/menus.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { emptyRow } from '#server/features/menus/index.ts'
import { itemCell, readRow } from './check-file.ts'
import * as read from './read-values.ts'
import { guessColumns } from './send-file.ts'

const resultOf = <Value>(found: read.Read<Value>) => ('value' in found ? found.value : found.error)

describe('a cell', () => {
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
    ['1/8 oz', 0.125, 'oz'],
    ['eighth', 3.5, 'g'],
    ['10', 10, null],
    ['100 MG', 100, 'mg'],
    ['', null, null],
    ['10 pack', 10, 'piece'],
  ])('reads the weight %s', (cell, amount, unit) => expect(resultOf(read.readWeight(cell))).toEqual({ amount, unit }))

  it.each([
    ['22.5%', 22.5, 'percent'],
    ['10 mg', 10, 'mg'],
    ['0.8', 0.8, null],
    ['<1', null, null],
    ['ND', null, null],
    ['', null, null],
  ])('reads the potency %s', (cell, amount, unit) => expect(resultOf(read.readPotency(cell))).toEqual({ amount, unit }))

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

  it('rejects an overlong number at once', () => {
    const begin = performance.now()
    for (const cell of ['e', '1', '/', ' 1', '1,']) {
      for (const kind of [read.readPotency, read.readWeight, read.readPrice, read.readAvailability]) {
        expect(kind(`${cell.repeat(40_000)}!`)).toEqual({ error: expect.any(String) })
      }
    }
    expect(performance.now() - begin).toBeLessThan(200)
  })
})

describe('a row', () => {
  const fields = ['sku', 'name', 'category', 'price', 'thc', 'weight', 'weightUnit', 'isAvailable', 'description', 'batch'] as const

  it('reports errors by column and accepts only what the API would', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom('', '12.50', '3.5g', 'yes', '22%', 'x'.repeat(2001), '1e5', '-1', '1e999'),
    )
    fc.assert(
      fc.property(fc.array(cell, { minLength: fields.length, maxLength: fields.length }), (cells) => {
        const { change, errors } = readRow({ row: 2, cells: cells.map((each) => each.trim()) }, fields)
        const item = { ...emptyRow('x'), name: 'A name', ...change }
        if (errors.length > 0) return
        const values = Object.fromEntries(menuFieldKeys.map((field) => [field, itemCell(item, field)]))
        const number = (text: string | undefined) => (text ? Number(text) : null)
        const given = {
          ...Object.fromEntries(Object.entries(values).map(([field, text]) => [field, text || null])),
          thc: number(values.thc),
          cbd: number(values.cbd),
          weight: number(values.weight),
          isAvailable: item.is_available,
        }
        expect(NewMenuItem.safeParse(given).error).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('takes the unit after a number unless it has its own column', () => {
    const { change } = readRow({ row: 2, cells: ['22%', '5 g', 'oz'] }, ['thc', 'weight', 'weightUnit'])
    expect(change).toEqual({ thc: 22, potency_unit: 'percent', weight: 5, weight_unit: 'oz' })
  })
})

describe('the column mapping', () => {
  it.each([
    ['name,brand,category,strain,thc,cbd', ['name', 'brand', 'category', 'strain', 'thc', 'cbd']],
    [
      'SKU,Product Name,Master Category,Brand,Price,THC %,Quantity Available',
      ['sku', 'name', 'category', 'brand', 'price', 'thc', 'isAvailable'],
    ],
    ['External ID;Item Name;Type;Unit Price;UOM;Internal notes', ['sku', 'name', 'category', 'price', 'weightUnit', null]],
  ])('guesses %s', (header, fields) => expect(guessColumns(header.split(/[,;]/))).toEqual(fields))

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
