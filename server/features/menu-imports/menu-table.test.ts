import { expect, it } from 'vitest'
import { readMenuFile } from './read-menu-file.ts'

const read = (...lines: string[]) => readMenuFile(Buffer.from(lines.join('\n')))

it('finds the header below a report’s title lines', async () => {
  const { header, rows } = await read(
    'Inventory on hand',
    'Store:,Green Hills, Denver',
    'Printed 11/24/2026',
    '',
    'Product,Price,QOH',
    'Haze,12,3',
  )
  expect(header).toEqual(['Product', 'Price', 'QOH'])
  expect(rows).toEqual([{ row: 6, cells: ['Haze', '12', '3'] }])
})

it('uses the header’s delimiter, not the title’s', async () => {
  const { header } = await read('Menu, all rooms, by name', 'Artikel;Product Name;Price', '1;Haze;12,50')
  expect(header).toEqual(['Artikel', 'Product Name', 'Price'])
})

it('uses the first full row as the header if no column is recognized', async () => {
  const { header, rows } = await read('My list', 'Was,Wieviel,Wo', 'Haze,12,here')
  expect([header, rows.length]).toEqual([['Was', 'Wieviel', 'Wo'], 1])
  expect((await read('Was,Wieviel', 'Haze,12')).header).toEqual(['Was', 'Wieviel'])
})

it.each([
  ['at the end of the file', ['C,3,"never closed'], []],
  ['before other rows', ['C,3,"never closed', 'D,4,x'], ['D']],
  ['that a later quote closes', ['C,3,"never closed', 'D,4,x', '"E",5,"y"', 'F,6,z'], ['D', 'E', 'F']],
  ['before very long text', [`C,3,"never${'x'.repeat(300_000)}`, 'D,4,x'], ['D']],
  ['in each of two rows', ['C,3,"never', 'D,4,x', 'C,7,"again', 'F,6,z'], ['D', 'C', 'F']],
])('names the row of an unclosed quote %s, and reads the other rows', async (_, lines, names) => {
  const { rows } = await read('name,price,about', 'A,1,"two\nlines"', 'B,2,x', ...lines)
  expect(rows.slice(0, 3)).toEqual([
    { row: 2, cells: ['A', '1', 'two\nlines'] },
    { row: 3, cells: ['B', '2', 'x'] },
    { row: 4, cells: ['C', '3', expect.stringContaining('never')], error: 'A quote is opened but never closed' },
  ])
  expect(rows.slice(3).map(({ row, cells }) => [row, cells[0]])).toEqual(names.map((name, i) => [i + 5, name]))
})

it.each(['\r', '\r\n'])('keeps reading after an open quote if lines end with %j', async (end) => {
  const { rows } = await readMenuFile(Buffer.from(['name,price,about', 'A,1,x', 'B,2,"open', 'C,3,y'].join(end)))
  expect(rows.map(({ row, cells, error }) => [row, cells[0], error === undefined])).toEqual([
    [2, 'A', true],
    [3, 'B', false],
    [4, 'C', true],
  ])
})

it('gives up on a file full of open quotes', async () => {
  const lines = Array.from({ length: 150 }, (_, i) => `P${i},1,"x`)
  await expect(read('name,price,about', ...lines)).rejects.toThrow('More than 100 rows have a quote that is never closed.')
})
