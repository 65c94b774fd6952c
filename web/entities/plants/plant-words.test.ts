import { expect, test } from 'vitest'
import { filterGenotypes } from '#web/screens/plants/plants-section.tsx'
import { copiesWords, lastLogOf, roomWords, stageOf } from './plant-words.ts'
import { sampleGenotype, samplePlant } from './sample-plants.test-support.ts'

const ended = { endedOn: '2026-11-01', endedHow: 'died' as const }

test('describes how many copies are alive', () => {
  const words = (...plants: ReturnType<typeof samplePlant>[]) => copiesWords(sampleGenotype(1, plants))
  expect(words(samplePlant('a'))).toBe('1 alive')
  expect(words(samplePlant('a'), samplePlant('b'))).toBe('Both alive')
  expect(words(samplePlant('a'), samplePlant('b', ended))).toBe('1 of 2 alive')
  expect(words(samplePlant('a', ended))).toBe('Gone')
  expect(words(samplePlant('a', ended), samplePlant('b', { endedOn: '2026-11-02', endedHow: 'harvested' }))).toBe('Harvested')
})

test('takes a genotype’s stage from its most advanced living plant, and its last log from any plant', () => {
  const genotype = sampleGenotype(1, [
    samplePlant('a', { stage: 'vegetative', lastLoggedOn: '2026-11-03' }),
    samplePlant('b', { stage: 'flower', lastLoggedOn: '2026-11-01' }),
    samplePlant('c', { ...ended, stage: 'curing' }),
  ])
  expect(stageOf(genotype)).toBe('flower')
  expect(lastLogOf(genotype)).toBe('2026-11-03')
  expect(stageOf(sampleGenotype(1, [samplePlant('c', { ...ended, stage: 'curing' })]))).toBe('curing')
  expect(lastLogOf(sampleGenotype(1, [samplePlant('c')]))).toBeNull()
})

test('mentions a limit only when it is exceeded', () => {
  expect(roomWords({ livingPlants: 6, plantLimit: 6, overBy: 0 })).toBeNull()
  expect(roomWords({ livingPlants: 9, plantLimit: null, overBy: 0 })).toBeNull()
  expect(roomWords({ livingPlants: 9, plantLimit: 6, overBy: 3 })).toBe('This hunt has 9 living plants, 3 over your limit of 6.')
})

test('finds plants by number, label, decision, sex, and whether they are alive', () => {
  const all = [
    sampleGenotype(70, [samplePlant('a')], { standing: 'keep', sex: 'female' }),
    sampleGenotype(7, [samplePlant('b', ended)], { label: 'Lemon' }),
    sampleGenotype(8, [samplePlant('c')], { sex: 'male' }),
  ]
  const numbers = (filter: Parameters<typeof filterGenotypes>[1]) => filterGenotypes(all, filter).map(({ number }) => number)
  expect(numbers({})).toEqual([70, 7, 8])
  expect(numbers({ text: '#7' })).toEqual([7, 70])
  expect(numbers({ text: 'lem' })).toEqual([7])
  expect(numbers({ standing: 'open' })).toEqual([7, 8])
  expect(numbers({ standing: 'keep' })).toEqual([70])
  expect(numbers({ sex: 'male' })).toEqual([8])
  expect(numbers({ isAliveOnly: true })).toEqual([70, 8])
})
