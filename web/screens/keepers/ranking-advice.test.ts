import { expect, test } from 'vitest'
import { caveats } from './ranking-advice.tsx'

const caveatsOf = (unmeasuredTraits: string[], leftOut: number) =>
  caveats({
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

test('names one trait or several without scores', () => {
  expect(caveatsOf(['Aroma'], 0)).toEqual(['No plant has been scored for Aroma yet, so it doesn’t affect the ranking.'])
  expect(caveatsOf(['Aroma', 'Vigor'], 0)).toEqual(['No plant has been scored for Aroma or Vigor yet, so they don’t affect the ranking.'])
})

test('counts one pheno or several that aren’t ranked', () => {
  expect(caveatsOf([], 1)).toEqual([
    expect.stringMatching(/^1 pheno without any score isn’t ranked\./),
    expect.stringMatching(/^1 pheno with few scores isn’t ranked\./),
  ])
  expect(caveatsOf([], 2)).toEqual([
    expect.stringMatching(/^2 phenos without any score aren’t ranked\./),
    expect.stringMatching(/^2 phenos with few scores aren’t ranked\./),
  ])
})
