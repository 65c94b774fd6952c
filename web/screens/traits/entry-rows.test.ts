import { describe, expect, test } from 'vitest'
import { deleteHarvest, recordHarvests, updateHarvest } from '#contracts/calls/traits.ts'
import { NewTrait } from '#contracts/traits.ts'
import { storedUnits } from '#web/lib/units.ts'
import {
  analytesOf,
  bySeason,
  changedText,
  harvestTexts,
  isInSeason,
  observationChains,
  readFigure,
  readHarvests,
  readLabResults,
  readScores,
  unusualResults,
  unusualShares,
  withPendingHarvests,
} from './entry-rows.ts'
import { findPlant, guessColumns, otherDayOf, readScoreFile, scoresOfFile, unrecordedOf } from './score-import.tsx'
import { changeOf, readTrait, statedOf, valuesOf } from './trait-form-values.ts'
import { usualTraits } from './usual-set-dialog.tsx'

const height = { id: 'h', name: 'Height', kind: 'number' as const, unit: 'cm', options: [] }
const vigor = {
  id: 'v',
  name: 'Vigor',
  kind: 'ordinal' as const,
  unit: '',
  options: [1, 2].map((value) => ({ value, label: `step ${value}` })),
}
const plant = (number: number, copy: number, code: string) => ({
  id: `p${number}-${copy}`,
  number,
  copy,
  code,
  label: '',
  name: copy === 0 ? `#${number}` : `#${number}-${copy}`,
  isAlive: true,
  startedOn: null,
  placement: null,
})
const plants = [plant(1, 0, '7K3M9XQ2'), plant(1, 2, '0000000A'), plant(12, 0, '0000000B')]

test('turns sheet rows into values and leaves out a row with an invalid cell', () => {
  const read = readScores({ a: { h: '41', v: '2' }, b: { h: 'tall', v: '1' }, c: { h: ' ' } }, [height, vigor], '2026-03-01')
  expect(read.values.map(({ plantId, traitId }) => [plantId, traitId])).toEqual([
    ['a', 'h'],
    ['a', 'v'],
  ])
  expect([read.savedRows, read.errors]).toEqual([['a'], { b: { h: 'Enter a number in cm' } }])
})

