import { expect, it } from 'vitest'
import { withWeightRows } from './read-menu-file.ts'

const expand = (header: string[], ...rows: string[][]) => {
  const file = withWeightRows({ header, rows: rows.map((cells, i) => ({ row: i + 2, cells })) })
  return [file.header, ...file.rows.map(({ row, cells }) => [row, ...cells])]
}

it('turns a price column per weight into a row per weight', () => {
  expect(
    expand(
      ['Product', 'PRICE_GRAM', 'PRICE_EIGHTH', 'PRICE_QUARTER', 'PRICE_HALF', 'PRICE_OZ', 'Brand'],
      ['Haze', '12', '35', '', '0.00', '$180', 'Loam'],
      ['Pipe', '', '', '', '', '', 'Loam'],
    ),
  ).toEqual([
    ['Product', 'Brand', 'Weight', 'Price'],
    [2, 'Haze', 'Loam', '1 g', '12'],
    [2, 'Haze', 'Loam', '3.5 g', '35'],
    [2, 'Haze', 'Loam', '28 g', '$180'],
    [3, 'Pipe', 'Loam', '', ''],
  ])
})

it('doesn’t change the weight and price of other rows, and gives each weight a SKU and no quantity', () => {
  expect(
    expand(
      ['SKU', 'Name', 'Size', 'Price', 'QOH', '1g', 'Price (1/8 oz)'],
      ['A1', 'Haze', '', '', '47.5 g', '12', '35'],
      ['A2', 'Gummies', '100 mg', '18', '6', 'N/A', '-'],
      ['A3', 'Kush', '', '', '0', '11', ''],
    ),
  ).toEqual([
    ['SKU', 'Name', 'Size', 'Price', 'QOH'],
    [2, 'A1-1g', 'Haze', '1 g', '12', 'In stock'],
    [2, 'A1-3.5g', 'Haze', '3.5 g', '35', 'In stock'],
    [3, 'A2', 'Gummies', '100 mg', '18', '6'],
    [4, 'A3-1g', 'Kush', '1 g', '11', 'Out of stock'],
  ])
})

it.each([[['Name', 'Price', 'Half']], [['Name', 'Price', 'Gram weight']], [['Name', '10mg', '20mg', 'Price']]])(
  'leaves %j alone',
  (header) => {
    expect(expand(header, header.map(String))).toEqual([header, [2, ...header]])
  },
)

it('refuses more prices than a menu can have variants', () => {
  const weights = ['0.5g', '1g', '2g', '3.5g', '7g', '14g', '28g']
  const rows = Array.from({ length: 8000 }, () => ['Haze', ...weights.map(() => '1')])
  expect(() => expand(['Name', ...weights], ...rows)).toThrow(/up to 40,000 prices/)
})
