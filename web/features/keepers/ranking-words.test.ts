import { expect, test } from 'vitest'
import { chanceText, sensitivityText, verdictText } from './ranking-words.ts'

const nameOf = (id: string) => `#${id}`
const traitName = (id: string) => ({ a: 'Aroma', y: 'Yield' })[id] ?? id

test('a chance is never none and never sure', () => {
  expect([0, 0.004, 0.41, 0.996, 1].map(chanceText)).toEqual(['under 1%', 'under 1%', '41%', 'over 99%', 'over 99%'])
})

test('the verdict says who leads, how surely, and who is within reach', () => {
  expect(verdictText({ kind: 'clear', leaderId: '7', withinReach: ['3'] }, 0.86, nameOf)).toBe(
    '#7 is the one to keep, with a chance of 86% to be the best.',
  )
  expect(verdictText({ kind: 'too-close', leaderId: '7', withinReach: ['3'] }, 0.4, nameOf)).toContain('; #3 is within reach.')
  expect(verdictText({ kind: 'too-close', leaderId: '7', withinReach: ['3', '4'] }, 0.4, nameOf)).toContain('; #3 and #4 are within reach.')
  expect(verdictText({ kind: 'too-close', leaderId: '7', withinReach: ['1', '2', '3', '4', '5'] }, 0.4, nameOf)).toContain(
    '; 5 others are within reach.',
  )
  expect(verdictText({ kind: 'no-weights' }, 0, nameOf)).toContain('weight')
})

test('a weight that decides is named; else what all together could do', () => {
  const change = (traitId: string, factor: number, winnerId: string) => ({ traitId, factor, winnerId, changesWinner: winnerId !== '7' })
  const steady = [change('a', 0.8, '7'), change('a', 1.2, '7')]
  expect(sensitivityText({ winnerId: '7', changes: [...steady, change('y', 1.2, '3')], overtakers: [] }, nameOf, traitName)).toEqual([
    'If Yield counted 20% more, #3 would lead.',
  ])
  expect(sensitivityText({ winnerId: '7', changes: steady, overtakers: [] }, nameOf, traitName)).toEqual([
    '#7 leads whichever way the weights move by 20%.',
  ])
  expect(sensitivityText({ winnerId: '7', changes: steady, overtakers: [{ id: '4', points: 1 }] }, nameOf, traitName)[0]).toContain('#4')
})