describe('a harvest table', () => {
  const [a, b, c] = [1, 2, 3].map((n) => `0190a1b2-0000-7000-8000-00000000000${n}`) as [string, string, string]
  const id = '0190a1b2-0000-7000-8000-0000000000ff'
  const day = '2026-03-09'
  const facts = { harvestedOn: '2026-03-01', flowerDays: 63, wetGrams: 400, dryGrams: null, trimGrams: null, washYieldPercent: null }
  const harvest = { ...facts, id, huntId: 'h', plantId: a, genotypeId: 'g', runId: null, notes: '', version: 1 }
  const before = harvestTexts([harvest], storedUnits)
  const sheet = { bases: new Map([[a, harvest]]), harvests: [harvest], units: storedUnits }

  test('includes only changed rows without errors, and only the changed cells of a correction', () => {
    const texts = {
      [a]: { ...before[a], dryGrams: '96,5' },
      [b]: { wetGrams: '300' },
      [c]: { wetGrams: 'lots', flowerDays: '63.5' },
      d: {},
    }
    const { added, corrected, errors } = readHarvests(texts, before, day, sheet)
    expect(added).toEqual([{ plantId: b, facts: { ...facts, harvestedOn: day, flowerDays: null, wetGrams: 300 } }])
    expect(corrected).toEqual([{ plantId: a, id, change: { dryGrams: 96.5, version: 1 } }])
    expect(errors).toEqual({ [c]: { wetGrams: 'Enter a number', flowerDays: 'Must be a whole number' } })
    expect(readHarvests(before, before, day, sheet)).toEqual({ added: [], corrected: [], errors: {} })
    // 400.0 is the same weight.
    expect(readHarvests({ [a]: { ...before[a], wetGrams: '400.0' } }, before, day, sheet).corrected).toEqual([])

    const inOunces = { ...sheet, units: { ...storedUnits, mass: 'oz' as const } }
    const shownOunces = harvestTexts([harvest], inOunces.units)
    expect(shownOunces[a]?.wetGrams).toBe('14.11')
    const dried = { [a]: { ...shownOunces[a], dryGrams: '3.4' } }
    expect(readHarvests(dried, shownOunces, day, inOunces).corrected[0]?.change).toEqual({ dryGrams: 96.39, version: 1 })
  })

  test('uses the version that was edited if someone else changed the same cell, and otherwise the current one', () => {
    const texts = { [a]: { ...before[a], dryGrams: '96', trimGrams: '12' } }
    const versionAfter = (theirs: object) =>
      readHarvests(texts, before, day, { ...sheet, harvests: [{ ...harvest, version: 2, ...theirs }] }).corrected[0]?.change
    expect(versionAfter({ wetGrams: 390, notes: 'Mold' })).toEqual({ dryGrams: 96, trimGrams: 12, version: 2 })
    expect(versionAfter({ dryGrams: 97 })).toEqual({ dryGrams: 96, trimGrams: 12, version: 1 })
  })

  test('corrects a harvest that someone else recorded in the meantime, with a conflict if both filled in the same cell', () => {
    const recorded = { ...sheet, bases: new Map(), harvests: [harvest] }
    const correctionOf = (row: Record<string, string>) => readHarvests({ [a]: row }, {}, day, recorded)
    expect(correctionOf({ dryGrams: '96' })).toMatchObject({ added: [], corrected: [{ id, change: { dryGrams: 96, version: 1 } }] })
    expect(correctionOf({ wetGrams: '390' }).corrected).toEqual([{ plantId: a, id, change: { wetGrams: 390, version: 0 } }])
  })

  test('doesn’t move a saved harvest to the table’s day', () => {
    const saved = { [a]: { wetGrams: '400' } }
    const texts = { [a]: { wetGrams: '400', dryGrams: '96' } }
    expect(readHarvests(texts, saved, day, sheet).corrected[0]?.change).toEqual({ dryGrams: 96, version: 1 })
    const { corrected, errors } = readHarvests({ [a]: { ...before[a], harvestedOn: '' } }, before, day, sheet)
    expect([corrected, errors]).toEqual([[], { [a]: { harvestedOn: 'Enter a date such as 2026-11-21' } }])
    const cleared = readHarvests({ [a]: { harvestedOn: '', flowerDays: '', wetGrams: '' } }, before, day, sheet).errors
    expect(cleared).toEqual({ [a]: { harvestedOn: 'To delete this harvest, open the plant’s page' } })
  })

  test('shows pending entries, except those that need a decision', () => {
    const added = { ...facts, id: 'new', plantId: b, wetGrams: 300 }
    const entries = [
      { ...recordHarvests, params: { id: 'h' }, body: { harvests: [added] }, hold: null },
      { ...updateHarvest, params: { id }, body: { dryGrams: 96, version: 1 }, hold: null },
      { ...updateHarvest, params: { id: 'new' }, body: { dryGrams: 70, version: 1 }, hold: null },
    ]
    expect(harvestTexts(withPendingHarvests([harvest], entries), storedUnits)).toEqual({
      [a]: { ...before[a], dryGrams: '96' },
      [b]: { harvestedOn: facts.harvestedOn, flowerDays: '63', wetGrams: '300', dryGrams: '70' },
    })
    const hold = { kind: 'refused' as const, message: '', fields: {} }
    expect(
      withPendingHarvests(
        [harvest],
        entries.map((entry) => ({ ...entry, hold })),
      ),
    ).toEqual([harvest])
    const deletion = { ...deleteHarvest, params: { id }, body: {}, hold: null }
    expect(withPendingHarvests([harvest], [deletion])).toEqual([])
    expect(withPendingHarvests([harvest], [{ ...deletion, hold }])).toEqual([harvest])
  })
})

