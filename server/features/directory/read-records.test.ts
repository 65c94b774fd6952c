import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readRecords } from './read-records.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'records-'))

async function read(content: string | Buffer) {
  const file = path.join(folder, 'file.csv')
  writeFileSync(file, content)
  const records: { line: number; fields?: string[]; reason?: string; isLatin1?: boolean }[] = []
  for await (const piece of readRecords(file, () => {})) records.push(...piece)
  return records
}
const fieldsOf = async (content: string | Buffer) => (await read(content)).map((record) => record.fields ?? record.reason)

it('reads plain and quoted rows, with LF or CRLF, a final line break, and a byte order mark', async () => {
  const expected = [
    ['a', 'b'],
    ['1', 'x, y'],
    ['2', 'say "hi"'],
  ]
  const lf = 'a,b\n1,"x, y"\n2,"say ""hi"""\n'
  expect(await fieldsOf(lf)).toEqual(expected)
  expect(await fieldsOf(lf.replaceAll('\n', '\r\n'))).toEqual(expected)
  expect(await fieldsOf(lf.trimEnd())).toEqual(expected)
  expect(await fieldsOf(`\uFEFF${lf}`)).toEqual(expected)
})

it('reads a line as Windows-1252 only if it isn’t UTF-8', async () => {
  const records = await read(
    Buffer.concat([
      Buffer.from('name\nRīzōm\n'),
      Buffer.from([0x42, 0x6f, 0x75, 0x66, 0x66, 0xe9, 0x65, 0x92, 0x73, 10]),
      Buffer.from('Café\n'),
    ]),
  )
  expect(records.map((record) => record.fields?.[0])).toEqual(['name', 'Rīzōm', 'Bouffée’s', 'Café'])
  expect(records.map((record) => record.isLatin1)).toEqual([false, false, true, false])
})

it('keeps line breaks inside quotes and counts the file’s lines', async () => {
  const records = await read('a,b\n1,"12 Main St\nSuite 4"\n2,c\n')
  expect(records).toMatchObject([
    { line: 1, fields: ['a', 'b'] },
    { line: 2, fields: ['1', '12 Main St\nSuite 4'] },
    { line: 4, fields: ['2', 'c'] },
  ])
})

it('loses only the line with an unclosed quote', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => `${i},fine`)
  const records = await read(['a,b', '0,"broken', ...rows, '41,"also fine"'].join('\n'))
  expect(records[1]).toEqual({ line: 2, reason: 'A quote is opened but never closed.', text: '0,"broken' })
  expect(records.slice(2).map((record) => record.fields?.[1])).toEqual([...rows.map(() => 'fine'), 'also fine'])
})

it('reads quotes inside a field literally if the columns add up', async () => {
  expect(await fieldsOf('a,b,c\n1,5" pipe,x\n2,Joe "Bud" Shop,y\n3,"Joe" Shop,z\n')).toEqual([
    ['a', 'b', 'c'],
    ['1', '5" pipe', 'x'],
    ['2', 'Joe "Bud" Shop', 'y'],
    ['3', expect.stringContaining('Joe'), 'z'],
  ])
})

it('rejects broken quotes if the columns don’t add up, and continues', async () => {
  const records = await read('a,b,c\n1,"x"y"z,"q,w\n2,p,q\n')
  expect(records.map((record) => record.fields ?? record.reason)).toEqual([
    ['a', 'b', 'c'],
    expect.stringMatching(/quote/),
    ['2', 'p', 'q'],
  ])
})

it('skips a line longer than a megabyte', async () => {
  const records = await read(`a\n${'x'.repeat(3_000_000)}\nb\n`)
  expect(records).toMatchObject([{ fields: ['a'] }, { line: 2, reason: 'The line is longer than a megabyte.' }, { line: 3, fields: ['b'] }])
})

it('explains what to do about UTF-16', async () => {
  await expect(read(Buffer.from('\uFEFFa,b\n', 'utf16le'))).rejects.toThrow('UTF-16')
})

it('round-trips every valid row in order, whatever its size', async () => {
  const field = fc
    .oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', '"', ',', '\n', 'a\nb', '""', 'é', ' x '))
    .filter((text) => !/[\r\0]/.test(text))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 30 }),
      fc.constantFrom('\n', '\r\n'),
      async (rows, ending) => {
        const header = ['one', 'two', 'three']
        const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
        const written = [header, ...rows].map((row) => row.map(quote).join(',')).join(ending)
        const expected = [header, ...rows]
        expect((await read(`${written}${ending}`)).map((record) => record.fields)).toEqual(expected)
      },
    ),
    { numRuns: 150 },
  )
})
