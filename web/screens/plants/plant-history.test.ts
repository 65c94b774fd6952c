import { expect, test } from 'vitest'
import type { HistoryEntry } from '#contracts/plant-history.endpoints.ts'
import { storedUnits } from '#web/lib/units.ts'
import { historyLine } from './plant-history.tsx'

const units = storedUnits
const line = (
  kind: HistoryEntry['kind'],
  facts: HistoryEntry['facts'] = {},
  subject: Partial<NonNullable<HistoryEntry['subject']>> | null = null,
) =>
  historyLine(
    {
      id: 'id',
      kind,
      happenedOn: '2026-11-01',
      recordedAt: '2026-11-02T00:00:00.000Z',
      recordedBy: null,
      plant: null,
      facts,
      subject: subject && { type: 'log', id: 'subject', ...subject },
    },
    units,
  )

test('describes corrections along with the original value', () => {
  expect(line('plant.changed', { changed: 'rootedOn', after: '2026-11-12', before: '2026-11-10' })).toMatchObject({
    title: 'Rooted: Nov 12, 2026',
    before: 'Nov 10, 2026',
  })
  expect(line('plant.changed', { changed: 'cutOn', after: '2026-11-12', before: null }).before).toBe('not set')
  expect(line('genotype.sexed', { sex: 'female', before: 'male' })).toMatchObject({ title: 'Female', before: 'Male' })
  expect(line('genotype.sexed', { sex: 'female', before: null }).before).toBeNull()
  expect(line('plant.revived', { endedHow: 'culled', before: '2026-11-01' }).before).toBe('culled on Nov 1, 2026')
  const said = { week: 4, stage: 'flower' as const, heightCm: 41, rating: null }
  const log = { ...said, notes: 'Lemon', photos: [], isDeleted: false, movedTo: null, before: { ...said, heightCm: 14, notes: 'Lime' } }
  expect(line('log.changed', {}, { log })).toEqual({
    title: 'Log corrected',
    facts: ['week 4', 'flower', '41 cm'],
    text: 'Lemon',
    before: 'week 4, flower, 14 cm, “Lime”',
  })
  expect(line('log.written', {}, { log: { ...log, movedTo: '#9' } })).toMatchObject({ facts: ['moved to #9'], text: '', before: null })
  expect(line('log.written', {}, { log: { ...log, isDeleted: true } })).toMatchObject({ facts: ['since deleted'], text: '', before: null })
})

test('describes scores, harvests, results, and decisions with the known facts', () => {
  const score = {
    traitId: 't',
    trait: 'Nose',
    unit: '',
    value: '4 · strong',
    photo: null,
    note: '',
    isBlind: true,
    isWithdrawn: false,
    corrected: null,
    isCorrected: true,
  }
  expect(line('observation.made', {}, { observation: score })).toMatchObject({
    title: 'Nose: 4 · strong',
    facts: ['blind', 'since corrected'],
  })
  expect(line('observation.corrected', {}, { observation: { ...score, isWithdrawn: true, value: '' } }).title).toBe('Nose: withdrawn')
  const harvest = { flowerDays: 63, wetGrams: null, dryGrams: 55.5, washYieldPercent: null }
  expect(line('harvest.recorded', {}, { harvest }).facts).toEqual(['flowered 63 days', '55.5 g dry'])
  expect(line('harvest.recorded').facts).toEqual(['since deleted'])
  expect(line('harvest.deleted', {}, { harvest })).toMatchObject({ title: 'Harvest deleted', facts: [] })
  const lab = { lab: 'North', analyte: 'THC', value: null, unit: '%', quantificationLimit: 0.1 }
  expect(line('lab.recorded', {}, { lab }).facts).toEqual(['THC below 0.1%', 'North'])
  expect(line('lab.recorded').facts).toEqual([])
  const decision = { kind: 'cull' as const, reason: 'Leggy', isUndone: true }
  expect(line('decision.made', { standing: 'cull' }, { decision })).toMatchObject({
    title: 'Decision: Cull',
    text: 'Leggy',
    facts: ['since undone'],
  })
  expect(line('plant.placed', { row: 1, column: 2 }, { run: { name: 'Tent' } }).title).toBe('Row 1, column 2 in Tent')
  expect(line('plant.placed', { row: null, column: null }).title).toBe('In a deleted run')
})