test('finds plants with an unusual share of dry weight', () => {
  const texts = {
    a: { wetGrams: '400', dryGrams: '100' },
    b: { wetGrams: '400', dryGrams: '180' },
    c: { wetGrams: '400', dryGrams: '40' },
    d: { dryGrams: '4' },
  }
  expect(unusualShares(texts).map(({ plantId }) => plantId)).toEqual(['b', 'c'])
})

test('reads a lab result as a number or as a value below a limit', () => {
  expect(readFigure('21.4')).toEqual({ value: 21.4, quantificationLimit: null })
  expect(readFigure('21,4 %')).toEqual({ value: 21.4, quantificationLimit: null })
  for (const text of ['<0.05', '< 0.05', '<LOQ 0.05', '< 0.05 %'])
    expect(readFigure(text)).toEqual({ value: null, quantificationLimit: 0.05 })
  for (const text of ['< LOQ', 'ND', '-1']) expect(readFigure(text)).toHaveProperty('error')
  expect(
    analytesOf(
      [
        { analyte: 'Total THC', isArchived: false },
        { analyte: 'CBG', isArchived: true },
      ],
      [{ analyte: 'total thc' }, { analyte: 'CBD' }],
    ),
  ).toEqual(['Total THC', 'CBD'])
  const sheet = { lab: 'A', testedOn: '2026-03-01', samplePosition: '', unit: '%' }
  const read = readLabResults({ a: { THC: '20', CBD: '<0.1' }, b: { THC: 'x' } }, ['THC', 'CBD'], sheet)
  expect([read.results.length, read.savedRows, Object.keys(read.errors)]).toEqual([2, ['a'], ['b']])
})

test('lists the corrected values after the current one', () => {
  const of = (id: string, correctsId: string | null, isCurrent = false) => ({ id, correctsId, isCurrent })
  const chains = observationChains([of('c', 'b', true), of('b', 'a'), of('a', null), of('x', 'elsewhere', true)])
  expect(chains.map(({ last, corrected }) => [last.id, corrected.map(({ id }) => id)])).toEqual([
    ['c', ['b', 'a']],
    ['x', []],
  ])
})

test('maps a file’s columns by name, and reports each invalid cell by row and column', () => {
  const file = readScoreFile(
    new TextEncoder().encode(
      '\uFEFFPlant;Height (cm);Vigor;Mood;Day\n#1;41,5;2;good;3/2/2026\n1-2;tall;;;\n#99;40;1;;\n7K3M9XQ2;–;9;;2026-03-05\n',
    ),
  )
  const uses = guessColumns(file.header, [height, vigor])
  expect(uses).toEqual(['plant', 'h', 'v', 'skip', 'day'])
  const read = scoresOfFile(file, uses, [height, vigor], plants, '2026-03-09')
  expect(read.values).toEqual([
    { traitId: 'h', plantId: 'p1-0', observedOn: '2026-03-02', value: { kind: 'number', number: 41.5 } },
    { traitId: 'v', plantId: 'p1-0', observedOn: '2026-03-02', value: { kind: 'number', number: 2 } },
  ])
  expect(read.wrong.map(({ row, column }) => [row, column])).toEqual([
    [3, 'Height (cm)'],
    [4, 'Plant'],
    [5, 'Vigor'],
  ])
  expect(findPlant(plants, '#12 Lemon')?.id).toBe('p12-0')
  expect(findPlant(plants, '7k3m 9xq2')?.id).toBe('p1-0')
  expect(findPlant(plants, 'Lemon')).toBeNull()
  for (const text of ['Plant\n#1', 'Plant,Height', 'a\0b,c\n1,2']) expect(() => readScoreFile(new TextEncoder().encode(text))).toThrow()
})

