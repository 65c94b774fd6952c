import { expect, test } from 'vitest'
import { typedNames } from '#web/entities/offline/use-outbox.ts'
import { lastCopiesAmong } from './last-copy-lock.tsx'
import { sampleGenotype, samplePlant } from './sample-plants.test-support.ts'

const asked = [3, 5, 12, 13].map((number) => ({ number, name: `#${number}` }))

test('reads numbers in any spelling', () => {
  for (const text of ['3', '#3', ' # 3 ', '03']) expect(typedNames(text, asked), text).toEqual(['#3'])
  expect(typedNames('3, 5 and #12', asked)).toEqual(['#3', '#5', '#12'])
  expect(typedNames('12-13', asked)).toEqual(['#12', '#13'])
  expect(typedNames('#4–#12', asked)).toEqual(['#5', '#12'])
  expect(typedNames('1', asked)).toEqual([])
  expect(typedNames('', asked)).toEqual([])
})

test('detects when a change ends all living copies of a genotype', () => {
  const two = sampleGenotype(1, [samplePlant('a'), samplePlant('b'), samplePlant('c', { endedOn: '2026-11-01', endedHow: 'died' })])
  const gone = sampleGenotype(2, [samplePlant('d', { endedOn: '2026-11-01', endedHow: 'died' })])
  const among = (...ids: string[]) => lastCopiesAmong([two, gone], new Set(ids), 'culled').map(({ name }) => name)
  expect(among('a')).toEqual([])
  expect(among('a', 'b')).toEqual(['#1'])
  expect(among('d')).toEqual([])
  expect(lastCopiesAmong([two], new Set(['a', 'b']), 'died')).toEqual([])
})
