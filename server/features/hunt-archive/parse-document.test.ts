import { describe, expect, it } from 'vitest'
import { HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import { maxArchivePhotos, maxArchiveRows } from '#contracts/limits.ts'
import { archiveTables } from './archive-tables.ts'
import { parseDocument } from './import-hunt.ts'

const reading = {
  ...{ climateSensor: 0, climateImport: 0, readAt: '2026-01-01T00:00:00Z', airCelsius: 20.5, humidityPercent: 50, leafCelsius: null },
  ...{ co2Ppm: null, vpdKpa: -1e-3 },
}
const document = {
  ...{ format: 'sungrove.hunt', version: 1, exportedAt: '2026-01-01T00:00:00Z', photosLeftOut: 0 },
  hunt: {
    ...{
      huntName: 'A "quoted\\" name, ]}[{ 🌱',
      breeders: ['a', 'b'],
      seedCount: 0,
      goals: ' \u2028 ',
      growEnvironment: '',
      germinationDate: null,
    },
    ...{ isActive: true, completedOn: null, plantLimit: null, nextNumber: 2 },
  },
  ...Object.fromEntries(archiveTables.map(({ list }) => [list, []])),
  climateSensors: [{ name: 'Tent "1\\\\"' }, { name: '{[]}' }],
  climateReadings: [reading, { ...reading, unknown: [1, [2]] }],
  somethingElse: { nested: [[{ a: '}' }]] },
}
const refusal = (text: string) => {
  try {
    parseDocument(Buffer.from(text))
  } catch (error) {
    return error as { code: string; message: string; fields?: Record<string, string> }
  }
  throw new Error('was taken')
}

describe('an exported hunt', () => {
  it.each([
    ['as it is sent', JSON.stringify(document)],
    ['as it is exported', `${JSON.stringify(document, null, 1)}\n`],
    ['with a lot of whitespace', ` \r\n\t${JSON.stringify(document, null, '\t').replaceAll(',', ' , ').replaceAll(' , ]}[{', ', ]}[{')} `],
  ])('is parsed exactly as by JSON.parse, %s', (_how, text) => {
    expect(parseDocument(Buffer.from(text))).toEqual(HuntDocument.parse(JSON.parse(text)))
  })

  it('is refused with the paths of its invalid and missing fields', () => {
    const { hunt: _, ...rest } = document
    const { code, fields } = refusal(
      JSON.stringify({ ...rest, climateReadings: [reading, { ...reading, airCelsius: 'warm' }], plants: {} }),
    )
    expect([code, Object.keys(fields ?? {}).sort()]).toEqual(['invalid_input', ['climateReadings.1.airCelsius', 'hunt', 'plants']])
  })

  it.each([
    '',
    ' ',
    '[]',
    'null',
    '"{}"',
    '{',
    '{"format"',
    '{"format":',
    '{"format":"x"',
    '{"format":"x",}',
    '{"format" "x"}',
    '{format:1}',
    '{"plants":[1 2]}',
    '{"plants":[{]}',
    '{"plants":[,]}',
    '{} {}',
    '{"a":tru}',
    '{"a":"\u0001"}',
  ])('is refused if it isn’t a valid document: %j', (text) => {
    expect(refusal(text).code).toBe('invalid_input')
  })

  it('is refused for duplicates, deep nesting, or an oversized entry', () => {
    expect(refusal('{"plants":[],"plants":[]}').message).toBe('“plants” is in this document twice.')
    expect(refusal(`{"plants":[${'['.repeat(50)}${']'.repeat(50)}]}`).message).toMatch(/nested too deeply/)
    expect(refusal(`{"plants":[{"notes":"${'x'.repeat(300_000)}"}]}`).code).toBe('too_large')
  })

  it('has separate limits for entries and photos', () => {
    const photo = { file: 'photos/1.webp', alt: '', growLog: 0, score: null }
    const text = (entries: number, photos: number) =>
      JSON.stringify({
        ...document,
        climateSensors: Array.from({ length: entries }, () => ({ name: 'Tent' })),
        climateReadings: [],
        photos: Array.from({ length: photos }, () => photo),
      })
    const { climateSensors, photos } = parseDocument(Buffer.from(text(maxArchiveRows, maxArchivePhotos)))
    expect([climateSensors.length, photos?.length]).toEqual([maxArchiveRows, maxArchivePhotos])
    const refusals = [refusal(text(maxArchiveRows + 1, 0)), refusal(text(0, maxArchivePhotos + 1))]
    expect(refusals.map(({ code, message }) => [code, message])).toEqual([
      ['too_large', 'This document has more entries than an import accepts.'],
      ['too_large', 'This document has more photos than an import accepts.'],
    ])
  })

  it('is refused with at most 1,000 errors', () => {
    const { fields } = refusal(`{"plants":[${'[],'.repeat(500_000)}[]]}`)
    expect(Object.keys(fields ?? {})).toHaveLength(1_000)
  })
})