test('reads Windows-1252 and removes the apostrophe that exports put before plus and minus signs', () => {
  const size = { ...vigor, id: 's', name: 'Größe', options: ['-', '++'].map((label, value) => ({ value, label })) }
  const text = "Plant,Größe\n#1,'++\n#12,'-\n#1-2,–\n"
  const file = readScoreFile(Uint8Array.from([...text.replace('–', '\x96')], (letter) => letter.charCodeAt(0)))
  const read = scoresOfFile(file, guessColumns(file.header, [size]), [size], plants, '2026-03-09')
  expect(read.wrong).toEqual([])
  expect(read.values.map(({ value }) => value)).toEqual([
    { kind: 'number', number: 1 },
    { kind: 'number', number: 0 },
  ])
})

test('numbers the rows of a file as a spreadsheet does, with blank lines and line breaks in cells', () => {
  const file = readScoreFile(new TextEncoder().encode('\nPlant,Height,Notes\n\n#1,41\n#98,40\n#1,42,"two\nlines"\n  \n#99,43\n'))
  const { wrong } = scoresOfFile(file, ['plant', 'h', 'skip'], [height, vigor], plants, '2026-03-09')
  expect(wrong.map(({ row, message }) => [row, message])).toEqual([
    [5, '“#98” isn’t a plant in this hunt'],
    [8, '“#99” isn’t a plant in this hunt'],
  ])
})

test('imports only values that the person hasn’t recorded, each as many times as the file contains it', () => {
  const value = (number: number) => ({
    traitId: 'h',
    plantId: 'p1-0',
    observedOn: '2026-03-02',
    value: { kind: 'number' as const, number },
  })
  const record = (number: number, isOwn = true) => ({
    ...{ traitId: 'h', plantId: 'p1-0', on: '2026-03-02', number, isOwn },
    ...{ genotypeId: 'g', runId: null, observer: '0' },
  })
  const file = [value(41), value(42), value(41)]
  expect(unrecordedOf(file, []).count).toBe(3)
  // Only the person's own records count.
  expect(unrecordedOf(file, [record(41, false)]).count).toBe(3)
  expect(unrecordedOf(file, [record(42), record(41)])).toEqual({
    ...{ count: 1, plants: 1, corrections: 0 },
    batches: [file.map((each) => ({ ...each, sameDay: 'once' }))],
  })
  expect(unrecordedOf(file, [record(41), record(42), record(41)])).toEqual({ count: 0, plants: 0, corrections: 0, batches: [] })
  expect(unrecordedOf([...file, { ...value(41), plantId: 'p2-0' }], [record(41), record(42), record(41)])).toMatchObject({
    count: 1,
    plants: 1,
  })
  const twoDays = [value(41), { ...value(43), observedOn: '2026-03-03' }, value(42)]
  expect(unrecordedOf(twoDays, [], 2).batches.map((batch) => batch.map(({ value }) => value?.kind === 'number' && value.number))).toEqual([
    [41, 42],
    [43],
  ])
  // A corrected file replaces the earlier value.
  expect(unrecordedOf([value(44)], [record(41)])).toMatchObject({ count: 1, corrections: 1 })
  expect(unrecordedOf([value(44)], [record(41, false)])).toMatchObject({ count: 1, corrections: 0 })
})

test('recognizes a file without days that was imported on another day', () => {
  const value = (plantId: string, number: number) => ({
    ...{ traitId: 'h', plantId, observedOn: '2026-03-09' },
    value: { kind: 'number' as const, number },
  })
  const record = (plantId: string, number: number, on: string) => ({
    ...{ traitId: 'h', plantId, on, number, isOwn: true },
    ...{ genotypeId: plantId, runId: null, observer: '0' },
  })
  const plantIds = ['a', 'b', 'c', 'd', 'e']
  const there = (on: string) => plantIds.map((id) => record(id, 41, on))
  const corrected = plantIds.map((id) => value(id, id === 'a' ? 42 : 41))
  expect(otherDayOf(corrected, there('2026-03-02'))).toBe('2026-03-02')
  expect(otherDayOf(corrected, [...there('2026-03-02'), ...there('2026-03-04')])).toBe('2026-03-04')
  expect(otherDayOf(corrected, there('2026-03-09'))).toBeNull()
  expect(
    otherDayOf(
      plantIds.map((id) => value(id, id < 'c' ? 42 : 41)),
      there('2026-03-02'),
    ),
  ).toBeNull()
  expect(
    otherDayOf(
      corrected,
      there('2026-03-02').map((each) => ({ ...each, isOwn: false })),
    ),
  ).toBeNull()
  expect(otherDayOf([], [])).toBeNull()
})

