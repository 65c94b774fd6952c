import { describe, expect, test } from 'vitest'
import { askedCopies, inputKind, problemsOf, typedValue, versionsOf, words } from './use-outbox.ts'

describe('a comparison of both versions', () => {
  const body = { heightCm: 44, notes: 'Stretching', rating: null, version: 2 }
  const labels = { heightCm: 'Height (cm)', rating: 'Rating', notes: 'Notes', feed: 'Feed' }

  test('lists only written fields, in label order', () => {
    const theirs = { heightCm: 40, notes: 'Stretching', rating: 7, version: 3 }
    expect(versionsOf({ body, labels, photos: [], hold: { kind: 'conflict', message: '', theirs } })).toEqual([
      { name: 'heightCm', label: 'Height (cm)', mine: 44, theirs: 40, isDifferent: true, isEditable: true },
      { name: 'rating', label: 'Rating', mine: null, theirs: 7, isDifferent: true, isEditable: true },
      { name: 'notes', label: 'Notes', mine: 'Stretching', theirs: 'Stretching', isDifferent: false, isEditable: true },
    ])
  })

  test('says what happened to photos and where a log was moved', () => {
    const photo = { key: 'k', name: '', type: '', size: 1, alt: '', uploadId: null }
    const theirs = { plant: { number: 9, copy: 2 }, photos: [{ id: 'p1' }, { id: 'p2' }], version: 3 }
    const moved = {
      body: { plantId: 'seven', mediaIds: [], version: 2 },
      labels: { plantId: 'Plant', mediaIds: 'Photos' },
      texts: { plantId: '#7' },
      photos: [photo],
      removedPhotos: ['p1'],
      hold: { kind: 'conflict' as const, message: '', theirs },
    }
    const [plant, photos] = versionsOf(moved)
    expect(plant).toMatchObject({ label: 'Plant', mine: '#7', theirs: '#9-2', isDifferent: true, isEditable: false })
    expect(photos).toMatchObject({ label: 'Photos', mine: '1 added, 1 removed', theirs: '2 photos', isDifferent: true, isEditable: false })
  })

  test('has no differences without another version', () => {
    const fields = versionsOf({ body, labels, photos: [], hold: { kind: 'refused', message: '', fields: {} } })
    expect(fields.filter(({ isDifferent }) => isDifferent)).toEqual([])
  })
})

test('asks to confirm last copies, or to stop confirming those that now have other copies', () => {
  const hold = { kind: 'refused' as const, message: '', fields: {}, lastCopies: ['#7', '#9'] }
  expect(askedCopies(hold, { confirmLastCopies: ['#9'] })).toEqual({ missing: ['#7', '#9'], without: null })
  expect(askedCopies(hold, { confirmLastCopies: ['#3', '#7', '#9'] })).toEqual({ missing: [], without: ['#3'] })
})

describe('the problems of a refused entry', () => {
  const write = { body: {}, labels: {}, items: undefined }
  const problemsIn = (fields: Record<string, string>, details: Partial<Parameters<typeof problemsOf>[0]> = {}) =>
    problemsOf({ ...write, ...details }, { kind: 'refused', message: '', fields })

  test('say what was entered for an item of a list', () => {
    const body = { harvests: [{ plantId: 'p', harvestedOn: '2026-03-02', wetGrams: 405, dryGrams: null }], endsPlants: true }
    const items = { field: 'harvests', names: ['#7'], noun: 'Harvest' }
    const labels = { harvestedOn: 'Cut on', wetGrams: 'Wet (g)', dryGrams: 'Dry (g)' }
    expect(problemsIn({ 'harvests.0.plantId': 'Has one.' }, { body, items, labels })).toEqual([
      '#7: Has one. You entered: Cut on 2026-03-02, Wet (g) 405.',
    ])
    const scores = { field: 'observations', names: ['#7', '#8'], noun: 'Score', entered: ['Vigor 8', 'Nose 3'] }
    expect(problemsIn({ 'observations.1.traitId': 'Gone.' }, { items: scores })).toEqual(['#8: Gone. You entered: Nose 3.'])
  })

  test('name labeled fields only, and each problem once', () => {
    const fields = { heightCm: 'Too tall', 'observations.0.observedOn': 'In the future', 'observations.1.observedOn': 'In the future' }
    expect(problemsIn(fields, { labels: { heightCm: 'Height (cm)' } })).toEqual(['Height (cm): Too tall', 'In the future'])
  })
})

test.each([
  [null, 'Nothing'],
  ['', 'Nothing'],
  [0, '0'],
  [true, 'Yes'],
  [['a', 'b'], 'a, b'],
  [{ name: 'Row 2' }, 'Row 2'],
])('formats the value %j as %s', (value, text) => {
  expect(words(value)).toBe(text)
})

test('converts typed text to a number if the field was one', () => {
  expect(inputKind({ mine: null, theirs: 7 })).toBe('number')
  expect(typedValue('number', ' 44,5 ')).toBe(44.5)
  expect(typedValue('number', '1,200')).toBe(1200)
  expect(typedValue('number', '')).toBeNull()
  expect(typedValue('number', 'tall')).toBe('tall')
  expect(typedValue('text', ' Stretching ')).toBe('Stretching')
})
