import { strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { xlsxOf } from '#tests/support/register-server.ts'
import { readMenuFile } from './read-menu-file.ts'

const sheetPath = 'xl/worksheets/sheet1.xml'

function workbookOf(sheet: string): Buffer {
  const files = unzipSync(xlsxOf([]))
  return Buffer.from(zipSync({ ...files, [sheetPath]: strToU8(sheet) }))
}
const sheetOf = (rows: string) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`

it('reads the first sheet of an Excel workbook', async () => {
  const bytes = xlsxOf([
    ['Inventory', null],
    [null, null],
    ['Product Name', 'Price', 'QOH'],
    ['Haze & Co', 35.1, 12],
    ['Kush', 12, null],
  ])
  expect(await readMenuFile(Buffer.from(bytes))).toEqual({
    header: ['Product Name', 'Price', 'QOH'],
    rows: [
      { row: 4, cells: ['Haze & Co', '35.1', '12'] },
      { row: 5, cells: ['Kush', '12', ''] },
    ],
  })
})

it('formats numbers and booleans as people write them', async () => {
  const bytes = workbookOf(
    sheetOf(`<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c><c r="B1" t="inlineStr"><is><t>price</t></is></c><c r="C1" t="inlineStr"><is><t>in stock</t></is></c></row>
    <row r="2"><c r="A2" t="inlineStr"><is><t>A</t></is></c><c r="B2"><v>35.100000000000001</v></c><c r="C2" t="b"><v>1</v></c></row>`),
  )
  expect((await readMenuFile(bytes)).rows).toEqual([{ row: 2, cells: ['A', '35.1', 'yes'] }])
})

it('keeps every digit of barcodes and batch numbers', async () => {
  const bytes = xlsxOf([
    ['Name', 'Barcode'],
    ['A', 8901234567894],
    ['B', 8901234567891],
    ['C', 20261130123456],
  ])
  expect((await readMenuFile(Buffer.from(bytes))).rows.map(({ cells }) => cells[1])).toEqual([
    '8901234567894',
    '8901234567891',
    '20261130123456',
  ])
})

it('reads rows below any number of empty ones', async () => {
  const cellOf = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
  const bytes = workbookOf(sheetOf(`<row r="1">${cellOf('A1', 'name')}</row><row r="25000">${cellOf('A25000', 'Kush')}</row>`))
  expect(await readMenuFile(bytes)).toEqual({ header: ['name'], rows: [{ row: 25_000, cells: ['Kush'] }] })
})

it.each([
  ['that is a damaged ZIP file', Buffer.from('PK\u0003\u0004\0\0'), /can’t read this workbook/],
  ['without a sheet', Buffer.from(zipSync({ 'a.txt': strToU8('x') })), /can’t read this workbook/],
  ['that inflates to far more than it says', workbookOf(sheetOf(' '.repeat(80 * 1024 * 1024))), /too large/],
  [
    'with a cell at the far end of the sheet',
    workbookOf(sheetOf('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')),
    /too large|can’t read/,
  ],
])('refuses a workbook %s', async (_, bytes, reason) => {
  const before = process.memoryUsage().rss
  await expect(readMenuFile(bytes)).rejects.toThrow(reason)
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
})

it('refuses a workbook whose directory hides its inflated size', async () => {
  const bytes = workbookOf(sheetOf(' '.repeat(80 * 1024 * 1024)))
  // The size in the ZIP directory, which comes last.
  const name = bytes.lastIndexOf(sheetPath)
  bytes.writeUInt32LE(1000, name - 22)
  await expect(readMenuFile(bytes)).rejects.toThrow(/can’t read this workbook|too large|empty/)
})