test('has presets that can be added unchanged, with unique names', () => {
  for (const { trait } of usualTraits) expect(NewTrait.safeParse(trait).error?.issues ?? [], trait.name).toEqual([])
  expect(new Set(usualTraits.map(({ key }) => key)).size).toBe(usualTraits.length)
  expect(new Set(usualTraits.map(({ trait }) => trait.name)).size).toBe(usualTraits.length)
})

test('keeps only the input for a trait’s kind, and reports invalid fields', () => {
  const values = { ...valuesOf(null), name: 'Aroma', kind: 'checks' as const, direction: 'max' as const, low: '1', high: '5', unit: 'cm' }
  const stated = statedOf({
    ...values,
    options: [
      { value: 1, label: 'Gas' },
      { value: 2, label: ' ' },
      { value: 3, label: 'Pine' },
    ],
  })
  expect(stated).toMatchObject({ direction: 'none', low: null, weight: 0, unit: '', options: [{ value: 1 }, { value: 3 }] })
  const read = readTrait({ ...valuesOf(null), kind: 'number', direction: 'max', low: 'x', high: '5' })
  expect(read).toEqual({ errors: { name: 'Enter a name', low: 'Must be a number' } })
  const good = readTrait({ ...valuesOf(null), name: 'Height', kind: 'number' })
  if (!('trait' in good)) throw new Error('refused')
  expect(changeOf(good.trait, 3)).toEqual(expect.not.objectContaining({ kind: expect.anything() }))
  expect(changeOf(good.trait, 3).version).toBe(3)
})

test('shows a trait during its stages, and always if the plants’ stages are unknown', () => {
  const flower = { fromStage: 'flower' as const, toStage: null }
  const early = { fromStage: null, toStage: 'vegetative' as const }
  expect(isInSeason(flower, new Set(['vegetative'] as const))).toBe(false)
  expect(isInSeason(flower, new Set(['vegetative', 'drying'] as const))).toBe(true)
  expect(isInSeason(flower, new Set())).toBe(true)
  expect(bySeason([flower, early], new Set(['seedling'] as const))).toEqual({ now: [early], later: [flower] })
  expect(bySeason([flower], new Set(['seedling'] as const))).toEqual({ now: [flower], later: [] })
})

test('counts rows with errors as changed', () => {
  expect(changedText(0, 0, 5)).toBe('Nothing to save.')
  expect(changedText(2, 0, 5)).toBe('2 of 5 plants changed.')
  expect(changedText(0, 1, 5)).toBe('1 of 5 plants changed, 1 with an error.')
})

test('refuses lab results above 100%, and hints at unusually high cannabinoids', () => {
  const sheet = { lab: '', testedOn: '2026-11-20', samplePosition: '', unit: '%' }
  const texts = { a: { THC: '189', CBD: '1' }, b: { THC: '41', CBD: '2' }, c: { THC: '38', Moisture: '60' } }
  const read = readLabResults(texts, ['THC', 'CBD', 'Moisture'], sheet)
  expect(read.errors).toEqual({ a: { THC: 'A percentage can be at most 100' } })
  expect(unusualResults(read.results).map(({ plantId, analyte }) => `${plantId} ${analyte}`)).toEqual(['b THC'])
  expect(readLabResults(texts, ['THC'], { ...sheet, unit: 'mg/g' }).errors).toEqual({})
})
