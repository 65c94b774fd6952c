import { expect, test } from 'vitest'
import { caveats } from './ranking-advice.tsx'

const caveatsOf = (unmeasuredTraits: string[], leftOut: number, uncounted: string[] = []) =>
  caveats({
    traits: [
      ...[...uncounted, 'No values'].map((name) => ({ id: name, name, kind: 'number', direction: 'none', isArchived: false })),
      { id: 'Photo', name: 'Photo', kind: 'photo', direction: 'none', isArchived: false },
    ] as unknown as Parameters<typeof caveats>[0]['traits'],
    records: [...uncounted, 'Photo'].map((traitId) => ({ traitId })) as unknown as Parameters<typeof caveats>[0]['records'],
    live: {
      ranking: { standings: [], unmeasuredTraits, notComparable: [] },
      rankable: { unmeasuredLeftOut: leftOut, measuredLeftOut: leftOut },
      prepared: { traits: [] },
    } as unknown as Parameters<typeof caveats>[0]['live'],
    weights: {},
    isComplete: true,
    runs: [],
    traitName: (id) => id,
  })

test('names the traits without scores, whether one or several', () => {
  expect(caveatsOf(['Aroma'], 0)).toEqual(['No plant has been scored for Aroma yet, so it doesn’t affect the ranking.'])
  expect(caveatsOf(['Aroma', 'Vigor'], 0)).toEqual(['No plant has been scored for Aroma or Vigor yet, so they don’t affect the ranking.'])
})

test('counts the phenos that aren’t ranked, whether one or several', () => {
  expect(caveatsOf([], 1)).toEqual([
    expect.stringMatching(/^1 pheno with no scores isn’t ranked\./),
    expect.stringMatching(/^1 pheno with few scores isn’t ranked\./),
  ])
  expect(caveatsOf([], 2)).toEqual([
    expect.stringMatching(/^2 phenos with no scores aren’t ranked\./),
    expect.stringMatching(/^2 phenos with few scores aren’t ranked\./),
  ])
})

test('names traits with values that don’t count', () => {
  expect(caveatsOf([], 0, ['Potency'])).toEqual(['Potency doesn’t count in the ranking. To include it, set what’s better under Traits.'])
  expect(caveatsOf([], 0, ['Dry yield', 'Potency'])).toEqual([
    'Dry yield and Potency don’t count in the ranking. To include them, set what’s better under Traits.',
  ])
})
